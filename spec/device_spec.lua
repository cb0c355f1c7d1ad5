local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local function is_integer(value)
  return type(value) == "number" and value == math.floor(value)
end

local function platform_named(name)
  for _, platform in ipairs(modfs.platforms()) do
    if platform.name == name then
      return platform
    end
  end
end

describe("platforms", function()
  it("are there from the first question on, with what is known of each", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      assert(#modfs.plugins() == 2)
      for _, platform in ipairs(modfs.platforms()) do
        io.write(platform.name, " ", platform.api, " ", platform.device_count, "\n")
      end
    ]]
    assert.same({ 0, "" }, { status, err })
    assert.truthy(out:find "REFERENCE shipped 2\n", out)
    local reference = platform_named "REFERENCE"
    assert.equal("string", type(reference.type))
    assert.equal("plugin", modfs.type(reference.plugin))
    assert.same({ "REFERENCE" }, reference.plugin.platforms)
    assert.same({}, reference.plugin.schemes)
    assert.same({}, modfs.filesystem("mem") and modfs.plugins()[1].platforms)
  end)

  it("do not load plugins that have none, and are not hidden by one that fails", function()
    local copy = tmpdir.new()
    finally(function() tmpdir.remove(copy) end)
    local core = assert(package.searchpath("modfs.core", package.cpath))
    shell.output("cp -r", core:match "^(.*)/core%.so$", copy .. "/modfs")
    shell.output("cp -L", copy .. "/modfs/plugins/mem.so", copy .. "/modfs/plugins/other.so")
    tmpdir.write(copy .. "/modfs/plugins/aaa.so", "SE_InitPlugin\0 and no plugin")
    local status, out, err = child(([[
      package.cpath = %q .. "/?.so;" .. package.cpath
      local modfs = require "modfs"
      local names = {}
      for i, platform in ipairs(modfs.platforms()) do names[i] = platform.name end
      table.sort(names)
      print(table.concat(names, " "))
      for _, plugin in ipairs(modfs.plugins()) do assert(not plugin.path:find "other") end
    ]]):format(copy))
    assert.same({ 0, "" }, { status, err })
    assert.truthy(out:find "REFERENCE", out)
  end)

  it("are listed the same the second time", function()
    local first, second = modfs.platforms(), modfs.platforms()
    assert.equal(#first, #second)
    for i, platform in ipairs(first) do
      assert.equal(platform.name, second[i].name)
      assert.equal(platform.plugin, second[i].plugin)
    end
  end)
end)

