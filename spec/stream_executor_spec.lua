-- Which slots of a plugin the calls of Lua lead to, by the journal of spec/fixtures/devices. What
-- they must do belongs to the conformance cases (the 33 of TensorFlow's stream_executor_test are
-- device.upstream.*), what follows from their failures to device_broken_spec.
local build = require "spec.fixtures.build"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local shelf, binary

setup(function()
  binary = build.compile("devices.so", "spec/fixtures/devices")
  shelf = build.shelf()
end)

teardown(function() shelf:remove() end)

-- The first device of the plugin with these faults, and its journal, which is empty.
local function device(faults)
  local name = "c" .. (faults and "." .. faults or "")
  local file = shelf:put(binary, name)
  assert(modfs.load(file))
  local found = assert(modfs.device((name:upper():gsub("[^A-Z]", "_")) .. ":0"))
  tmpdir.write(file .. ".journal", "")
  return found, file .. ".journal"
end

-- What is called; the slots that are asked, of those that match; the calls.
local cases = {
  { "device:allocate", "allocate 8, deallocate 8 payload 9", "", function(found)
    found:allocate(8):close()
  end },
  { "device:host_allocate", "host_memory_allocate 8, host_memory_deallocate", "", function(found)
    found:host_allocate(8):close()
  end },
  { "device:unified_allocate", "unified_memory_allocate 8, unified_memory_deallocate", "",
    function(found)
      found:unified_allocate(8):close()
    end },
  { "device:synchronize", "synchronize_all_activity", "", function(found)
    assert.is_true(found:synchronize())
  end },
  { "device:stream", "create_stream, destroy_stream", "_stream$", function(found)
    found:stream():close()
  end },
  { "stream:synchronize", "create_stream, block_host_until_done", "", function(found)
    local stream = found:stream()
    assert.is_true(stream:synchronize())
    return stream
  end },
  { "stream:synchronize without block_host_until_done",
    "create_event, record_event, block_host_for_event, destroy_event", "event", function(found)
      local stream = found:stream()
      assert.is_true(stream:synchronize())
      return stream
    end, "null.block_host_until_done" },
  { "stream:wait of a stream", "create_stream_dependency", "dependency", function(found)
    local stream, other = found:stream(), found:stream()
    assert.equal(stream, stream:wait(other))
    return stream, other
  end },
  { "device:event", "create_event, destroy_event", "", function(found)
    found:event():close()
  end },
  { "stream:record, stream:wait and event:wait",
    "record_event, wait_for_event, block_host_for_event", "[dr]_event", function(found)
      local stream, other, event = found:stream(), found:stream(), found:event()
      assert.equal(stream, stream:record(event))
      assert.equal(other, other:wait(event))
      assert.is_true(event:wait())
      return stream, other, event
    end },
  { "device:timer", "create_timer, destroy_timer", "timer", function(found)
    local stream, timer = found:stream(), found:timer()
    assert(timer:start(stream) and timer:stop(stream))
    assert.equal(25000, timer:nanoseconds())
    timer:close()
    return stream
  end },
  { "stream:copy", "memcpy_htod 4, memcpy_dtod 4, memcpy_dtoh 4", "^memcpy", function(found)
    local stream, memory, other = found:stream(), found:allocate(4), found:allocate(6)
    local buffer = modfs.buffer(4)
    assert.equal(stream, stream:copy(memory, "four"):copy(other, memory):copy(buffer, other, 4))
    assert.is_true(stream:synchronize())
    assert.equal("four", buffer:sub(1))
    return memory, other, stream
  end },
  { "memory:write, memory:copy and memory:read",
    "sync_memcpy_htod 4, sync_memcpy_dtod 4, sync_memcpy_dtoh 4", "memcpy", function(found)
      local memory, other = found:allocate(4), found:allocate(4)
      assert(memory:write "four" and other:copy(memory))
      assert.equal("four", other:read())
      return memory, other
    end },
}

for _, case in ipairs(cases) do
  it(case[1] .. " asks for " .. case[2], function()
    local found, journal = device(case[5])
    local parts = { case[4](found) }
    local asked = {}
    for line in tmpdir.content(journal):gmatch "[^\n]+" do
      asked[#asked + 1] = line:find(case[3]) and line or nil
    end
    assert.equal(case[2], table.concat(asked, ", "))
    for _, part in ipairs(parts) do
      part:close()
    end
  end)
end

it("a Device tells what the plugin says of it", function()
  local found = device()
  local memory = found:allocate(45)
  assert.same({ 2 ^ 24 - 45, 2 ^ 24 }, { found:memory_usage() })
  memory:close()
  assert.same({ "a model", "a vendor", "0000:00:02.1", 1, 1000000, 2.5 },
    { found.hardware_name, found.vendor, found.pci_bus_id, found.numa_node,
      found.memory_bandwidth, found.gflops })
end)
