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

local function print_row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
end

local function time(seconds)
  return seconds < 1e-6 and ("%.0f ns"):format(seconds * 1e9) or ("%.2f µs"):format(seconds * 1e6)
end

local function cell(costs, who)
  if not costs[who] then
    return ""
  end
  return ("%s **%.2f**"):format(time(measure.median(costs[who])), measure.ratio(costs, who, "C"))
end

local function print_costs(results)
  print_row({ "case", "C", table.unpack(columns) })
  print("|---" .. ("|---"):rep(#columns + 1) .. "|")
  for _, result in ipairs(results) do
    local cells = { result.name, time(measure.median(result.costs.C)) }
    for _, who in ipairs(columns) do
      cells[#cells + 1] = cell(result.costs, who)
    end
    print_row(cells)
  end
end

-- Returns how many aims there are and how many are missed.
local function print_aims(results)
  local total, missed = 0, 0
  print_row { "case", "who", "against", "aim", "reached", "" }
  print("|---|---|---|---|---|---|")
  for _, result in ipairs(results) do
    for _, aim in ipairs(aims[result.name] or {}) do
      local ratio = measure.ratio(result.costs, aim[1], aim[2])
      total = total + 1
      missed = missed + (ratio < aim[3] and 1 or 0)
      print_row { result.name, aim[1], aim[2], ("≥ %.2f"):format(aim[3]), ("%.2f"):format(ratio),
        ratio < aim[3] and "**missed**" or "" }
    end
  end
  return total, missed
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
print_costs(results)
print()
print("bare: a C module without options, registry or messages: what Lua itself costs; modfs: plain")
print("paths, listdir sorted; modfs fs: fs:get_children, unsorted as C, bare and lfs; mem: mem://;")
print("modfs buffer: readinto the same Buffer.")
print("bare mem: a method that does the same with a block of memory.")
print()
local total, missed = print_aims(results)
print()
if #arg < 2 then
  counts.print(here, build, disk)
  print()
end
print(("%d aims, %d missed"):format(total, missed))

modfs.rmtree(disk)
assert(#ballast > 0)
