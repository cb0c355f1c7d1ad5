-- The plugin of hdfs before `modfs check`, on a real Hadoop. Left out are the cases that make each
-- system call and each allocation fail in turn: they take most of the time, as each written file is
-- a pipeline of Hadoop's, and each failure a pause. All of them:
--   MODFS_HDFS_WHOLE=1 busted spec/clouds/check_hdfs_spec.lua
local checked = require "spec.support.checked"
local hadoop = require "spec.support.hadoop"
local shell = require "spec.support.shell"

local whole = os.getenv "MODFS_HDFS_WHOLE" ~= nil

-- Together: all names but raw.resources.… and raw.memory.…
local others = { "^[^r]", "^r[^a]", "^raw%.[^rm]", "^raw%.r[^e]", "^raw%.re[^s]", "^raw%.m[^e]" }

hadoop.describe("modfs check of hdfs", { data_nodes = 1 }, function(hdfs)
  it("passes all cases of level 4" .. (whole and "" or ", but the longest"), function()
    if os.getenv "LD_PRELOAD" then
      pending "a checker of memory stands in the place of the shim"
      return
    end
    local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
      "/modfs/plugins/hdfs.so"
    local only = whole and "" or "--only '" .. table.concat(others, "' --only '") .. "'"
    local seen = checked(("env MODFS_HDFS_CONF_DIR=%s MODFS_HDFS_USER=root %s " ..
      "bin/modfs check --scheme hdfs --seconds 120 --tap --root %s/root --strict 4 %s"):format(
      hdfs.conf, os.getenv "LUA" or "lua5.4", hdfs.uri, only), plugin)
    assert.same({}, seen.failed, seen.out .. seen.err)
    assert.equal(0, seen.status, seen.err)
    assert.is_true(seen.passed > (whole and 320 or 300), seen.passed .. " passed")
  end)
end)
