-- The 33 cases of TensorFlow's own stream_executor_test, by their names, through Lua. The plugin
-- keeps a journal of what it was asked for. What Lua cannot say is in spec/c/device_test.c, under
-- the same names.
local build = require "spec.fixtures.build"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local shelf, binary, loaded

-- Forgets what was asked so far, and returns the first device of the plugin with these faults.
local function device(faults)
  local name = "c" .. (faults and "." .. faults or "")
  loaded = shelf:put(binary, name)
  assert(modfs.load(loaded))
  local found = assert(modfs.device((name:upper():gsub("[^A-Z]", "_")) .. ":0"))
  tmpdir.write(loaded .. ".journal", "")
  return found
end

-- The journal's lines since then, or those that match.
local function asked(pattern)
  local lines = {}
  for line in tmpdir.content(loaded .. ".journal"):gmatch "[^\n]+" do
    lines[#lines + 1] = line:find(pattern or "") and line or nil
  end
  return lines
end

local function refused(faults, what)
  local message = fails("FAILED_PRECONDITION", modfs.load(shelf:put(binary, "c." .. faults)))
  assert.truthy(message:find(what, 1, true), message)
end

local function fails_for_good(code, stream, text)
  for _ = 1, 2 do
    local message = fails(code, stream:status())
    assert.truthy(message:find(text, 1, true), message)
  end
  fails(code, stream:synchronize())
end

setup(function()
  binary = build.compile("devices.so", "spec/fixtures/devices")
  shelf = build.shelf()
end)

teardown(function()
  shelf:remove()
end)

local cases = {
  {
    "SuccessfulRegistration", function()
      local found = device()
      assert.same({ "C", 0 }, { found.platform, found.ordinal })
      for _, platform in ipairs(modfs.platforms()) do
        assert.truthy(platform.name ~= "C" or platform.device_count == 2)
      end
      assert.equal(2, #modfs.devices "C")
    end,
  },
  { "NameNotSet", function() refused("name.null", "SP_Platform.name") end },
  {
    "InvalidNameWithSemicolon", function()
      refused("name.colon", 'SP_Platform.name "INVALID:NAME" does not match [A-Z][A-Z_]*')
    end,
  },
  {
    "InvalidNameWithSlash", function()
      refused("name.slash", 'SP_Platform.name "INVALID/" does not match [A-Z][A-Z_]*')
    end,
  },
  { "CreateDeviceNotSet", function() refused("null.create_device", "create_device") end },
  {
    "UnifiedMemoryAllocateNotSet", function()
      refused("null.unified_memory_allocate", "unified_memory_allocate")
    end,
  },
  {
    "Allocate", function()
      local memory = device():allocate(8)
      assert.equal(8, #memory)
      assert.is_true(memory:close())
      assert.same({ "allocate 8", "deallocate 8 payload 9" }, asked())
      assert.error_matches(function() memory:read() end, "closed memory")
    end,
  },
  {
    "HostMemoryAllocate", function()
      local buffer = device():host_allocate(8)
      assert.is_true(buffer:set(1, "8 bytes!"))
      assert.equal("8 bytes!", buffer:sub(1))
      assert.is_true(buffer:close())
      assert.same({ "host_memory_allocate 8", "host_memory_deallocate" }, asked())
    end,
  },
  {
    "UnifiedMemoryAllocate", function()
      local buffer = device():unified_allocate(8)
      assert.is_true(buffer:set(1, "8 bytes!"))
      assert.equal("8 bytes!", buffer:sub(1))
      assert.is_true(buffer:close())
      assert.same({ "unified_memory_allocate 8", "unified_memory_deallocate" }, asked())
    end,
  },
  {
    "GetAllocatorStats", function()
      local stats = device():allocator_stats()
      assert.equal(123, stats.bytes_in_use)
      assert.is_nil(stats.bytes_limit)
      assert.equal(77, stats.bytes_reservable_limit)
    end,
  },
  {
    "DeviceMemoryUsage", function()
      local found = device()
      local memory = found:allocate(45)
      assert.same({ 2 ^ 24 - 45, 2 ^ 24 }, { found:memory_usage() })
      memory:close()
    end,
  },
  {
    "CreateStream", function()
      local stream = device():stream()
      assert.same({ "create_stream" }, asked "stream")
      assert.is_true(stream:close())
      assert.same({ "create_stream", "destroy_stream" }, asked "stream")
    end,
  },
  {
    "CreateStreamDependency", function()
      local found = device()
      local stream, other = found:stream(), found:stream()
      assert.equal(stream, stream:wait(other))
      assert.same({ "create_stream_dependency" }, asked "dependency")
      stream:close()
      other:close()
    end,
  },
  {
    "StreamStatus", function()
      local stream = device():stream()
      assert.is_true(stream:status())
      stream:close()
      stream = device("stream.once"):stream()
      fails_for_good("INTERNAL", stream, "broken for a moment")
      fails("INTERNAL", stream:callback(print))
      stream:close()
    end,
  },
  {
    "CreateEvent", function()
      local event = device():event()
      assert.same({ "create_event" }, asked())
      assert.is_true(event:close())
      assert.same({ "create_event", "destroy_event" }, asked())
    end,
  },
  {
    "PollForEventStatus", function()
      for faults, status in pairs { ["event.error"] = "error", ["event.pending"] = "pending",
        [false] = "complete" } do
        local found = device(faults)
        local stream, event = found:stream(), found:event()
        assert.equal("unknown", event:status())
        assert.equal(stream, stream:record(event))
        assert.equal(status, event:status())
        stream:close()
        event:close()
      end
    end,
  },
  {
    "RecordAndWaitForEvent", function()
      local found = device()
      local stream, other, event = found:stream(), found:stream(), found:event()
      assert.equal(stream, stream:record(event))
      assert.equal(other, other:wait(event))
      assert.is_true(event:wait())
      assert.same({ "record_event", "wait_for_event", "block_host_for_event" }, asked "[dr]_event")
      for _, part in ipairs { stream, other, event } do
        part:close()
      end
      assert.is_true(found:close())
    end,
  },
  {
    "CreateTimer", function()
      local timer = device():timer()
      assert.same({ "create_timer" }, asked "timer")
      assert.is_true(timer:close())
      assert.same({ "create_timer", "destroy_timer" }, asked "timer")
    end,
  },
  {
    "StartTimer", function()
      local found = device()
      local stream, timer = found:stream(), found:timer()
      assert.is_true(timer:start(stream))
      assert.is_true(timer:stop(stream))
      assert.is_true(stream:status())
      stream:close()
      timer:close()
      for _, call in ipairs { "start", "stop" } do
        found = device("fails." .. call .. "_timer")
        stream, timer = found:stream(), found:timer()
        fails("UNAVAILABLE", timer[call](timer, stream))
        fails_for_good("UNAVAILABLE", stream, "refused by the fixture")
        stream:close()
        timer:close()
      end
    end,
  },
  {
    "TimerFns", function()
      local found = device()
      local stream, timer = found:stream(), found:timer()
      fails("FAILED_PRECONDITION", timer:nanoseconds())
      assert(timer:start(stream) and timer:stop(stream))
      assert.equal(25000, timer:nanoseconds())
      stream:close()
      timer:close()
    end,
  },
  {
    "MemcpyToHost", function()
      local found = device()
      local stream, memory, buffer = found:stream(), found:allocate(4), modfs.buffer(4)
      assert.is_true(memory:write "four")
      assert.equal(stream, stream:copy(buffer, memory))
      assert.is_true(stream:synchronize())
      assert.equal("four", buffer:sub(1))
      assert.same({ "memcpy_dtoh 4" }, asked "^memcpy")
      memory:close()
      stream:close()
    end,
  },
  {
    "MemcpyFromHost", function()
      local found = device()
      local stream, memory = found:stream(), found:allocate(4)
      assert.equal(stream, stream:copy(memory, "four"))
      assert.is_true(stream:synchronize())
      assert.equal("four", memory:read())
      assert.same({ "memcpy_htod 4" }, asked "^memcpy")
      memory:close()
      stream:close()
    end,
  },
  {
    "MemcpyDeviceToDevice", function()
      local found = device()
      local stream, memory, other = found:stream(), found:allocate(4), found:allocate(6)
      assert(memory:write "four" and other:write "others")
      assert.equal(stream, stream:copy(other, memory))
      assert.is_true(stream:synchronize())
      assert.equal("fourrs", other:read())
      assert.same({ "memcpy_dtod 4" }, asked "^memcpy")
      for _, part in ipairs { memory, other, stream } do
        part:close()
      end
    end,
  },
  {
    "SyncMemcpyToHost", function()
      local memory = device():allocate(4)
      assert(memory:write "four")
      assert.equal("four", memory:read())
      assert.same({ "sync_memcpy_dtoh 4" }, asked "dtoh")
      memory:close()
    end,
  },
  {
    "SyncMemcpyFromHost", function()
      local memory = device():allocate(4)
      assert.is_true(memory:write "four")
      assert.same({ "sync_memcpy_htod 4" }, asked "memcpy")
      memory:close()
    end,
  },
  {
    "SyncMemcpyDeviceToDevice", function()
      local found = device()
      local memory, other = found:allocate(4), found:allocate(4)
      assert(memory:write "four")
      assert.is_true(other:copy(memory))
      assert.equal("four", other:read())
      assert.same({ "sync_memcpy_dtod 4" }, asked "dtod")
      memory:close()
      other:close()
    end,
  },
  {
    "BlockHostForEvent", function()
      local stream = device("null.block_host_until_done"):stream()
      assert.is_true(stream:synchronize())
      assert.same({ "create_event", "record_event", "block_host_for_event", "destroy_event" },
        asked "event")
      stream:close()
    end,
  },
  {
    "BlockHostUntilDone", function()
      local stream = device():stream()
      assert.is_true(stream:synchronize())
      assert.same({ "create_stream", "block_host_until_done" }, asked())
      stream:close()
    end,
  },
  {
    "SynchronizeAllActivity", function()
      local found = device()
      assert.is_true(found:synchronize())
      assert.same({ "synchronize_all_activity" }, asked())
    end,
  },
  {
    "HostCallbackOk", function()
      local stream, ran = device():stream(), 0
      assert.equal(stream, stream:callback(function() ran = ran + 1 end))
      assert.is_true(stream:synchronize())
      assert.equal(1, ran)
      assert.is_true(stream:status())
      stream:close()
    end,
  },
  {
    "HostCallbackError", function()
      local stream = device():stream()
      assert.equal(stream, stream:callback(function() error("out of ink", 0) end))
      local message = fails("UNKNOWN", stream:synchronize())
      assert.truthy(message:find("out of ink", 1, true), message)
      fails_for_good("UNKNOWN", stream, "out of ink")
      stream:close()
    end,
  },
  {
    "DeviceDescription", function()
      local found = device()
      assert.same({ "a model", "a vendor", "0000:00:02.1", 1, 1000000, 2.5 },
        { found.hardware_name, found.vendor, found.pci_bus_id, found.numa_node,
          found.memory_bandwidth, found.gflops })
    end,
  },
  {
    "DeviceDescriptionNumaNodeNotSet", function()
      for _, faults in ipairs { "null.get_numa_node", "facts.unknown" } do
        assert.is_nil(device(faults).numa_node)
      end
    end,
  },
}

describe("stream_executor_test", function()
  for _, case in ipairs(cases) do
    it(case[1], case[2])
  end

  it("has 33 cases", function()
    assert.equal(33, #cases)
    local seen = {}
    for _, case in ipairs(cases) do
      assert.is_nil(seen[case[1]])
      seen[case[1]] = true
    end
  end)
end)
