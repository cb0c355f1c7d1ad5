-- Devices: which there are, a real file to one and back, two streams that work together, a timed
-- copy and a callback, as a table.
--   eval "$(make -s env)" && lua5.4 examples/2_device.lua [file [NAME:ordinal]]
-- The reference device is threads and memory of this machine; slowed down, it shows the overlap:
--   MODFS_REFERENCE_LATENCY_NS=20000000 lua5.4 examples/2_device.lua
local modfs = require "modfs"

local path = arg[1] or arg[0]:gsub("[^/]*$", "") .. "../include/modfs/filesystem.h"
local name = arg[2] or "REFERENCE:0"

-- Tables as text --------------------------------------------------------------------

local function row(...)
  print(("  %-24s %-46s %12s"):format(...))
end

local function show_bytes(n)
  for _, unit in ipairs { "B", "KiB", "MiB" } do
    if n < 1024 then
      return ("%.4g %s"):format(n, unit)
    end
    n = n / 1024
  end
  return ("%.4g GiB"):format(n)
end

local function show_time(nanoseconds)
  return ("%.1f us"):format(nanoseconds / 1e3)
end

-- The devices -----------------------------------------------------------------------

print "Devices"
row("name", "hardware", "memory")
for _, device in ipairs(assert(modfs.devices())) do
  local free, total = device:memory_usage()
  row(device.name, device.hardware_name or "?", free and show_bytes(total) or "?")
end

local device = assert(modfs.device(name))
print(("\nWork on %s"):format(tostring(device)))
row("step", "result", "time")

-- Times a piece of work by marks in a stream; nil where the device has no timers.
local function timed(stream, work)
  local timer = device:timer()
  if timer then
    assert(timer:start(stream))
  end
  work()
  if not timer then
    return nil
  end
  assert(timer:stop(stream))
  local nanoseconds = assert(timer:nanoseconds())
  timer:close()
  return nanoseconds
end

local function show(step, result, nanoseconds)
  row(step, result, nanoseconds and show_time(nanoseconds) or "")
end

-- A file, there and back --------------------------------------------------------------

local memory, rate = assert(device:load(path))
show("load a file", ("%s, %s/s"):format(show_bytes(#memory), show_bytes(rate)))

local stream = assert(device:stream())
local back = assert(device:host_allocate(#memory))
local elapsed = timed(stream, function()
  assert(stream:copy(back, memory))
end)
assert(stream:synchronize())
local same = back:sub(1) == assert(modfs.read(path))
show("copy it back", same and "the same bytes" or "OTHER BYTES", elapsed)

-- Two streams: the second waits for what the first has got so far -----------------------

local other = assert(device:stream())
local first, second = assert(device:allocate(2 ^ 20)), assert(device:allocate(2 ^ 20))
local written = assert(device:event())
elapsed = timed(other, function()
  assert(stream:fill(first, 7):record(written)) -- made by one stream
  assert(other:wait(written):copy(second, first)) -- used by the other
end)
assert(other:synchronize())
local in_order = second:read(1, 1):byte() == 7 and second:read(-1):byte() == 7
show("two streams, in order", in_order and "first filled, then copied" or "OUT OF ORDER", elapsed)

elapsed = timed(stream, function()
  for _ = 1, 4 do
    assert(stream:copy(back, memory))
    assert(other:fill(second, 1))
  end
  assert(stream:wait(other))
end)
show("two streams, at once", "4 copies beside 4 fills", elapsed)

-- A timed copy --------------------------------------------------------------------------

elapsed = timed(stream, function()
  assert(stream:copy(first, second))
end)
local speed = elapsed and show_bytes(2 ^ 20 / (elapsed / 1e9)) .. "/s" or "no timers here"
show("a timed copy of 1 MiB", speed, elapsed)

-- A callback: on this thread, when the stream has come there ------------------------------

local called
assert(stream:fill(first, 1):callback(function()
  called = ("the first byte is %d"):format(first:read(1, 1):byte())
end))
local ran = modfs.poll(10)
show("a callback", ("%s (%d ran)"):format(called or "NOT CALLED", ran))

-- Whatever order things end in, the plugin sees its device end last.
assert(device:close() == nil)
for _, part in ipairs { stream, other, written, memory, first, second, back } do
  part:close()
end
assert(device:close())
show("close", tostring(device))

assert(same and in_order and called)
