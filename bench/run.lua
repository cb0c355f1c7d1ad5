-- The table of docs/performance.md: bench/run.lua [rounds [words]]; make bench sets the paths. With
-- words only the cases with one of them in their name.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local build = os.getenv "BUILD" or "build"
package.cpath = build .. "/bench/?.so;" .. package.cpath

local modfs = require "modfs"
local aims = require "bench.aims"
local cases = require "bench.cases"
local fixtures = require "bench.fixtures"
local measure = require "bench.measure"
local counts = require "bench.counts"
local tables = require "bench.tables"

local rounds = tonumber(arg[1]) or 7
local columns = { "bare", "modfs", "modfs fs:", "modfs buffer", "mem", "bare mem", "io", "lfs",
  "luv" }

local function is_wanted(name)
  for i = 2, #arg do
    if name:find(arg[i], 1, true) then
      return true
    end
  end
  return #arg < 2
end

local function ask(command)
  local pipe = assert(io.popen(command))
  local line = pipe:read("l")
  pipe:close()
  return line or ""
end

-- A heap that is not nearly empty: collections then cost everybody alike.
local ballast = {}
for i = 1, 20000 do
  ballast[i] = { tostring(i) }
end

local disk = ask("mktemp -d /tmp/modfs-bench.XXXXXX")
local memory = "mem://bench"
fixtures.fill(disk)
fixtures.fill(memory)

local system = ask("sed -n 's/^PRETTY_NAME=//p' /etc/os-release | tr -d '\"'")
print(("%s, kernel %s, %s, %d rounds; CPU time, median; **bold**: of the C limit"):format(
  system, ask("uname -r"), ask("cc --version"), rounds))
print()
local results = {}
for _, case in ipairs(cases(disk, memory)) do
  if is_wanted(case.name) then
    results[#results + 1] = { name = case.name, costs = measure.case(case, rounds) }
  end
end
tables.costs("case", columns, results)
print("bare: a C module without options, registry or messages: what Lua itself costs; modfs: plain")
print("paths, listdir sorted; modfs fs: fs:get_children, unsorted as C, bare and lfs; mem: mem://;")
print("modfs buffer: readinto the same Buffer.")
print("bare mem: a method that does the same with a block of memory.")
print()
tables.aims(aims, results)
if #arg < 2 then
  print()
  counts.print(here, build, disk)
end

modfs.rmtree(disk)
assert(#ballast > 0)
