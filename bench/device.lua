-- The tables of docs/performance.md, "Devices": bench/device.lua [rounds | "short"]
-- make bench-device sets the paths. "short": once, with little of everything, to see that it works.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local build = os.getenv "BUILD" or "build"
package.cpath = build .. "/bench/?.so;" .. package.cpath

local aims = require "bench.device_aims"
local cases = require "bench.device_cases"
local measure = require "bench.measure"
local rounds = require "bench.device_rounds"

local short = arg[1] == "short"
local count = short and 1 or tonumber(arg[1]) or 7

local function ask(command)
  local pipe = assert(io.popen(command))
  local line = pipe:read("l")
  pipe:close()
  return line or ""
end

local MiB = 2 ^ 20 | 0

local sizes = {
  small = 4096, small_n = 100000, middle = MiB, middle_n = 1000, large = 256 * MiB, large_n = 1,
  callbacks = 10000, busy = 512 * MiB, events = 100000, trips = 5000,
  load = 1024 * MiB, piece = MiB,
}
if short then
  sizes = {
    small = 4096, small_n = 50, middle = 65536, middle_n = 5, large = MiB, large_n = 1,
    callbacks = 200, busy = MiB, events = 100, trips = 20,
    load = 8 * MiB, piece = MiB, short = true,
  }
end

-- The file lies in memory; a smaller one has to do where there is no room for three times its size.
local folder = ask "test -w /dev/shm && echo /dev/shm || echo /tmp"
local room = 1024 * math.min(
  tonumber(ask("df --output=avail " .. folder .. " | tail -n 1")) or 0,
  tonumber(ask "sed -n 's/^MemAvailable: *\\([0-9]*\\).*/\\1/p' /proc/meminfo") or 0)
if sizes.load * 4 > room then
  sizes.load = math.min(sizes.load, 256 * MiB)
  print("No room for a file of 1 GiB and twice as much beside it: 256 MiB.\n")
end

local function make_file(path, size)
  local file = assert(io.open(path, "wb"))
  local piece = ("%08x"):format(size):rep(MiB // 8)
  for _ = 1, size // MiB - 1 do
    assert(file:write(piece))
  end
  assert(file:write(piece:sub(1, -9), "the end."))
  assert(file:close())
end

-- The cases below Lua: a core of its own needs a process of its own.
local function core_results()
  local results, by_key = {}, {}
  local names = {
    ["enqueue in C"] = "enqueue a callback, C",
    ["callback in C"] = "a callback, there and back, C",
    ["wait in C, one core"] = "a callback, record, wait for the event, one core, C",
    ["write small in C"] = "write 4 KiB, C",
    ["event in C"] = "an event: record, query, C",
  }
  local command = "lua5.4 '%s/bench/device_core.lua' '%s/modfs/plugins/?.so' %d %d %d"
  local pipe = assert(io.popen(command:format(here, build, count, sizes.callbacks, sizes.busy)))
  for line in pipe:lines() do
    local key, who, values = line:match("^([^\t]*)\t([^\t]*)\t(.*)$")
    local result = by_key[key]
    if not result then
      result = { key = key, name = assert(names[key]), who = {}, costs = {} }
      by_key[key] = result
      results[#results + 1] = result
    end
    result.who[#result.who + 1] = who
    result.costs[who] = {}
    for value in values:gmatch("%S+") do
      table.insert(result.costs[who], tonumber(value))
    end
  end
  assert(pipe:close(), "device_core.lua failed")
  return results
end

local function lua_results()
  local results = {}
  for i, make in ipairs(cases(sizes)) do
    local case = make()
    local costs = rounds.run(case, count)
    local who = {}
    for k, one in ipairs(case.who) do
      who[k] = one[1]
    end
    if case.derive then
      case.derive(costs)
    end
    results[i] = { key = case.key, name = case.name, bytes = case.bytes, who = who, costs = costs,
      clock = case.clock }
    collectgarbage()
    collectgarbage()
  end
  return results
end

-- Printing --------------------------------------------------------------------

local function time(seconds)
  local units = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" }, { 1e-9, "ns" } }
  for _, unit in ipairs(units) do
    if seconds >= unit[1] or unit[2] == "ns" then
      return ("%.3g %s"):format(seconds / unit[1], unit[2])
    end
  end
end

local function print_row(...)
  print("| " .. table.concat({ ... }, " | ") .. " |")
end

-- Ratios are to the first of a case.
local function print_costs(results)
  print_row("case", "who", "one", "GB/s", "ratio")
  print("|---|---|---|---|---|")
  for _, result in ipairs(results) do
    for i, who in ipairs(result.who) do
      local seconds = measure.median(result.costs[who])
      print_row(i == 1 and result.name or "", who, time(seconds),
        result.bytes and ("%.1f"):format(result.bytes / seconds / 1e9) or "",
        i == 1 and "" or ("**%.2f**"):format(measure.ratio(result.costs, who, result.who[1])))
    end
  end
end

-- The median over the rounds of what who takes beyond against, in nanoseconds.
local function difference(costs, who, against)
  local more = {}
  for round, seconds in ipairs(costs[who]) do
    more[round] = (seconds - costs[against][round]) * 1e9
  end
  return measure.median(more)
end

local function assess(costs, aim)
  if aim.at_most_more then
    local more = difference(costs, aim[1], aim[2])
    return more <= aim.at_most_more, ("≤ + %d ns"):format(aim.at_most_more),
      ("+ %.0f ns"):format(more)
  end
  local ratio = measure.ratio(costs, aim[1], aim[2])
  return ratio >= aim.at_least, ("≥ %.2f"):format(aim.at_least), ("%.2f"):format(ratio)
end

local function print_aims(results)
  local total, missed = 0, 0
  print_row("case", "who", "against", "aim", "reached", "")
  print("|---|---|---|---|---|---|")
  for _, result in ipairs(results) do
    for _, aim in ipairs(aims[result.key] or {}) do
      local fine, wanted, reached = assess(result.costs, aim)
      total = total + 1
      missed = missed + (fine and 0 or 1)
      print_row(result.name, aim[1], aim[2], wanted, reached, fine and "" or "**missed**")
    end
  end
  print(("\n%d aims, %d missed"):format(total, missed))
end

-- A heap that is not nearly empty: collections then cost everybody alike.
local ballast = {}
for i = 1, 20000 do
  ballast[i] = { tostring(i) }
end

sizes.path = ask("mktemp " .. folder .. "/modfs-bench-device.XXXXXX")
local fine, results = xpcall(function()
  make_file(sizes.path, sizes.load)
  local all = core_results()
  return table.move(lua_results(), 1, 100, #all + 1, all)
end, debug.traceback)
os.remove(sizes.path)
assert(fine, results)

print(("%d rounds, medians. CPU time of the process; of the calling thread alone where a callback"
  ):format(count))
print("is enqueued; wall time for round trips and the file. **ratio**: of the first of the case to")
print("who, formed in the round\n")
print_costs(results)
print()
print_aims(results)
assert(#ballast > 0)
