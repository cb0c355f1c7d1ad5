-- The plugin of az before `modfs check`, on an Azurite.
local azurite = require "spec.support.azurite"
local checked = require "spec.support.checked"
local shell = require "spec.support.shell"

-- Cases that are left out for what Azure is.
local declared = { "upstream.003.TestCreateFileNonExisting",
  "upstream.007.TestAppendFileNonExisting", "upstream.014.TestCreateThenReadFile",
  "upstream.055.TestRenameFileDestinationParentNotFound", "writing.shows_what_was_flushed",
  "replacing.copy_file.into_a_missing_parent", "state.append.of_two_writers_goes_to_the_end",
  "state.any.order_of_changes_shows_1", "state.any.order_of_changes_shows_2" }

describe("modfs check of az", function()
  local server, reason
  if os.getenv "LD_PRELOAD" then
    reason = "a checker of memory stands in the place of the shim"
  else
    server, reason = azurite.start { "checked" }
  end
  if not server then
    pending(reason)
    return
  end

  teardown(function() server.stop() end)

  it("passes all cases but those that Azure cannot be asked for", function()
    local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
      "/modfs/plugins/az.so"
    local seen = checked(("env MODFS_AZ_ENDPOINT=%s MODFS_AZ_ACCOUNT=%s " ..
      "MODFS_AZ_ACCOUNT_KEY=%s %s bin/modfs check --scheme az --seconds 240 --tap " ..
      "--root az://%s/checked/root"):format(server.url, server.account, server.key,
      os.getenv "LUA" or "lua5.4", server.account), plugin)
    assert.same({}, seen.failed, seen.out .. seen.err)
    assert.equal(0, seen.status, seen.err)
    assert.same(declared, seen.left_out)
    assert.is_true(seen.passed > 230, seen.passed .. " passed")
  end)
end)
