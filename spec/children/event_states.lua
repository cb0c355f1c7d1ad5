-- The states of an event, on a slow device with a fault (event_spec.lua).
local modfs = require "modfs"
local device = modfs.device "REFERENCE:0"
local stream, event, memory = device:stream(), device:event(), device:allocate(4)
stream:fill(memory, 1):record(event)
print(event:status(), tostring(event))
assert(event:wait())
print(event:status())
stream:fill(memory, 2):record(event)
print(select(3, event:wait()) ~= nil, event:status())
