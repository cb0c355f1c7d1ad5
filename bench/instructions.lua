-- Runs cases below limit.counted, for callgrind: instructions.lua disk case who n [case who n …].
-- Each runs twice, n and 2n times, so there are two counts of each. The collector is not stopped:
-- strings and tables cost their collection, too.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local limit = require "limit"
local one = require "bench.one_case"

local cases = one.cases(arg[1])
for i = 2, #arg, 3 do
  local run, n = one.find(cases, arg[i]).who[arg[i + 1]], tonumber(arg[i + 2])
  for times = 0, 2 do
    collectgarbage()
    collectgarbage()
    if times == 0 then
      run(n)
    else
      limit.counted(run, times * n)
    end
  end
end
