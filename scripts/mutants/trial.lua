-- trial.lua FILE CPATH KIND STRICT ORDER [SCHEME...]: tests one build as `modfs check` would, until
-- the first case fails, and prints "caught CASE: why", "passed CASES" (the names of those that were
-- refused), or "broken: why" where the test itself raised.
--
-- KIND is "filesystem", "device", or "reader" for a plugin that cannot write, SCHEME each scheme
-- that it serves, STRICT the highest level, ORDER a file with the names of the cases to begin with.
-- The children find modfs by CPATH.
--
-- Many cases run in one process. One that fails there counts only if it fails in a process of its
-- own as well, as `modfs check` runs it: what an earlier case has left behind is no fault of it.
-- Cases about other processes, and all those about existing data, run under modfs.check itself.
local capabilities = require "modfs.check.capabilities"
local cases = require "modfs.check.cases"
local check = require "modfs.check"
local device_cases = require "modfs.check.device_cases"
require "modfs"
local batch = require "scripts.mutants.batch"

local file, cpath, kind, strict, order = (table.unpack or unpack)(arg)
strict = tonumber(strict)
package.cpath = cpath
local schemes = { (table.unpack or unpack)(arg, 6) }

-- More patience with a case that is alone.
local patience = 5

local function catch(name, why)
  error({ caught = ("%s: %s"):format(name, why or "") }, 0)
end

local function kind_of(case)
  if kind == "device" then
    return case.native and "device_native" or "device"
  end
  return case.native and "native" or "hosted"
end

-- Whether a case is among those that ONLY names: patterns, separated by blanks; all without it.
local function is_wanted(name)
  local wanted = not os.getenv "ONLY"
  for pattern in (os.getenv "ONLY" or ""):gmatch "%S+" do
    wanted = wanted or name:find(pattern) ~= nil
  end
  return wanted
end

-- The cases to run in one process, in two lists of names for each kind: the promising ones, and the
-- others. Further schemes have the slots of the first one: of those only what sees another scheme
-- is tested, by the cases that have a host, and by that about hosts in URIs.
local function plan(further)
  local first, wanted = {}, {}
  for _, case in ipairs(kind == "device" and device_cases or cases) do
    if case.level <= strict and not case.name:find "^durability%."
      and not (further and case.native and not case.name:find "hosts")
      and is_wanted(case.name) then
      wanted[case.name] = case
    end
  end
  local lists = { {}, {} }
  local function add(rank, case)
    local list = lists[rank]
    local of = kind_of(case)
    if not list[of] then
      list[of] = {}
      list[#list + 1] = of
    end
    table.insert(list[of], case.name)
  end
  for name in io.lines(order) do
    if wanted[name] then
      add(1, wanted[name])
      first[name] = true
    end
  end
  for _, case in ipairs(kind == "device" and device_cases or cases) do
    if wanted[case.name] and not first[case.name] then
      add(2, case)
    end
  end
  return lists
end

-- Runs cases until one fails by itself.
local function run(tests, of, names, results)
  while #names > 0 do
    local ended, failure = tests:run(of, names)
    for _, result in ipairs(ended) do
      results[#results + 1] = result
    end
    if not failure then
      return
    elseif failure.number == 1 then
      catch(failure.name, failure.why)
    elseif failure.number == 0 then
      return failure
    end
    local _, again = tests:run(of, { failure.name }, patience)
    if again then
      catch(failure.name, again.why)
    end
    names = { (table.unpack or unpack)(names, failure.number + 1) }
  end
end

-- The cases whose names fit the patterns, each in a process of its own; returns the report.
local function check_alone(scheme, patterns)
  local report = check.run { file = file, scheme = scheme, jobs = 1, strict = strict,
    only = patterns }
  for _, result in ipairs(report.results) do
    if result.verdict == "failed" then
      catch(result.name, result.why)
    end
  end
  return report
end

-- Operations that are UNIMPLEMENTED in one case and work in another.
local function check_consistency(scheme, results, operations)
  local report = { results = results, operations = operations, failed = 0 }
  local count = #results
  capabilities.assess(report)
  for i = #results, count + 1, -1 do
    local needs = table.remove(results, i).needs
    check_alone(scheme, needs)
  end
end

-- Tests one scheme; adds the names of refused cases.
local function test(scheme, further, refused)
  local tests, results, failure = batch.open(file, scheme or "", cpath), {}, nil
  for _, list in ipairs(plan(further)) do
    for _, of in ipairs(list) do
      failure = failure or run(tests, of, list[of], results)
    end
  end
  if failure then
    check_alone(scheme, "upstream%.0?01%.")
    refused[#refused + 1] = (scheme or "") .. ":" .. failure.name
    return
  end
  if os.getenv "ONLY" then
    return
  end
  check_consistency(scheme, results, tests.operations)
  if kind ~= "device" and strict >= 5 and not further then
    for _, result in ipairs(check_alone(scheme, "^durability%.").results) do
      results[#results + 1] = result
    end
  end
  for _, result in ipairs(results) do
    refused[#refused + 1] = result.verdict == "refused" and result.name or nil
  end
end

-- A plugin that cannot write: what is there must be surveyed first.
local function read_all()
  local refused = {}
  local report = check.run { file = file, scheme = schemes[1], jobs = 1, strict = strict,
    progress = function(result)
      if result.verdict == "failed" then
        catch(result.name, result.why)
      end
    end }
  if not report.ok then
    catch("the run", report.tested and "a result at its end" or "nothing could be tested")
  end
  for _, result in ipairs(report.results) do
    refused[#refused + 1] = result.verdict == "refused" and result.name or nil
  end
  return "passed " .. table.concat(refused, " ")
end

local function test_all()
  local refused = {}
  test(schemes[1], false, refused)
  for i = 2, #schemes do
    test(schemes[i], true, refused)
  end
  return "passed " .. table.concat(refused, " ")
end

local fine, said = pcall(kind == "reader" and read_all or test_all)
if not fine then
  said = type(said) == "table" and "caught " .. said.caught or "broken: " .. tostring(said)
end
print((said:gsub("%s+", " ")))
