-- trial.lua FILE CPATH: tests each scheme of one build with `modfs check` until the first case
-- fails, and prints "caught CASE: why", "passed CASES" (the names of those that were refused), or
-- "broken: why" where the check itself raised. Its children find modfs by CPATH.
local check = require "modfs.check"
require "modfs"

package.cpath = arg[2]

local caught

local function stop_at_failure(result)
  if result.verdict == "failed" then
    caught = ("%s: %s"):format(result.name, result.why or "")
    error(caught, 0)
  end
end

-- Tests one of the plugin's schemes, the first one if it is nil; report, or nil and what to print.
local function test(scheme)
  local fine, report = pcall(check.run, { file = arg[1], scheme = scheme, jobs = 1, strict = 5,
    progress = stop_at_failure })
  if not fine then
    return nil, caught and "caught " .. caught or "broken: " .. tostring(report)
  elseif report.ok then
    return report
  end
  local why = report.tested and "a result at the end of the run" or "nothing could be tested"
  for _, result in ipairs(report.results) do
    why = result.verdict == "failed" and result.name .. ": " .. (result.why or "") or why
  end
  return nil, "caught " .. why
end

local function add_refused(report, refused)
  for _, result in ipairs(report.results) do
    refused[#refused + 1] = result.verdict == "refused" and result.name or nil
  end
end

-- The words to print: every scheme is tested until something fails.
local function test_all()
  local refused = {}
  local report, failure = test(nil)
  local schemes = report and report.schemes or {}
  for i = 1, math.max(1, #schemes) do
    if i > 1 then
      report, failure = test(schemes[i])
    end
    if not report then
      return failure
    end
    add_refused(report, refused)
  end
  return "passed " .. table.concat(refused, " ")
end

print((test_all():gsub("%s+", " ")))
