-- Rounds. In each round everybody runs once, in rotating order, and ratios are formed inside the
-- round; what is reported is the median of the rounds. Three clocks: "cpu" (user and system, of all
-- threads and of the programs that were waited for), "thread" (of the calling thread), and "wall".
local limit = require "tree_limit"
local device = require "device_limit"
local sorted_keys = require("modfs.check.values").sorted_keys

local measure = {}

local clocks = { cpu = limit.cpu, thread = device.thread_cpu, wall = device.wall }

function measure.median(values)
  local sorted = { table.unpack(values) }
  table.sort(sorted)
  local middle = #sorted // 2
  return #sorted % 2 == 1 and sorted[middle + 1] or (sorted[middle] + sorted[middle + 1]) / 2
end

-- The runners of a case as an array of { name, run }.
local function runners(case)
  if case.who[1] then
    return case.who
  end
  local list = {}
  for i, name in ipairs(sorted_keys(case.who)) do
    list[i] = { name, case.who[name] }
  end
  return list
end

-- Seconds of run(n, round) by the case's clock, and on the wall; what it returns is run untimed.
local function cost(case, runner, n, round)
  local clock = clocks[case.clock or "cpu"]
  if case.prepare then
    case.prepare(runner[1])
  end
  collectgarbage()
  collectgarbage()
  local wall, start = clocks.wall(), clock()
  local after = runner[2](n, round)
  local seconds = clock() - start
  wall = clocks.wall() - wall
  if after then
    after()
  end
  return seconds, wall
end

-- case: { name, n, who = { [name] = run } or { { name, run } … } }, and, where they are not the
-- usual ones, unit (operations in each of the n), clock, prepare(name), derive(costs), key, bytes,
-- against. Returns a result: { name, key, bytes, clock, against, order, costs, walls }; costs and
-- walls are { [who] = { seconds for one operation in round 1, … } }.
function measure.case(case, rounds)
  local list = runners(case)
  local result = { name = case.name, key = case.key or case.name, bytes = case.bytes,
    clock = case.clock or "cpu", against = case.against, order = {}, costs = {}, walls = {} }
  for i, runner in ipairs(list) do
    local name = runner[1]
    result.order[i], result.costs[name], result.walls[name] = name, {}, {}
    cost(case, runner, math.ceil(case.n / 10), 0)
  end
  for round = 1, rounds do
    for i = 1, #list do
      local runner = list[(i + round) % #list + 1]
      local seconds, wall = cost(case, runner, case.n, round)
      local operations = case.n * (case.unit or 1)
      result.costs[runner[1]][round] = seconds / operations
      result.walls[runner[1]][round] = wall / operations
    end
  end
  if case.derive then
    case.derive(result.costs)
  end
  return result
end

-- The median over the rounds of cost(against) / cost(who): above 1, who is cheaper.
function measure.ratio(costs, who, against)
  local ratios = {}
  for round, seconds in ipairs(costs[who]) do
    ratios[round] = costs[against][round] / seconds
  end
  return measure.median(ratios)
end

-- The median over the rounds of what who takes beyond against, in seconds.
function measure.difference(costs, who, against)
  local more = {}
  for round, seconds in ipairs(costs[who]) do
    more[round] = seconds - costs[against][round]
  end
  return measure.median(more)
end

return measure
