-- The memory plugin before the judge, in this process.
local modfs = require "modfs"
local judged = require "spec.support.judged"

local function place(root)
  local count = 0
  return function()
    count = count + 1
    return modfs.filesystem "mem", ("%s%d"):format(root, count), function() end
  end
end

judged("memory (root below the root)", place "mem:///judged")
judged("memory (root as the host)", place "mem://judged-host")
