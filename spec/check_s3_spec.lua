-- The plugin of s3 before `modfs check`, on a real Ceph.
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"

-- Cases that are left out for what S3 is.
local declared = { "upstream.003.TestCreateFileNonExisting",
  "upstream.007.TestAppendFileNonExisting", "upstream.014.TestCreateThenReadFile",
  "upstream.055.TestRenameFileDestinationParentNotFound", "writing.shows_what_was_flushed",
  "replacing.copy_file.into_a_missing_parent", "state.append.of_two_writers_goes_to_the_end",
  "state.any.order_of_changes_shows_1", "state.any.order_of_changes_shows_2" }

describe("modfs check of s3", function()
  local ceph, reason
  if os.getenv "LD_PRELOAD" then
    reason = "a checker of memory stands in the place of the shim"
  else
    ceph, reason = s3.start { "checked", shards = 1 }
  end
  if not ceph then
    pending(reason)
    return
  end

  teardown(function() ceph.stop() end)

  local function check(endpoint, options)
    local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
      "/modfs/plugins/s3.so"
    return shell.run(("env MODFS_S3_ENDPOINT=%s MODFS_S3_CA_FILE=%s MODFS_S3_ACCESS_KEY_ID=%s " ..
      "MODFS_S3_SECRET_ACCESS_KEY=%s %s bin/modfs check --scheme s3 --seconds 120 --tap " ..
      "--root s3://checked/root %s"):format(endpoint, ceph.ca, ceph.one.key, ceph.one.secret,
      os.getenv "LUA" or "lua5.4", options), plugin)
  end

  it("passes over TLS, in short", function()
    local status, out, err = check(ceph.https, "--strict 1")
    assert.is_nil(out:find("\nnot ok", 1, true), out)
    assert.equal(0, status, err)
    assert.is_true(select(2, out:gsub("\nok ", "")) > 95)
  end)

  it("passes all cases but those that S3 cannot be asked for", function()
    local status, out, err = check(ceph.http, "")
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
    assert.truthy(out:find("\nok %d+ %- raw%.cleanup%.without_close_keeps_what_was_written\n"),
      "what TensorFlow relies on is excused by nothing that a plugin declares")
    assert.is_true(passed > 230, passed .. " passed")
    assert.equal(0, ceph.uploads "checked")
  end)
end)
