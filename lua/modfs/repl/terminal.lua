-- The terminal of the prompt: whether there is one, its size, and its pager.
local shell = require "modfs.inspect.shell"

local terminal = {}

function terminal.is_there()
  local result = os.execute "test -t 0 -a -t 1"
  return result == true or result == 0
end

-- Rows and columns.
function terminal.size()
  local rows, columns = shell.output "stty size </dev/tty":match "^(%d+) (%d+)$"
  rows, columns = tonumber(rows) or 24, tonumber(columns) or 80
  return rows > 0 and rows or 24, columns > 0 and columns or 80
end

local function has(program)
  return shell.output("command -v", program) ~= ""
end

-- The shell words of a pager; nil where there is none.
local function pager()
  local words = os.getenv "PAGER"
  if words and words ~= "" then
    return words
  end
  return has "less" and "less -R" or nil
end

local function count_rows(text, columns, width)
  local rows = 0
  for line in (text .. "\n"):gmatch "(.-)\n" do
    rows = rows + math.max(1, math.ceil(width(line) / columns))
  end
  return rows
end

-- Prints a text, through the pager where it is longer than the screen. width(line) counts what is
-- seen of a line.
function terminal.print(text, width)
  local rows, columns = terminal.size()
  local program = count_rows(text, columns, width) >= rows and pager()
  local name = program and os.tmpname()
  local file = name and io.open(name, "w")
  if not file then
    print(text)
    return
  end
  file:write(text, "\n")
  file:close()
  io.stdout:flush()
  os.execute(program .. " <" .. shell.quote(name))
  os.remove(name)
end

return terminal
