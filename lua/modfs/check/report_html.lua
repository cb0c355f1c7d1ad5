-- The report as one page that needs nothing else: verdict, failures with their steps, capabilities,
-- and all cases.
local badge = require "modfs.check.report_badge"
local capabilities = require "modfs.check.capabilities"
local contract = require "modfs.check.contract"
local device_contract = require "modfs.check.device_contract"
local markup = require "modfs.check.markup"
local program = require "modfs.check.program"
local repetition = require "modfs.check.repetition"

local text_of = markup.text

local style = [[
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
pre, code { font: 13px/1.4 ui-monospace, monospace; }
pre { border: 1px solid #8885; overflow-x: auto; padding: .6em; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8885; padding: .2em .6em .2em 0; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
dt { font-weight: bold; }
dd { margin: 0 0 .4em 1.5em; overflow-wrap: anywhere; }
.passed { color: #2e7d32; }
.failed { color: #d0392b; font-weight: bold; }
.refused, .missing { color: #777; }
]]

local function element(add, name, text, class)
  add(("<%s%s>%s</%s>"):format(name, class and (' class="%s"'):format(class) or "", text_of(text),
    name))
end

local function definitions(add, rows)
  add "<dl>"
  for _, row in ipairs(rows) do
    if row[2] and row[2] ~= "" then
      element(add, "dt", row[1])
      element(add, "dd", row[2])
    end
  end
  add "</dl>"
end

local function summary(report, add)
  local name = report.file:match "[^/]*$"
  element(add, "h1", name)
  add(badge(report))
  element(add, "p", ("%d passed, %d failed, %d refused; %d assertions in %.1f seconds"):format(
    report.passed, report.failed, report.refused, report.assertions, report.seconds),
    report.ok and "passed" or "failed")
  if not report.tested then
    element(add, "p", "Nothing could be judged.", "failed")
  end
  definitions(add, { { "File", report.file },
    { "Scheme", report.scheme and ("%q"):format(report.scheme) },
    { "Platform", report.platform }, { "Level", tostring(report.strict) },
    { "Seed", tostring(report.seed) }, { "Deviations that it declares", report.deviations },
    { "Existing data", report.found },
    { "Memory and system calls are not watched", report.without_shim },
    { "Checked", os.date "!%Y-%m-%d" .. ", with modfs " .. require("modfs")._VERSION } })
end

local function steps(report, result, add)
  local text, reason = program.of(report, result)
  if not text then
    element(add, "p", "No C program: " .. reason .. ".")
    return
  end
  add "<details><summary>The steps as a C program, without modfs</summary>"
  add("<pre>" .. markup.lines(text) .. "</pre></details>")
end

local function failure(report, result, add)
  element(add, "h3", result.name, "failed")
  definitions(add, { { "Why", result.why }, { "Called", result.called },
    { "Came back", result.answer }, { "The contract", result.contract } })
  add("<pre>" .. text_of(repetition(report, result)) .. "</pre>")
  if result.script then
    add "<details><summary>The fewest steps that fail, in Lua</summary>"
    add("<pre>" .. markup.lines(result.script) .. "</pre></details>")
  end
  steps(report, result, add)
end

local function failures(report, add)
  if report.failed == 0 then
    return
  end
  element(add, "h2", "Failures")
  for _, result in ipairs(report.results) do
    if result.verdict == "failed" then
      failure(report, result, add)
    end
  end
end

local function row(add, cells, class)
  add "<tr>"
  for i, cell in ipairs(cells) do
    element(add, "td", cell, i == 2 and class or nil)
  end
  add "</tr>"
end

local function start_table(add, titles)
  add "<table><thead><tr>"
  for _, title in ipairs(titles) do
    element(add, "th", title)
  end
  add "</tr></thead><tbody>"
end

local function matrix(report, add)
  if not next(report.operations) then
    return
  end
  element(add, "h2", "Capabilities")
  start_table(add, { "Operation", "Verdict", "From", "Passed", "Failed", "Refused",
    "What it does" })
  for _, name in ipairs(capabilities.names(report)) do
    local operation = report.operations[name]
    local words = contract[name] or device_contract[name]
    row(add, { name, operation.verdict, operation.source, operation.passed, operation.failed,
      operation.refused, words and words.does or "" }, operation.verdict:match "^%a+$")
  end
  add "</tbody></table>"
end

local function cases(report, add)
  element(add, "h2", "Cases")
  start_table(add, { "Case", "Verdict", "Level", "Assertions", "Why" })
  for _, result in ipairs(report.results) do
    row(add, { result.name, result.verdict, result.level, result.assertions, result.why or "" },
      result.verdict)
  end
  add "</tbody></table>"
end

return function(report)
  local lines = { '<!DOCTYPE html>', '<html lang="en">', "<head>", '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ("<title>modfs check %s</title>"):format(text_of(report.file:match "[^/]*$")),
    "<style>" .. style .. "</style>", "</head>", "<body>" }
  local function add(line)
    lines[#lines + 1] = line
  end
  summary(report, add)
  failures(report, add)
  matrix(report, add)
  cases(report, add)
  add "</body>"
  add "</html>"
  return table.concat(lines, "\n") .. "\n"
end
