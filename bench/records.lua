-- The part about streams and records of docs/performance.md: bench/records.lua [rounds].
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local modfs = require "modfs"
local aims = require "bench.record_aims"
local measure = require "bench.measure"

if not pcall(require, "record_limit") then
  print "streams and records: left out, zlib was not there when it was built"
  return
end

local rounds = tonumber(arg[1]) or 7
local columns = { "modfs", "modfs buffer", "portable", "io", "lua-zlib" }

local function print_row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
end

local function time(seconds)
  local short = seconds < 1e-6
  return short and ("%.0f ns"):format(seconds * 1e9) or ("%.2f µs"):format(seconds * 1e6)
end

local function cell(costs, who)
  if not costs[who] then
    return ""
  end
  return ("%s **%.2f**"):format(time(measure.median(costs[who])), measure.ratio(costs, who, "C"))
end

-- In memory where the machine has a place for that.
local function fresh_place()
  local pipe = assert(io.popen "mktemp -d /dev/shm/modfs-bench.XXXXXX || mktemp -d")
  local line = pipe:read "l"
  pipe:close()
  return line
end

local place = fresh_place()
local results = {}
for i, case in ipairs(require "bench.record_cases"(place, here)) do
  results[i] = { name = case.name, costs = measure.case(case, rounds) }
end

print_row { "streams and records", "C", table.unpack(columns) }
print("|---" .. ("|---"):rep(#columns + 1) .. "|")
for _, result in ipairs(results) do
  local cells = { result.name, time(measure.median(result.costs.C)) }
  for _, who in ipairs(columns) do
    cells[#cells + 1] = cell(result.costs, who)
  end
  print_row(cells)
end
print()
print "C: zlib alone, or the sums and a copy of each record; for the sums themselves it is memcpy;"
print "io reads records without looking at a sum; portable: the sum in plain C."
print()
print_row { "case", "who", "against", "aim", "reached", "" }
print("|---|---|---|---|---|---|")
local total, missed = 0, 0
for _, result in ipairs(results) do
  for _, aim in ipairs(aims[result.name] or {}) do
    if result.costs[aim[2]] then
      local ratio = measure.ratio(result.costs, aim[1], aim[2])
      total = total + 1
      missed = missed + (ratio < aim[3] and 1 or 0)
      print_row { result.name, aim[1], aim[2], ("≥ %.2f"):format(aim[3]), ("%.2f"):format(ratio),
        ratio < aim[3] and "**missed**" or "" }
    end
  end
end
print()
print(("%d aims, %d missed"):format(total, missed))
print()
require "bench.record_ahead"(place, rounds)
assert(modfs.rmtree(place))
