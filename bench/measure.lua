-- Rounds of CPU time. In each round everybody runs once, in rotating order, and ratios are formed
-- inside the round; what is reported is the median of the rounds.
local limit = require "tree_limit"
local sorted_keys = require("modfs.check.values").sorted_keys

local measure = {}

function measure.median(values)
  local sorted = { table.unpack(values) }
  table.sort(sorted)
  local middle = #sorted // 2
  return #sorted % 2 == 1 and sorted[middle + 1] or (sorted[middle] + sorted[middle + 1]) / 2
end

-- CPU seconds, user and system, of run(n), with the programs that it started.
local function cost(case, name, n)
  if case.prepare then
    case.prepare(name)
  end
  collectgarbage()
  collectgarbage()
  local start = limit.cpu()
  case.who[name](n)
  return limit.cpu() - start
end

-- Returns { [who] = { cost of round 1, … } }, in seconds for one operation.
function measure.case(case, rounds)
  local names = sorted_keys(case.who)
  local costs = {}
  for _, name in ipairs(names) do
    costs[name] = {}
    cost(case, name, math.ceil(case.n / 10))
  end
  for round = 1, rounds do
    for i = 1, #names do
      local name = names[(i + round) % #names + 1]
      local seconds = cost(case, name, case.n)
      costs[name][round] = seconds / case.n / (case.unit or 1)
    end
  end
  return costs
end

-- The median over the rounds of cost(against) / cost(who): above 1, who is cheaper.
function measure.ratio(costs, who, against)
  local ratios = {}
  for round, seconds in ipairs(costs[who]) do
    ratios[round] = costs[against][round] / seconds
  end
  return measure.median(ratios)
end

return measure
