-- modfs tail [-n [+]LINES | -c [+]BYTES] [-f] [-q | -v] [PATH...]
local command = require "modfs.cli.command"
local ends = require "modfs.cli.ends"
local later = require "modfs.cli.later"
local streams = require "modfs.cli.streams"

local follow = later "modfs.cli.follow"

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
local function drain(stream, task, trim)
  local kept, data, message = "", stream:read(BLOCK)
  while data do
    kept = trim(kept .. data)
    data, message = stream:read(BLOCK)
  end
  task:write(kept)
  return message == nil or nil, message
end

-- Passes over the blocks in which find(block) does not find the beginning.
local function pour_from(file, task, find)
  local data, message = file:read(BLOCK)
  while data do
    local at = find(data)
    if at then
      task:write(data:sub(at))
      return streams.pour(file, task, BLOCK)
    end
    data, message = file:read(BLOCK)
  end
  return message == nil or nil, message
end

local function line_finder(number)
  return function(data)
    local at = 1
    while number > 1 do
      local newline = data:find("\n", at, true)
      if not newline then
        return nil
      end
      at, number = newline + 1, number - 1
    end
    return at
  end
end

local function byte_finder(number)
  return function(data)
    local at = number
    number = number - #data
    return at <= #data and at or nil
  end
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
  if type(count) == "table" then
    return pour_from(file, task, line_finder(count.from))
  end
  local size = size_of(file, is_stream)
  if not size then
    return drain(file, task, function(text)
      return text:sub(count == 0 and #text + 1 or find_start(text, count, true) or 1)
    end)
  end
  local start, message = size, nil
  if count > 0 then
    start, message = seek_lines(file, size, count)
  end
  if not start then
    return nil, message
  end
  file:seek("set", start)
  return streams.pour(file, task, BLOCK)
end

local function bytes(file, count, task, is_stream)
  if type(count) == "table" then
    return pour_from(file, task, byte_finder(count.from))
  end
  local size = size_of(file, is_stream)
  if not size then
    return drain(file, task, function(text)
      return #text > count and text:sub(#text - count + 1) or text
    end)
  end
  file:seek("set", math.max(0, size - count))
  return streams.pour(file, task, BLOCK)
end

-- +N counts from the beginning, of which 1 is the first; -N is N.
local function count_of(text)
  local from = text:match "^%+(.*)"
  local number, message = ends.count(from or text:gsub("^%-", "", 1))
  if from and number then
    return { from = math.max(number, 1) }
  end
  return number, message
end

return command.define("tail", ends.definition("Writes the last lines or bytes of files.", {
  lines = lines, bytes = bytes, count = count_of, follow = follow, skips_none = true,
  more = " +N: all from the Nth on.",
  configure = function(parser)
    parser:flag("-f --follow", "Go on with what is appended, until SIGINT.")
  end,
}))
