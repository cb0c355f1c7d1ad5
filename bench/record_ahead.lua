-- Reading with a thread that reads ahead, beside reading without, by the wall: it shows what the
-- machine had free.
local modfs = require "modfs"
local tfrecord = require "modfs.tfrecord"

local size = 1024

local function write(path, kind, count)
  local source = assert(modfs.read "/proc/self/exe")
  local writer = assert(tfrecord.writer(path, { compression = kind }))
  for i = 1, count do
    local at = i * 7919 % (#source - size)
    writer:write(source:sub(at + 1, at + size))
  end
  assert(writer:close())
end

local function reads(path, kind, prefetch)
  return function(count)
    local reader = assert(tfrecord.reader(path, { compression = kind, prefetch = prefetch }))
    for _ in reader do
      count = count - 1
      if count == 0 then
        break
      end
    end
    reader:close()
  end
end

return function(place, kind, count)
  local path = place .. "/ahead" .. kind
  write(path, kind, count)
  return {
    name = ("records of %d B, %s"):format(size, kind == "" and "plain" or kind), n = count,
    clock = "wall", against = "modfs",
    who = { modfs = reads(path, kind, false), ahead = reads(path, kind, true) },
  }
end
