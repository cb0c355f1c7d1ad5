-- Measures one section in a process of its own, and prints the results as a Lua chunk:
--   section.lua name rounds [short] [words …]
-- With words only the cases with one of them in their names.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local build = os.getenv "BUILD" or "build"
package.cpath = build .. "/bench/?.so;" .. package.cpath

local counts = require "bench.counts"
local measure = require "bench.measure"
local serialize = require "bench.serialize"

local words = table.move(arg, 3, #arg, 1, {})
local context = { here = here, build = build, rounds = tonumber(arg[2]),
  short = words[1] == "short" }
if context.short then
  table.remove(words, 1)
end

local function is_wanted(case)
  for _, word in ipairs(words) do
    if case.name:find(word, 1, true) then
      return true
    end
  end
  return #words == 0
end

-- A heap that is not nearly empty: collections then cost everybody alike.
local ballast = {}
for i = 1, 20000 do
  ballast[i] = { tostring(i) }
end

local function run(section)
  local cases, finish = require(section.cases)(context)
  local results = context.results or {}
  local fine, message = xpcall(function()
    for _, case in ipairs(cases) do
      case = type(case) == "function" and case() or case
      if context.short then
        case.n = math.min(case.n, 20)
      end
      if is_wanted(case) then
        results[#results + 1] = measure.case(case, context.rounds)
      end
      collectgarbage()
      collectgarbage()
    end
    if context.disk and #words == 0 and not context.short then
      results.counts = counts.rows(context)
    end
  end, debug.traceback)
  finish()
  assert(fine, message)
  return results
end

for _, section in ipairs(require "bench.sections") do
  if section.name == arg[1] then
    print(serialize(run(section)))
  end
end
assert(#ballast > 0)
