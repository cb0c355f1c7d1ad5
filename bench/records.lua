-- The part about streams and records of docs/performance.md: bench/records.lua [rounds].
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local modfs = require "modfs"
local aims = require "bench.record_aims"
local fixtures = require "bench.fixtures"
local measure = require "bench.measure"
local tables = require "bench.tables"

if not pcall(require, "record_limit") then
  print "streams and records: left out, zlib was not there when it was built"
  return
end

local rounds = tonumber(arg[1]) or 7
local columns = { "modfs", "modfs buffer", "portable", "io", "lua-zlib" }

local place = fixtures.place()
local results = {}
for i, case in ipairs(require "bench.record_cases"(place, here)) do
  results[i] = { name = case.name, costs = measure.case(case, rounds) }
end

tables.costs("streams and records", columns, results)
print "C: zlib alone, or the sums and a copy of each record; for the sums themselves it is memcpy;"
print "io reads records without looking at a sum; portable: the sum in plain C."
print()
tables.aims(aims, results)
print()
require "bench.record_ahead"(place, rounds)
assert(modfs.rmtree(place))
