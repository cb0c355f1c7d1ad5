-- A plugin that was built for TensorFlow loads in modfs unchanged: the gs of tensorflow-io, from
-- its wheel, before fake-gcs-server.
local child = require "spec.support.child"
local clouds = require "spec.support.clouds"
local gs = require "spec.support.gs"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local plugin = shell.output("find " .. clouds ..
  "/tensorflow-gcs-* -name 'libtensorflow_io_gcs_filesystem.so' 2>/dev/null | tail -1 || true")

-- Without these it makes a string of a NULL pointer when it is first used.
local variables = "GCS_READ_CACHE_BLOCK_SIZE_MB=1 GCS_READ_CACHE_MAX_SIZE_MB=0 " ..
  "GCS_READ_CACHE_MAX_STALENESS=0 GCS_STAT_CACHE_MAX_AGE=0 GCS_STAT_CACHE_MAX_ENTRIES=0 "

describe("the gs of tensorflow-io", function()
  local server, reason
  if os.getenv "LD_PRELOAD" then
    reason = "a sanitizer's library comes before the plugin's"
  elseif plugin == "" then
    reason = "tensorflow-io-gcs-filesystem is not installed in " .. clouds ..
      ": scripts/setup.sh clouds"
  else
    server, reason = gs.start "fake-gcs-server"
  end
  if not server then
    pending(reason)
    return
  end

  local relay, environment

  setup(function()
    local log = server.place .. "/relay"
    relay = shell.output(("python3 spec/fixtures/tensorflow/relay.py %s >%s 2>&1 & echo $!"):format(
      server.endpoint:match "%d+$", log))
    shell.output(("timeout 30 sh -c 'until [ -s %s ]; do sleep 0.05; done'"):format(log))
    environment = "env CLOUD_STORAGE_EMULATOR_ENDPOINT=http://127.0.0.1:" ..
      tmpdir.content(log):match "%d+" .. " "
    shell.output("env -u LD_PRELOAD curl -sf -d '{\"name\":\"checked\"}' -H " ..
      "'Content-Type: application/json'", server.endpoint .. "/storage/v1/b?project=p")
    assert(modfs.config("gs", { endpoint = server.endpoint, protocol = "json", anonymous = 1 }))
  end)

  teardown(function()
    shell.run("kill " .. relay)
    server.stop()
  end)

  -- Runs code that has loaded the plugin.
  local function with_plugin(code)
    local status, out, err = child(([[
      local modfs = require "modfs"
      assert(modfs.load(%q, { trust = true }))
      ]]):format(plugin) .. code, { under = environment .. variables })
    assert.equal(0, status, out .. err)
    return out
  end

  local function check(names, more)
    local _, out, err = shell.run(("%s %s %s bin/modfs check --scheme gs --tap %s --root " ..
      "gs://checked/%s"):format(environment, names, os.getenv "LUA" or "lua5.4", more, tostring(
      os.time())), plugin)
    return out, out .. err
  end

  it("loads as it is, and would in the releases of TensorFlow that it was built for", function()
    local out = shell.output((os.getenv "LUA" or "lua5.4") .. " bin/modfs inspect", plugin)
    assert.is_truthy(out:find("would load", 1, true), out)
    assert.is_truthy(out:find "schemes +gs\n", out)
    assert.is_truthy(out:find "in TensorFlow +yes in 2%.6 to 2%.20", out)
    assert.equal("gs\n", with_plugin [[
      print(table.concat(modfs.schemes(), " "):match "gs")]])
  end)

  -- Of what it reads, a piece of more than 16 KiB overflows a buffer of its client for Google.
  it("writes what the gs of modfs reads, and reads what that wrote", function()
    assert(modfs.write("gs://checked/ours/a b/ü", ("0123456789"):rep(1500)))
    assert.equal("15000 true\nfalse\n", with_plugin [[
      local content = modfs.read "gs://checked/ours/a b/ü"
      print(#content .. " " .. tostring(content == ("0123456789"):rep(1500)))
      print(modfs.exists "gs://checked/none")
      assert(modfs.write("gs://checked/theirs/small", "from the other side"))
      assert(modfs.write("gs://checked/theirs/empty", ""))]])
    assert.equal("from the other side", modfs.read "gs://checked/theirs/small")
    assert.equal("", modfs.read "gs://checked/theirs/empty")
  end)

  it("is one end of a copied tree", function()
    assert.equal("OK\n", with_plugin [[
      for i = 1, 20 do
        assert(modfs.makedirs("mem://from/d" .. i % 4))
        assert(modfs.write(("mem://from/d%d/f%d"):format(i % 4, i), ("x"):rep(i * 700)))
      end
      assert(modfs.copytree("mem://from", "gs://checked/tree"))
      assert(modfs.copytree("gs://checked/tree", "mem://back"))
      local different = 0
      for path in modfs.walk "mem://from" do
        for _, name in ipairs(modfs.listdir(path)) do
          local at = path .. "/" .. name
          local back = at:gsub("from", "back", 1)
          if not modfs.isdir(at) and modfs.read(at) ~= modfs.read(back) then
            different = different + 1
          end
        end
      end
      print(different == 0 and "OK" or different)]])
    assert.equal(3500, modfs.size "gs://checked/tree/d1/f5")
  end)

  it("fails cases of modfs check by what it answers alone", function()
    local out, all = check(variables, "--strict 1")
    local passed, failed = out:match "# (%d+) passed, (%d+) failed"
    assert.is_true(tonumber(passed or 0) >= 65, all)
    assert.is_true(tonumber(failed) > 0, all)
    for why in out:gmatch "\n# why: ([^\n]*)" do
      assert.is_truthy(why:find "^expected ", why)
    end
  end)

  it("is told to crash where its five variables are not set", function()
    local out, all = check("", "--only upstream.001.TestTranslateName")
    assert.is_truthy(out:find("crashes: SIGSEGV", 1, true), all)
    assert.is_truthy(out:find("create_dir", 1, true), all)
  end)
end)
