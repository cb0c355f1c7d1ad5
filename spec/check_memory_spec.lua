-- The memory plugin before the conformance runner, in this process.
local modfs = require "modfs"
local tested = require "spec.support.tested"

local function place(root)
  local count = 0
  return function()
    count = count + 1
    return modfs.filesystem "mem", ("%s%d"):format(root, count), function() end
  end
end

tested("memory (root below the root)", place "mem:///tested")
tested("memory (root as the host)", place "mem://tested-host")
