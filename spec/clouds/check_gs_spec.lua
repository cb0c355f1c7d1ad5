-- The plugin of gs before `modfs check`, by Google's own protocol, on its emulators.
local checked = require "spec.support.checked"
local gs = require "spec.support.gs"
local shell = require "spec.support.shell"

-- The other one checks no preconditions, and takes 20 ms and more for a file.
local levels = { ["fake-gcs-server"] = 4, ["gcp-storage-emulator"] = 1 }

-- A patch sets metadata to null, which deletes it at Google; it becomes empty in fake-gcs-server.
local empties = { ["raw.set_xattrs.are_those_that_are_read"] = true,
  ["raw.xattrs.lose_nothing"] = true }

for _, name in ipairs(gs.emulators) do
  describe("modfs check of gs on " .. name, function()
    local server, reason
    if os.getenv "LD_PRELOAD" then
      reason = "a checker of memory stands in the place of the shim"
    else
      server, reason = gs.start(name)
    end
    if not server then
      pending(reason)
      return
    end

    teardown(function() server.stop() end)

    it("passes all cases but those that objects cannot be asked for", function()
      shell.output("env -u LD_PRELOAD curl -sf -d '{\"name\":\"checked\"}' -H " ..
        "'Content-Type: application/json'", server.endpoint .. "/storage/v1/b?project=p")
      local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
        "/modfs/plugins/gs.so"
      local seen = checked(("env HOME=/none MODFS_GS_ENDPOINT=%s %s bin/modfs " ..
        "check --scheme gs --seconds 120 --tap --root gs://checked/root --strict %d"):format(
        server.endpoint, os.getenv "LUA" or "lua5.4", levels[name]), plugin)
      local failed = {}
      for _, case in ipairs(seen.failed) do
        failed[#failed + 1] = not (name == "fake-gcs-server" and empties[case]) and case or nil
      end
      assert.same({}, failed, seen.out .. seen.err)
      assert.is_true(seen.passed > (levels[name] == 4 and 300 or 90), seen.passed ..
        " passed, status " .. seen.status)
    end)
  end)
end
