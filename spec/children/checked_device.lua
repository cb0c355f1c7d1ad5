-- The checked device for device_orders.lua: checked_device(plugin) -> make, orders, collect.
local modfs = require "modfs"

local function collect()
  for _ = 1, 4 do
    collectgarbage()
  end
end

-- Iterates over the orders of names.
local function orders(names)
  local function permute(list, n)
    if n == 0 then return coroutine.yield(list) end
    for i = 1, n do
      list[n], list[i] = list[i], list[n]
      permute(list, n - 1)
      list[n], list[i] = list[i], list[n]
    end
  end
  return coroutine.wrap(function() permute(names, #names) end)
end

local function enqueue(o)
  assert(o.timer:start(o.stream))
  assert(o.stream:copy(o.memory, ("x"):rep(16)):copy(o.buffer, o.memory):record(o.event))
  assert(o.stream:wait(o.event):copy(o.memory, o.buffer):fill(o.memory, 1))
  assert(o.timer:stop(o.stream))
end

-- One of everything, with copies in flight.
local function make()
  local device = assert(modfs.device "CHECKED:0")
  local o = { device = device, memory = device:allocate(16), stream = device:stream(),
    event = device:event(), timer = device:timer(), buffer = device:host_allocate(16) }
  enqueue(o)
  return o
end

return function(plugin)
  assert(modfs.load(plugin))
  return make, orders, collect
end
