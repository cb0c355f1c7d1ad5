-- modfs head [-n LINES | -c BYTES] [PATH...]
local command = require "modfs.cli.command"
local ends = require "modfs.cli.ends"

local function lines(file, count, task)
  for _ = 1, count do
    local line, message = file:read "*L"
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
