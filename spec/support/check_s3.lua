-- Describes the plugin of s3 before `modfs check`, on a real Ceph: body(check, passes), where
-- check("http", options) -> as spec/support/checked.lua, and passes(that, declared, least) asserts
-- that all cases passed, at least so many, but those declared, and no upload was left behind.
local assert = require "luassert"
local busted = require "busted"
local checked = require "spec.support.checked"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"

return function(title, body)
  busted.describe(title, function()
    local ceph, reason
    if os.getenv "LD_PRELOAD" then
      reason = "a checker of memory stands in the place of the shim"
    else
      ceph, reason = s3.start { "checked", shards = 1 }
    end
    if not ceph then
      busted.pending(reason)
      return
    end

    busted.teardown(function() ceph.stop() end)

    body(function(protocol, options)
      local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
        "/modfs/plugins/s3.so"
      return checked(("env MODFS_S3_ENDPOINT=%s MODFS_S3_CA_FILE=%s MODFS_S3_ACCESS_KEY_ID=%s " ..
        "MODFS_S3_SECRET_ACCESS_KEY=%s %s bin/modfs check --scheme s3 --seconds 120 --tap " ..
        "--root s3://checked/root %s"):format(ceph[protocol], ceph.ca, ceph.one.key,
        ceph.one.secret, os.getenv "LUA" or "lua5.4", options), plugin)
    end, function(found, declared, least)
      assert.same({}, found.failed, found.out .. found.err)
      assert.equal(0, found.status, found.err)
      assert.same(declared, found.left_out)
      assert.truthy(found.out:find(
        "\nok %d+ %- raw%.cleanup%.without_close_keeps_what_was_written\n"),
        "what TensorFlow relies on is excused by nothing that a plugin declares")
      assert.is_true(found.passed > least, found.passed .. " passed")
      assert.equal(0, ceph.uploads "checked")
    end)
  end)
end
