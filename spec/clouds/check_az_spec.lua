-- The plugin of az before `modfs check`, on an Azurite.
local azurite = require "spec.support.azurite"
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
    local status, out, err = shell.run(("env MODFS_AZ_ENDPOINT=%s MODFS_AZ_ACCOUNT=%s " ..
      "MODFS_AZ_ACCOUNT_KEY=%s %s bin/modfs check --scheme az --seconds 240 --tap " ..
      "--root az://%s/checked/root"):format(server.url, server.account, server.key,
      os.getenv "LUA" or "lua5.4", server.account), plugin)
    local failed, left_out, passed = {}, {}, 0
    for fine, name, rest in out:gmatch "\n(%l*) ?ok %d+ %- (%S+)([^\n]*)" do
      local why = rest:match "# SKIP the plugin (.*)"
      passed = passed + (fine == "" and rest == "" and 1 or 0)
      failed[#failed + 1] = fine ~= "" and name or nil
      if why and (why:find "^wants no" or why:find "^shows a file") then
        left_out[#left_out + 1] = name
      end
    end
    assert.same({}, failed, out .. err)
    assert.equal(0, status, err)
    assert.same(declared, left_out)
    assert.is_true(passed > 230, passed .. " passed")
  end)
end)
