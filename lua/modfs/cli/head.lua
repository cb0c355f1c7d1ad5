-- modfs head [-n [-]LINES | -c [-]BYTES] [-q | -v] [PATH...]
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

-- All but the last lines: so many of them wait.
local function lines_but(file, count, task, is_stream)
  local waiting, first, last = {}, 1, 0
  local line, message = read_line(file, is_stream)
  while line do
    last = last + 1
    waiting[last] = line
    if last - first >= count then
      task:write(waiting[first])
      waiting[first], first = nil, first + 1
    end
    line, message = read_line(file, is_stream)
  end
  return message == nil or nil, message
end

local function lines(file, count, task, is_stream)
  if type(count) == "table" then
    return lines_but(file, count.but, task, is_stream)
  end
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

-- All but the last bytes: the pieces that hold so many of them wait.
local function bytes_but(file, count, task)
  local waiting, first, last, length = {}, 1, 0, 0
  local data, message = file:read(CHUNK)
  while data do
    last, length = last + 1, length + #data
    waiting[last] = data
    while first <= last and length - #waiting[first] >= count do
      task:write(waiting[first])
      length, waiting[first], first = length - #waiting[first], nil, first + 1
    end
    data, message = file:read(CHUNK)
  end
  task:write(table.concat(waiting, "", first, last):sub(1, math.max(0, length - count)))
  return message == nil or nil, message
end

local function bytes(file, count, task)
  if type(count) == "table" then
    return bytes_but(file, count.but, task)
  end
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

-- -N leaves out the last N.
local function count_of(text)
  local but = text:match "^%-(.*)"
  local number, message = ends.count(but or text)
  return but and number and { but = number } or number, message
end

return command.define("head", ends.definition("Writes the first lines or bytes of files.",
  { lines = lines, bytes = bytes, count = count_of, more = " -N: all but the last N." }))
