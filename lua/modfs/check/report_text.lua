-- The report for people: one screen, failures first.
local capabilities = require "modfs.check.capabilities"
local repetition = require "modfs.check.repetition"

-- Failures are told in full while they fit; the matrix needs the rest of the screen.
local most_lines = 30

-- Long texts break at spaces, the next lines are indented.
local function folded(label, text)
  local lines, line = {}, "  " .. label
  for word in text:gmatch("%S+") do
    if #line + #word > 98 and line:find("%S") then
      lines[#lines + 1] = line
      line = (" "):rep(12)
    end
    line = line .. (line:find("%S$") and " " or "") .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local function clipped(text, length)
  text = text:gsub("%c", " ")
  return #text > length and text:sub(1, length) .. "…" or text
end

-- The fewest steps that fail, as a program.
local function script_of(report, result, add)
  if not result.script then
    return
  end
  if result.script:find "^local modfs" then
    add("  script    " .. result.script:gsub("\n", "\n            "))
    return
  end
  add "  script    local modfs = require \"modfs\""
  add(("            assert(modfs.load(%q, { trust = true }))"):format(report.file))
  add(("            local root = %q; modfs.makedirs(root)"):format(report.scheme == ""
    and "/tmp/modfs.script" or report.scheme .. "://modfs.script"))
  for line in result.script:gmatch("[^\n]+") do
    add("            " .. line)
  end
end

local function describe(report, result, add)
  add("FAILED " .. result.name)
  add(folded("why       ", clipped(result.why, 400)))
  add(folded("called    ", clipped(result.called or "nothing", 200)))
  add(folded("came back ", clipped(result.answer or "nothing", 200)))
  if result.contract then
    add(folded("contract  ", result.contract))
  end
  add("  repeat    " .. repetition(report, result))
  script_of(report, result, add)
end

local function count_lines(lines)
  local count = 0
  for _, line in ipairs(lines) do
    count = count + 1 + select(2, line:gsub("\n", ""))
  end
  return count
end

-- The first failure whatever its length, then those that still fit.
local function failures(report, add)
  local lines, hidden = 0, {}
  for _, result in ipairs(report.results) do
    if result.verdict == "failed" then
      local told = {}
      describe(report, result, function(line)
        told[#told + 1] = line
      end)
      if lines == 0 or #hidden == 0 and lines + count_lines(told) <= most_lines then
        lines = lines + count_lines(told)
        add(table.concat(told, "\n"))
      else
        hidden[#hidden + 1] = result.name
      end
    end
  end
  if #hidden > 0 then
    add(folded(("and %d more: "):format(#hidden), clipped(table.concat(hidden, " "), 300)))
    add("  see all   " .. repetition(report, { name = "" }):gsub(" %-%-only ''$", " --tap"))
  end
end

-- What is no breach of the contract, but worth a thought.
local function advise(report, add)
  local lines = {}
  for _, result in ipairs(report.results) do
    for _, line in ipairs(result.advice or {}) do
      lines[#lines + 1] = line
    end
  end
  if #lines > 0 then
    add(folded("advice    a success leaves the status as the call found it; set TF_OK in",
      table.concat(lines, " ") .. " (docs/check.md, Advice)"))
  end
end

-- The capability matrix, by verdict and by who serves the operation.
local function matrix(report, add)
  local order, groups = {}, {}
  for _, name in ipairs(capabilities.names(report)) do
    local operation = report.operations[name]
    local key = ("%-11s%-8s"):format(operation.verdict, operation.source)
    if not groups[key] then
      order[#order + 1] = key
      groups[key] = {}
    end
    table.insert(groups[key], name)
  end
  table.sort(order)
  add "verdict    from    operations"
  for _, key in ipairs(order) do
    add((folded(key, table.concat(groups[key], " ")):gsub("^  ", "")))
  end
end

local function why_nothing(report)
  if not (report.scheme or report.platform) then
    return "the plugin has nothing of that name"
  elseif report.named and report.chosen == 0 and not report.nothing then
    return "no case has such a name"
  elseif report.reads_only then
    return "the plugin is read-only, and " .. (report.nothing or "no case applies")
  end
  return "the plugin implements no operation that was tested"
end

local function closing(report, add)
  if report.found then
    add(("%s: %s"):format(report.reads_only and "read-only; tested with existing data"
      or "tested with existing data, too", report.found))
  end
  add(("%d passed, %d failed, %d refused; %d assertions in %.1f seconds"):format(report.passed,
    report.failed, report.refused, report.assertions, report.seconds))
  if report.since_failure then
    add "only the cases that failed when it was last checked"
  end
  if not report.tested then
    add("nothing to test: " .. why_nothing(report))
  end
end

return function(report)
  local lines = {}
  local function add(line)
    lines[#lines + 1] = line
  end
  failures(report, add)
  if next(report.operations) then
    matrix(report, add)
  end
  local scheme = report.scheme and ("scheme %q"):format(report.scheme) or "no scheme"
  local platform = report.platform and "platform " .. report.platform or "no platform"
  add(("%s, %s, %s, level %d, seed %d"):format(report.file, scheme, platform, report.strict,
    report.seed))
  advise(report, add)
  if report.without_shim then
    add("memory and system calls are not watched: " .. report.without_shim)
  end
  closing(report, add)
  return table.concat(lines, "\n") .. "\n"
end
