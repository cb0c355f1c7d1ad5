-- The report as JUnit's XML.
local text_of = require("modfs.check.markup").text

return function(report)
  local lines = { '<?xml version="1.0" encoding="UTF-8"?>',
    ('<testsuite name="%s" tests="%d" failures="%d" skipped="%d" time="%.2f">'):format(
      text_of(report.file), #report.results, report.failed, report.refused, report.seconds) }
  for _, result in ipairs(report.results) do
    local inner = ""
    if result.verdict == "failed" then
      inner = ('<failure message="%s">%s</failure>'):format(text_of(result.why),
        text_of(("%s → %s"):format(result.called or "", result.answer or "")))
    elseif result.verdict == "refused" then
      inner = ('<skipped message="%s"/>'):format(text_of(result.why))
    end
    lines[#lines + 1] = ('  <testcase classname="level %d" name="%s">%s</testcase>'):format(
      result.level, text_of(result.name), inner)
  end
  lines[#lines + 1] = "</testsuite>"
  return table.concat(lines, "\n") .. "\n"
end
