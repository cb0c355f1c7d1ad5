-- A device and its parts end in every order with work in flight (device_lifetime_spec.lua): the
-- plugin, the scene.
local plugin, scene = ...
local make, orders, collect = require "spec.children.checked_device" (plugin)
local modfs = require "modfs"

local scenes = {}

function scenes.close()
  local count = 0
  for order in orders { "device", "memory", "stream", "event", "timer", "buffer", "copy" } do
    local o, left = make(), 5
    for _, name in ipairs(order) do
      if name == "copy" then
        if modfs.type(o.stream) == "stream" then assert(o.stream:synchronize()) end
      elseif name ~= "device" then
        assert(o[name]:close())
        left = left - 1
      else
        local done, message, code = o.device:close()
        assert((done == true) == (code == nil))
        assert(done or code == "FAILED_PRECONDITION" and message:find "%d", message)
        assert(left == 0 or not done)
      end
    end
    if modfs.type(o.device) == "device" then assert(o.device:close()) end
    count = count + 1
  end
  assert(count == 5040)
end

-- By the collector in one of its modes.
local function collection(mode)
  pcall(collectgarbage, mode)
  collectgarbage "stop"
  for order in orders { "device", "memory", "stream", "event", "timer", "buffer" } do
    local o = make()
    for _, name in ipairs(order) do
      o[name] = nil
      collectgarbage()
    end
    collect()
    assert(next(o) == nil)
  end
  collect()
end

function scenes.incremental()
  collection "incremental"
end

function scenes.generational()
  collection "generational"
end

function scenes.at_once()
  for _ = 1, 200 do
    make()
    collect()
  end
end

function scenes.finalizers()
  local function trap(close)
    local proxy = newproxy and newproxy(true) or setmetatable({}, { __gc = close })
    if newproxy then getmetatable(proxy).__gc = close end
  end
  for turn = 1, 300 do
    local o = make()
    local names = { "memory", "stream", "event", "timer", "buffer", "device" }
    local name = names[turn % #names + 1]
    trap(function() pcall(function() o[name]:close() end) end)
    for _ = 1, 3 do
      pcall(function() o.device:allocate(4) end)
      pcall(function() o.stream:copy(o.memory, ("y"):rep(16)) end)
      pcall(function() o.stream:callback(function() collectgarbage() end):synchronize() end)
      pcall(function() o.memory:read() end)
      pcall(function() o.device:load "mem://none" end)
      pcall(function() return tostring(o.device) .. tostring(o.stream) .. o.device.vendor end)
      collectgarbage("step", 1)
    end
  end
  collect()
  modfs.poll()
  collect()
end

function scenes.stay()
  local o = make()
  o.stream:synchronize()
  os.exit(0)
end

function scenes.misuse()
  make()
  collect()
end

scenes[scene]()
