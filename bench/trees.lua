-- The part about trees of docs/performance.md: bench/trees.lua [rounds]; make bench runs it, too.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local modfs = require "modfs"
local aims = require "bench.tree_aims"
local fixtures = require "bench.fixtures"
local measure = require "bench.measure"
local tables = require "bench.tables"

local rounds = tonumber(arg[1]) or 7
local columns = { "modfs", "modfs 1", "modfs {}", "mem", "find", "rm", "cp", "luv", "lfs" }

local place = fixtures.place()
local results = {}
for i, case in ipairs(require "bench.tree_cases"(place)) do
  results[i] = { name = case.name, costs = measure.case(case, rounds) }
end

tables.costs("trees, per file", columns, results)
print(("CPU time of all threads and of the programs, median of %d rounds; place: %s"):format(rounds,
  place:match "^/[^/]*/[^/]*"))
print("modfs 1: threads = 1; modfs {}: entry by entry, as for filesystems that delete no trees;")
print("mem: mem://; walk and glob give sorted names, C and find do not.")
print()
tables.aims(aims, results)
assert(modfs.rmtree(place))
