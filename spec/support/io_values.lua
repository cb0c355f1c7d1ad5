-- The values that a trial of io gives to the functions: right ones, and wrong ones.
local values = {}

local NIL = {} -- stands for nil in a list
values.NIL = NIL

values.formats = { "l", "L", "n", "a", "*l", "*L", "*n", "*a", "*all", "*line", "*number", 0, 1, 2,
  3, 17, 5000, "l", "*l", 1, "*n" }
values.wrong_formats = { "x", "", "*", "*x", "5", {}, true, NIL, 1.5, -1, print }
values.modes = { "r", "r", "w", "w", "a", "rb", "wb", "ab" }
values.wrong_modes = { "", "x", "+", "b", "rw", "R", "br", "rbb", {}, true, 5, print }
values.updates = { "r+", "w+", "a+", "r+b", "w+b" }
values.written = { "", "k", "word ", "two\nrows\n", "\n", 1, -7, 1.5, 2 ^ 53, 1e100, "12 ",
  "\r\n", -0.25, 1e15, ("huge "):rep(900) }
values.unwritten = { {}, true, NIL, print }
values.whences = { "set", "cur", "end", NIL }
values.wrong_whences = { "", "start", 5, {}, true }
values.offsets = { 0, 1, 5, 40, -1, -3, NIL, "2", 5000 }
values.wrong_offsets = { "x", {}, true, 1.5, print }
values.bufferings = { "no", "full", "line" }
values.wrong_bufferings = { "none", "", {}, NIL, 1 }
values.odd = { NIL, {}, true, 1.5, print, "x" }

-- What files hold. scanf and fgets, which io has before 5.3, are not asked for the modern ones.
values.tokens = { "1 ", "23", "-4.5 ", "+6", ".", "7.", " ", "\n", "\n", "k", "qq", "word", ",",
  "\t", "-", "0", "00", "\r\n", "9999999999999999", "row of text\n" }
values.modern_tokens = { "0x", "0X1F", "e", "E5", "p", "p-2", "nan", "inf", "\0", "0x.8p1",
  ("3"):rep(250), "1e400", ("0"):rep(199), "a", "F", "1e+", "0xep", "99999999999999999999" }

return values
