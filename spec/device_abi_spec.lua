-- Device plugins that were built against the interface of their time load and work: both forms of
-- the proposal, the three that were shipped, and each in the ways in which plugins say less than
-- they should about themselves.
local build = require "spec.fixtures.build"
local fails = require "spec.support.fails"
local modfs = require "modfs"

local shelf

setup(function() shelf = build.shelf() end)

teardown(function() shelf:remove() end)

-- name, generation, flags, and what is to be expected beside a device that works:
-- api; unified, timers, words: it has them; own: modfs divides its memory up; fills: how often it
-- was asked to fill, where it can.
local function of(generation, more)
  return function(name, flags, changes)
    local row = { name = name, generation = generation, flags = flags or "" }
    for _, from in ipairs { more, changes or {} } do
      for key, value in pairs(from) do
        row[key] = value
      end
    end
    return row
  end
end

local rfc = of("rfc", { api = "rfc257", timers = true, unified = true })
local merged = of("merged", { api = "rfc257", timers = true, unified = true })
local shipped_a = of("a", { api = "shipped", timers = true, unified = true, words = true })
local shipped_b = of("b", { api = "shipped", timers = true, unified = true, words = true })
local shipped_c = of("c", { api = "shipped", timers = true, unified = true, words = true,
  fills = 2 })

local bare = { timers = false, fills = 0 }

local plugins = {
  rfc "RFC",
  rfc("RFC_STORE", "-DSTORE", { own = true }),
  rfc("RFC_OWN_STORE", "-DOWN_STORE", { unified = false }),
  rfc("RFC_BARE", "-DBARE", bare),
  rfc("RFC_STORE_BARE", "-DSTORE -DBARE", { own = true, timers = false }),
  rfc("RFC_UNTOUCHED", "-DUNTOUCHED"),
  rfc("RFC_STORE_UNTOUCHED", "-DSTORE -DUNTOUCHED", { own = true }),
  rfc("RFC_OWN_STORE_UNTOUCHED", "-DOWN_STORE -DUNTOUCHED", { unified = false }),
  rfc("RFC_CARELESS", "-DCARELESS"),
  rfc("RFC_STORE_CARELESS", "-DSTORE -DCARELESS", { own = true }),
  rfc("RFC_OWN_STORE_CARELESS", "-DOWN_STORE -DCARELESS", { unified = false }),
  merged "MERGED",
  merged("MERGED_BARE", "-DBARE", bare),
  merged("MERGED_UNTOUCHED", "-DUNTOUCHED"),
  merged("MERGED_CARELESS", "-DCARELESS"),
  shipped_a "SHIPPED_A",
  shipped_a("SHIPPED_A_BARE", "-DBARE", bare),
  shipped_a("SHIPPED_A_CARELESS", "-DCARELESS"),
  shipped_a("SHIPPED_A_CARELESS_BARE", "-DCARELESS -DBARE", bare),
  shipped_a("SHIPPED_A_UNTOUCHED", "-DUNTOUCHED"),
  shipped_a("SHIPPED_A_UNTOUCHED_BARE", "-DUNTOUCHED -DBARE", bare),
  shipped_a("SHIPPED_A_CARELESS_MAKERS", "-DCARELESS -DUNTOUCHED_MAKERS"),
  shipped_a("SHIPPED_A_WHOLE", "-DWHOLE"),
  shipped_b "SHIPPED_B",
  shipped_b("SHIPPED_B_DIVIDED", "-DDIVIDE", { own = true }),
  shipped_b("SHIPPED_B_CARELESS", "-DCARELESS -DDIVIDE", { own = true }),
  shipped_b("SHIPPED_B_UNTOUCHED", "-DUNTOUCHED -DDIVIDE", { own = true }),
  shipped_b("SHIPPED_B_WHOLE", "-DWHOLE -DDIVIDE", { own = true }),
  shipped_c "SHIPPED_C",
  shipped_c("SHIPPED_C_DIVIDED", "-DDIVIDE", { own = true }),
  shipped_c("SHIPPED_C_GROWING", "-DDIVIDE -DGROW", { own = true }),
  shipped_c("SHIPPED_C_BARE", "-DBARE", bare),
  shipped_c("SHIPPED_C_CARELESS", "-DCARELESS -DDIVIDE -DGROW", { own = true }),
  shipped_c("SHIPPED_C_CARELESS_MAKERS", "-DCARELESS -DUNTOUCHED_MAKERS"),
  shipped_c("SHIPPED_C_UNTOUCHED", "-DUNTOUCHED -DDIVIDE -DGROW", { own = true }),
  shipped_c("SHIPPED_C_UNTOUCHED_BARE", "-DUNTOUCHED -DBARE", bare),
  shipped_c("SHIPPED_C_UNTOUCHED_MAKERS", "-DUNTOUCHED_MAKERS"),
  shipped_c("SHIPPED_C_WHOLE", "-DWHOLE"),
  shipped_c("SHIPPED_C_WHOLE_CARELESS", "-DWHOLE -DCARELESS"),
}

local function load(row)
  local file = row.name:lower()
  local sources = ("spec/fixtures/abi/device_%s.c spec/fixtures/abi/device_%s.h"
    .. " spec/fixtures/abi/device_common.h spec/fixtures/abi/device_body.h"
    .. " spec/fixtures/abi/device_shipped.h"):format(row.generation, row.generation)
  local binary = build.compile(("device_%s.so"):format(file), sources,
    { flags = ("%s '-DNAME=\"%s\"'"):format(row.flags, row.name) })
  return assert(modfs.load(shelf:put(binary, file)))
end

local function platform_named(name)
  for _, platform in ipairs(modfs.platforms()) do
    if platform.name == name then
      return platform
    end
  end
end

