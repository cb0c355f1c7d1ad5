-- Every order in which a device and its parts can end, with work in flight, under a plugin that
-- aborts when something is used after its end, ended twice, or outlives its device. What closing
-- the Lua state ends belongs to spec/c/device_order_test.c.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"

-- Runs a body in a fresh interpreter, in which `make` opens one of everything on the checked device
-- with copies in flight, and `orders(names)` iterates over the orders of names. Returns status,
-- output, error output and what the plugin counted: kind -> made, ended.
local prelude = [[
  local modfs = require "modfs"
  assert(modfs.load(%q))
  local function collect() for _ = 1, 4 do collectgarbage() end end
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
  local function make()
    local device = assert(modfs.device "CHECKED:0")
    local o = { device = device, memory = device:allocate(16), stream = device:stream(),
      event = device:event(), timer = device:timer(), buffer = device:host_allocate(16) }
    enqueue(o)
    return o
  end
]]

local function run(latency, body, more)
  local shelf = build.shelf()
  finally(function() shelf:remove() end)
  local checker = shelf:put(build.compile("device_checker.so",
    "spec/fixtures/device_checker plugins/reference",
    { flags = "-Wno-sign-conversion -DSE_InitPlugin=reference_init", libraries = "-pthread" }),
    "checked")
  local before = "export CHECKED_REPORT=1 MODFS_REFERENCE_LATENCY_NS=" .. latency .. (more or "")
  local status, out, err = child(prelude:format(checker) .. body,
    { before = before, seconds = 300 })
  local counts = {}
  for kind, made, ended in err:gmatch "([%a ]+) (%d+) (%d+)\n" do
    counts[kind] = { tonumber(made), tonumber(ended) }
  end
  return status, out, err, counts
end

-- Expects that nothing was wrong, and that at least so many of each kind came and went.
local function all_ended(least, status, out, err, counts)
  assert.same({ 0, "" }, { status, out }, err)
  for _, kind in ipairs { "device", "memory", "host memory", "stream", "event", "timer" } do
    assert.truthy(counts[kind], err)
    assert.truthy(counts[kind][1] >= least, kind .. ": " .. counts[kind][1])
    assert.equal(counts[kind][1], counts[kind][2], kind)
  end
  assert.is_nil(err:find "device_checker", err)
end

describe("a device and its parts with work in flight", function()
  it("end in every order by close", function()
    all_ended(5040, run(5000, [[
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
    ]]))
  end)

  -- 5.4 has a second way to collect.
  for _, mode in ipairs(_VERSION == "Lua 5.4" and { "incremental", "generational" }
    or { "incremental" }) do
    it("end in every order by collection, " .. mode, function()
      all_ended(720, run(20000, ("local mode = %q\n"):format(mode) .. [[
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
      ]]))
    end)
  end

  it("end all at once by collection", function()
    all_ended(200, run(20000, [[
      for _ = 1, 200 do
        make()
        collect()
      end
    ]]))
  end)

  if (loadstring or load) "local x <close> = nil" then -- luacheck: ignore 113
    it("end in every order by <close>", function()
      all_ended(720, run(20000, [[
        for order in orders { "device", "memory", "stream", "event", "timer", "buffer" } do
          local o = make()
          local function nest(i)
            if not order[i] then return end
            local one <close> = o[order[i] ]
            o[order[i] ] = nil
            nest(i + 1)
          end
          nest(1)
          collect() -- what ends the device
        end
      ]]))
    end)
  else
    pending(_VERSION .. " has no <close>")
  end

  it("end in the middle of calls, where a finalizer closes them", function()
    all_ended(1, run(0, [[
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
    ]]))
  end)

  it("are missed when they stay: the control", function()
    local status, _, err, counts = run(0, [[
      local o = make()
      o.stream:synchronize()
      os.exit(0)
    ]], " ASAN_OPTIONS=detect_leaks=0")
    assert.equal(0, status)
    assert.same({ 1, 0 }, counts.device, err)
    assert.same({ 1, 0 }, counts.memory, err)
  end)

  it("abort when they end at the wrong time: the control", function()
    local status, _, err = run(0, "make() collect()", " CHECKED_MISUSE=1")
    assert.equal(128 + 6, status)
    assert.truthy(err:find "device_checker: [%a ]+ ends while work names it", err)
  end)
end)
