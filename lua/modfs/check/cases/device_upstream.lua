-- What TensorFlow's own tests assert of a device plugin, by their names; each looks for what the
-- slot does, so that a slot that does nothing passes none.
local function runs(t, stream)
  local call = t:callback(stream)
  t:finish(stream)
  t:equal(1, call:state().ended, "callbacks that ran")
end

local function is_name(t, name)
  t:yes(name:find "^[A-Z][A-Z_]*$" ~= nil, name)
end

local function registration(case)
  case("01.SuccessfulRegistration", "get_device_count", function(t)
    is_name(t, t.facts.name)
    local count = t:ok(t.platform:get_device_count())
    t:yes(count >= 1, "one device")
    local description = t.device:description()
    t:equal(0, description.ordinal)
    t:yes(description.struct_size > 0, "SP_Device.struct_size")
  end)

  case("02.NameNotSet", "get_device_count", function(t)
    t:ok(t.platform:get_device_count())
    is_name(t, t.facts.name)
    is_name(t, t.facts.type)
  end)

  case("03.InvalidNameWithSemicolon", "get_device_count", function(t)
    t:ok(t.platform:get_device_count())
    t:equal(nil, (t.facts.name .. t.facts.type):match "[:;]")
  end)

  case("04.InvalidNameWithSlash", "get_device_count", function(t)
    t:ok(t.platform:get_device_count())
    t:equal(nil, (t.facts.name .. t.facts.type):match "/")
  end)

  case("05.CreateDeviceNotSet", "create_device", function(t)
    local count = t:ok(t.platform:get_device_count())
    for ordinal = 0, math.min(count, 16) - 1 do
      local device = t:ok(t.platform:create_device(ordinal))
      t:equal(ordinal, device:description().ordinal)
      t:yes(t.platform:destroy_device(device))
    end
  end)

  case("06.UnifiedMemoryAllocateNotSet", "unified_memory_allocate", function(t)
    t:needs "unified_memory_allocate"
    local host = t:ok(t.device:unified_memory_allocate(64))
    local piece = t:memory(64)
    t:must(t.device:sync_memcpy_htod(piece, 0, host, 0, 64))
    t:equal(host:bytes(), t:get(piece, 0, 64))
    t:yes(t.device:unified_memory_deallocate(host))
  end)
end

local function memory(case)
  case("07.Allocate", "allocate", function(t)
    local made = t:ok(t.device:allocate(8))
    local facts = made:facts()
    t:equal(8, facts.size, "the size")
    t:yes(facts.struct_size > 0, "SP_DeviceMemoryBase.struct_size")
    t:put(made, 0, "12345678")
    t:equal("12345678", t:get(made, 0, 8))
    t:yes(t.device:deallocate(made))
  end)

  case("08.HostMemoryAllocate", "host_memory_allocate", function(t)
    local host = t:ok(t.device:host_memory_allocate(8))
    host:set(0, "12345678")
    t:equal("12345678", host:bytes())
    t:yes(t.device:host_memory_deallocate(host))
  end)

  case("09.UnifiedMemoryAllocate", "unified_memory_allocate", function(t)
    t:needs "unified_memory_allocate"
    local host = t:ok(t.device:unified_memory_allocate(8))
    host:set(0, "12345678")
    t:equal("12345678", host:bytes())
    t:yes(t.device:unified_memory_deallocate(host))
  end)

  case("10.GetAllocatorStats", "get_allocator_stats", function(t)
    local stats = t:ok(t.device:get_allocator_stats())
    t:yes(stats.struct_size > 0, "SP_AllocatorStats.struct_size")
    for key, value in pairs(stats) do
      t:yes(value >= 0, key)
    end
  end)

  case("11.DeviceMemoryUsage", "device_memory_usage", function(t)
    local usage = t:ok(t.device:device_memory_usage())
    t:yes(usage.total > 0, "total")
    t:yes(usage.free >= 0 and usage.free <= usage.total, "free")
  end)
