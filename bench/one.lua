-- Runs one case through one contender n times, for counting: one.lua disk case who n
-- Prints the heap blocks and bytes that it took, where malloc_count.so is preloaded.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local limit = require "limit"
local modfs = require "modfs"

local disk, name, who, n = arg[1], arg[2], arg[3], tonumber(arg[4])
if who == "mem" then
  assert(modfs.makedirs("mem://bench"))
  assert(modfs.copy(disk .. "/file", "mem://bench/file"))
end

local case
for _, each in ipairs(require "bench.cases"(disk, "mem://bench")) do
  if each.name:sub(1, #name) == name then
    case = case or each
  end
end
case.who[who](10)
collectgarbage("stop")
local calls, bytes = limit.allocations()
case.who[who](n)
local calls_after, bytes_after = limit.allocations()
if calls then
  print(calls_after - calls .. " " .. bytes_after - bytes)
end