-- 256 different bytes, n of them.
local function pattern(n)
  local bytes = {}
  for i = 0, 255 do
    bytes[i + 1] = string.char(i)
  end
  return table.concat(bytes):rep(math.ceil(n / 256)):sub(1, n)
end

local function copies(device)
  local text = pattern(1000)
  local memory, other = assert(device:allocate(1000)), assert(device:allocate(1500))
  assert.is_true(memory:write(text))
  assert.equal(text, memory:read())
  assert.equal(text:sub(101, 110), memory:read(101, 10))
  assert.is_true(memory:write("here", 500))
  assert.equal(text:sub(490, 499) .. "here" .. text:sub(504, 510), memory:read(490, 21))
  assert.is_true(memory:write(text))
  assert.is_true(other:fill(9))
  assert.is_true(other:copy(memory))
  assert.equal(text .. ("\9"):rep(500), other:read())
  local stream, buffer = assert(device:stream()), assert(device:host_allocate(1000))
  assert.equal(stream, stream:copy(memory, text:reverse()):copy(other, memory):copy(buffer, other,
    1000))
  assert.is_true(stream:synchronize())
  assert.equal(text:reverse(), buffer:sub(1))
  assert.equal(text:reverse() .. ("\9"):rep(500), other:read())
  for _, part in ipairs { memory, other, buffer, stream } do
    part:close()
  end
end

local function fills(device, row)
  local stream, memory = device:stream(), device:allocate(1000)
  assert.is_true(memory:write(pattern(1000)))
  local before = device.memory_bandwidth
  assert.equal(stream, stream:fill(memory, 7))
  assert.is_true(stream:synchronize())
  assert.equal(("\7"):rep(1000), memory:read())
  assert.equal(stream, stream:fill(memory))
  assert.is_true(stream:synchronize())
  assert.equal(("\0"):rep(1000), memory:read())
  assert.equal(row.words and before + (row.fills or 0) or nil, device.memory_bandwidth)
  stream:close()
  memory:close()
end

local function orders(device, row)
  local stream, other, event = device:stream(), device:stream(), device:event()
  local ran = {}
  assert.equal("unknown", event:status())
  assert.equal(stream, stream:callback(function() ran[#ran + 1] = 1 end):record(event))
  assert.equal(other, other:wait(event):wait(stream):callback(function() ran[#ran + 1] = 2 end))
  assert.equal("complete", event:status())
  assert.is_true(event:wait())
  assert.is_true(stream:synchronize() and other:synchronize() and device:synchronize())
  assert.is_true(stream:status())
  modfs.poll()
  assert.same({ 1, 2 }, ran)
  if row.timers then
    local timer = assert(device:timer())
    assert.is_true(timer:start(stream) and timer:stop(stream))
    assert.is_true(timer:nanoseconds() > 0)
    timer:close()
  else
    fails("UNIMPLEMENTED", device:timer())
  end
  for _, part in ipairs { stream, other, event } do
    part:close()
  end
end

local function counts(device, row)
  local free, total = device:memory_usage()
  assert.is_true(free >= 0 and free <= total)
  assert.equal(4194304, total)
  local before = device:allocator_stats()
  local memory = device:allocate(300)
  local after = device:allocator_stats()
  if row.own then
    assert.equal(before.num_allocs + 1, after.num_allocs)
    assert.equal(before.bytes_in_use + 512, after.bytes_in_use)
  elseif not row.flags:find "OWN_STORE" then
    assert.equal(before.bytes_in_use + 300, after.bytes_in_use)
  end
  memory:close()
  assert.equal(before.bytes_in_use, device:allocator_stats().bytes_in_use)
  if row.unified then
    local buffer = assert(device:unified_allocate(4))
    buffer:close()
  else
    fails("UNIMPLEMENTED", device:unified_allocate(4))
  end
end

-- What each generation declares when it is not careless: platform, its functions, the executor.
local sizes = { rfc = { 40, 64, 264 }, merged = { 41, 64, 264 }, a = { 33, 88, 264 },
  b = { 34, 88, 264 }, c = { 35, 88, 288 } }

local function declares(plugin, row)
  local seen, expected = plugin.versions, sizes[row.generation]
  if row.flags == "" then
    assert.same({ abi = 0, api = 0, size = expected[1] }, seen.platform)
    assert.same(expected, { seen.platform.size, seen.platform_fns.size, seen.stream_executor.size })
    assert.equal(row.words and 40 or nil, seen.device_fns and seen.device_fns.size)
    assert.equal(24, seen.timer_fns.size)
  elseif row.flags == "-DUNTOUCHED" then
    assert.is_nil(seen.platform)
  elseif row.flags == "-DBARE" then
    assert.is_nil(seen.timer_fns)
  end
  assert.is_nil(seen.filesystem)
end

for _, row in ipairs(plugins) do
  it(("a plugin of form %s works: %s %s"):format(row.generation, row.name, row.flags), function()
    local plugin = load(row)
    assert.same({ row.name }, plugin.platforms)
    assert.same({}, plugin.schemes)
    declares(plugin, row)
    local platform = platform_named(row.name)
    assert.same({ row.api, "FROZEN", 2 }, { platform.api, platform.type, platform.device_count })
    assert.equal(plugin, platform.plugin)
    local device = assert(modfs.device(row.name .. ":1"))
    assert.equal(row.words and "frozen model" or nil, device.hardware_name)
    assert.equal(row.words and "frozen maker" or nil, device.vendor)
    assert.equal(row.words and 1 or nil, device.numa_node)
    assert.is_nil(device.gflops)
    copies(device)
    fills(device, row)
    orders(device, row)
    counts(device, row)
    assert.is_true(device:close())
    fails("INVALID_ARGUMENT", modfs.device(row.name .. ":2"))
  end)
end
