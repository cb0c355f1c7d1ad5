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

-- Only a name that is new costs a shell.
local function put(name)
  local path = shelf:path(name)
  return tmpdir.content(path) and path or shelf:put(binary, name)
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

local function close(...)
  for _, part in ipairs { ... } do
    part:close()
  end
end

local function last_line(name)
  local lines = journal(name)
  return lines[#lines]
end

setup(function()
  binary = build.compile("devices.so", "spec/fixtures/devices")
  shelf = build.shelf()
  shelf:put(binary, (table.unpack or unpack)(many))
  modfs.platforms() -- which loads what stands in the plugin path
end)

teardown(function() shelf:remove() end)

local forms = { "seed", "seed_allocator", "seed_custom", "merged", "a", "b", "c" }

local is_rfc = { seed = true, seed_allocator = true, seed_custom = true, merged = true }

describe("the plugin that the broken ones are made from", function()
  for _, form in ipairs(forms) do
    it("works without a fault in form " .. form, function()
      local found = device(form)
      assert.equal(is_rfc[form] and "RFC" or "SHIPPED", found.type)
      local memory = found:allocate(5)
      assert.is_true(memory:write "hello")
      assert.equal("hello", memory:read())
      memory:close()
      assert.is_true(found:close())
      assert.equal("destroy_device 0", last_line(form))
    end)
  end

  it("is refused under a name that is not a fault", function()
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
    it(("%s in form %s is refused by its name"):format(full, form), function()
      local before = registered()
      refused(("%s.null.%s"):format(form, slot), "FAILED_PRECONDITION", full .. " is missing")
      assert.equal(before, registered())
    end)
  end)

  each_slot(optional, function(form, full, slot)
    it(("%s in form %s is allowed"):format(full, form), function()
      local memory = device(("%s.null.%s"):format(form, slot)):allocate(4)
      assert.is_true(memory:fill(7))
      assert.equal("\7\7\7\7", memory:read())
      memory:close()
    end)
  end)
end)

describe("a slot that leads to data", function()
  for _, tables in ipairs { slots, optional } do
    each_slot(tables, function(form, full, slot)
      it(("%s in form %s is refused"):format(full, form), function()
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
      it(("in %s of form %s is refused"):format(row[3], form), function()
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

describe("a platform's", function()
  for _, row in ipairs {
    { "null", "is missing" }, { "empty", "[A-Z][A-Z_]*" }, { "colon", "INVALID:NAME" },
    { "slash", "INVALID/" }, { "lower", "lower" }, { "mixed", "Gpu" }, { "digit", "GPU2" },
    { "underscore", "_GPU" }, { "space", "G PU" }, { "dash", "G-PU" }, { "newline", "GPU" },
    { "escape", "GPU" }, { "bytes", "GPU" }, { "wild", "cannot be read" },
    { "open", "cannot be read" }, { "long", "255 bytes" },
  } do
    for _, field in ipairs { "name", "type" } do
      it(("%s that is %s is refused"):format(field, row[1]), function()
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
  for name, row in pairs { ["c.count.negative"] = { "INTERNAL", "c.count.negative.so" },
    ["c.count.absurd"] = { "INTERNAL", "c.count.absurd.so" },
    ["seed.rfc.count.absurd"] = { "INTERNAL", "devices" },
    ["merged.rfc.count.absurd"] = { "INTERNAL", "devices" },
    ["c.fails.get_device_count"] = { "UNAVAILABLE", "refused by the fixture" } } do
    it("fails, and hides no other platform: " .. name, function()
      assert(modfs.load(put(name)))
      local message = fails(row[1], modfs.device(platform_of(name)))
      contains(message, row[2])
      fails(row[1], modfs.devices(platform_of(name)))
      for _, platform in ipairs(modfs.platforms()) do
        assert.truthy(platform.name ~= platform_of(name) or platform.device_count == nil)
      end
    end)
  end

  it("may be 0", function()
    assert(modfs.load(put "c.count.none"))
    assert.same({}, modfs.devices "C_COUNT_NONE")
    fails("INVALID_ARGUMENT", modfs.device "C_COUNT_NONE")
  end)
end)

describe("a device", function()
  it("that cannot be made fails with the plugin's status, and is not destroyed", function()
    for _, form in ipairs(forms) do
      local name = form .. ".fails.create_device"
      assert(modfs.load(put(name)))
      for _ = 2, 256 do
        modfs.device(platform_of(name))
      end
      contains(fails("UNAVAILABLE", modfs.device(platform_of(name))), "refused by the fixture")
      for _, line in ipairs(journal(name)) do
        assert.is_nil(line:find "_device %d")
      end
    end
  end)

  it("whose text cannot be read is a breach, and is destroyed", function()
    assert(modfs.load(put "c.device.wild"))
    contains(fails("INTERNAL", modfs.device "C_DEVICE_WILD"), "SP_Device.hardware_name")
    assert.equal("destroy_device 0", last_line "c.device.wild")
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
    assert.same({ 1, "C_DEVICE_ORDINAL:1" }, { second.ordinal, second.name })
  end)
end)

-- Calls of a Device that fail: code, method, its argument, a part of the message, the plugins.
local failures = {
  { "RESOURCE_EXHAUSTED", "allocate", 16, "", "seed.allocate.null", "a.allocate.null",
    "c.allocate.null" },
  { "RESOURCE_EXHAUSTED", "allocate", 2 ^ 24 + 1, "", "c", "seed_allocator" },
  { "RESOURCE_EXHAUSTED", "allocate", 1, "", "c.bfc+allocate.null", "c.bfc+allocate.less" },
  { "RESOURCE_EXHAUSTED", "host_allocate", 16, "", "c.host.null+unified.null" },
  { "RESOURCE_EXHAUSTED", "unified_allocate", 16, "", "c.host.null+unified.null" },
  { "INTERNAL", "allocate", 16, "15 bytes", "c.allocate.less" },
  { "UNIMPLEMENTED", "unified_allocate", 4, "", "c.unified.none", "merged.merged.unified.none",
    "seed_allocator.allocator.unified.none", "seed.null.unified_memory_allocate",
    "c.unified.none+null.unified_memory_deallocate", "seed_custom" },
  { "INTERNAL", "memory_usage", false, "device_memory_usage", "c.usage.negative", "c.usage.over" },
  { "UNIMPLEMENTED", "memory_usage", false, "", "c.usage.none" },
  { "UNAVAILABLE", "synchronize", false, "refused by the fixture",
    "c.fails.synchronize_all_activity" },
  { "UNAVAILABLE", "stream", false, "refused by the fixture", "c.fails.create_stream" },
  { "UNAVAILABLE", "event", false, "refused by the fixture", "c.fails.create_event" },
  { "UNAVAILABLE", "timer", false, "refused by the fixture", "c.fails.create_timer",
    "c.fails.create_event" },
  { "UNKNOWN", "stream", false, "99", "c.stream.code" }, -- a code that is none
  { "INTERNAL", "stream", false, "\\x1b", "c.stream.shouts" }, -- control characters
}
for _, form in ipairs { "seed", "merged", "a", "c" } do
  failures[#failures + 1] = { "UNIMPLEMENTED", "timer", false, "", form .. ".without.timers",
    form .. ".null.create_timer_fns", form .. ".null.destroy_timer_fns",
    form .. ".null.create_timer", form .. ".null.destroy_timer", form .. ".null.start_timer",
    form .. ".null.stop_timer" }
end

describe("a call of a Device", function()
  for _, row in ipairs(failures) do
    for i = 5, #row do
      local code, method, name = row[1], row[2], row[i]
      it(("fails with %s and leaves nothing, each time: %s, %s"):format(code, method, name),
        function()
          local found = device(name)
          for _ = 2, code == "UNAVAILABLE" and 256 or 2 do
            found[method](found, row[3] or nil)
          end
          contains(fails(code, found[method](found, row[3] or nil)), row[4])
          assert.is_true(found:close(), "something is left")
        end)
    end
  end

  it("that opens a timer leaves no event behind when it fails", function()
    fails("UNAVAILABLE", device("c.fails.create_timer"):timer())
    local lines = journal "c.fails.create_timer"
    assert.same({ "create_event", "destroy_event" }, { lines[#lines - 1], lines[#lines] })
  end)
end)

describe("memory", function()
  it("that is smaller than asked goes back, to a plugin that is named", function()
    local message = fails("INTERNAL", device("c.allocate.less"):allocate(16))
    contains(message, shelf:path "c.allocate.less")
    assert.equal("deallocate 15 payload 17", last_line "c.allocate.less")
    fails("RESOURCE_EXHAUSTED", device("c.bfc+allocate.less"):allocate(1))
    assert.truthy(last_line("c.bfc+allocate.less"):find "^deallocate")
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
      assert.equal(("deallocate %d payload 17"):format(size), last_line(name))
    end
  end)

  it("of size 0 is not asked for", function()
    local memory = device("c.allocate.null"):allocate(0)
    assert.equal(0, #memory)
    assert.equal("", memory:read())
    memory:close()
  end)

  it("is counted as the plugin reports", function()
    assert.is_nil(device("c.stats.none"):allocator_stats())
    assert.is_nil(device("c.stats.zero"):allocator_stats())
    local stats = device("c"):allocator_stats()
    assert.same({ 7, 123, 77 }, { stats.num_allocs, stats.bytes_in_use,
      stats.bytes_reservable_limit })
    assert.is_nil(stats.bytes_limit)
  end)

  it("is unified where the platform says so", function()
    for _, name in ipairs { "c", "c.unified.255", "merged", "seed_allocator", "seed" } do
      local buffer = assert(device(name):unified_allocate(4))
      assert.is_true(buffer:set(1, "four"))
      assert.equal("four", buffer:sub(1))
      buffer:close()
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
end)

describe("handles that are NULL", function()
  it("are used as others are, and are not destroyed", function()
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
    close(stream, other, event, timer, memory)
    assert.is_true(found:close())
    for _, line in ipairs(journal "c.handles.null") do
      assert.is_nil(line:find "^destroy_[set]%a+$", line)
    end
  end)
end)

describe("an event's status", function()
  it("that is invalid is unknown; others are as the plugin reports", function()
    for name, status in pairs { ["c.event.99"] = "unknown", ["c.event.error"] = "error",
      ["c.event.pending"] = "pending", c = "complete" } do
      local found = device(name)
      local stream, event = found:stream(), found:event()
      assert.equal("unknown", event:status())
      assert.equal(stream, stream:record(event))
      assert.equal(status, event:status())
      close(event, stream)
    end
  end)
end)

describe("what a stream was asked for and the plugin refuses", function()
  -- What is asked of o, which has a stream, another one, and one of each other part.
  local work = {
    create_stream_dependency = function(o) return o.stream:wait(o.other) end,
    record_event = function(o) return o.stream:record(o.event) end,
    wait_for_event = function(o) return o.stream:wait(o.event) end,
    memcpy_dtoh = function(o) return o.stream:copy(o.buffer, o.memory) end,
    memcpy_htod = function(o) return o.stream:copy(o.memory, o.buffer) end,
    memcpy_dtod = function(o) return o.stream:copy(o.memory, o.memory) end,
    mem_zero = function(o) return o.stream:fill(o.memory) end,
    memset = function(o) return o.stream:fill(o.memory, 1) end,
    start_timer = function(o) return o.timer:start(o.stream) end,
    stop_timer = function(o) return o.timer:stop(o.stream) end,
    get_stream_status = function(o) return o.stream:status() end,
  }

  for call, ask in pairs(work) do
    it("is the stream's status for good: " .. call, function()
      local found = device("c.fails." .. call)
      local o = { stream = found:stream(), other = found:stream(), event = found:event(),
        timer = found:timer(), memory = found:allocate(4), buffer = modfs.buffer(4) }
      assert(call == "record_event" or o.other:record(o.event)) -- nobody waits for a fresh one
      contains(fails("UNAVAILABLE", ask(o)), "refused by the fixture")
      for name, again in pairs(work) do
        local ok, message, code = again(o)
        assert.same({ nil, "UNAVAILABLE" }, { ok, code }, name)
        contains(message, "refused by the fixture")
      end
      fails("UNAVAILABLE", o.stream:status())
      fails("UNAVAILABLE", o.stream:synchronize())
      fails("UNAVAILABLE", o.stream:callback(print))
      assert.equal(call ~= "get_stream_status", o.other:status() == true)
      close(o.stream, o.other, o.event, o.timer, o.memory, o.buffer)
      assert.is_true(found:close())
    end)
  end

  it("stays its status when the plugin has forgotten it", function()
    local stream = device("c.stream.once"):stream()
    contains(fails("INTERNAL", stream:status()), "broken for a moment")
    contains(fails("INTERNAL", stream:status()), "broken for a moment")
    stream:close()
  end)
end)

describe("a copy that waits, and an event that is waited for,", function()
  for call, use in pairs {
    sync_memcpy_htod = function(memory) return memory:write "four" end,
    sync_memcpy_dtoh = function(memory) return memory:read() end,
    sync_memcpy_dtod = function(memory) return memory:copy(memory) end,
    block_host_for_event = function(_, event) return event:wait() end,
  } do
    it("fail with the plugin's status: " .. call, function()
      local found = device("c.fails." .. call)
      local memory, stream, event = found:allocate(4), found:stream(), found:event()
      assert(stream:record(event))
      fails("UNAVAILABLE", use(memory, event))
      if call == "sync_memcpy_htod" then
        fails("UNAVAILABLE", memory:fill(1))
      end
      close(memory, stream, event)
      assert.is_true(found:close())
    end)
  end
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
  for _, row in ipairs {
    { "that the plugin takes twice runs once", "once", "twice" },
    { "that the plugin refuses fails its stream", "refused", "refused", "regretted" },
    { "that runs and is refused fails its stream", "refused_but_ran", "ran" },
    { "that never comes, or too late, does not run, and nothing waits for it", "lost", "never",
      "late", "after" },
    { "may come after the Lua state is gone", "left", "never", "late", "after", "twice" },
  } do
    for i = 3, #row do
      it(("%s: callback.%s"):format(row[1], row[i]), function()
        assert.same({ 0, "", "" }, { child("spec/children/device_callback.lua",
          { arguments = { put("c.callback." .. row[i]), row[2] } }) })
      end)
    end
  end
end)

describe("a timer", function()
  it("may have measured nothing, and is not believed beyond what a number holds", function()
    for name, row in pairs { ["c.timer.none"] = { 0 }, ["c.timer.absurd"] = { nil, "INTERNAL" } } do
      local found = device(name)
      local timer, stream = found:timer(), found:stream()
      assert(timer:start(stream) and timer:stop(stream))
      local nanoseconds, message, code = timer:nanoseconds()
      assert.same(row, { nanoseconds, code }, message)
      close(timer, stream)
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
