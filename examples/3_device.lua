-- Work on a device: a file goes into its memory, is copied there, and comes back, all in a stream.
-- The device is the reference one, which works everywhere: threads and memory of this machine.
--   eval "$(make -s env)" && lua5.4 examples/3_device.lua
local modfs = require "modfs"

for _, platform in ipairs(modfs.platforms()) do
  print(("platform %s: %s, %d devices"):format(platform.name, platform.type, platform.device_count))
end

local device = assert(modfs.device("REFERENCE:0"))
print(device, device.hardware_name)

assert(modfs.write("mem://numbers", ("0123456789"):rep(100000)))
local source, bytes_per_second = assert(device:load("mem://numbers"))
print(("%s, loaded with %.0f MB/s"):format(tostring(source), bytes_per_second / 1e6))

local stream, done = assert(device:stream()), assert(device:event())
local target, back = assert(device:allocate(#source)), assert(device:host_allocate(#source))
local calls = 0
assert(stream:copy(target, source))
assert(stream:copy(back, target))
assert(stream:callback(function()
  calls = calls + 1
end))
assert(stream:record(done))
assert(done:wait())
assert(stream:synchronize())

print("event:", done:status(), "callbacks:", calls)
assert(back:sub(1) == modfs.read("mem://numbers") and calls == 1)
