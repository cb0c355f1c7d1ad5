-- gs when the server is killed in the middle, and comes back with what it had: every fault is told,
-- no object is half there, and no byte is wrong.
local fails = require "spec.support.fails"
local gs = require "spec.support.gs"
local is_whole = require "spec.support.is_whole"
local modfs = require "modfs"
local random = require "spec.support.random"

local MIB = 1024 * 1024

describe("gs, when fake-gcs-server is killed", function()
  local server, reason = gs.start("fake-gcs-server", true)
  if not server then
    pending(reason)
    return
  end
  local root = "gs://killed/"
  local old, new = ("old content "):rep(500000), ("0123456789abcdef"):rep(16 * MIB / 16)

  setup(function()
    assert(modfs.config("gs", { endpoint = server.endpoint, protocol = "json", anonymous = 1,
      part_bytes = 5 * MIB, retries = 0, connect_timeout_ms = 500 }))
    assert(modfs.mkdir "gs://killed")
    assert(modfs.write(root .. "file", old))
    assert(modfs.write(root .. "large", new))
  end)
  teardown(function()
    assert(modfs.config("gs", { retries = 3, connect_timeout_ms = 5000, cache_bytes = 32 * MIB }))
    server.stop()
  end)

  it("with parts on their way, close fails and the old object stays", function()
    local file = assert(modfs.open(root .. "file", "w", { atomic = true }))
    assert(file:write(new:sub(1, 11 * MIB)))
    server.kill()
    file:write(new:sub(1, 6 * MIB))
    fails("UNAVAILABLE", file:close())
    server.start()
    assert.is_true(modfs.exists(root .. "file"))
    assert.is_true(is_whole(root .. "file", old))
  end)

  it("between the parts and the end, close fails and the old object stays", function()
    local file = assert(modfs.open(root .. "file", "w", { atomic = true }))
    assert(file:write(new))
    assert(file:flush())
    server.kill()
    fails("UNAVAILABLE", file:close())
    server.start()
    assert.is_true(is_whole(root .. "file", old))
    assert.is_true(modfs.exists(root .. "file"))
  end)

  it("in the middle of reading, the rest fails, and can be read when it is back", function()
    assert(modfs.config("gs", { cache_bytes = 0 }))
    local file = assert(modfs.open(root .. "large"))
    assert.equal(new:sub(1, 100), file:pread(0, 100))
    server.kill()
    fails("UNAVAILABLE", file:pread(15 * MIB, 100))
    server.start()
    assert.equal(new:sub(15 * MIB + 1, 15 * MIB + 100), file:pread(15 * MIB, 100))
    file:close()
    assert(modfs.config("gs", { cache_bytes = 32 * MIB }))
  end)

  it("at random moments, what was written is there as a whole or not at all", function()
    local draw = random(1)
    for round = 1, tonumber(os.getenv "MODFS_GS_KILLS" or 4) do
      os.execute(("(sleep %.3f; kill -KILL %s) >/dev/null 2>&1 &"):format(draw(250) / 1000,
        server.pid))
      local good, message, code = modfs.write(root .. "random" .. round, new)
      assert.truthy(good or code == "UNAVAILABLE", message)
      local read = modfs.read(root .. "large")
      assert.is_true(not read or read == new)
      server.kill()
      server.start()
      assert.is_true(is_whole(root .. "random" .. round, new))
      assert.truthy(not good or modfs.exists(root .. "random" .. round))
    end
  end)

  it("half an object would be found (the control)", function()
    assert(modfs.write(root .. "half", new:sub(1, 3 * MIB)))
    assert.is_false(is_whole(root .. "half", new))
  end)
end)
