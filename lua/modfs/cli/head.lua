-- modfs head [-n LINES | -c BYTES] [PATH...]
local command = require "modfs.cli.command"
local ends = require "modfs.cli.ends"

-- io's files of Lua 5.1 cannot tell whether the last line has a newline.
local drops_newlines = _VERSION == "Lua 5.1" and not rawget(_G, "jit")

local function read_line(file, is_stream)
  if not (is_stream and drops_newlines) then
    return file:read "*L"
  end
  local parts = {}
  repeat
    local char, message = file:read(1)
    if message then
      return nil, message
    end
    parts[#parts + 1] = char
  until char == nil or char == "\n"
  return #parts > 0 and table.concat(parts) or nil
end

local function lines(file, count, task, is_stream)
  for _ = 1, count do
    local line, message = read_line(file, is_stream)
    if not line then
      return message == nil or nil, message
    end
    task:write(line)
  end
  return true
end

local CHUNK = 64 * 1024

local function bytes(file, count, task)
  while count > 0 do
    local data, message = file:read(math.min(count, CHUNK))
    if not data then
      return message == nil or nil, message
    end
    task:write(data)
    count = count - #data
  end
  return true
end

return command.define("head", ends.definition("Writes the first lines or bytes of files.",
  { lines = lines, bytes = bytes }))
