-- What functions cost. cost.ratio(run, other) is the CPU time of one, divided by that of the other.
-- cost.growth(sizes, prepare) calls prepare(n) for each size and times the function that is made.
-- The result is the highest CPU time per unit of n, divided by that of the first size: 1 for a
-- linear cost, the ratio of the sizes for a quadratic one.
local cost = {}

local SHORTEST = 0.02 -- seconds that are long enough for the clock

-- The clock is asked once for many runs: asking takes longer than a short run.
local function once(run)
  local rounds = 1
  while true do
    local start = os.clock()
    for _ = 1, rounds do
      run()
    end
    local passed = os.clock() - start
    if passed >= SHORTEST then
      return passed / rounds
    end
    rounds = 2 * rounds
  end
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

function cost.ratio(run, other)
  return seconds(run) / seconds(other)
end

return cost
