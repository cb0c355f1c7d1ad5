-- The cases below Lua, in a process of their own: device_core.lua plugins rounds n busy_bytes
-- Prints the results, as section.lua does.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local core = require "device_core"
local limit = require "device_limit"
local measure = require "bench.measure"
local serialize = require "bench.serialize"

local plugins, count, n, busy = arg[1], tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4])
core.open(plugins, busy)
core.enqueue(10)
core.take(10)

-- With the stream busy, so that nobody is woken and no lock is contended.
local function enqueue(put, take)
  return function(times)
    core.busy()
    put(times)
    return function()
      assert(busy < 2 ^ 24 or core.is_busy(), "the stream was idle too soon")
      take(times)
    end
  end
end

local function trip(put, take)
  return function(times)
    put(times)
    take(times)
  end
end

local data = ("x"):rep(4096)
local block = limit.block(#data)

local function pinned(run)
  return function(times)
    limit.pin(1)
    local after = run(times)
    limit.pin()
    return after
  end
end

local cases = {
  { key = "enqueue in C", name = "enqueue a callback, C", n = n, clock = "thread", who = {
    { "ring", limit.ring },
    { "plugin", enqueue(core.plugin_enqueue, core.plugin_take) },
    { "core", enqueue(core.enqueue, core.take) },
  } },
  { key = "callback in C", name = "a callback, there and back, C", n = n, who = {
    { "two rings", function(times)
      local stop = limit.start()
      limit.hand_all(times)
      return stop
    end },
    { "plugin", trip(core.plugin_enqueue, core.plugin_take) },
    { "core", trip(core.enqueue, core.take) },
  } },
  { key = "wait in C, one core", n = n,
    name = "a callback, record, wait for the event, one core, C", who = {
    { "condition", pinned(function(times)
      local stop = limit.start()
      limit.hand(times)
      return stop
    end) },
    { "plugin", pinned(function(times)
      core.plugin_wait(times)
      return function()
        core.plugin_take(times)
      end
    end) },
    { "core", pinned(core.wait) },
  } },
  { key = "write small in C", name = "write 4 KiB, C", n = n, who = {
    { "memcpy", function(times)
      limit.copy(block, data, times)
    end },
    { "core", function(times)
      core.write(data, times)
    end },
  } },
  { key = "event in C", name = "an event: record, query, C", n = n, who = {
    { "flag", limit.event },
    { "core", core.event },
  } },
}

local results = {}
for i, case in ipairs(cases) do
  results[i] = measure.case(case, count)
end
print(serialize(results))
core.close()
