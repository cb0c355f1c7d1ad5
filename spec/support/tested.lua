-- Each case of `modfs check` as a spec in this process, where sanitizers see it:
-- tested(name, place [, missing]). place() returns a Filesystem, the URI of a directory that does
-- not exist but whose parent does, and a function that cleans up; missing are the operations that
-- the plugin has not, by name: their cases must be refused, and no others. Cases without a host
-- load the plugin themselves: they are for children only.
local assert = require "luassert"
local busted = require "busted"
local cases = require "modfs.check.cases"
local inprocess = require "modfs.check.inprocess"
local trial = require "modfs.check.trial"

local function at_place(place, run)
  local fs, root, clean = place()
  local fine, problem = pcall(run, fs, root)
  clean()
  if not fine then
    error(problem, 0)
  end
end

local function assess(case, fs, root, missing)
  local found = inprocess.run(case, fs, root)
  assert.is_nil(found.failed, ("%s\ncalled %s\ncame back %s"):format(tostring(found.failed),
    found.called, found.answer))
  assert.equal(missing[case.operation] or nil, found.refused and true, found.refused)
  assert.is_true(found.assertions > 0 or missing[case.operation] == true)
end

return function(name, place, missing)
  busted.describe(name .. " is tested:", function()
    for _, case in ipairs(cases) do
      local it = case.native and function() end or busted.it
      it(case.name, function()
        at_place(place, function(fs, root)
          assess(case, fs, root, missing or {})
        end)
      end)
    end
  end)

  busted.describe(name .. " keeps what ours promise:", function()
    require "spec.check.ours" (function(title, run)
      busted.it(title, function()
        at_place(place, function(fs, root)
          local here = trial.new(fs, root, function() end)
          here:open()
          run(here)
          here:close()
        end)
      end)
    end)
  end)
end