describe("devices", function()
  it("are those of all platforms, of one, or of one type", function()
    local count = 0
    for _, platform in ipairs(modfs.platforms()) do
      count = count + platform.device_count
      local own = assert(modfs.devices(platform.name))
      assert.equal(platform.device_count, #own)
      for i, device in ipairs(own) do
        assert.equal(platform.name, device.platform)
        assert.equal(i - 1, device.ordinal)
      end
      for _, device in ipairs(assert(modfs.devices(platform.type))) do
        assert.equal(platform.type, device.type)
      end
    end
    assert.equal(count, #modfs.devices())
    assert.same({}, modfs.devices "no such type")
    fails("INVALID_ARGUMENT", modfs.devices "REFERENCE\0")
    assert.same(#modfs.devices "REFERENCE", #modfs.devices "reference")
  end)

  it("raise for another type of argument", function()
    for _, bad in ipairs { true, {}, print } do
      assert.error_matches(function() modfs.devices(bad) end, "bad argument #1 to 'devices'")
    end
  end)
end)

describe("a device by its name", function()
  it("loads its plugin from the plugin path, and nothing else does", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      assert(modfs.device "REFERENCE:1".ordinal == 1)
      print(#modfs.plugins(), modfs.plugins()[3].path:match "[^/]*$")
    ]]
    assert.same({ 0, "3\treference.so\n", "" }, { status, out, err })
  end)

  it("is found where the plugin path leads", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      local path = modfs.plugin_path
      modfs.plugin_path = "/nowhere/?.so"
      local _, message, code = modfs.device "REFERENCE"
      assert(code == "NOT_FOUND" and message:find("/nowhere/reference.so", 1, true), message)
      modfs.plugin_path = path
      assert(modfs.device "REFERENCE")
    ]]
    assert.same({ 0, "", "" }, { status, out, err })
  end)

  it("is the same object while it is open", function()
    local device = assert(modfs.device "REFERENCE:0")
    assert.equal(device, modfs.device "REFERENCE")
    assert.equal(device, modfs.device "reference:0")
    assert.equal(device, modfs.device "REFERENCE:00")
    assert.equal(device, modfs.devices("REFERENCE")[1])
    assert.are_not_equal(device, modfs.device "REFERENCE:1")
    assert.is_true(device:close())
    local again = assert(modfs.device "REFERENCE:0")
    assert.are_not_equal(device, again)
    assert.equal(again, modfs.device "REFERENCE:0")
  end)

  it("is the same object while a part of it is there", function()
    for _, make in ipairs {
      function(d) return d:stream() end, function(d) return d:event() end,
      function(d) return d:timer() end, function(d) return d:allocate(4) end,
      function(d) return d:host_allocate(4) end,
    } do
      local device = assert(modfs.device "REFERENCE:0")
      local text = tostring(setmetatable({}, {})) -- a fresh address
      local mark = setmetatable({ [device] = text }, { __mode = "k" })
      local part = assert(make(device))
      device = nil -- luacheck: ignore 311
      collectgarbage()
      collectgarbage()
      assert.equal(text, mark[modfs.device "REFERENCE:0"])
      part:close()
    end
  end)

  it("fails for invalid names, and for devices that do not exist", function()
    for _, bad in ipairs { "", ":", ":0", "REFERENCE:", "REFERENCE:-1", "REFERENCE: 1",
      "REFERENCE:1x", "REFERENCE:0x0", "REFERENCE:1.0", "REFERENCE:1:2", "REFERENCE:2147483648",
      "REFERENCE:99999999999999999999", "REFERENCE\0:0", "REFERENCE:0\0" } do
      fails("INVALID_ARGUMENT", modfs.device(bad))
    end
    for _, none in ipairs { "REFERENCE:2", "REFERENCE:2147483647" } do
      assert.truthy(fails("INVALID_ARGUMENT", modfs.device(none)):find("REFERENCE", 1, true))
    end
    local message = fails("NOT_FOUND", modfs.device "NO_SUCH:0")
    assert.truthy(message:find("no_such.so", 1, true), message)
    assert.truthy(message:find("REFERENCE", 1, true), message)
    fails("NOT_FOUND", modfs.device "../x:0")
  end)

  it("raises for another type", function()
    for _, bad in ipairs { false, true, {}, print } do
      assert.error_matches(function() modfs.device(bad) end, "bad argument #1 to 'device'")
    end
    assert.error_matches(function() modfs.device() end, "bad argument #1 to 'device'")
  end)
end)

