-- modfs tail [-n LINES | -c BYTES] [PATH...]
local command = require "modfs.cli.command"
local ends = require "modfs.cli.ends"

local BLOCK = 64 * 1024
local NEWLINE = 10

-- Where the last lines of a text begin, or nil and how many of them lie before it. At the end of a
-- file a newline belongs to the line that it ends.
local function find_start(text, count, is_end)
  for i = #text - (is_end and 1 or 0), 1, -1 do
    if text:byte(i) == NEWLINE then
      count = count - 1
      if count == 0 then
        return i + 1
      end
    end
  end
  return nil, count
end

-- A stream has no end to start from: as much of it is kept as may be wanted.
local function drain(stream, trim)
  local kept = ""
  for data in function() return stream:read(BLOCK) end do
    kept = trim(kept .. data)
  end
  return kept
end

local function pour(file, task)
  for data in function() return file:read(BLOCK) end do
    task:write(data)
  end
  return true
end

-- Offset of the last lines of a file; nil and why when it cannot be read.
local function seek_lines(file, size, count)
  local stop, left = size, count
  while stop > 0 do
    local start = math.max(0, stop - BLOCK)
    local data, message = file:pread(start, stop - start)
    if not data then
      return nil, message or "the file became shorter"
    end
    local at, still = find_start(data, left, stop == size)
    if at then
      return start + at - 1
    end
    stop, left = start, still
  end
  return 0
end

-- Files whose size says nothing (/proc) are streams.
local function size_of(file, is_stream)
  local size = not is_stream and file:size()
  return size ~= 0 and size or nil
end

local function lines(file, count, task, is_stream)
  local size = size_of(file, is_stream)
  if not size then
    task:write(drain(file, function(text)
      return text:sub(count == 0 and #text + 1 or find_start(text, count, true) or 1)
    end))
    return true
  end
  local start, message = size, nil
  if count > 0 then
    start, message = seek_lines(file, size, count)
  end
  if not start then
    return nil, message
  end
  file:seek("set", start)
  return pour(file, task)
end

local function bytes(file, count, task, is_stream)
  local size = size_of(file, is_stream)
  if not size then
    task:write(drain(file, function(text)
      return count == 0 and "" or text:sub(-count)
    end))
    return true
  end
  file:seek("set", math.max(0, size - count))
  return pour(file, task)
end

return command.define("tail", ends.definition("Writes the last lines or bytes of files.",
  { lines = lines, bytes = bytes }))
