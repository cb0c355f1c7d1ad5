-- A device and its parts end in every order by <close>, in Lua 5.4 (device_lifetime_spec.lua): the
-- plugin.
local make, orders, collect = require "spec.children.checked_device" (...)

for order in orders { "device", "memory", "stream", "event", "timer", "buffer" } do
  local o = make()
  local function nest(i)
    if not order[i] then return end
    local one <close> = o[order[i]] -- luacheck: ignore 211
    o[order[i]] = nil
    nest(i + 1)
  end
  nest(1)
  collect() -- what ends the device
end
