-- full.lua [PATTERN]: each broken plugin before the case that is meant for it, and each form of the
-- good ones before all cases, through `modfs check` itself, a process for each case. Ends with 1
-- unless each broken one fails its case and the good ones fail none.
local gallery = require "spec.check.gallery"
local verdict = require "spec.support.verdict"

local shelf = gallery.shelf()
local wrong = 0

local function say(right, row, words)
  wrong = wrong + (right and 0 or 1)
  print(("%s %s (%s): %s"):format(right and "ok" or "NOT OK", row.name, row.kind, words))
end

local function each(rows, assess)
  for _, row in ipairs(rows) do
    if row.name:find(arg[1] or "") then
      assess(row)
    end
  end
end

each(gallery.rows(), function(row)
  local result = gallery.assess(row, shelf)
  say(result.verdict == "failed", row, ("%s %s, %s"):format(row.case, result.verdict,
    result.why or ""))
end)
each(gallery.forms(), function(form)
  local failures = verdict.failures(gallery.check(form, shelf))
  say(failures == "", form, failures == "" and "passes" or failures)
end)
shelf:remove()
print(wrong == 0 and "all are right" or wrong .. " are wrong")
os.exit(wrong == 0)
