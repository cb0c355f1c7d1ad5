-- The report as lines of the Test Anything Protocol, version 13.
local function comment(add, key, text)
  if text then
    add(("# %s: %s"):format(key, (tostring(text):gsub("%c", " "))))
  end
end

return function(report)
  local lines = { "TAP version 13", "1.." .. #report.results }
  local function add(line)
    lines[#lines + 1] = line
  end
  for i, result in ipairs(report.results) do
    local ok = result.verdict == "failed" and "not ok" or "ok"
    local skipped = result.verdict == "refused" and " # SKIP " .. result.why:gsub("%c", " ") or ""
    add(("%s %d - %s%s"):format(ok, i, result.name, skipped))
    if result.verdict == "failed" then
      comment(add, "why", result.why)
      comment(add, "called", result.called)
      comment(add, "came back", result.answer)
      comment(add, "contract", result.contract)
    end
  end
  add(("# %d passed, %d failed, %d refused, %d assertions"):format(report.passed, report.failed,
    report.refused, report.assertions))
  if not report.tested then
    add("# nothing to test")
  end
  return table.concat(lines, "\n") .. "\n"
end
