-- Turns the records of a child into a result: passed, failed or refused.
local contract = require "modfs.check.contract"
local device_contract = require "modfs.check.device_contract"

local verdicts = {}

-- Operations that every table has, whatever the plugin does: they prove nothing.
local proves_nothing = { flush_caches = true, close = true, length = true,
  close_directory = true, free_tables = true }

-- Whether the plugin itself answered: a case that only reached defaults of the host tests nothing.
local function has_evidence(found, report)
  for _, operation in ipairs(found.served) do
    local source = report.operations and report.operations[operation]
    if not proves_nothing[operation] and (not source or source.source == "plugin") then
      return true
    end
  end
  return false
end

local function words_for(operation)
  local words = contract[operation] or device_contract[operation]
  if not words then
    return nil
  end
  return words.does .. (words.errors and " Errors: " .. words.errors or "")
end

function verdicts.of(case, found, report)
  local operation = found.about or case.operation
  local result = { name = case.name, level = case.level, operation = operation,
    script = found.script,
    assertions = tonumber(found.assertions) or 0, called = found.called or found.call,
    answer = found.answer or "nothing: the call did not return", contract = words_for(operation),
    served = found.served, met = found.met, advice = found.advice,
    unimplemented = found.unimplemented }
  if found.died then
    result.verdict, result.why = "failed", found.died
  elseif found.failed then
    result.verdict, result.why = "failed", found.failed
  elseif found.refused then
    result.verdict, result.why = "refused", found.refused
  elseif found.passed and (case.counts or has_evidence(found, report)) then
    result.verdict = "passed"
  elseif found.passed then
    result.verdict, result.why = "refused", "only the host's defaults answered"
  else
    result.verdict, result.why = "failed", "the case ended early"
  end
  if result.verdict == "failed" then
    result.steps, result.root = found.step, found.root
  end
  if result.verdict == "failed" and (found.injected or "") ~= "" then
    result.why = ("%s; injected fault: %s"):format(result.why, found.injected)
  end
  return result
end

return verdicts
