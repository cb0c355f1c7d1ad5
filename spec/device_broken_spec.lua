-- Device plugins that fail in every way, in every form that such plugins ever had: each is refused
-- with its error, or gives it when it is asked, and none gives a signal.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local shelf, binary
local many = {} -- names of which copies are made in one go, for there are hundreds

local function put(name)
  local path = shelf:path(name)
  local file = io.open(path)
  if file then
    file:close()
    return path
  end
  return shelf:put(binary, name)
end

-- The journal of the plugin of that name, as an array of lines.
local function journal(name)
  local lines = {}
  for line in (tmpdir.content(shelf:path(name) .. ".journal") or ""):gmatch "[^\n]+" do
    lines[#lines + 1] = line
  end
  return lines
end

local function platform_of(name)
  return (name:upper():gsub("%d", function(digit)
    return string.char(digit:byte() + 17)
  end):gsub("[^A-Z]", "_"))
end

-- What is loaded and registered, as text.
local function registered()
  local names = {}
  for _, plugin in ipairs(modfs.plugins()) do
    names[#names + 1] = plugin.path
  end
  for _, platform in ipairs(modfs.platforms()) do
    names[#names + 1] = platform.name
  end
  return table.concat(names, "\n")
end

local function device(name)
  assert(modfs.load(put(name)))
  return assert(modfs.device(platform_of(name) .. ":0"))
end

setup(function()
  binary = build.compile("devices.so", "spec/fixtures/devices")
  shelf = build.shelf()
  shelf:put(binary, (table.unpack or unpack)(many))
end)

teardown(function()
  shelf:remove()
end)

local forms = { "seed", "seed_allocator", "seed_custom", "merged", "a", "b", "c" }

local is_rfc = { seed = true, seed_allocator = true, seed_custom = true, merged = true }

describe("the plugin that the broken ones are made from", function()
  for _, form in ipairs(forms) do
    it("works without a fault in form " .. form, function()
      local plugin = assert(modfs.load(put(form)))
      assert.same({ platform_of(form) }, plugin.platforms)
      assert.same({}, plugin.schemes)
      local found = assert(modfs.device(platform_of(form) .. ":1"))
      assert.equal(is_rfc[form] and "RFC" or "SHIPPED", found.type)
      for _, platform in ipairs(modfs.platforms()) do
        if platform.name == platform_of(form) then
          assert.equal(is_rfc[form] and "rfc257" or "shipped", platform.api)
          assert.equal(2, platform.device_count)
        end
      end
      local memory = found:allocate(5)
      assert.is_true(memory:write "hello")
      assert.equal("hello", memory:read())
      memory:close()
      assert.is_true(found:close())
      local lines = journal(form)
      assert.equal("destroy_device 1", lines[#lines])
    end)
  end

  it("is refused under a name that is no fault", function()
    for _, name in ipairs { "misspelt", "c.null.misspelt", "c.misspelt", "a.null.mem_zero",
      "seed.null.get_device_count", "c.null.create_allocator", "c.zero.misspelt" } do
      contains(fails("INVALID_ARGUMENT", modfs.load(put(name))), "no fault of that name")
    end
  end)
end)

-- Which forms have a slot, its table's name, and what the message says.
local shipped = { "a", "b", "c" }
local by_executor = { "seed", "merged", "a", "b", "c" } -- memory comes from the executor

local slots = {
  { forms, "SE_PlatformRegistrationParams", "", "destroy_platform destroy_platform_fns" },
  { shipped, "SP_PlatformFns", "", "get_device_count create_device_fns destroy_device_fns" },
  { forms, "SP_PlatformFns", "",
    "create_device destroy_device create_stream_executor destroy_stream_executor" },
  { by_executor, "SP_StreamExecutor", "",
    "allocate deallocate host_memory_allocate host_memory_deallocate "
    .. "get_allocator_stats device_memory_usage" },
  { { "merged", "a", "b", "c" }, "SP_StreamExecutor", "",
    "unified_memory_allocate unified_memory_deallocate" },
  { forms, "SP_StreamExecutor", "",
    "create_stream destroy_stream create_stream_dependency get_stream_status create_event "
    .. "destroy_event get_event_status record_event wait_for_event memcpy_dtoh memcpy_htod "
    .. "sync_memcpy_dtoh sync_memcpy_htod block_host_for_event synchronize_all_activity "
    .. "host_callback" },
  { { "seed_allocator" }, "SP_AllocatorFns", "allocator.",
    "allocate deallocate host_memory_allocate host_memory_deallocate unified_memory_allocate "
    .. "unified_memory_deallocate get_allocator_stats device_memory_usage" },
  { { "seed_custom" }, "SP_CustomAllocatorFns", "custom.",
    "allocate_raw deallocate_raw host_allocate_raw host_deallocate_raw get_allocator_stats "
    .. "device_memory_usage" },
  { forms, "SP_TimerFns", "", "nanoseconds" },
}

-- Slots that may be empty, but not lead anywhere else.
local optional = {
  { forms, "SP_PlatformFns", "", "create_timer_fns destroy_timer_fns" },
  { { "seed_allocator" }, "SP_PlatformFns", "", "destroy_allocator" },
  { { "seed_custom" }, "SP_PlatformFns", "", "destroy_custom_allocator" },
  { shipped, "SP_DeviceFns", "", "get_numa_node get_memory_bandwidth get_gflops" },
  { forms, "SP_StreamExecutor", "",
    "create_timer destroy_timer start_timer stop_timer memcpy_dtod sync_memcpy_dtod "
    .. "block_host_until_done" },
  { { "c" }, "SP_StreamExecutor", "", "mem_zero memset memset32" },
}

local function each_slot(tables, visit)
  for _, row in ipairs(tables) do
    for slot in row[4]:gmatch "%S+" do
      for _, form in ipairs(row[1]) do
        visit(form, row[2] .. "." .. slot, row[3] .. slot)
      end
    end
  end
end

for _, tables in ipairs { slots, optional } do
  each_slot(tables, function(form, _, slot)
    many[#many + 1] = ("%s.null.%s"):format(form, slot)
    many[#many + 1] = ("%s.heap.%s"):format(form, slot)
  end)
end

-- Loads the plugin of that name, which must fail like this, the second time, too.
local function refused(name, code, fragment)
  local path = put(name)
  local message = fails(code, modfs.load(path))
  contains(message, "load " .. path)
  contains(message, fragment)
  assert.equal(message, fails(code, modfs.load(path)), "another answer the second time")
end

-- What was made, in the order of its making, and what was destroyed.
local function made_and_destroyed(name)
  local made, destroyed = {}, {}
  for _, line in ipairs(journal(name)) do
    if line:find "^create" then
      assert.equal(0, #destroyed, name)
      made[line:match "create_(.*)"] = true
    elseif line:find "^destroy" then
      destroyed[#destroyed + 1] = line:match "destroy_(.*)"
    end
  end
  return made, destroyed
end

describe("an empty slot", function()
  each_slot(slots, function(form, full, slot)
    it(("%s in form %s is missed by name"):format(full, form), function()
      local before = registered()
      refused(("%s.null.%s"):format(form, slot), "FAILED_PRECONDITION", full .. " is missing")
      assert.equal(before, registered())
    end)
  end)

  each_slot(optional, function(form, full, slot)
    it(("%s in form %s is allowed"):format(full, form), function()
      local name = ("%s.null.%s"):format(form, slot)
      local memory = device(name):allocate(4)
      assert.is_true(memory:fill(7))
      assert.equal("\7\7\7\7", memory:read())
      memory:close()
    end)
  end)
end)

describe("a slot that leads to data", function()
  for _, tables in ipairs { slots, optional } do
    each_slot(tables, function(form, full, slot)
      it(("%s in form %s is no code"):format(full, form), function()
        refused(("%s.heap.%s"):format(form, slot), "FAILED_PRECONDITION",
          full .. " does not point to code")
      end)
    end)
  end

  it("of unified memory is no code in an executor that says it has none, either", function()
    for _, slot in ipairs { "unified_memory_allocate", "unified_memory_deallocate" } do
      refused("seed.heap." .. slot, "FAILED_PRECONDITION", slot .. " does not point to code")
      refused("c.unified.none+heap." .. slot, "FAILED_PRECONDITION",
        slot .. " does not point to code")
    end
  end)
end)

local structs = {
  { forms, "params", "SE_PlatformRegistrationParams" },
  { forms, "platform", "SP_Platform" },
  { forms, "fns", "SP_PlatformFns" },
  { shipped, "devicefns", "SP_DeviceFns" },
  { forms, "executor", "SP_StreamExecutor" },
  { forms, "timerfns", "SP_TimerFns" },
  { { "seed_allocator" }, "allocator", "SP_Allocator" },
  { { "seed_allocator" }, "allocatorfns", "SP_AllocatorFns" },
  { { "seed_custom" }, "allocator", "SP_CustomAllocator" },
  { { "seed_custom" }, "allocatorfns", "SP_CustomAllocatorFns" },
}

describe("a struct_size of 0", function()
  for _, row in ipairs(structs) do
    for _, form in ipairs(row[1]) do
      it(("in %s of form %s"):format(row[3], form), function()
        refused(("%s.zero.%s"):format(form, row[2]), "FAILED_PRECONDITION",
          row[3] .. ".struct_size is 0")
      end)
    end
  end

  it("in SP_Device shows when the device is opened; what was made is destroyed", function()
    for _, form in ipairs(forms) do
      local name = form .. ".zero.device"
      assert(modfs.load(put(name)))
      contains(fails("FAILED_PRECONDITION", modfs.device(platform_of(name))),
        "SP_Device.struct_size is 0")
      local lines = journal(name)
      assert.same({ "create_device 0", "destroy_device 0" }, { lines[#lines - 1], lines[#lines] })
    end
  end)
end)

describe("a platform's word", function()
  for _, row in ipairs {
    { "null", "is missing" }, { "empty", "[A-Z][A-Z_]*" }, { "colon", "INVALID:NAME" },
    { "slash", "INVALID/" }, { "lower", "lower" }, { "mixed", "Gpu" }, { "digit", "GPU2" },
    { "underscore", "_GPU" }, { "space", "G PU" }, { "dash", "G-PU" }, { "newline", "GPU" },
    { "escape", "GPU" }, { "bytes", "GPU" }, { "wild", "cannot be read" },
    { "open", "cannot be read" }, { "long", "255 bytes" },
  } do
    for _, field in ipairs { "name", "type" } do
      it(("%s that is %s"):format(field, row[1]), function()
        for _, form in ipairs { "seed", "merged", "a", "c" } do
          local name = ("%s.%s.%s"):format(form, field, row[1])
          refused(name, "FAILED_PRECONDITION", "SP_Platform." .. field)
          refused(name, "FAILED_PRECONDITION", row[2])
        end
      end)
    end
  end

  it("need not be there when SE_InitPlugin has returned", function()
    for _, form in ipairs(forms) do
      local name = form .. ".name.passing"
      assert.same({ platform_of(name) }, assert(modfs.load(put(name))).platforms)
    end
    assert.equal("C_TYPE_PASSING", device("c.type.passing").type)
  end)
end)

describe("a call that fails while the platform is made", function()
  for _, row in ipairs {
    { forms, "SE_InitPlugin" }, { shipped, "create_device_fns" },
    { forms, "create_stream_executor" }, { forms, "create_timer_fns" },
    { { "seed_allocator" }, "create_allocator" }, { { "seed_custom" }, "create_custom_allocator" },
  } do
    for _, form in ipairs(row[1]) do
      it(("fails the plugin with its own status: %s in form %s"):format(row[2], form), function()
        refused(("%s.fails.%s"):format(form, row[2]), "UNAVAILABLE", "refused by the fixture")
      end)
    end
  end
end)

describe("what was made of a platform that fails", function()
  -- The order in which the parts of each form are made, and that in which they are destroyed.
  local makes = { "device_fns", "allocator", "custom_allocator", "stream_executor", "timer_fns" }
  local ends = { "device_fns", "allocator", "custom_allocator", "stream_executor", "timer_fns",
    "platform", "platform_fns" }

  local function ends_rightly(name)
    os.remove(shelf:path(name) .. ".journal")
    assert.is_nil((modfs.load(put(name))))
    local made, destroyed = made_and_destroyed(name)
    local expected = {}
    for _, part in ipairs(ends) do
      expected[#expected + 1] = (made[part] or part:find "^platform") and part or nil
    end
    assert.same(expected, destroyed, name)
    return made
  end

  for _, form in ipairs(forms) do
    it("is destroyed in the contract's order: form " .. form, function()
      local seen = {}
      for _, fault in ipairs { "null.create_stream", "null.host_callback", "null.nanoseconds",
        "zero.executor", "zero.timerfns", "zero.platform", "zero.fns", "fails.create_timer_fns",
        "fails.create_stream_executor", "name.colon", "type.slash" } do
        for part in pairs(ends_rightly(form .. "." .. fault)) do
          seen[part] = true
        end
      end
      assert.is_true(seen.stream_executor and seen.timer_fns)
      assert.equal(not is_rfc[form], seen.device_fns or false)
    end)
  end

  it("was made in order", function()
    for _, form in ipairs(forms) do
      local place, last = {}, 0
      for i, part in ipairs(makes) do
        place[part] = i
      end
      put(form .. ".facts") -- no plugin, never loaded
      assert(modfs.load(put(form)))
      for _, line in ipairs(journal(form)) do
        local part = line:match "^create_(%S+)$"
        if place[part] then
          assert.is_true(place[part] > last, line)
          last = place[part]
        end
      end
      assert.equal(#makes, last)
    end
  end)

  it("is destroyed when another plugin has the platform's name, which goes on working", function()
    assert(modfs.load(put "c"))
    local folder = build.shelf()
    finally(function() folder:remove() end)
    local path = folder:put(binary, "c")
    contains(fails("ALREADY_EXISTS", modfs.load(path)), shelf:path "c")
    assert.equal("create_device_fns\ncreate_stream_executor\ncreate_timer_fns\n"
      .. "destroy_device_fns\ndestroy_stream_executor\ndestroy_timer_fns\n"
      .. "destroy_platform\ndestroy_platform_fns\n", tmpdir.content(path .. ".journal"))
    local memory = device("c"):allocate(1)
    assert.equal(1, #memory)
    memory:close()
  end)

  it("is nothing when the plugin itself gives up, or says not how to destroy it", function()
    for _, fault in ipairs { "fails.SE_InitPlugin", "null.destroy_platform",
      "null.destroy_platform_fns", "zero.params" } do
      assert.is_nil((modfs.load(put("c." .. fault))))
      assert.same({}, journal("c." .. fault))
    end
  end)
end)

describe("the number of devices", function()
  it("that is negative or absurd is a breach, and hides no other platform", function()
    for _, name in ipairs { "c.count.negative", "c.count.absurd", "seed.rfc.count.absurd",
      "merged.rfc.count.absurd" } do
      assert(modfs.load(put(name)))
      local message = fails("INTERNAL", modfs.device(platform_of(name)))
      contains(message, shelf:path(name))
      contains(message, "devices")
      fails("INTERNAL", modfs.devices(platform_of(name)))
    end
    for _, platform in ipairs(modfs.platforms()) do
      if platform.name:find "COUNT_ABSURD" then
        assert.is_nil(platform.device_count)
      end
    end
  end)

  it("may be none", function()
    assert(modfs.load(put "c.count.none"))
    assert.same({}, modfs.devices "C_COUNT_NONE")
    fails("INVALID_ARGUMENT", modfs.device "C_COUNT_NONE")
  end)

  it("may be refused", function()
    assert(modfs.load(put "c.fails.get_device_count"))
    contains(fails("UNAVAILABLE", modfs.device "C_FAILS_GET_DEVICE_COUNT"), "by the fixture")
    fails("UNAVAILABLE", modfs.devices "C_FAILS_GET_DEVICE_COUNT")
  end)
end)

describe("a device", function()
  it("that cannot be made fails with the plugin's status, and is not destroyed", function()
    for _, form in ipairs(forms) do
      local name = form .. ".fails.create_device"
      assert(modfs.load(put(name)))
      contains(fails("UNAVAILABLE", modfs.device(platform_of(name))), "refused by the fixture")
      for _, line in ipairs(journal(name)) do
        assert.is_nil(line:find "_device %d")
      end
    end
  end)

  it("whose text cannot be read is a breach, and is destroyed", function()
    assert(modfs.load(put "c.device.wild"))
    contains(fails("INTERNAL", modfs.device "C_DEVICE_WILD"), "SP_Device.hardware_name")
    local lines = journal "c.device.wild"
    assert.equal("destroy_device 0", lines[#lines])
  end)

  it("without words, and with unknown facts, has none", function()
    local silent = device "c.device.silent+facts.unknown"
    for _, field in ipairs { "hardware_name", "vendor", "pci_bus_id", "numa_node",
      "memory_bandwidth", "gflops" } do
      assert.is_nil(silent[field])
    end
  end)

  it("keeps the number that it was asked for", function()
    assert(modfs.load(put "c.device.ordinal"))
    local second = assert(modfs.device "C_DEVICE_ORDINAL:1")
    assert.equal(1, second.ordinal)
    assert.equal("C_DEVICE_ORDINAL:1", second.name)
  end)
end)

describe("memory", function()
  it("that is not given is RESOURCE_EXHAUSTED", function()
    for _, form in ipairs { "seed", "a", "c" } do
      fails("RESOURCE_EXHAUSTED", device(form .. ".allocate.null"):allocate(16))
    end
    local found = device "c.host.null+unified.null"
    fails("RESOURCE_EXHAUSTED", found:host_allocate(16))
    fails("RESOURCE_EXHAUSTED", found:unified_allocate(16))
    fails("RESOURCE_EXHAUSTED", device("c"):allocate(2 ^ 24 + 1))
    fails("RESOURCE_EXHAUSTED", device("seed_allocator"):allocate(2 ^ 24 + 1))
  end)

  it("that is smaller than asked is a breach, and given back", function()
    local name = "c.allocate.less"
    local message = fails("INTERNAL", device(name):allocate(16))
    contains(message, shelf:path(name))
    contains(message, "15 bytes")
    local lines = journal(name)
    assert.equal("deallocate 15 payload 17", lines[#lines])
  end)

  it("without a size is taken for what was asked; a larger one goes back as it came", function()
    for name, size in pairs { ["c.allocate.silent"] = 16, ["c.allocate.more"] = 116,
      ["c.allocate.sizeless"] = 16 } do
      local memory = device(name):allocate(16)
      assert.equal(16, #memory)
      assert.is_true(memory:write("0123456789abcdef"))
      assert.equal("0123456789abcdef", memory:read())
      assert.is_nil(memory:write("x", 17 + 1))
      memory:close()
      local lines = journal(name)
      assert.equal(("deallocate %d payload 17"):format(size), lines[#lines])
    end
  end)

  it("of nobody's is not asked for", function()
    local memory = device("c.allocate.null"):allocate(0)
    assert.equal(0, #memory)
    assert.equal("", memory:read())
    memory:close()
  end)

  it("is counted as the plugin tells", function()
    assert.is_nil(device("c.stats.none"):allocator_stats())
    assert.is_nil(device("c.stats.zero"):allocator_stats())
    local stats = device("c"):allocator_stats()
    assert.same({ 7, 123, 77 }, { stats.num_allocs, stats.bytes_in_use,
      stats.bytes_reservable_limit })
    assert.is_nil(stats.bytes_limit)
  end)

  it("of impossible numbers is a breach; unknown ones are UNIMPLEMENTED", function()
    for _, fault in ipairs { "usage.negative", "usage.over" } do
      contains(fails("INTERNAL", device("c." .. fault):memory_usage()), "device_memory_usage")
    end
    fails("UNIMPLEMENTED", device("c.usage.none"):memory_usage())
  end)

  it("is unified where the platform says so", function()
    for _, name in ipairs { "c", "c.unified.255", "merged", "seed_allocator", "seed" } do
      local buffer = assert(device(name):unified_allocate(4))
      assert.is_true(buffer:set(1, "four"))
      assert.equal("four", buffer:sub(1))
      buffer:close()
    end
    for _, name in ipairs { "c.unified.none", "merged.merged.unified.none",
      "seed_allocator.allocator.unified.none", "seed.null.unified_memory_allocate",
      "c.unified.none+null.unified_memory_deallocate", "seed_custom" } do
      fails("UNIMPLEMENTED", device(name):unified_allocate(4))
    end
  end)
end)

describe("memory that modfs divides up", function()
  local function works(found)
    local parts = {}
    for i = 1, 20 do
      parts[i] = assert(found:allocate(i * 100))
      assert.is_true(parts[i]:fill(i))
    end
    for i = 1, 20 do
      assert.equal(string.char(i):rep(i * 100), parts[i]:read())
    end
    assert.equal(20, found:allocator_stats().num_allocs)
    for i = 1, 20 do
      parts[i]:close()
    end
    assert.equal(0, found:allocator_stats().bytes_in_use)
  end

  it("is asked for at once, and later where it grows", function()
    for name, line in pairs { ["c.bfc"] = "allocate 16777216", ["c.bfc.grows"] = "allocate 1048576",
      ["seed_allocator.event.99"] = "allocate 16777216", ["c.bfc+usage.none"] = "allocate 1048576",
      ["c.bfc.grows+usage.absurd"] = "allocate 1048576" } do
      local found = device(name)
      works(found)
      assert.is_true(found:close())
      local lines = journal(name)
      assert.equal("destroy_device 0", lines[#lines])
      assert.truthy(lines[#lines - 1]:find "^deallocate", lines[#lines - 1])
      local count = 0
      for _, one in ipairs(lines) do
        count = count + (one:find "^allocate" and 1 or 0)
        assert.truthy(not one:find "^allocate" or one == line, one)
      end
      assert.equal(1, count)
    end
  end)

  it("lies askew in the plugin's, whose payload it keeps", function()
    local found = device "c.bfc.askew"
    works(found)
    for _, line in ipairs(journal "c.bfc.askew") do
      assert.truthy(not line:find "payload" or line:find "payload 4711$", line)
    end
  end)

  it("is exhausted where the plugin gives none", function()
    fails("RESOURCE_EXHAUSTED", device("c.bfc+allocate.null"):allocate(1))
    fails("RESOURCE_EXHAUSTED", device("c.bfc+allocate.less"):allocate(1))
    local lines = journal "c.bfc+allocate.less"
    assert.truthy(lines[#lines]:find "^deallocate", lines[#lines])
  end)
end)

describe("handles that are NULL", function()
  it("are as good as others, and are not destroyed", function()
    local found = device "c.handles.null"
    local stream, other = found:stream(), found:stream()
    local event, timer, memory = found:event(), found:timer(), found:allocate(4)
    local ran = 0
    assert.equal(stream, stream:copy(memory, "abcd"):wait(other):record(event):wait(event)
      :callback(function() ran = ran + 1 end))
    assert.is_true(timer:start(stream))
    assert.is_true(timer:stop(stream))
    assert.equal(0, timer:nanoseconds())
    assert.is_true(event:wait())
    assert.is_true(stream:synchronize())
    assert.equal(1, ran)
    assert.equal("abcd", memory:read())
    for _, part in ipairs { stream, other, event, timer, memory } do
      part:close()
    end
    assert.is_true(found:close())
    for _, line in ipairs(journal "c.handles.null") do
      assert.is_nil(line:find "^destroy_[set]%a+$", line)
    end
  end)
end)

describe("an event's status", function()
  it("that is none is unknown; others are as the plugin says", function()
    for name, status in pairs { ["c.event.99"] = "unknown", ["c.event.error"] = "error",
      ["c.event.pending"] = "pending", c = "complete" } do
      local found = device(name)
      local stream, event = found:stream(), found:event()
      assert.equal("unknown", event:status())
      assert.equal(stream, stream:record(event))
      assert.equal(status, event:status())
      event:close()
      stream:close()
    end
  end)
end)

describe("what a stream was asked for and the plugin refuses", function()
  local function works(stream, event, timer, memory, buffer)
    return {
      create_stream_dependency = function(other) return stream:wait(other) end,
      record_event = function() return stream:record(event) end,
      memcpy_dtoh = function() return stream:copy(buffer, memory) end,
      memcpy_htod = function() return stream:copy(memory, buffer) end,
      memcpy_dtod = function() return stream:copy(memory, memory) end,
      mem_zero = function() return stream:fill(memory) end,
      memset = function() return stream:fill(memory, 1) end,
      start_timer = function() return timer:start(stream) end,
      stop_timer = function() return timer:stop(stream) end,
      get_stream_status = function() return stream:status() end,
    }
  end

  for _, call in ipairs { "create_stream_dependency", "record_event", "memcpy_dtoh",
    "memcpy_htod", "memcpy_dtod", "mem_zero", "memset", "start_timer", "stop_timer",
    "get_stream_status" } do
    it("is the stream's status for good: " .. call, function()
      local found = device("c.fails." .. call)
      local stream, other = found:stream(), found:stream()
      local event, timer = found:event(), found:timer()
      local memory, buffer = found:allocate(4), modfs.buffer(4)
      local work = works(stream, event, timer, memory, buffer)
      contains(fails("UNAVAILABLE", work[call](other)), "refused by the fixture")
      for name, again in pairs(work) do
        local ok, message, code = again(other)
        assert.same({ nil, "UNAVAILABLE" }, { ok, code }, name)
        contains(message, "refused by the fixture")
      end
      fails("UNAVAILABLE", stream:status())
      fails("UNAVAILABLE", stream:synchronize())
      fails("UNAVAILABLE", stream:callback(print))
      assert.equal(call ~= "get_stream_status", other:status() == true)
      for _, part in ipairs { stream, other, event, timer, memory, buffer } do
        part:close()
      end
      assert.is_true(found:close())
    end)
  end

  it("is the stream's status for good: wait_for_event", function()
    local found = device "c.fails.wait_for_event"
    local stream, event = found:stream(), found:event()
    assert(stream:record(event))
    fails("UNAVAILABLE", stream:wait(event))
    fails("UNAVAILABLE", stream:status())
    event:close()
    stream:close()
    assert.is_true(found:close())
  end)

  it("stays its status when the plugin has forgotten it", function()
    local stream = device("c.stream.once"):stream()
    contains(fails("INTERNAL", stream:status()), "broken for a moment")
    contains(fails("INTERNAL", stream:status()), "broken for a moment")
    stream:close()
  end)
end)

describe("a call that fails", function()
  it("fails with the plugin's status where nothing else hangs on it", function()
    fails("UNAVAILABLE", device("c.fails.create_stream"):stream())
    fails("UNAVAILABLE", device("c.fails.create_event"):event())
    fails("UNAVAILABLE", device("c.fails.create_timer"):timer())
    fails("UNAVAILABLE", device("c.fails.synchronize_all_activity"):synchronize())
    for _, call in ipairs { "sync_memcpy_htod", "sync_memcpy_dtoh", "sync_memcpy_dtod" } do
      local found = device("c.fails." .. call)
      local memory = found:allocate(4)
      if call == "sync_memcpy_htod" then
        fails("UNAVAILABLE", memory:write "four")
        fails("UNAVAILABLE", memory:fill(1))
      elseif call == "sync_memcpy_dtoh" then
        fails("UNAVAILABLE", memory:read())
      else
        fails("UNAVAILABLE", memory:copy(memory))
      end
      memory:close()
      assert.is_true(found:close())
    end
    local event = device("c.fails.block_host_for_event"):event()
    local stream = device("c.fails.block_host_for_event"):stream()
    assert(stream:record(event))
    fails("UNAVAILABLE", event:wait())
    event:close()
    stream:close()
  end)

  it("of a timer leaves no event behind", function()
    fails("UNAVAILABLE", device("c.fails.create_timer"):timer())
    local lines = journal "c.fails.create_timer"
    assert.same({ "create_event", "destroy_event" }, { lines[#lines - 1], lines[#lines] })
    assert.is_true(device("c.fails.create_timer"):close())
  end)

  it("may have a code that is none, and control characters", function()
    contains(fails("UNKNOWN", device("c.stream.code"):stream()), "99")
    contains(fails("INTERNAL", device("c.stream.shouts"):stream()), "\\x1b")
  end)
end)

describe("work that is left when its stream ends", function()
  it("is waited for by what the plugin still can", function()
    for name, line in pairs {
      c = "block_host_until_done", ["c.without.wait"] = "block_host_for_event",
      ["c.fails.block_host_until_done"] = "synchronize_all_activity",
      ["c.without.wait+fails.create_event"] = "synchronize_all_activity",
      ["c.without.wait+fails.record_event"] = "synchronize_all_activity",
      ["c.without.wait+fails.block_host_for_event"] = "synchronize_all_activity",
    } do
      local found = device(name)
      local stream = found:stream()
      assert(stream:copy(found:allocate(4), "four"))
      stream:close()
      collectgarbage()
      collectgarbage()
      local lines, waited, ended = journal(name), nil, nil
      for i, text in ipairs(lines) do
        waited = text == line and i or waited
        ended = text == "destroy_stream" and i or ended
      end
      assert.truthy(waited and ended and waited < ended, name)
      assert.truthy(lines[#lines]:find "^deallocate", lines[#lines])
    end
  end)
end)

describe("a callback", function()
  local function trial(fault, body)
    local path = put("c." .. fault)
    local status, out, err = child(([[
      local modfs = require "modfs"
      assert(modfs.load(%q))
      local device = modfs.devices("SHIPPED")[1]
      local stream, ran = device:stream(), 0
      local function count() ran = ran + 1 end
    ]]):format(path) .. body)
    assert.same({ 0, "", "" }, { status, out, err })
  end

  it("that the plugin takes twice runs once", function()
    trial("callback.twice", [[
      for i = 1, 100 do
        assert(stream:callback(count):copy(device:allocate(4), "four"))
        assert(stream:synchronize())
        assert(ran == i, ran)
        assert(modfs.poll() == 0)
      end
      stream:close()
      collectgarbage()
      assert(device:close())
    ]])
  end)

  it("that the plugin refuses fails its stream, and runs at most once", function()
    for fault, runs in pairs { ["callback.refused"] = 0, ["callback.ran"] = 1,
      ["callback.regretted"] = 0 } do
      trial(fault, ([[
        local _, message, code = stream:callback(count)
        assert(code == "INTERNAL" and message:find "host_callback", message)
        assert(select(3, stream:status()) == "INTERNAL")
        assert(select(3, stream:callback(count)) == "INTERNAL")
        assert(select(3, stream:copy(device:allocate(4), "four")) == "INTERNAL")
        modfs.poll()
        assert(ran <= %d, ran)
        stream:close()
        collectgarbage()
        modfs.poll()
        assert(ran <= %d, ran)
        local other = device:stream()
        assert(other:status())
        other:close()
        collectgarbage()
        assert(device:close())
      ]]):format(runs, runs))
    end
  end)

  it("that never comes, or comes too late, does not run, and nothing waits for it", function()
    for _, fault in ipairs { "callback.never", "callback.late", "callback.after" } do
      trial(fault, [[
        for _ = 1, 10 do
          assert(stream:callback(count))
          assert(stream:copy(device:allocate(4), "four"))
          stream:synchronize()
          stream:close()
          stream = device:stream()
          assert(modfs.poll() == 0 and modfs.poll(0.001) == 0)
        end
        stream:close()
        assert(ran == 0)
        collectgarbage()
        collectgarbage()
        assert(device:close())
      ]])
    end
  end)

  it("may come after the Lua state is gone", function()
    for _, fault in ipairs { "callback.never", "callback.late", "callback.after",
      "callback.twice" } do
      trial(fault, [[
        assert(stream:callback(count):copy(device:allocate(4), "four"))
      ]])
    end
  end)
end)

describe("a timer", function()
  it("may have measured nothing", function()
    local found = device "c.timer.none"
    local timer, stream = found:timer(), found:stream()
    assert(timer:start(stream) and timer:stop(stream))
    assert.equal(0, timer:nanoseconds())
    timer:close()
    stream:close()
  end)

  it("is not believed beyond what a number holds", function()
    local found = device "c.timer.absurd"
    local timer, stream = found:timer(), found:stream()
    assert(timer:start(stream) and timer:stop(stream))
    contains(fails("INTERNAL", timer:nanoseconds()), "nanoseconds")
    timer:close()
    stream:close()
  end)

  it("is UNIMPLEMENTED where one of its slots is missing", function()
    for _, form in ipairs { "seed", "merged", "a", "c" } do
      for _, slot in ipairs { "create_timer_fns", "destroy_timer_fns", "create_timer",
        "destroy_timer", "start_timer", "stop_timer" } do
        fails("UNIMPLEMENTED", device(form .. ".null." .. slot):timer())
      end
      fails("UNIMPLEMENTED", device(form .. ".without.timers"):timer())
    end
  end)
end)

describe("one file with a filesystem and a platform", function()
  local both

  setup(function()
    both = build.compile("both.so",
      "spec/fixtures/devices spec/fixtures/devices/both spec/fixtures/devices/base.h")
  end)

  it("brings both", function()
    local plugin = assert(modfs.load(shelf:put(both, "c.fs.good")))
    assert.same({ "C_FS_GOOD" }, plugin.platforms)
    assert.same({ "c.fs.good" }, plugin.schemes)
    assert.is_true(modfs.exists "c.fs.good:///there")
    local memory = assert(modfs.device "C_FS_GOOD"):allocate(4)
    assert.is_true(memory:write "four")
    assert.equal("four", memory:read())
    memory:close()
  end)

  it("brings none when either fails", function()
    for name, row in pairs {
      ["c.fs.scheme"] = { "INVALID_ARGUMENT", "a-b" },
      ["c.fs.init"] = { "UNAVAILABLE", "no such service here" },
      ["c.fs.good+null.create_stream"] = { "FAILED_PRECONDITION", "create_stream is missing" },
      ["seed.fs.good+fails.SE_InitPlugin"] = { "UNAVAILABLE", "refused by the fixture" },
      ["c.fs.scheme+name.colon"] = { "INVALID_ARGUMENT", "a-b" },
    } do
      local before = registered()
      contains(fails(row[1], modfs.load(shelf:put(both, name))), row[2])
      assert.equal(before, registered())
      fails("UNIMPLEMENTED", modfs.exists(name:gsub("[^%a]", "."):lower() .. ":///there"))
    end
  end)

  it("is left as it was: what was made of the platform is destroyed", function()
    local made, destroyed = made_and_destroyed "c.fs.init"
    assert.is_true(made.stream_executor and made.timer_fns)
    assert.same({ "device_fns", "stream_executor", "timer_fns", "platform", "platform_fns" },
      destroyed)
    assert.same({}, journal "c.fs.scheme")
    local _, count = table.concat(journal "c.fs.good+null.create_stream", "\n"):gsub("fs init", "")
    assert.equal(0, count)
  end)
end)
