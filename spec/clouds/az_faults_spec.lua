-- az when the server is killed in the middle, and when it answers badly: every fault is told, no
-- blob is half there, and no byte is wrong.
local azurite = require "spec.support.azurite"
local fails = require "spec.support.fails"
local is_whole = require "spec.support.is_whole"
local modfs = require "modfs"
local random = require "spec.support.random"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local MIB = 1024 * 1024

describe("az, when Azurite is killed", function()
  local server, reason = azurite.start { "con", kept = true }
  if not server then
    pending(reason)
    return
  end
  local root = "az://" .. server.account .. "/con/"
  local old, new = ("old content "):rep(400000), ("0123456789abcdef"):rep(6 * MIB / 16)

  setup(function()
    assert(modfs.config("az", { part_bytes = MIB, retries = 0 }))
    assert(modfs.write(root .. "file", old))
    assert(modfs.write(root .. "large", new))
    shell.run "sleep 6" -- Azurite writes to its disk every five seconds
  end)
  teardown(function()
    assert(modfs.config("az", { retries = 3 }))
    server.stop()
  end)

  it("with parts in flight, close fails and the old blob stays", function()
    local file = assert(modfs.open(root .. "file", "w", { atomic = true }))
    assert(file:write(new:sub(1, 3 * MIB)))
    server.kill()
    local failed
    for _ = 1, 3 do
      failed = failed or not file:write(new:sub(1, MIB))
    end
    failed = not file:close() or failed
    assert.is_true(failed)
    server.start()
    assert.is_true(is_whole(root .. "file", old))
    assert.is_true(modfs.exists(root .. "file"))
  end)

  it("between the parts and the end, close fails and the old blob stays", function()
    local file = assert(modfs.open(root .. "file", "w", { atomic = true }))
    assert(file:write(new))
    assert(file:flush())
    server.kill()
    local closed, message, code = file:close()
    assert.is_nil(closed)
    assert.equal("UNAVAILABLE", code, message)
    server.start()
    assert.is_true(is_whole(root .. "file", old))
  end)

  it("in the middle of reading, the rest fails, and can be read when it is back", function()
    assert(modfs.config("az", { cache_bytes = 0 }))
    local file = assert(modfs.open(root .. "large"))
    assert.equal(new:sub(1, 100), file:pread(0, 100))
    server.kill()
    fails("UNAVAILABLE", file:pread(5 * MIB, 100))
    server.start()
    assert.equal(new:sub(5 * MIB + 1, 5 * MIB + 100), file:pread(5 * MIB, 100))
    file:close()
    assert(modfs.config("az", { cache_bytes = 32 * MIB }))
  end)

  it("at random moments, what was written is there as a whole or not at all", function()
    local told, rounds = 0, tonumber(os.getenv "MODFS_AZ_KILLS" or 4)
    local draw = random(1)
    for round = 1, rounds do
      os.execute(("(sleep %.3f; kill -KILL %s) >/dev/null 2>&1 &"):format(draw(250) / 1000,
        server.pid))
      local good = modfs.write(root .. "random" .. round, new)
      local read = modfs.read(root .. "large")
      assert.is_true(not read or read == new)
      told = told + (good and 0 or 1)
      server.await()
      server.start()
      assert.is_true(is_whole(root .. "random" .. round, new))
    end
    assert.is_true(told <= rounds)
  end)

  it("with retries, a write survives a server that is away for a moment", function()
    assert(modfs.config("az", { retries = 20 }))
    local file = assert(modfs.open(root .. "survives", "w"))
    assert(file:write(new:sub(1, 1.5 * MIB)))
    assert(file:flush())
    server.kill()
    server.start()
    assert(file:write(new:sub(1.5 * MIB + 1)))
    local closed, _, code = file:close()
    -- Azurite may have lost the parts that it had in memory; then it is told.
    assert.is_true(closed and is_whole(root .. "survives", new) or code == "ABORTED")
    assert(modfs.config("az", { retries = 0 }))
  end)

  it("half a blob would be found (the control)", function()
    assert(modfs.write(root .. "half", new:sub(1, 3 * MIB)))
    assert.is_false(is_whole(root .. "half", new))
  end)
end)

