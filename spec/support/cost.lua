-- How the cost of a function grows: cost.growth(sizes, prepare) calls prepare(n) for each size and
-- times the function that it returns. The result is the highest CPU time per unit of n, divided by
-- that of the first size: 1 for a linear cost, the ratio of the sizes for a quadratic one.
local cost = {}

local SHORTEST = 0.02 -- seconds that are long enough for the clock

local function once(run)
  local rounds, start, passed = 0, os.clock(), 0
  while passed < SHORTEST do
    run()
    rounds = rounds + 1
    passed = os.clock() - start
  end
  return passed / rounds
end

local function seconds(run)
  return math.min(once(run), once(run), once(run))
end

function cost.growth(sizes, prepare)
  local first, most
  for _, n in ipairs(sizes) do
    local each = seconds(prepare(n)) / n
    first = first or each
    most = math.max(most or 0, each)
  end
  return most / first
end

return cost
