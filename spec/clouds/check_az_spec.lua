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

  local function check(cache, options)
    local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
      "/modfs/plugins/az.so"
    return shell.run(("env MODFS_AZ_ENDPOINT=%s MODFS_AZ_ACCOUNT=%s MODFS_AZ_ACCOUNT_KEY=%s " ..
      "MODFS_AZ_CACHE_BYTES=%d %s bin/modfs check --scheme az --seconds 240 --tap " ..
      "--root az://%s/checked/root %s"):format(server.url, server.account, server.key, cache,
      os.getenv "LUA" or "lua5.4", server.account, options), plugin)
  end

  -- Without a cache: each new version of a blob has a tag of its own, even with the same content,
  -- so that what is cached of it looks like memory that is lost. With one: a file that was replaced
  -- since it was opened is read from what came when it was opened.
  local with_cache = "concurrency.working_on_the_same_names"

  it("passes all cases but those that Azure cannot be asked for", function()
    local status, out, err = check(0, "")
    local failed, left_out, passed = {}, {}, 0
    for fine, name, rest in out:gmatch "\n(%l*) ?ok %d+ %- (%S+)([^\n]*)" do
      local why = rest:match "# SKIP the plugin (.*)"
      passed = passed + (fine == "" and rest == "" and 1 or 0)
      failed[#failed + 1] = fine ~= "" and name ~= with_cache and name or nil
      if why and (why:find "^wants no" or why:find "^shows a file") then
        left_out[#left_out + 1] = name
      end
    end
    assert.same({}, failed, out .. err)
    assert.is_true(status < 2, err)
    assert.same(declared, left_out)
    assert.is_true(passed > 230, passed .. " passed")
  end)

  it("passes with a cache what reads files that are replaced", function()
    local status, out, err = check(32 * 1024 * 1024, "--only " .. with_cache)
    assert.equal(0, status, out .. err)
  end)
end)
