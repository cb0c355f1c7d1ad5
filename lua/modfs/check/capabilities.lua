-- The matrix of operations: where each comes from, and how the cases about it went.
local contract = require "modfs.check.contract"

local capabilities = {}

-- capabilities.read(lines, scheme): "name source scheme" each -> name -> { source =, counts }.
function capabilities.read(lines, scheme)
  local operations = {}
  for _, line in ipairs(lines) do
    local name, source, of = line:match("^(%S+) (%S+) (.*)$")
    if of == scheme and name ~= "init" and name ~= "cleanup" then
      operations[name] = { source = source, passed = 0, failed = 0, refused = 0 }
    end
  end
  return operations
end

-- "scheme name" each -> the names of one scheme, in one line.
function capabilities.deviations(lines, scheme)
  local names = {}
  for _, line in ipairs(lines) do
    local of, name = line:match "^(.*) (%S+)$"
    if of == scheme then
      names[#names + 1] = name
    end
  end
  return table.concat(names, " ")
end

-- Operations that are UNIMPLEMENTED in one case and work in another. Those of handles are left out:
-- bytes that the host buffers before it calls the plugin look like a success.
local function inconsistent(report)
  local served, refused, list = {}, {}, {}
  for _, result in ipairs(report.results) do
    for _, name in ipairs(result.served or {}) do
      served[name] = served[name] or result.name
    end
    for _, name in ipairs(result.unimplemented or {}) do
      refused[name] = refused[name] or result.name
    end
  end
  for name, where in pairs(refused) do
    local source = report.operations[name]
    if served[name] and source and source.source == "plugin" then
      list[#list + 1] = { name = name, refused = where, served = served[name] }
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

local function add(report, found)
  report.failed = report.failed + 1
  report.results[#report.results + 1] = { name = "consistent." .. found.name, level = 1,
    operation = found.name, assertions = 1, verdict = "failed", called = found.refused,
    answer = "UNIMPLEMENTED", why = ("UNIMPLEMENTED in %s, but it works in %s"):format(
      found.refused, found.served),
    contract = "An operation that is missing is UNIMPLEMENTED in every call.",
    only = found.refused, needs = { found.refused, found.served } }
end

-- Counts the verdicts for each operation and adds its contradictions as failures.
function capabilities.assess(report)
  for _, found in ipairs(inconsistent(report)) do
    add(report, found)
  end
  for _, result in ipairs(report.results) do
    local operation = report.operations[result.operation]
    if not operation and result.operation ~= "load" then
      local words = contract[result.operation]
      operation = { source = words and words.extension and "extension" or "handle", passed = 0,
        failed = 0, refused = 0 }
      report.operations[result.operation] = operation
    end
    if operation then
      operation[result.verdict] = operation[result.verdict] + 1
    end
  end
  for _, operation in pairs(report.operations) do
    operation.verdict = operation.failed > 0 and "failed" or operation.passed > 0 and "passed"
      or operation.refused > 0 and "refused" or operation.source == "missing" and "missing"
      or "not tested"
  end
end

-- The names in their order.
function capabilities.names(report)
  local names = {}
  for name in pairs(report.operations) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

return capabilities
