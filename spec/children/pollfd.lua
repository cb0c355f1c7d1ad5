-- How many callbacks the descriptor of modfs.pollfd shows (poll_spec.lua).
local modfs = require "modfs"
local device = modfs.device "REFERENCE:0"
local stream = device:stream()
local fd = modfs.pollfd()
local function count()
  return modfs.read("/proc/self/fdinfo/" .. fd):match "eventfd%-count:%s*(%x+)"
end
assert(fd == modfs.pollfd())
io.write(count())
stream:callback(function() end):callback(function() end)
local event = device:event()
stream:record(event)
while event:status() ~= "complete" do end
io.write(count())
print(modfs.poll(), count())
