-- az before a real Azurite: what is Azure's own. What every filesystem must do belongs to
-- spec/clouds/check_az_spec.lua.
local azurite = require "spec.support.azurite"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024

describe("az", function()
  local server, reason = azurite.start { "first", "second" }
  if not server then
    pending(reason)
    return
  end
  teardown(server.stop)

  local root = "az://" .. server.account .. "/"

  setup(function() assert(modfs.config("az", { part_bytes = MIB })) end)

  local function fails(code, words, ...)
    local result, message, found = ...
    assert.is_nil(result)
    assert.equal(code, found, message)
    assert.truthy(message:find(words, 1, true), message)
  end

  it("writes small and large blobs, reads them and lists them", function()
    local large = ("0123456789abcdef"):rep(5 * MIB / 16) .. "end"
    assert(modfs.write(root .. "first/a/small", "hello"))
    assert(modfs.write(root .. "first/a/large", large))
    assert(modfs.write(root .. "first/a/empty", ""))
    assert.equal("hello", modfs.read(root .. "first/a/small"))
    assert.is_true(large == modfs.read(root .. "first/a/large"))
    assert.equal("", modfs.read(root .. "first/a/empty"))
    assert.same({ "empty", "large", "small" }, modfs.listdir(root .. "first/a"))
    assert.equal(#large, modfs.stat(root .. "first/a/large").length)
    local file = assert(modfs.open(root .. "first/a/large"))
    assert.equal("cdefend", file:pread(#large - 7, 100))
    file:close()
  end)

  it("lists containers and accounts, and makes and removes containers", function()
    assert.same({ "first", "second" }, modfs.listdir(root))
    assert.same({ server.account }, modfs.listdir "az://")
    assert(modfs.mkdir(root .. "third"))
    assert.is_true(modfs.isdir(root .. "third"))
    fails("ALREADY_EXISTS", "", modfs.mkdir(root .. "third"))
    assert(modfs.write(root .. "third/x", "x"))
    fails("FAILED_PRECONDITION", "not empty", modfs.rmdir(root .. "third"))
    assert(modfs.remove(root .. "third/x"))
    assert(modfs.rmdir(root .. "third"))
    assert.same({ "first", "second" }, modfs.listdir(root))
    fails("NOT_FOUND", "ContainerNotFound", modfs.write(root .. "nothere/x", "x"))
  end)

  it("copies and renames in the service, with metadata, between containers, too", function()
    assert(modfs.write(root .. "first/source", "content"))
    assert(modfs.utime(root .. "first/source", 1500000000123456789))
    assert(modfs.chmod(root .. "first/source", 384))
    assert(modfs.copy(root .. "first/source", root .. "second/copy"))
    assert(modfs.rename(root .. "second/copy", root .. "second/moved"))
    assert.equal("content", modfs.read(root .. "second/moved"))
    local stat = modfs.stat(root .. "second/moved")
    assert.equal(1500000000, math.floor(stat.mtime))
    assert.equal(384, modfs.lstat(root .. "second/moved").mode & 511)
    assert.is_false(modfs.exists(root .. "second/copy"))
  end)

  it("appends to blobs of blocks and to others, and keeps what others changed", function()
    for _, size in ipairs { 10, 5 * MIB } do
      local path, content = root .. "first/grows" .. size, ("x"):rep(size)
      assert(modfs.write(path, content))
      assert(modfs.append(path, "one"))
      assert(modfs.append(path, ("y"):rep(MIB)))
      assert.is_true(content .. "one" .. ("y"):rep(MIB) == modfs.read(path))
      local file = assert(modfs.open(path, "a"))
      assert(file:write(("z"):rep(2 * MIB)))
      assert(modfs.write(path, "another"))
      local closed, _, code = file:close()
      assert.is_nil(closed)
      assert.equal("ABORTED", code)
      assert.equal("another", modfs.read(path))
    end
  end)

  it("appends to a blob that was put as a whole, and that the service does not copy", function()
    assert(modfs.config("az", { part_bytes = 8 * MIB }))
    local content = ("0123456789abcdef"):rep(6 * MIB / 16)
    assert(modfs.write(root .. "first/whole", content)) -- one Put Blob
    assert(modfs.config("az", { part_bytes = MIB }))
    assert(modfs.append(root .. "first/whole", "end"))
    assert.is_true(content .. "end" == modfs.read(root .. "first/whole"))
  end)

  it("publishes with sync, again and again", function()
    local file, content = assert(modfs.open(root .. "first/synced", "w")), ""
    for i = 1, 4 do
      local piece = (tostring(i)):rep(1.5 * MIB)
      assert(file:write(piece))
      content = content .. piece
      assert(file:sync())
      assert.is_true(content == modfs.read(root .. "first/synced"))
    end
    assert(file:write "end")
    assert(file:close())
    assert.is_true(content .. "end" == modfs.read(root .. "first/synced"))
  end)

  it("leaves no trace of a file that is given up", function()
    assert(modfs.write(root .. "first/kept", "old"))
    local file = assert(modfs.open(root .. "first/kept", "w", { atomic = true }))
    assert(file:write(("n"):rep(3 * MIB)))
    assert(file:abort())
    assert.equal("old", modfs.read(root .. "first/kept"))
    file = assert(modfs.open(root .. "first/never", "w", { atomic = true }))
    assert(file:write(("n"):rep(3 * MIB)))
    assert(file:abort())
    assert.is_false(modfs.exists(root .. "first/never"))
    assert(modfs.write(root .. "first/never", ("m"):rep(3 * MIB)))
    assert.is_true(("m"):rep(3 * MIB) == modfs.read(root .. "first/never"))
  end)

  it("tells the second of two writers of one large blob that the first has won", function()
    local path = root .. "first/contested"
    local one, two = assert(modfs.open(path, "w")), assert(modfs.open(path, "w"))
    assert(one:write(("1"):rep(3 * MIB)))
    assert(two:write(("2"):rep(3 * MIB)))
    assert(one:flush() and two:flush())
    assert(two:close())
    local closed, message, code = one:close()
    assert.is_nil(closed)
    assert.equal("ABORTED", code, message)
    assert.is_true(("2"):rep(3 * MIB) == modfs.read(path))
  end)

  it("never replaces a blob with if_none_match", function()
    assert(modfs.write(root .. "first/there", "old"))
    assert(modfs.config("az", { if_none_match = 1, check_names = 0 }))
    fails("ALREADY_EXISTS", "", modfs.write(root .. "first/there", "new"))
    fails("ALREADY_EXISTS", "", modfs.write(root .. "first/there", ("n"):rep(2 * MIB)))
    assert(modfs.config("az", { if_none_match = 0, check_names = 1 }))
    assert.equal("old", modfs.read(root .. "first/there"))
  end)

  describe("appends in place to append blobs,", function()
    setup(function() assert(modfs.config("az", { append_blobs = 1 })) end)
    teardown(function() assert(modfs.config("az", { append_blobs = 0 })) end)

    it("visibly with each flush, in blocks of 4 MiB", function()
      local path = root .. "first/log"
      local file = assert(modfs.open(path, "a"))
      assert(file:write "one\n")
      assert.equal("", modfs.read(path))
      assert(file:flush())
      assert.equal("one\n", modfs.read(path))
      assert(file:write(("x"):rep(9 * MIB)))
      assert.equal(8 * MIB + 4, modfs.stat(path).length)
      assert.equal(9 * MIB + 4, file:tell())
      assert(file:close())
      assert.is_true("one\n" .. ("x"):rep(9 * MIB) == modfs.read(path))
    end)

    it("of several writers each block whole, in some order", function()
      local path, files = root .. "first/shared", {}
      for i = 1, 4 do
        files[i] = assert(modfs.open(path, "a"))
      end
      for round = 1, 5 do
        for i, file in ipairs(files) do
          assert(file:write(("%d.%d "):format(i, round)))
          assert(file:flush())
        end
      end
      for _, file in ipairs(files) do
        assert(file:close())
      end
      local words = {}
      for word in modfs.read(path):gmatch "%S+" do
        words[#words + 1] = word
      end
      assert.equal(20, #words)
      assert.equal("4.5", words[20])
    end)

    it("not in a transaction, and not where a directory is", function()
      local path = root .. "first/staged"
      assert(modfs.append(path, "x"))
      local transaction = assert(modfs.filesystem(root):start_transaction())
      assert(transaction:add(path))
      fails("FAILED_PRECONDITION", "transaction", modfs.open(path, "a"))
      assert(transaction:abort())
      assert(modfs.write(root .. "first/adir/x", "x"))
      fails("FAILED_PRECONDITION", "directory", modfs.open(root .. "first/adir", "a"))
      assert(modfs.write(path, "replaced"))
      assert.equal("replaced", modfs.read(path))
    end)
  end)

  it("finds blobs by their names for Hadoop", function()
    local options = { endpoint = server.url, account = server.account, account_key = server.key }
    assert(modfs.config("abfs", options))
    assert(modfs.config("abfss", options))
    assert(modfs.write(root .. "first/hadoop/x", "x"))
    local host = server.account .. ".dfs.core.windows.net"
    for _, authority in ipairs { "abfs://first@" .. host, "abfss://first@" .. host, "abfs://first",
      "abfs://first@" .. host:gsub("dfs", "blob") } do
      local path = authority .. "/hadoop"
      assert.equal("x", modfs.read(path .. "/x"), path)
      assert.same({ "x" }, modfs.listdir(path))
      assert(modfs.write(path .. "/y", path))
      assert.equal(path, modfs.read(root .. "first/hadoop/y"))
      assert(modfs.remove(path .. "/y"))
    end
    assert.same({ "first", "second" }, modfs.listdir "abfs://")
    fails("FAILED_PRECONDITION", "endpoint_suffix",
      modfs.read("abfs://first@" .. server.account .. ".dfs.example.org/x"))
    fails("INVALID_ARGUMENT", "host of an account", modfs.read "abfs://first@example.org/x")
    local _, message = modfs.read("abfs://first@" .. host .. "/nothing")
    assert.equal(1, select(2, message:gsub("abfs://", "")), message)
  end)

  it("refuses names that Azure changes or does not allow", function()
    for name, words in pairs { ["a/../b"] = "part . or ..", ["a/."] = "part . or ..",
      ["a\239\191\191"] = "U+FFFF",
      ["x?sv=2021&sig=c4n4ry"] = "sas_token" } do
      local _, message, code = modfs.write(root .. "first/" .. name, "x")
      assert.equal("INVALID_ARGUMENT", code, name)
      assert.truthy(message:find(words, 1, true), message)
      assert.is_nil(message:find("c4n4ry", 1, true), message)
    end
    for _, path in ipairs { "az:///x/y", "az://UPPER/con/x", "az://" .. server.account .. "/a/x",
      "az://" .. server.account .. "/-ab/x", "az://" .. server.account .. "//x" } do
      assert.equal("INVALID_ARGUMENT", select(3, modfs.read(path)), path)
    end
  end)

  it("takes names that look encoded, and lists them as they are", function()
    local names = { "%41", "%2F", "a b", "a+b", "q?x=y#z", "ümläut", "&amp;<x>", "end.", "'\"",
      "back\\slash", "tab\t", "\1", "\127", "‛", "‛＼", "＼", "␁", "‛␁", "‛‛", "‛x", "‛\\",
      "‛\1", "␡\127", "␠" }
    for _, name in ipairs(names) do
      assert(modfs.write(root .. "second/odd/" .. name, name))
      assert.equal(name, modfs.read(root .. "second/odd/" .. name))
    end
    table.sort(names)
    local found = modfs.listdir(root .. "second/odd")
    table.sort(found)
    assert.same(names, found)
    assert(modfs.copy(root .. "second/odd/%41", root .. "first/q?x=y#z%"))
    assert.equal("%41", modfs.read(root .. "first/q?x=y#z%"))
    local seen = modfs.read(modfs.presign(root .. "second/odd/back\\slash", "GET", 60))
    assert.equal("back\\slash", seen)
    assert(modfs.rmtree(root .. "second/odd"))
  end)

  it("deletes what is there, once", function()
    assert(modfs.write(root .. "first/once", "x"))
    assert(modfs.remove(root .. "first/once"))
    fails("NOT_FOUND", "", modfs.remove(root .. "first/once"))
  end)

  it("copies, lists and deletes a tree of hundreds", function()
    local place = tmpdir.new()
    shell.output(("cd %s && mkdir d && seq -f n%%03.0f 300 | xargs touch && " ..
      "seq -f d/n%%03.0f 100 | xargs touch"):format(place))
    local report = assert(modfs.copytree(place, root .. "second/many"))
    assert.same({}, report.errors)
    local found = modfs.listdir(root .. "second/many")
    assert.equal(301, #found)
    table.sort(found)
    assert.equal("n300", found[301])
    assert(modfs.rmtree(root .. "second/many"))
    assert.is_false(modfs.exists(root .. "second/many"))
    tmpdir.remove(place)
  end)

  it("is described by doctor", function()
    local doctor = (os.getenv "LUA" or "lua5.4") .. " bin/modfs doctor"
    for _, scheme in ipairs { "az", "abfs", "abfss" } do
      local _, out = shell.run("env -u AZURE_STORAGE_KEY " .. doctor, scheme .. "://first")
      assert.truthy(out:find("no credentials: set option account_key", 1, true) or
        out:find(scheme .. ".so: serves it", 1, true), out)
    end
  end)
end)