describe("a Device", function()
  local device
  before_each(function()
    device = assert(modfs.device "REFERENCE:0")
  end)

  it("says what it is", function()
    assert.equal("device", modfs.type(device))
    assert.equal("REFERENCE", device.platform)
    assert.equal("REFERENCE:0", device.name)
    assert.equal(0, device.ordinal)
    assert.equal(platform_named("REFERENCE").type, device.type)
    for _, field in ipairs { "hardware_name", "vendor", "pci_bus_id" } do
      local value = device[field]
      assert.truthy(value == nil or type(value) == "string", field)
    end
    for _, field in ipairs { "numa_node", "memory_bandwidth", "gflops" } do
      local value = device[field]
      assert.truthy(value == nil or type(value) == "number" and value >= 0, field)
    end
    assert.is_nil(device.no_such_field)
    assert.is_nil(device[1])
    assert.equal("function", type(device.allocate))
    assert.is_nil(device.__gc)
    assert.truthy(tostring(device):find "^modfs%.Device %(REFERENCE:0[,)]", tostring(device))
    assert.has_error(function() device.name = "other" end)
    assert.equal(false, getmetatable(device))
  end)

  it("reports how its memory is used", function()
    local free, total = device:memory_usage()
    assert.truthy(is_integer(free) and is_integer(total) and free >= 0 and free <= total)
    local before = device:allocator_stats()
    for _, field in ipairs { "num_allocs", "bytes_in_use", "peak_bytes_in_use",
      "largest_alloc_size", "bytes_reserved", "peak_bytes_reserved", "largest_free_block_bytes" } do
      assert.truthy(is_integer(before[field]), field)
    end
    local memory = device:allocate(1000)
    local after = device:allocator_stats()
    assert.equal(before.num_allocs + 1, after.num_allocs)
    assert.truthy(after.bytes_in_use >= before.bytes_in_use + 1000)
    assert.truthy(after.peak_bytes_in_use >= after.bytes_in_use)
    local left, whole = device:memory_usage()
    assert.truthy(left >= 0 and left <= free - 1000 and whole == total)
    memory:close()
    assert.equal(free, device:memory_usage())
    local large = device:allocate(2 ^ 20)
    assert.truthy(device:memory_usage() <= free - 2 ^ 20)
    large:close()
    assert.equal(free, device:memory_usage())
    assert.equal(before.bytes_in_use, device:allocator_stats().bytes_in_use)
  end)

  it("makes its parts", function()
    local stream, event, timer = device:stream(), device:event(), device:timer()
    local memory = device:allocate(16)
    local pinned, unified = device:host_allocate(16), device:unified_allocate(16)
    for name, part in pairs { stream = stream, event = event, timer = timer, memory = memory,
      buffer = pinned } do
      assert.equal(name, modfs.type(part))
    end
    assert.equal("modfs.Stream (REFERENCE:0)", tostring(stream))
    assert.equal("modfs.Event (REFERENCE:0, unknown)", tostring(event))
    assert.equal("modfs.Timer (REFERENCE:0)", tostring(timer))
    assert.equal("modfs.Memory (REFERENCE:0, 16 bytes)", tostring(memory))
    assert.equal("modfs.Buffer (16 bytes)", tostring(pinned))
    assert.equal("buffer", modfs.type(unified))
    for _, buffer in ipairs { pinned, unified } do
      assert.is_true(buffer:set(1, "0123456789abcdef"))
      assert.equal("0123456789abcdef", buffer:sub(1))
    end
    for _, part in ipairs { stream, event, timer, memory, pinned, unified } do
      local kind = modfs.type(part)
      assert.is_true(part:close())
      assert.equal("closed " .. kind, modfs.type(part))
      assert.truthy(tostring(part):find "^modfs%.%u%a+ %(closed%)$", tostring(part))
      assert.error_matches(function() part:close() end, "attempt to use a closed " .. kind)
    end
    assert.is_true(device:close())
  end)

  it("makes empty buffers, too", function()
    local buffer = assert(device:host_allocate(0))
    assert.equal(0, #buffer)
    assert.equal("", buffer:sub(1))
    assert.is_true(buffer:close())
  end)

  it("waits for all its streams", function()
    local streams, memory = {}, device:allocate(8)
    for i = 1, 4 do
      streams[i] = device:stream():fill(memory, i)
    end
    assert.is_true(device:synchronize())
    for _, stream in ipairs(streams) do
      assert.is_true(stream:close())
    end
    memory:close()
  end)

  it("is not closed while parts of it are there, and says how many", function()
    collectgarbage()
    local parts = { device:stream(), device:event(), device:timer(), device:allocate(4),
      device:host_allocate(4), device:host_allocate(4):slice(2, 3) }
    for left = #parts, 1, -1 do
      local message = fails("FAILED_PRECONDITION", device:close())
      assert.truthy(message:find(("%%f[%%d]%d%%f[%%D]"):format(left)), message)
      assert.equal("device", modfs.type(device))
      assert.is_true(parts[left]:close())
    end
    assert.is_true(device:close())
    assert.equal("closed device", modfs.type(device))
  end)

  it("is closed when only garbage is left of its parts", function()
    for _ = 1, 10 do
      device:stream():fill(device:allocate(4), 1)
      device:event()
      device:timer()
      device:host_allocate(4)
    end
    assert.is_true(device:close())
  end)

  it("cannot be used once it is closed", function()
    assert.is_true(device:close())
    assert.equal("modfs.Device (closed)", tostring(device))
    for _, use in ipairs {
      function() return device:close() end, function() return device:stream() end,
      function() return device:allocate(1) end, function() return device:host_allocate(1) end,
      function() return device:unified_allocate(1) end, function() return device:event() end,
      function() return device:timer() end, function() return device:synchronize() end,
      function() return device:load "mem://x" end, function() return device:memory_usage() end,
      function() return device:allocator_stats() end, function() return device.name end,
      function() return device.vendor end,
    } do
      assert.error_matches(use, "attempt to use a closed device")
    end
    assert.equal("function", type(device.close))
  end)

  it("refuses bad sizes, naming them, and goes on working", function()
    for _, method in ipairs { "allocate", "host_allocate", "unified_allocate" } do
      for _, bad in ipairs { -1, -2 ^ 53, math.mininteger or -1 } do
        assert.truthy(fails("INVALID_ARGUMENT", device[method](device, bad)):find "size")
      end
      for _, bad in ipairs { 1.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 63, -2 ^ 64, "x", true, {}, print,
        device } do
        assert.error_matches(function() device[method](device, bad) end,
          ("bad argument #2 to '%s'"):format(method))
      end
      assert.error_matches(function() device[method](device) end, "bad argument #2 to")
      for _, large in ipairs { 2 ^ 50, 2 ^ 53, math.maxinteger or 2 ^ 53 } do
        fails("RESOURCE_EXHAUSTED", device[method](device, large))
      end
      local part = assert(device[method](device, 16))
      assert.equal(16, #part)
      part:close()
    end
  end)

  it("refuses other objects in its place", function()
    local memory = device:allocate(1)
    for name in pairs { allocate = 1, stream = 1, event = 1, timer = 1, close = 1, synchronize = 1,
      load = 1, memory_usage = 1, allocator_stats = 1, host_allocate = 1, unified_allocate = 1 } do
      for _, bad in ipairs { memory, io.stdout, {}, "x", modfs.buffer(1) } do
        assert.error_matches(function() device[name](bad, 1) end, "modfs%.Device expected")
      end
    end
    memory:close()
  end)
end)

describe("device:load", function()
  local device, root
  before_each(function()
    device = assert(modfs.device "REFERENCE:0")
    root = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(root)
    modfs.remove "mem://load"
  end)

  it("loads a file of any filesystem into memory, and returns the rate", function()
    for _, size in ipairs { 1, 1000, 4 * 2 ^ 20, 4 * 2 ^ 20 + 1, 13 * 2 ^ 20 + 7 } do
      local content = ("0123456789abcdef\0"):rep(math.ceil(size / 17)):sub(1, size)
      for _, path in ipairs { root .. "/load", "mem://load" } do
        assert.is_true(modfs.write(path, content))
        local memory, rate = device:load(path)
        assert.equal("memory", modfs.type(memory))
        assert.equal(size, #memory)
        assert.is_true(memory:read() == content)
        assert.truthy(type(rate) == "number" and rate > 0 and rate < 1e13)
        memory:close()
      end
    end
  end)

  it("loads an empty file", function()
    tmpdir.write(root .. "/empty", "")
    local memory, rate = assert(device:load(root .. "/empty"))
    assert.same({ 0, "", 0 }, { #memory, memory:read(), rate })
    memory:close()
  end)

  it("reads to the end where the size tells nothing", function()
    for _, path in ipairs { "/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled",
      "/proc/kallsyms" } do
      local content = modfs.read(path)
      if content then
        local memory = assert(device:load(path))
        assert.is_true(memory:read() == content, path)
        memory:close()
      end
    end
    local message = fails("FAILED_PRECONDITION", device:load "/dev/zero")
    assert.truthy(message:find("load /dev/zero: ", 1, true), message)
    assert.equal(0, device:allocator_stats().bytes_in_use)
  end)

  it("fails where there is no file, and keeps nothing", function()
    local before = device:allocator_stats().bytes_in_use
    fails("NOT_FOUND", device:load(root .. "/none"))
    fails("UNIMPLEMENTED", device:load "nosuch://file")
    fails("INVALID_ARGUMENT", device:load "a\0b")
    local _, _, code = device:load(root)
    assert.equal("FAILED_PRECONDITION", code)
    assert.equal(before, device:allocator_stats().bytes_in_use)
    assert.is_true(device:close())
  end)

  it("raises for bad arguments", function()
    assert.error_matches(function() device:load() end, "bad argument #1 to 'load'")
    assert.error_matches(function() device:load {} end, "bad argument #1 to 'load'")
    assert.error_matches(function() device:load("mem://x", 1) end, "bad argument #2 to 'load'")
    assert.error_matches(function() device:load("mem://x", { fast = 1 }) end, "'fast'")
  end)

  it("fails when a copy fails, and keeps nothing", function()
    local status, out, err = child([[
      local modfs = require "modfs"
      assert(modfs.write("mem://f", ("x"):rep(20 * 2 ^ 20)))
      local device = modfs.device "REFERENCE:0"
      local memory, message, code = device:load "mem://f"
      assert(memory == nil, tostring(memory))
      print(code, device:allocator_stats().bytes_in_use)
      assert(device:close())
    ]], { before = "export MODFS_REFERENCE_FAULTS=copy:3" })
    assert.same({ 0, "" }, { status, err })
    assert.truthy(out:find "^[%u_]+\t0\n$", out)
  end)
end)
