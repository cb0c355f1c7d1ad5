-- trial.lua FILE CPATH: tests one build with `modfs check` until the first case fails, and
-- prints "caught CASE: why", "passed CASES" (the names of those that were refused), or "broken:
-- why" where the check itself raised.
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

local fine, report = pcall(check.run, { file = arg[1], jobs = 1, progress = stop_at_failure })
if not fine then
  print(caught and "caught " .. caught:gsub("%s+", " ") or "broken: " .. tostring(report))
elseif report.ok then
  local refused = {}
  for _, result in ipairs(report.results) do
    refused[#refused + 1] = result.verdict == "refused" and result.name or nil
  end
  print("passed " .. table.concat(refused, " "))
else
  local why = report.tested and "a result at the end of the run" or "nothing could be tested"
  for _, result in ipairs(report.results) do
    why = result.verdict == "failed" and result.name .. ": " .. (result.why or "") or why
  end
  print("caught " .. why:gsub("%s+", " "))
end
