-- The plugin of hdfs before `modfs check`, on a real Hadoop: the cases of TensorFlow's suite. All
-- of level 4 takes many minutes, for each written file is a pipeline of Hadoop's:
--   MODFS_HDFS_LEVEL=4 busted spec/clouds/check_hdfs_spec.lua
local checked = require "spec.support.checked"
local hadoop = require "spec.support.hadoop"
local shell = require "spec.support.shell"

local level = os.getenv "MODFS_HDFS_LEVEL" or "1"

hadoop.describe("modfs check of hdfs", { data_nodes = 1 }, function(hdfs)
  it("passes, up to level " .. level, function()
    if os.getenv "LD_PRELOAD" then
      pending "a checker of memory stands in the place of the shim"
      return
    end
    local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
      "/modfs/plugins/hdfs.so"
    local seen = checked(("env MODFS_HDFS_CONF_DIR=%s MODFS_HDFS_USER=root %s " ..
      "bin/modfs check --scheme hdfs --seconds 120 --tap --root %s/root --strict %s"):format(
      hdfs.conf, os.getenv "LUA" or "lua5.4", hdfs.uri, level), plugin)
    assert.same({}, seen.failed, seen.out .. seen.err)
    assert.equal(0, seen.status, seen.err)
    assert.is_true(seen.passed > (level == "1" and 95 or 290), seen.passed .. " passed")
  end)
end)
