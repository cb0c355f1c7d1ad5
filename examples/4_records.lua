-- Records: a set of compressed shards is written, read in order and by index; a file is damaged,
-- found out and healed; on disk and in memory alike.
local modfs = require "modfs"
local tfrecord = require "modfs.tfrecord"
local codec = require "modfs.codec"

local function step(...)
  print("--", ...)
end

local function measurement(i)
  return ("%06d,%.3f"):format(i, math.sin(i / 100))
end

local gzip = codec.available "gzip" and { compression = "GZIP" } or {}
local folder = assert(modfs.tempdir())
local base = folder .. "/train"

step("ten thousand records go, in turn, into four shards")
local writer = assert(tfrecord.shard_writer(base, 4, gzip))
for i = 1, 10000 do
  assert(writer:write(measurement(i)))
end
assert(writer:close())
local paths = assert(tfrecord.shards(base))
for _, path in ipairs(paths) do
  print(("%s %d bytes"):format(modfs.path.basename(path), modfs.size(path)))
end

step("and are all there, each checksum looked at")
local total = 0
for _, path in ipairs(paths) do
  local sound, count = assert(tfrecord.verify(path, gzip))
  assert(sound)
  total = total + count
end
local seen = {}
for record in assert(tfrecord.shard_reader(base, gzip)) do
  seen[tonumber(record:sub(1, 6))] = record
end
for i = 1, 10000 do
  assert(seen[i] == measurement(i))
end
assert(total == 10000)

step("one record, by its number and by its offset")
local reader = assert(tfrecord.reader(paths[3], gzip))
local record, offset = assert(reader:get(1234))
assert(record == measurement(4 * 1233 + 3))
assert(reader:at(offset) == record)
print(("record 1234 of shard 3, at offset %d: %s"):format(offset, record))
reader:close()

step("a plain file in memory; then one of its bytes changes")
local path = "mem://plain.tfrecord"
local plain = assert(tfrecord.writer(path))
for i = 1, 1000 do
  assert(plain:write(measurement(i)))
end
assert(plain:close())
local bytes = assert(modfs.buffer(assert(modfs.read(path))))
assert(bytes:set(5000, "?"))
assert(modfs.write(path, bytes))

local sound, message, code, where, index = tfrecord.verify(path)
assert(not sound and code == "DATA_LOSS")
print(message)
print(("that is record %d, at offset %d"):format(index, where))

step("what is sound can be saved")
local result = assert(tfrecord.salvage(path, "mem://healed.tfrecord"))
print(("%d records, %d bytes lost"):format(result.records, result.lost_bytes))
assert(result.records == 999 and result.gaps == 1 and result.places[1].offset == where)
assert(select(2, tfrecord.verify "mem://healed.tfrecord") == 999)

if codec.available "gzip" then
  step("any file can be compressed, and the gzip tool agrees")
  local log = assert(codec.open(folder .. "/log.gz", "w", "gzip", { level = 9 }))
  for i = 1, 1000 do
    assert(log:write(measurement(i), "\n"))
  end
  assert(log:close())
  assert(os.execute("gzip -t '" .. folder .. "/log.gz'"))
  local lines = 0
  for line in assert(codec.open(folder .. "/log.gz", "r", "auto")):lines() do
    lines = lines + 1
    assert(line == measurement(lines))
  end
  print(lines .. " lines in " .. modfs.size(folder .. "/log.gz") .. " bytes")
end

assert(modfs.rmtree(folder))
print "done"
