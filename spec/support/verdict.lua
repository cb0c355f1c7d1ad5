-- What a report of modfs.check says.
local verdict = {}

-- The result of one case.
function verdict.of(report, name)
  for _, result in ipairs(report.results) do
    if result.name == name then
      return result
    end
  end
  error(("no result for %s; failed: %s"):format(name, verdict.failures(report)))
end

-- The results that failed.
function verdict.failed(report)
  local list = {}
  for _, result in ipairs(report.results) do
    list[#list + 1] = result.verdict == "failed" and result or nil
  end
  return list
end

-- The same, one a line.
function verdict.failures(report)
  local lines = {}
  for i, result in ipairs(verdict.failed(report)) do
    lines[i] = ("%s: %s"):format(result.name, result.why)
  end
  return table.concat(lines, "\n")
end

return verdict
