-- gs by Google's own protocol, before each of its emulators: files, directories, trees, and a
-- server that is killed.
local fails = require "spec.support.fails"
local gs = require "spec.support.gs"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024
local uri = "gs://checked/"

local function large(n)
  local line = {}
  for i = 1, 64 do line[i] = ("%08d-%07x\n"):format(i * 7919, i * 104729 % 0xfffffff) end
  return (table.concat(line):rep(math.ceil(n / 1088)):sub(1, n))
end

gs.describe("gs", { part_bytes = 5 * MIB, cache_bytes = 8 * MIB }, function(server)
  it("writes, reads, appends, copies and deletes files of every size", function()
    for i, n in ipairs { 0, 1, 100000, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 12 * MIB + 77 } do
      local path, content = uri .. "sizes/" .. i, large(n)
      assert(modfs.write(path, content))
      assert.equal(n, modfs.size(path))
      assert.is_true(content == modfs.read(path))
      assert(modfs.append(path, "more"))
      assert.is_true(content .. "more" == modfs.read(path))
      assert(modfs.copy(path, path .. " copied"))
      assert.is_true(content .. "more" == modfs.read(path .. " copied"))
      assert(modfs.rename(path .. " copied", path .. " renamed"))
      assert.equal(n + 4, modfs.size(path .. " renamed"))
      assert(modfs.remove(path .. " renamed"))
      fails("NOT_FOUND", modfs.read(path .. " renamed"))
    end
    assert.equal(7, #modfs.listdir(uri .. "sizes"))
  end)

  it("keeps its place in a file that is published in between", function()
    local writer, all = assert(modfs.open(uri .. "synced", "w")), {}
    for i = 1, 4 do
      all[i] = large(3 * MIB * i % (7 * MIB) + i)
      assert(writer:write(all[i]))
      assert(writer:sync())
      assert.is_true(table.concat(all) == modfs.read(uri .. "synced"))
    end
    assert(writer:close())
    assert.same({ "synced" }, modfs.glob(uri .. "*sync*") and modfs.listdir(uri .. "") and
      { (modfs.glob(uri .. "*sync*")[1]:match "[^/]*$") })
    for _, name in ipairs(modfs.listdir(uri)) do
      assert.is_nil(name:find("^%.modfs"), name)
    end
  end)

  it("takes any name for what it is", function()
    local names = { "with space", "plus+", "%25", "a%2Fb", "q?x=1&y", "#hash", "semi;colon:", "é",
      "\226\130\172", "\240\159\152\128", "it's", 'dou"ble', "back\\slash", "star*[x]", "(p)|@!",
      "tab\there", ("n"):rep(200) }
    for i, name in ipairs(names) do
      assert(modfs.write(uri .. "names/" .. name, name .. i))
    end
    local sorted = { (table.unpack or unpack)(names) }
    table.sort(sorted)
    assert.same(sorted, modfs.listdir(uri .. "names"))
    for i, name in ipairs(names) do
      assert.equal(name .. i, modfs.read(uri .. "names/" .. name))
      assert(modfs.copy(uri .. "names/" .. name, uri .. "copies/" .. name))
      assert(modfs.remove(uri .. "names/" .. name))
    end
    fails("NOT_FOUND", modfs.listdir(uri .. "names"))
    assert.same(sorted, modfs.listdir(uri .. "copies"))
    assert.is_true(modfs.rmtree(uri .. "copies"))
    fails("NOT_FOUND", modfs.listdir(uri .. "copies"))
  end)

  it("lists more than a page of files, and deletes them", function()
    -- The other one takes 20 ms and more for each.
    local place, count = tmpdir.new(), server.name == "fake-gcs-server" and 1200 or 100
    shell.output(("mkdir -p %s/t/d && cd %s/t && for i in $(seq %d); do echo $i >f$i; done; " ..
      "for i in $(seq 30); do echo $i >d/$i; done"):format(place, place, count))
    assert.equal(count + 30, assert(modfs.copytree(place .. "/t", uri .. "many")).files)
    assert.equal(count + 1, #modfs.listdir(uri .. "many"))
    assert.same({ files = count + 30, dirs = 2, bytes = modfs.du(place .. "/t").bytes },
      modfs.du(uri .. "many"))
    assert(modfs.copytree(uri .. "many", place .. "/back"))
    assert.equal("", shell.output(("diff -r %s/t %s/back"):format(place, place)))
    assert.same({ true, 0, 0 }, { modfs.rmtree(uri .. "many") })
    fails("NOT_FOUND", modfs.listdir(uri .. "many"))
    tmpdir.remove(place)
  end)

  it("keeps a tree as it was, with modes and times", function()
    local place = tmpdir.new()
    shell.output(("mkdir -p %s/t/empty %s/t/a && cd %s/t && echo one >a/one && " ..
      "chmod 640 a/one && " ..
      "touch -d @1000000000.123456789 a/one && : >none && touch -d @5 none"):format(place,
      place, place))
    local options = { preserve = { "mtime", "mode" } }
    assert(modfs.copytree(place .. "/t", uri .. "kept", options))
    assert.equal(1000000000123456789, modfs.stat(uri .. "kept/a/one").mtime_nsec)
    assert(modfs.copytree(uri .. "kept", place .. "/back", options))
    local list = "cd %s && find . -type f -printf '%%P %%m %%T@ %%s\\n' -o -printf '%%P/\\n' | sort"
    assert.equal(shell.output(list:format(place .. "/t")), shell.output(list:format(place ..
      "/back")))
    assert.equal(0, modfs.sync(place .. "/t", uri .. "kept").copied)
    assert(modfs.chmod(uri .. "kept/a/one", 384))
    assert.equal(384, modfs.stat(uri .. "kept/a/one").mode)
    assert.equal(1000000000123456789, modfs.stat(uri .. "kept/a/one").mtime_nsec)
    assert.equal("one\n", modfs.read(uri .. "kept/a/one"))
    tmpdir.remove(place)
  end)

  it("makes and deletes buckets, and lists them", function()
    assert(modfs.mkdir "gs://another-bucket")
    fails("ALREADY_EXISTS", modfs.mkdir "gs://another-bucket")
    local found = {}
    for _, name in ipairs(assert(modfs.listdir "gs://")) do found[name] = true end
    assert.is_true(found["another-bucket"] and found.checked)
    assert(modfs.write("gs://another-bucket/file", "x"))
    fails("FAILED_PRECONDITION", modfs.rmdir "gs://another-bucket")
    assert(modfs.remove "gs://another-bucket/file")
    assert(modfs.rmdir "gs://another-bucket")
    fails("NOT_FOUND", modfs.listdir "gs://another-bucket")
    fails("NOT_FOUND", modfs.write("gs://another-bucket/file", "x"))
    fails("INVALID_ARGUMENT", modfs.read "gs://No/x")
    fails("INVALID_ARGUMENT", modfs.read "gs:///x")
  end)

  it("commits a transaction as a whole, or leaves no trace", function()
    local function run(ends)
      local tx = assert(modfs.filesystem "gs":start_transaction())
      local dir = uri .. "tx-" .. ends .. "/"
      assert(modfs.write(dir .. "old", "old"))
      assert(tx:add(dir:sub(1, -2)))
      assert(modfs.write(dir .. "new", large(6 * MIB)))
      assert(modfs.copy(dir .. "old", dir .. "copy"))
      assert(modfs.rename(dir .. "old", dir .. "renamed"))
      assert.same({ "old" }, modfs.listdir(dir))
      assert(tx[ends](tx))
      return modfs.listdir(dir)
    end
    assert.same({ "old" }, run "abort")
    assert.same({ "copy", "new", "renamed" }, run "commit")
    assert.is_true(large(6 * MIB) == modfs.read(uri .. "tx-commit/new"))
    assert.equal("old", modfs.read(uri .. "tx-commit/renamed"))
  end)

  it("gives up a file without a trace", function()
    local writer = assert(modfs.open(uri .. "given-up", "w", { atomic = true }))
    assert(writer:write(large(11 * MIB)))
    assert(writer:abort())
    fails("NOT_FOUND", modfs.stat(uri .. "given-up"))
  end)

  it("does not mix two versions of a file", function()
    assert(modfs.write(uri .. "versions", ("a"):rep(9 * MIB)))
    local file = assert(modfs.open(uri .. "versions"))
    assert.equal("a", file:pread(0, 1))
    assert(modfs.write(uri .. "versions", ("b"):rep(9 * MIB)))
    fails("ABORTED", file:pread(8 * MIB, 1))
    file:close()
    assert.equal("b", modfs.read(uri .. "versions"):sub(-1))
  end)

  it("tells the checksums that the server keeps", function()
    assert(modfs.write(uri .. "hashed", "content"))
    local one = assert(modfs.hash(uri .. "hashed", "etag"))
    assert.equal(one, modfs.hash(uri .. "hashed", "etag"))
    assert(modfs.write(uri .. "hashed", "other"))
    assert.is_true(one ~= modfs.hash(uri .. "hashed", "etag"))
  end)

  it("tells that the server was killed in the middle", function()
    local other = assert(gs.start(server.name))
    assert(modfs.config("gs", { endpoint = other.endpoint, retries = 1, connect_timeout_ms = 500 }))
    assert(modfs.mkdir "gs://killed")
    assert(modfs.write("gs://killed/read", large(20 * MIB)))
    local writer = assert(modfs.open("gs://killed/written", "w"))
    assert(writer:write(large(11 * MIB)))
    local file = assert(modfs.open "gs://killed/read")
    assert.is_true(large(20 * MIB):sub(1, 1000) == file:pread(0, 1000))
    other.kill()
    fails("UNAVAILABLE", file:pread(19 * MIB, 1000))
    local _, message = writer:write(large(11 * MIB))
    local _, last, code = writer:close()
    assert.equal("UNAVAILABLE", code, tostring(message) .. tostring(last))
    file:close()
    assert(modfs.config("gs", { endpoint = server.endpoint, retries = 3,
      connect_timeout_ms = 5000 }))
    fails("NOT_FOUND", modfs.stat(uri .. "written"))
    other.stop()
  end)
end)

gs.describe_server("gs by the protocol of S3", { protocol = "xml", anonymous = 0 }, function(server)
  it("is asked for by an option, and wants an HMAC key", function()
    assert.equal("xml", modfs.config "gs".protocol)
    local _, message, code = modfs.read "gs://bucket/file"
    assert.equal("UNAUTHENTICATED", code)
    assert.truthy(message:find("HMAC", 1, true), message)
    assert.is_nil(s3.missing())
    fails("INVALID_ARGUMENT", modfs.config("gs", { protocol = "grpc" }))
    assert.equal(0, server.seen "get")
    assert(modfs.config("gs", { protocol = "json", anonymous = 1 }))
    fails("NOT_FOUND", modfs.read "gs://bucket/file")
    assert.equal(1, server.seen "get")
  end)
end)
