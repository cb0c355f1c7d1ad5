-- A tree goes into a bucket of S3 and comes back; records and compressed lines are read in place.
--   eval "$(make -s env)" && lua5.4 examples/5_s3.lua s3://BUCKET/FOLDER
-- with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for a store of your own, AWS_ENDPOINT_URL.
local modfs = require "modfs"
local codec = require "modfs.codec"
local tfrecord = require "modfs.tfrecord"

local place = arg[1]
if not place then
  print "lua5.4 examples/5_s3.lua s3://BUCKET/FOLDER makes that folder, works in it, and removes it"
  return
end

local function say(what, report)
  local failure = report.errors[1]
  assert(not failure, failure and failure.path .. ": " .. failure.message)
  print(("%-20s %3d copied, %3d kept, %7d bytes"):format(what, report.copied or report.files,
    report.kept or 0, report.bytes))
end

-- The same names with the same content?
local function same(a, b)
  local report = assert(modfs.sync(a, b, { delete = true, checksum = true, dry_run = true }))
  return report.copied == 0 and report.deleted == 0
end

assert(not modfs.exists(place), "there is something at " .. place)
local here = assert(modfs.tempdir())
for i = 1, 60 do
  local folder = ("%s/letters/%d"):format(here, i % 5)
  assert(modfs.makedirs(folder))
  assert(modfs.write(("%s/to %d + ü.txt"):format(folder, i), ("Dear %d, "):format(i):rep(i)))
end
assert(modfs.write(here .. "/large", ("0123456789abcdef"):rep(800 * 1024))) -- in several parts

say("up", assert(modfs.copytree(here, place)))
assert(same(here, place))

-- One file new, one changed, one gone: only what differs travels.
assert(modfs.write(place .. "/new", "something new"))
assert(modfs.write(place .. "/letters/0/to 5 + ü.txt", "Dear five, all is forgiven."))
assert(modfs.remove(place .. "/letters/1/to 1 + ü.txt"))
say("sync down", assert(modfs.sync(place, here, { delete = true, checksum = true })))
assert(same(place, here))

local back = assert(modfs.tempdir())
say("down", assert(modfs.copytree(place, back .. "/tree")))
assert(same(here, back .. "/tree"))

-- Straight into memory, and a part of a large file without the rest.
assert(modfs.copy(place .. "/large", "mem://large"))
assert(modfs.size "mem://large" == modfs.size(place .. "/large"))
local file = assert(modfs.open(place .. "/large"))
print("10 bytes of " .. file:size(), (assert(file:pread(8000000, 10))))
file:close()

local writer = assert(tfrecord.writer(place .. "/data.tfrecord"))
for i = 1, 1000 do
  assert(writer:write(("record %d"):format(i)))
end
assert(writer:close())
local sound, count = assert(tfrecord.verify(place .. "/data.tfrecord"))
print("records", sound, count)

if codec.available "gzip" then
  local log = assert(codec.open(place .. "/log.gz", "w", "gzip"))
  for i = 1, 1000 do
    assert(log:write(("line %d\n"):format(i)))
  end
  assert(log:close())
  local lines = 0
  for _ in assert(codec.open(place .. "/log.gz", "r", "auto")):lines() do
    lines = lines + 1
  end
  print("lines", lines)
end

print("matches", #assert(modfs.glob(place .. "/letters/*/*5*.txt")), assert(modfs.du(place)).files)
assert(modfs.rmtree(place))
assert(modfs.rmtree(here) and modfs.rmtree(back))
print "done"
