-- The posix plugin before the conformance runner, in this process or in one child: on a disk, where
-- temporary files lie on one. check_spec.lua runs each case in a child of its own.
local batch = require "spec.check.batch"
local modfs = require "modfs"
local tested = require "spec.support.tested"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"

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

it("the posix plugin passes the cases without a host, in short", function()
  local base = tmpdir.new()
  local results = batch.run { file = (os.getenv "BUILD" or "build") .. "/modfs/plugins/posix.so",
    scheme = "", root = base .. "/root", halves = "short" }
  tmpdir.remove(base)
  assert.equal("", verdict.failures { results = results })
  assert.is_true(#results > 200, #results .. " results")
end)
