-- The reference and the null device before the conformance runner, in this process, where
-- sanitizers see them.
local cases = require "modfs.check.device_cases"
local device_trial = require "modfs.check.device_trial"
local inprocess = require "modfs.check.inprocess"

local folder = (os.getenv "BUILD" or "build") .. "/modfs/plugins/"
local slow = (os.getenv "LD_PRELOAD" or ""):find "valgrind"

-- Cases under the shim are for children only. Of the others those are refused that are about empty
-- slots or about what is missing: slots that say that they do not know, and cases that need those.
local function tested(name, missing)
  describe("the " .. name .. " device is tested:", function()
    for _, case in ipairs(cases) do
      local it = case.native and function() end or it
      it(case.name, function()
        if slow and case.level >= 3 then
          pending "thousands of copies and waiting threads take valgrind too long"
        end
        local trial = assert(device_trial.new(folder .. name .. ".so", function() end))
        trial.seed = 1
        local found = inprocess.try(case, trial)
        assert.is_nil(found.failed, ("%s\ncalled %s\ncame back %s"):format(tostring(found.failed),
          found.called, found.answer))
        assert.is_true(not found.refused or missing[case.operation] or missing[case.name]
          or trial.slots[case.operation] ~= "plugin", found.refused)
        assert.is_true(found.assertions > 0 or found.refused ~= nil)
      end)
    end
  end)
end

tested("reference", {})
tested("null", { get_allocator_stats = true, device_memory_usage = true,
  ["device.sizes.until_the_memory_is_full"] = true,
  ["device.devices.do_their_own_work"] = true })
