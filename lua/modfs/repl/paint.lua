-- Colors of what the prompt prints: paint(kind, text), and the text itself where none are wanted.
local colors = require "modfs.cli.colors"

local paint = {}

local codes = { string = "32", number = "36", boolean = "35", ["nil"] = "35", object = "33",
  note = "2", more = "2", problem = "31", title = "1", code = "36" }

function paint.plain(_, text)
  return text
end

function paint.colored(kind, text)
  return ("\27[%sm%s\27[0m"):format(codes[kind], text)
end

-- The function for a prompt on a terminal or elsewhere.
function paint.choose(on_terminal)
  local asked = { is_terminal = function() return on_terminal end }
  return colors.wanted("auto", asked) and paint.colored or paint.plain
end

-- How many characters a terminal shows of a text; bytes of UTF-8 beyond the first count as none.
function paint.width(text)
  return select(2, text:gsub("\27%[[%d;]*m", ""):gsub("[^\128-\191]", ""))
end

return paint
