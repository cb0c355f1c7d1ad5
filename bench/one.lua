-- Runs one case through one contender n times, for counting: one.lua disk case who n [twice]
-- twice: then 2n times. Prints the heap blocks and bytes that it took, where malloc_count.so is
-- preloaded.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local limit = require "limit"
local one = require "bench.one_case"

local disk, name, who, n = arg[1], arg[2], arg[3], tonumber(arg[4])
local run = one.find(one.cases(disk), name).who[who]
run(10)
collectgarbage("stop")
for times = 1, arg[5] and 2 or 1 do
  local calls, bytes = limit.allocations()
  run(times * n)
  local calls_after, bytes_after = limit.allocations()
  if calls then
    print(calls_after - calls .. " " .. bytes_after - bytes)
  end
end
