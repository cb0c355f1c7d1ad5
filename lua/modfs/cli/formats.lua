-- What the formats of stat and find -printf have in common: escapes, and fields of a width.
local formats = {}

local escapes = { a = "\a", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", v = "\v",
  ["\\"] = "\\" }

-- What a backslash and what follows it stand for, and the position behind that.
function formats.escape(format, at)
  local digits, stop = format:match("^\\([0-7][0-7]?[0-7]?)()", at)
  if digits then
    return string.char(tonumber(digits, 8) % 256), stop
  end
  local char = format:sub(at + 1, at + 1)
  return escapes[char] or "\\" .. char, at + 1 + #char
end

-- The flags, the width and the precision behind a %, and the position behind them.
function formats.field(format, at)
  local flags, width, precision, stop = format:match("^%%([-+ 0#']*)(%d*)(%.?%d*)()", at)
  return { flags = flags, width = tonumber(width) or 0,
    precision = precision ~= "" and (tonumber(precision:sub(2)) or 0) }, stop
end

-- A text as wide as its field: filled up with blanks, or, if it is a number, with zeros; no longer
-- than the precision, if it is none.
function formats.fill(text, field, is_number)
  if field.precision then
    text = is_number and ("0"):rep(field.precision - #text) .. text or text:sub(1, field.precision)
  end
  local missing = field.width - #text
  if missing <= 0 then
    return text
  elseif field.flags:find("-", 1, true) then
    return text .. (" "):rep(missing)
  end
  local zeros = is_number and not field.precision and field.flags:find("0", 1, true)
  return (zeros and "0" or " "):rep(missing) .. text
end

return formats
