-- Runs one case in the calling process: in a child, or in a spec under a sanitizer.
local trial_of = require "modfs.check.trial"

local inprocess = {}

-- Adds a traceback to an error; tables are verdicts that a case raises itself.
local function explain(problem)
  if type(problem) == "table" then
    return problem
  end
  return { failed = debug.traceback("raised: " .. tostring(problem), 2) }
end

local function attempt(case, trial, opened)
  local fine, problem = xpcall(function()
    trial:open()
    opened()
    case.run(trial)
  end, explain)
  return fine, problem or {}
end

local function ignore() end

-- try(case, trial [, process]) -> { passed =, failed = or refused =, called =, answer =,
-- assertions =, script =, about = }. process.opened() is called when the plugin has made the root,
-- and process.changed() tells what of the process is not as it was.
function inprocess.try(case, trial, process)
  local fine, problem = attempt(case, trial, process and process.opened or ignore)
  local found = { called = trial.journal.call or "nothing",
    answer = trial.journal.answer or "nothing" }
  if fine or problem.refused then
    local closed, why = xpcall(function() trial:close() end, explain)
    if not closed then
      fine, problem = false, why
    end
    local difference = process and process.changed()
    if closed and difference then
      fine, problem = false, { failed = "process state has changed: " .. difference }
    end
  end
  found.assertions, found.script, found.about = trial.assertions, problem.script, problem.about
  found.passed = fine and "" or nil
  found.refused = not fine and problem.refused or nil
  found.failed = not fine and not problem.refused and problem.failed or nil
  return found
end

-- run(case, fs, root [, seed]) -> the same, in a root of its own: a URI that is not there yet.
function inprocess.run(case, fs, root, seed)
  local trial = trial_of.new(fs, root, function() end)
  trial.seed = seed or 1
  return inprocess.try(case, trial)
end

return inprocess
