-- What the plugin of s3 writes, to a real Ceph, looked at by another client.
local build = require "spec.fixtures.build"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024

-- n bytes that are nowhere the same for long.
local function bytes(n)
  local pieces, length, i = {}, 0, 0
  while length < n do
    i = i + 1
    pieces[i] = ("%d."):format(i * i)
    length = length + #pieces[i]
  end
  return table.concat(pieces):sub(1, n)
end

local function encoded(key)
  return (key:gsub("[^%w%-_%.~/]", function(c) return ("%%%02X"):format(c:byte()) end))
end

s3.describe("s3, writing", { "writing", "other" }, { part_bytes = 5 * MIB }, function(ceph)
  local uri = "s3://writing/"
  local content

  -- What curl finds there; nil for nothing.
  local function other(key)
    local file = ceph.place .. "/other"
    os.remove(file)
    local status = ceph.curl("-f", "--path-as-is", "-o", file,
      ceph.http .. "/writing/" .. encoded(key))
    return status == 0 and (tmpdir.content(file) or "") or nil
  end

  local function headers(key)
    local status, out = ceph.curl("-f", "-I", "--path-as-is",
      ceph.http .. "/writing/" .. encoded(key))
    return status == 0 and out:lower() or nil
  end

  -- Not by assert.equal, which would print megabytes.
  local function same(expected, found)
    assert.is_true(expected == found, ("%d bytes, not the %d expected"):format(
      found and #found or -1, #expected))
  end

  local function keys(prefix)
    local status, out, err = ceph.s3cmd("ls", "-r", "s3://writing/" .. prefix)
    assert(status == 0, err)
    local list = {}
    for key in out:gmatch "s3://writing/([^\n]*)" do
      list[#list + 1] = key
    end
    return list
  end

  setup(function() content = bytes(16 * MIB) end)

  after_each(function()
    assert.equal(0, ceph.uploads "writing")
    assert(modfs.config("s3", { if_none_match = 0, storage_class = "", copy_bytes = 2 ^ 30,
      sign_content = 1 }))
  end)

  it("carries checksums also to a server that does not know them", function()
    local summed
    assert(modfs.config("s3", { checksum = "crc32c" }))
    for _, size in ipairs { 9, 6 * MIB } do
      summed = bytes(size)
      assert(modfs.write(uri .. "summed", summed))
      assert.is_true(summed == modfs.read(uri .. "summed"))
    end
    assert(modfs.append(uri .. "summed", "more"))
    assert(modfs.config("s3", { checksum = "auto" }))
    assert.is_true(summed .. "more" == modfs.read(uri .. "summed"))
  end)

  it("writes files of every size around a part, byte for byte", function()
    for _, n in ipairs { 0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 10 * MIB, 10 * MIB + 1,
      16 * MIB } do
      local data = content:sub(1, n)
      assert(modfs.write(uri .. "size", data))
      same(data, other "size")
      assert.equal(n, modfs.size(uri .. "size"))
      same(data, modfs.read(uri .. "size"))
    end
    modfs.flush_caches() -- of more blocks than are kept for their memory
    same(content, modfs.read(uri .. "size"))
  end)

  it("gathers what comes in pieces", function()
    local file = assert(modfs.open(uri .. "pieces", "w"))
    local at, n = 1, 1
    while at <= #content do
      assert(file:write(content:sub(at, at + n - 1)))
      at, n = at + n, n * 3 % 999983 + 1
    end
    assert.equal(#content, file:tell())
    assert(file:close())
    same(content, other "pieces")
  end)

  local awkward = { "with space", "a+b", "grün/ß/漢字/🜁", "100%", "%20", "a//b", "/leading", "a/./b",
    "a/../b", "..", ".", "tab\tin", "bell\7", "\1", "del\127", "quote\"'", "<&>", "a?b=c&d", "#x",
    "back\\slash", "star*[a]?", "semi;colon", "~tilde", "=", "a:b@c", "\239\191\190",
    ("x"):rep(1024), ("k/"):rep(511) .. "yz" }

  it("writes, copies, renames and deletes awkward keys", function()
    for i, key in ipairs(awkward) do
      local data = "content of " .. i
      assert(modfs.write(uri .. key, data))
      assert.equal(data, other(key), key)
      assert.equal(data, modfs.read(uri .. key), key)
      assert.equal(#data, assert(modfs.stat(uri .. key)).length)
      assert(modfs.copy(uri .. key, uri .. "copy"))
      assert.equal(data, other "copy")
      assert(modfs.copy(uri .. "copy", "s3://other/" .. key))
      assert.equal(data, modfs.read("s3://other/" .. key))
      assert(modfs.rename(uri .. key, uri .. "renamed"))
      assert.is_nil(other(key), key)
      assert.equal(data, other "renamed")
      assert(modfs.rename(uri .. "renamed", uri .. key))
      assert(modfs.remove(uri .. key))
      assert.is_nil(other(key), key)
    end
    fails("INVALID_ARGUMENT", modfs.write(uri .. ("x"):rep(1025), "x"))
    fails("INVALID_ARGUMENT", modfs.write(uri .. "two\nlines", "x"))
    assert(modfs.rmtree "s3://other")
  end)

  describe("a file that is being written", function()
    it("is there for nobody before it is closed", function()
      local small, large = assert(modfs.open(uri .. "s", "w")), assert(modfs.open(uri .. "l", "w"))
      assert(small:write("small"))
      assert(large:write(content))
      assert(small:flush())
      assert(large:flush())
      assert.is_nil(other "s")
      assert.is_nil(other "l")
      assert.is_false(modfs.exists(uri .. "l"))
      assert(small:close())
      assert(large:close())
      assert.equal("small", other "s")
      same(content, other "l")
    end)

    it("leaves the old one whole until then", function()
      assert(modfs.write(uri .. "replaced", "old"))
      local file = assert(modfs.open(uri .. "replaced", "w"))
      assert(file:write(content))
      assert.equal("old", other "replaced")
      assert(file:close())
      same(content, other "replaced")
    end)

    it("leaves the old one for good when it is given up", function()
      for _, piece in ipairs { "new", content } do
        for _, options in ipairs { {}, { atomic = true } } do
          assert(modfs.write(uri .. "given_up", "old"))
          local file = assert(modfs.open(uri .. "given_up", "w", options))
          assert(file:write(piece))
          assert(file:abort())
          assert.equal("old", other "given_up")
        end
      end
      local half = 0
      assert(modfs.write("mem://half", content))
      local _, _, code = modfs.copy("mem://half", uri .. "given_up", { progress = function(done)
        half = done
        return done < #content / 2
      end })
      assert.equal("CANCELLED", code)
      assert.is_true(half < #content)
      assert.equal("old", other "given_up")
    end)

    it("is published where nobody closes it, but not an atomic one", function()
      for wanted, options in pairs { new = {}, old = { atomic = true } } do
        assert(modfs.write(uri .. "forgotten", "old"))
        local file = assert(modfs.open(uri .. "forgotten", "w", options))
        assert(file:write "new")
        file = nil -- luacheck: ignore 311
        collectgarbage()
        collectgarbage()
        assert.equal(wanted, other "forgotten")
      end
      assert(modfs.write(uri .. "forgotten", "atomic", { atomic = true }))
      assert.equal("atomic", other "forgotten")
    end)

    it("is published by sync, and goes on", function()
      local file, written = assert(modfs.open(uri .. "synced", "w")), ""
      for _, n in ipairs { 3, 0, 5, 6 * MIB, 1, 11 * MIB, 7 } do
        local piece = content:sub(1, n)
        assert(file:write(piece))
        written = written .. piece
        assert(file:sync())
        same(written, other "synced")
        assert.equal(#written, file:tell())
      end
      assert(file:write("end"))
      assert(file:close())
      same(written .. "end", other "synced")
    end)

    it("is looked for among directories, unless check_names is 0", function()
      assert(modfs.write(uri .. "new/directories/on/the/way", "x"))
      fails("FAILED_PRECONDITION", modfs.open(uri .. "new/directories", "a"))
      fails("FAILED_PRECONDITION", modfs.open(uri .. "new/directories/", "w"))
      assert(modfs.rmtree(uri .. "new"))
      assert(modfs.write(uri .. "new", "a file in the place of a directory"))
      fails("FAILED_PRECONDITION", modfs.open(uri .. "new/far/below", "w"))
      fails("NOT_FOUND", modfs.open("s3://no-such-bucket/file", "w"))
      assert(modfs.config("s3", { check_names = 0 }))
      assert(modfs.write(uri .. "new/file", "unchecked"))
      assert(modfs.config("s3", { check_names = 1 }))
      assert.equal("unchecked", other "new/file")
    end)

    it("carries what the options say", function()
      assert(modfs.config("s3", { storage_class = "STANDARD" }))
      assert(modfs.write(uri .. "classed", content))
      assert(modfs.config("s3", { storage_class = "NOSUCHCLASS" }))
      assert.is_nil((modfs.write(uri .. "unclassed", "x")))
      assert.is_nil((modfs.write(uri .. "unclassed", content)))
      assert.is_nil(other "unclassed")
      assert(modfs.config("s3", { storage_class = "", sign_content = 0 }))
      assert(modfs.write(uri .. "unsigned", "small"))
      assert.equal("small", other "unsigned")
      assert(modfs.write(uri .. "unsigned", content))
      same(content, other "unsigned")
    end)
  end)

  describe("by its slots", function()
    local program, plugin

    setup(function()
      local root = shell.output("realpath " .. (os.getenv "BUILD" or "build"))
      program = build.compile("s3_writers", "spec/fixtures/s3/writers.c", { program = true,
        libraries = ("%s/modfs/libtensorflow_framework.so.2 -Wl,-rpath,%s/modfs")
          :format(root, root) })
      plugin = root .. "/modfs/plugins/s3.so"
    end)

    local function run(way, key)
      return shell.output(("env MODFS_S3_ENDPOINT=%s MODFS_S3_ACCESS_KEY_ID=%s " ..
        "MODFS_S3_SECRET_ACCESS_KEY=%s timeout 120 %s"):format(ceph.http, ceph.one.key,
        ceph.one.secret, program), plugin, way, uri .. key)
    end

    it("publishes a file that was dropped without close, as TensorFlow drops files", function()
      assert.equal("init 0\nopen 0\nappend 0", run("drop", "dropped"))
      same(("a"):rep(18 * MIB), other "dropped")
    end)

    it("leaves the parent's file alone in a child", function()
      assert.equal("init 0\nopen 0\nappend 0\nchild's append 9\nchild's sync 9\n" ..
        "child's close 9\nchild ended 0\nappend 0\nclose 0", run("fork", "forked"))
      same(("a"):rep(18 * MIB) .. ("b"):rep(18 * MIB), other "forked")
    end)

    it("does nothing after close", function()
      assert.equal("init 0\nopen 0\nappend 0\nclose 0\nappend after close 9\n" ..
        "close after close 9", run("twice", "twice"))
      same(("a"):rep(18 * MIB), other "twice")
    end)
  end)

  describe("appending", function()
    it("goes on where the file ends", function()
      for _, n in ipairs { 0, 1, 5 * MIB - 1, 5 * MIB, 12 * MIB } do
        for _, more in ipairs { 0, 1, 6 * MIB } do
          local before, after = content:sub(1, n), content:sub(-more - 1, -2)
          assert(modfs.write(uri .. "appended", before))
          local file = assert(modfs.open(uri .. "appended", "a"))
          assert.equal(n, file:tell())
          assert(file:write(after))
          assert(file:close())
          same(before .. after, other "appended")
        end
      end
    end)

    it("makes what is missing", function()
      local file = assert(modfs.open(uri .. "made by appending", "a"))
      assert.equal(0, file:tell())
      assert(file:close())
      assert.equal("", other "made by appending")
    end)

    it("is refused when the file has changed meanwhile", function()
      for _, n in ipairs { 10, 6 * MIB } do
        assert(modfs.write(uri .. "contended", content:sub(1, n)))
        local file = assert(modfs.open(uri .. "contended", "a"))
        assert(file:write("mine"))
        assert(modfs.write(uri .. "contended", "another"))
        fails("ABORTED", file:close())
        assert.equal("another", other "contended")
      end
    end)
  end)

  it("replaces nothing where if_none_match says so", function()
    assert(modfs.write(uri .. "first", "one"))
    assert(modfs.config("s3", { if_none_match = 1 }))
    fails("ALREADY_EXISTS", modfs.write(uri .. "first", "two"))
    assert(modfs.copy(uri .. "first", uri .. "copy of first"))
    fails("ALREADY_EXISTS", modfs.copy(uri .. "first", uri .. "copy of first"))
    assert(modfs.write(uri .. "second", "two"))
    for _, mine in ipairs { "small", content } do
      local file = assert(modfs.open(uri .. "third", "w"))
      assert(file:write(mine))
      assert(modfs.write(uri .. "third", "another's"))
      fails("ALREADY_EXISTS", file:close())
      assert.equal("another's", other "third")
      assert(modfs.remove(uri .. "third"))
    end
    assert.equal("one", other "first")
  end)

  it("copies at the server, whole and by parts, with what users wrote to the object", function()
    tmpdir.write(ceph.place .. "/body", content)
    local status, _, err = ceph.curl("-f", "-T", ceph.place .. "/body",
      "-H", "x-amz-meta-colour: deep  blue", "-H", "Content-Type: text/x-test",
      "-H", "Cache-Control: max-age=7", ceph.http .. "/writing/described")
    assert(status == 0, err)
    for _, most in ipairs { 2 ^ 30, 10 * MIB } do
      assert(modfs.config("s3", { copy_bytes = most }))
      assert(modfs.copy(uri .. "described", uri .. "copies/of it"))
      same(content, other "copies/of it")
      local head = headers "copies/of it"
      assert.truthy(head:find "x%-amz%-meta%-colour: deep +blue", head)
      assert.truthy(head:find("content-type: text/x-test", 1, true), head)
      assert.truthy(head:find("cache-control: max-age=7", 1, true), head)
      assert(modfs.remove(uri .. "copies/of it"))
    end
  end)

  describe("directories", function()
    it("are markers", function()
      assert(modfs.mkdir(uri .. "made"))
      assert.equal("", other "made/")
      fails("ALREADY_EXISTS", modfs.mkdir(uri .. "made/"))
      assert(modfs.rmdir(uri .. "made"))
      assert.is_nil(other "made/")
    end)

    it("are made with all that is missing", function()
      assert(modfs.makedirs(uri .. "deep/er/and/er"))
      assert(modfs.makedirs(uri .. "deep/er/and/er"))
      assert.same({ "deep/", "deep/er/", "deep/er/and/", "deep/er/and/er/" }, keys "deep")
      fails("INVALID_ARGUMENT", modfs.mkdir(uri .. ("d"):rep(1024)))
      fails("NOT_FOUND", modfs.makedirs "s3://no-such-bucket/a")
    end)

    it("are no buckets, where nobody asks for one by its name alone", function()
      local function missing(...)
        local message = fails("NOT_FOUND", ...)
        assert.truthy(message:find("create the bucket first", 1, true), message)
      end
      missing(modfs.makedirs "s3://mistyped")
      missing(modfs.makedirs "s3://mistyped/a/b")
      missing(modfs.mkdir "s3://mistyped/a")
      missing(modfs.write("s3://mistyped/a", "x"))
      missing(modfs.write("s3://mistyped/a", content))
      missing(modfs.open("s3://mistyped/a", "a"))
      missing(modfs.copy("/etc/hostname", "s3://mistyped/a"))
      assert(modfs.write(uri .. "source/file", "x"))
      missing(modfs.copy(uri .. "source/file", "s3://mistyped/a"))
      assert(modfs.makedirs "mem://tree/below" and modfs.write("mem://tree/file", "x"))
      for _, call in ipairs { modfs.copytree, modfs.sync } do
        for _, to in ipairs { "s3://mistyped", "s3://mistyped/a" } do
          local report, message = call("mem://tree", to)
          message = message or report.errors[1].message
          assert.truthy(message:find("create the bucket first", 1, true), message)
        end
      end
      local checked = modfs.config("s3").check_names
      assert(modfs.config("s3", { check_names = 0 }))
      missing(modfs.write("s3://mistyped/a", "x"))
      missing(modfs.write("s3://mistyped/a", content))
      assert(modfs.config("s3", { check_names = checked }))
      assert.is_false(modfs.exists "s3://mistyped")
      assert(modfs.makedirs "s3://writing")
    end)

    it("may be buckets", function()
      assert(modfs.mkdir "s3://made-bucket")
      fails("ALREADY_EXISTS", modfs.mkdir "s3://made-bucket")
      assert(modfs.write("s3://made-bucket/a/b", "x"))
      assert.is_nil((modfs.rmdir "s3://made-bucket"))
      assert.equal("x", modfs.read "s3://made-bucket/a/b")
      assert(modfs.rmtree "s3://made-bucket")
      assert.is_false(modfs.exists "s3://made-bucket")
      fails("FAILED_PRECONDITION", modfs.rmtree "s3://")
    end)
  end)

  describe("trees", function()
    it("are deleted with all that is in them, and nothing else", function()
      assert(modfs.makedirs(uri .. "tree/a/b"))
      for _, key in ipairs(awkward) do
        if #key < 1000 then
          assert(modfs.write(uri .. "tree/" .. key, "x"))
        end
      end
      assert(modfs.write(uri .. "tree-beside", "x"))
      assert.same({ true, 0, 0 }, { modfs.rmtree(uri .. "tree") })
      assert.same({ "tree-beside" }, keys "tree")
      assert.same({ true, 0, 0 }, { modfs.rmtree(uri .. "tree-beside") })
      assert.is_nil(other "tree-beside")
      local _, _, code, files, directories = modfs.rmtree(uri .. "tree")
      assert.same({ "NOT_FOUND", 0, 1 }, { code, files, directories })
    end)

    it("are counted where they stay", function()
      for i = 1, 5 do
        assert(modfs.write(uri .. "locked/" .. i, "x"))
      end
      assert(modfs.mkdir(uri .. "locked/dir"))
      tmpdir.write(ceph.place .. "/policy", [[{ "Version": "2012-10-17", "Statement": [
        { "Effect": "Deny", "Principal": "*", "Action": "s3:DeleteObject",
          "Resource": [ "arn:aws:s3:::writing/locked/3", "arn:aws:s3:::writing/locked/dir/",
            "arn:aws:s3:::writing/locked/1" ] } ] }]])
      assert(ceph.s3cmd("setpolicy", ceph.place .. "/policy", "s3://writing") == 0)
      local value, message, code, files, directories = modfs.rmtree(uri .. "locked")
      ceph.s3cmd("delpolicy", "s3://writing")
      assert.is_nil(value)
      assert.same({ "PERMISSION_DENIED", 2, 1 }, { code, files, directories }, message)
      assert.same({ "locked/1", "locked/3", "locked/dir/" }, keys "locked")
      assert(modfs.rmtree(uri .. "locked"))
    end)
  end)
end)