describe("az, before a server that answers badly,", function()
  local reason = azurite.missing() or web.missing()
  if reason then
    pending(reason)
    return
  end
  local place, pid, url

  setup(function()
    place = tmpdir.new()
    local port
    pid, port = web.launch("spec/fixtures/az/faces.lua", place .. "/port", place)
    url = "http://127.0.0.1:" .. port
  end)
  teardown(function()
    assert(modfs.config("az", { retries = 3, check_names = 1, if_none_match = 0 }))
    web.stop(pid, place)
  end)

  local function face(way, options)
    assert(modfs.config("az", { endpoint = url .. "/" .. way, account = "acc", account_key = "a2V5",
      retries = 0, check_names = 1, if_none_match = 0 }))
    if options then assert(modfs.config("az", options)) end
    return "az://acc/con/"
  end

  it("a copy that takes its time is waited for, and one that fails is told", function()
    local target = "az://acc/con/copy"
    assert(modfs.copy(face "pending" .. "file", target))
    local message = fails("UNAVAILABLE", modfs.copy(face "copyfails" .. "file", target))
    assert.truthy(message:find("reports the copy as failed", 1, true), message)
  end)

  it("no signature is repeated that the server repeats", function()
    local message = fails("UNAUTHENTICATED", modfs.read(face "denied403" .. "file"))
    assert.truthy(message:find("AuthenticationFailed: It is so., request", 1, true) or
      message:find("AuthenticationFailed: It is so.", 1, true), message)
    assert.is_nil(message:find("SharedKey", 1, true), message)
  end)

  it("a wrong clock is corrected once, by the server's", function()
    assert(modfs.write(face("clock", { check_names = 0 }) .. "file", "x"))
  end)

  it("a clock that is wrong is told, by how much", function()
    local message = fails("UNAUTHENTICATED", modfs.read(face "early" .. "file"))
    assert.truthy(message:find("clock of this machine is 20 minutes ahead of the server's: set it",
      1, true), message)
  end)

  it("a blob that somebody has leased is not written", function()
    local path = face("leased", { check_names = 0 }) .. "f"
    local message = fails("FAILED_PRECONDITION", modfs.write(path, "x"))
    assert.truthy(message:find("holds a lease", 1, true), message)
  end)

  it("a listing that is cut, endless, of something else, or none, is DATA_LOSS", function()
    for _, way in ipairs { "cutlist", "endless", "mixed", "notlist" } do
      fails("DATA_LOSS", modfs.listdir(face(way) .. "dir"))
    end
  end)

  it("pages are followed to the last, also empty ones", function()
    local names = modfs.listdir(face "paged" .. "dir")
    table.sort(names)
    assert.same({ "a", "b", "c" }, names)
  end)

  it("encoded names are decoded, others are not", function()
    local names = modfs.listdir(face "encoded" .. "dir")
    table.sort(names)
    assert.same({ "a\239\191\191b%25", "c%25" }, names)
  end)

  it("a copy of what is appended to is asked for again, where the server is busy", function()
    assert(modfs.append(face("busyblock", { check_names = 0, retries = 2 }) .. "file", "more"))
    local blocks = 0
    for line in modfs.read(url .. "/log/seen"):gmatch "[^\n]+" do
      blocks = blocks + (line:find("^PUT /busyblock/.*comp=block&") and 1 or 0)
    end
    assert.equal(3, blocks) -- the copy twice, and what is appended
  end)

  it("a write whose response was lost is found to have succeeded", function()
    local options = { check_names = 0, if_none_match = 1, retries = 2 }
    assert(modfs.write(face("lost", options) .. "good", "hello"))
  end)

  it("a write that another has made in its place is told (the control)", function()
    local options = { check_names = 0, if_none_match = 1, retries = 2 }
    fails("ALREADY_EXISTS", modfs.write(face("lost", options) .. "other", "olleh"))
  end)
end)