end

local function streams(case)
  case("12.CreateStream", "create_stream", function(t)
    local stream = t:ok(t.device:create_stream())
    runs(t, stream)
    t:yes(t.device:destroy_stream(stream))
  end)

  case("13.CreateStreamDependency", "create_stream_dependency", function(t)
    local one, other = t:stream(), t:stream()
    t:callback(other)
    t:yes(t.device:create_stream_dependency(one, other))
    runs(t, one)
  end)

  case("14.StreamStatus", "get_stream_status", function(t)
    local stream = t:stream()
    t:yes(t.device:get_stream_status(stream))
    t:callback(stream, { code = "INTERNAL" })
    t.device:synchronize_all_activity()
    local message = t:fails("INTERNAL", t.device:get_stream_status(stream))
    t:yes(#message > #"INTERNAL: ", "a message")
  end)

  case("15.CreateEvent", "create_event", function(t)
    local event, stream = t:ok(t.device:create_event()), t:stream()
    t:yes(t.device:record_event(stream, event))
    t:yes(t.device:block_host_for_event(event))
    t:equal("complete", t.device:get_event_status(event))
    t:yes(t.device:destroy_event(event))
  end)

  case("16.PollForEventStatus", "get_event_status", function(t)
    local event, stream = t:event(), t:stream()
    t:must(t.device:record_event(stream, event))
    local finish = t:now() + t.patience
    local status
    repeat
      status = t.device:get_event_status(event)
    until status ~= "pending" or t:now() > finish
    t:equal("complete", status)
  end)

  case("17.RecordAndWaitForEvent", "wait_for_event", function(t)
    local event, one, other = t:event(), t:stream(), t:stream()
    t:yes(t.device:record_event(one, event))
    t:yes(t.device:wait_for_event(other, event))
    runs(t, other)
  end)
end

local function timers(case)
  case("18.CreateTimer", "create_timer", function(t)
    local timer, stream = t:ok(t.device:create_timer()), t:stream()
    t:yes(t.device:start_timer(stream, timer))
    t:yes(t.device:stop_timer(stream, timer))
    runs(t, stream)
    t:ok(t.device:nanoseconds(timer))
    t:yes(t.device:destroy_timer(timer))
  end)

  case("19.StartTimer", "start_timer", function(t)
    local timer, stream = t:timer(), t:stream()
    t:yes(t.device:start_timer(stream, timer))
    t:yes(t.device:stop_timer(stream, timer))
    runs(t, stream)
    t:yes(t.device:get_stream_status(stream))
  end)

  case("20.TimerFns", "nanoseconds", function(t)
    local timer, stream = t:timer(), t:stream()
    t:must(t.device:start_timer(stream, timer))
    t:callback(stream, { seconds = 0.002 })
    t:must(t.device:stop_timer(stream, timer))
    t:finish(stream)
    t:yes(t:ok(t.device:nanoseconds(timer)) > 0, "some time")
  end)
end

local function copies(case)
  local content = "a device's bytes"

  case("21.MemcpyToHost", "memcpy_dtoh", function(t)
    local made, host, stream = t:memory(16), t:host(16), t:stream()
    t:put(made, 0, content)
    t:yes(t.device:memcpy_dtoh(stream, host, 0, made, 0, 16))
    t:finish(stream)
    t:equal(content, host:bytes())
  end)

  case("22.MemcpyFromHost", "memcpy_htod", function(t)
    local made, host, stream = t:memory(16), t:host(content), t:stream()
    t:yes(t.device:memcpy_htod(stream, made, 0, host, 0, 16))
    t:finish(stream)
    t:equal(content, t:get(made, 0, 16))
  end)

  case("23.MemcpyDeviceToDevice", "memcpy_dtod", function(t)
    local from, to, stream = t:memory(16), t:memory(16), t:stream()
    t:put(from, 0, content)
    t:yes(t.device:memcpy_dtod(stream, to, 0, from, 0, 16))
    t:finish(stream)
    t:equal(content, t:get(to, 0, 16))
  end)

  case("24.SyncMemcpyToHost", "sync_memcpy_dtoh", function(t)
    local made, host = t:memory(16), t:host(16)
    t:put(made, 0, content)
    t:yes(t.device:sync_memcpy_dtoh(host, 0, made, 0, 16))
    t:equal(content, host:bytes())
  end)

  case("25.SyncMemcpyFromHost", "sync_memcpy_htod", function(t)
    local made = t:memory(16)
    t:yes(t.device:sync_memcpy_htod(made, 0, t:host(content), 0, 16))
    t:equal(content, t:get(made, 0, 16))
  end)

  case("26.SyncMemcpyDeviceToDevice", "sync_memcpy_dtod", function(t)
    local from, to = t:memory(16), t:memory(16)
    t:put(from, 0, content)
    t:yes(t.device:sync_memcpy_dtod(to, 0, from, 0, 16))
    t:equal(content, t:get(to, 0, 16))
  end)
end

-- Whether a way of waiting returns when a callback that takes its time is done, and no sooner.
local function waits(t, way)
  local stream = t:stream()
  local call = t:callback(stream, { seconds = 0.02 })
  way(stream)
  t:equal(1, call:state().ended, "callbacks that ran")
end

local function waiting(case)
  case("27.BlockHostForEvent", "block_host_for_event", function(t)
    waits(t, function(stream)
      local event = t:event()
      t:yes(t.device:record_event(stream, event))
      t:yes(t.device:block_host_for_event(event))
    end)
  end)

  case("28.BlockHostUntilDone", "block_host_until_done", function(t)
    t:needs "block_host_until_done"
    waits(t, function(stream)
      t:yes(t.device:block_host_until_done(stream))
    end)
  end)

  case("29.SynchronizeAllActivity", "synchronize_all_activity", function(t)
    waits(t, function()
      t:yes(t.device:synchronize_all_activity())
    end)
  end)

  case("30.HostCallbackOk", "host_callback", function(t)
    local stream = t:stream()
    local call = t:callback(stream)
    t:yes(call:await(1, t.patience), "it runs")
    t:finish(stream)
    t:equal(1, call:state().ended, "how often it ran")
    t:yes(t.device:get_stream_status(stream))
  end)

  case("31.HostCallbackError", "host_callback", function(t)
    local stream = t:stream()
    local call = t:callback(stream, { code = "DATA_LOSS" })
    t:yes(call:await(1, t.patience), "it runs")
    t.device:synchronize_all_activity()
    t:fails("DATA_LOSS", t.device:get_stream_status(stream))
  end)
end

-- Whether the system lists a NUMA node.
local function is_node(number)
  local file = io.open(("/sys/devices/system/node/node%d/cpulist"):format(number))
  if file then
    file:close()
  end
  return file ~= nil
end

local function description(case)
  case("32.DeviceDescription", "create_device", function(t)
    local facts = t.device:description()
    t:equal(0, facts.ordinal)
    for _, key in ipairs { "hardware_name", "device_vendor", "pci_bus_id" } do
      if facts[key] then
        t:yes(#facts[key] > 0 and not facts[key]:find "%c", key)
      end
    end
  end)

  case("33.DeviceDescriptionNumaNodeNotSet", "get_numa_node", function(t)
    t:needs "get_numa_node"
    local node = t:ok(t.device:get_numa_node())
    t:yes(node >= -1 and node < 4096, "a node, or -1")
    t:yes(node == -1 or is_node(node) or not is_node(0), "this machine has no node " .. node)
  end)
end

return function(case)
  registration(case)
  memory(case)
  streams(case)
  timers(case)
  copies(case)
  waiting(case)
  description(case)
end
