-- The posix plugin before the conformance runner, in this process.
local modfs = require "modfs"
local tested = require "spec.support.tested"
local tmpdir = require "spec.support.tmpdir"

local missing = { start_transaction = true, end_transaction = true,
  get_transaction_for_path = true }

for _, scheme in ipairs { "", "file" } do
  tested(("posix (%q)"):format(scheme), function()
    local base = tmpdir.new()
    local prefix = scheme == "" and "" or scheme .. "://"
    return modfs.filesystem(scheme), prefix .. base .. "/root", function()
      tmpdir.remove(base)
    end
  end, missing)
end
