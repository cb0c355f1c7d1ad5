-- Every order in which a device and its parts can end, with work in flight, under a plugin that
-- aborts when something is used after its end, ended twice, or outlives its device. What closing
-- the Lua state ends belongs to spec/c/device_order_test.c.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"

-- Runs a scene of spec/children/device_orders.lua, or that file, in a fresh interpreter. Returns
-- status, output, error output and what the plugin counted: kind -> made, ended.
local function run(latency, scene, more)
  local shelf = build.shelf()
  finally(function() shelf:remove() end)
  local checker = shelf:put(build.compile("device_checker.so",
    "spec/fixtures/device_checker plugins/reference",
    { flags = "-Wno-sign-conversion -DSE_InitPlugin=reference_init", libraries = "-pthread" }),
    "checked")
  local before = "export CHECKED_REPORT=1 MODFS_REFERENCE_LATENCY_NS=" .. latency .. (more or "")
  local file = scene:find "%.lua$" and scene or "spec/children/device_orders.lua"
  local status, out, err = child(file, { arguments = { checker, scene }, before = before,
    seconds = 300 })
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
    all_ended(5040, run(5000, "close"))
  end)

  -- 5.4 has a second way to collect.
  for _, mode in ipairs(_VERSION == "Lua 5.4" and { "incremental", "generational" }
    or { "incremental" }) do
    it("end in every order by collection, " .. mode, function()
      all_ended(720, run(20000, mode))
    end)
  end

  it("end all at once by collection", function()
    all_ended(200, run(20000, "at_once"))
  end)

  if (loadstring or load) "local x <close> = nil" then -- luacheck: ignore 113
    it("end in every order by <close>", function()
      all_ended(720, run(20000, "spec/children/device_orders_close.lua"))
    end)
  else
    pending(_VERSION .. " has no <close>")
  end

  it("end in the middle of calls, where a finalizer closes them", function()
    all_ended(1, run(0, "finalizers"))
  end)

  it("are missed when they stay: the control", function()
    local status, _, err, counts = run(0, "stay", " ASAN_OPTIONS=detect_leaks=0")
    assert.equal(0, status)
    assert.same({ 1, 0 }, counts.device, err)
    assert.same({ 1, 0 }, counts.memory, err)
  end)

  it("abort when they end at the wrong time: the control", function()
    local status, _, err = run(0, "misuse", " CHECKED_MISUSE=1")
    assert.equal(128 + 6, status)
    assert.truthy(err:find "device_checker: [%a ]+ ends while work names it", err)
  end)
end)
