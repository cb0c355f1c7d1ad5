-- Rounds as in measure.lua, by the clock that a case asks for: "cpu" of the process (the usual
-- one), "thread" for what the calling thread spends, "wall" where threads wait for each other.
local limit = require "device_limit"

local rounds = {}

local clocks = { cpu = os.clock, thread = limit.thread_cpu, wall = limit.wall }

-- What run returns is run, too, when the time has been taken.
local function cost(run, n, clock)
  collectgarbage()
  collectgarbage()
  local start = clock()
  local after = run(n)
  local seconds = clock() - start
  if after then
    after()
  end
  return seconds
end

-- case: { name, key, n, clock, who = { { name, function(n) } … } }
-- Returns { [who] = { cost of round 1, … } }, in seconds for one operation.
function rounds.run(case, count)
  local who = case.who
  local costs = {}
  for _, one in ipairs(who) do
    costs[one[1]] = {}
    cost(one[2], math.ceil(case.n / 10), os.clock)
  end
  for round = 1, count do
    for i = 1, #who do
      local one = who[(i + round) % #who + 1]
      costs[one[1]][round] = cost(one[2], case.n, clocks[case.clock or "cpu"]) / case.n
    end
  end
  return costs
end

return rounds
