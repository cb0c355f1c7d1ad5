-- Three copies between the ends of a timer, and one on either side (timer_spec.lua).
local modfs = require "modfs"
local device = modfs.device "REFERENCE:0"
local stream, timer, memory = device:stream(), device:timer(), device:allocate(4)
stream:fill(memory, 1)
timer:start(stream)
for i = 1, 3 do stream:fill(memory, i) end
timer:stop(stream)
stream:fill(memory, 1)
print(timer:nanoseconds())
