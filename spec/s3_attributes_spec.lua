-- Times, modes and owners of objects: in their metadata, as rclone and s3fs write them.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024
local SERVER_TIME = 784111777000000000 -- Last-Modified of the server that answers badly

local function attributes(path)
  local info = assert(modfs.stat(path))
  return { mtime = info.mtime_nsec, mode = info.mode, owner = info.owner, group = info.group }
end

local function same_time(expected, path)
  assert.equal(expected, assert(modfs.stat(path)).mtime_nsec)
  assert.equal(expected, assert(modfs.lstat(path)).mtime_nsec)
end

s3.describe_chaos("s3, attributes of objects,", { retries = 0 }, function(chaos)
  setup(function()
    chaos.put("s3-good/dir/file", "content")
    assert(modfs.mkdir "s3://s3-good/marked")
  end)

  after_each(function()
    assert(modfs.config("s3", { copy_bytes = 2 ^ 30, part_bytes = 8 * MIB }))
  end)

  local number = 0

  -- A new object with this metadata -> its URI, and its path at the server.
  local function object(metadata, content, headers)
    number = number + 1
    local all, path = {}, "at.tributes/object" .. number
    for name, value in pairs(metadata) do
      all["x-amz-meta-" .. name] = value
    end
    for name, value in pairs(headers or {}) do
      all[name] = value
    end
    chaos.put(path, content or "content", all)
    return "s3://" .. path, path
  end

  describe("read from metadata:", function()
    it("without any it is the server's time alone (the control)", function()
      assert.same({ mtime = SERVER_TIME }, attributes((object {})))
    end)

    local times = { ["1500000000.123456789"] = 1500000000123456789, ["1500000000"] = 1500000000e9,
      ["1500000000.5"] = 1500000000500000000, ["0"] = 0, ["0.000000001"] = 1,
      ["1500000000.123456789123"] = 1500000000123456789, ["1500000000.0"] = 1500000000e9,
      ["9223372034.999999999"] = 9223372034999999999 }
    for text, nanoseconds in pairs(times) do
      it("the time " .. text, function()
        same_time(nanoseconds, (object { mtime = text }))
      end)
    end

    -- Decimal with the bits of a type (s3fs), octal (rclone).
    local modes = { ["33188"] = 420, ["33279"] = 511, ["35309"] = 2541, ["16877"] = 493,
      ["41471"] = 511, ["0100644"] = 420, ["100600"] = 384, ["104755"] = 2541, ["40750"] = 488,
      ["040700"] = 448, ["120777"] = 511, ["0644"] = 420 }
    for text, mode in pairs(modes) do
      it("the mode " .. text, function()
        assert.equal(mode, attributes((object { mode = text })).mode)
      end)
    end

    it("owner and group", function()
      local found = attributes((object { uid = "1000", gid = "0" }))
      assert.same({ mtime = SERVER_TIME, owner = 1000, group = 0 }, found)
    end)

    local strange = { "x", "-1", "+1", "1e9", "nan", "inf", "0x10", "9223372036", "1.", ".5",
      "1.5.5", "1,5", "1 5", "12:00", "1.-5", "--1", "18446744073709551617",
      ("9"):rep(30), ("1"):rep(300), "2020-01-01T00:00:00Z", "%31", "1;2", "\195\188" }
    for _, text in ipairs(strange) do
      it("nothing from the time " .. text:sub(1, 40), function()
        same_time(SERVER_TIME, (object { mtime = text }))
      end)
    end

    for _, text in ipairs { "x", "-1", "644", "420", "0888", "99999999", "0200000", "4294967296",
      "33188.0", "rw-r--r--", "0x81a4", "0" } do
      it("nothing from the mode " .. text, function()
        assert.is_nil(attributes((object { mode = text })).mode)
      end)
    end

    it("nothing from owners and groups that are none", function()
      for _, text in ipairs { "x", "-1", "4294967295", "18446744073709551616", "1.5", "root" } do
        assert.same({ mtime = SERVER_TIME }, attributes((object { uid = text, gid = text })))
      end
    end)

    it("in the request that asks for the object, and in no other", function()
      local uri = object { mtime = "1500000000", mode = "33188" }
      local heads = chaos.seen "at.tributes/head"
      assert(modfs.stat(uri))
      assert(modfs.lstat(uri))
      assert.equal(2, chaos.seen "at.tributes/head" - heads)
      assert(modfs.listdir "s3://at.tributes")
      assert.equal(2, chaos.seen "at.tributes/head" - heads)
    end)
  end)

  describe("set", function()
    it("by a copy of the object onto itself, which keeps all the rest", function()
      local uri, path = object({ other = "kept as it is", mtime = "1" }, "content",
        { ["content-type"] = "text/x-test" })
      local heads, copies = chaos.seen "at.tributes/head", chaos.seen "at.tributes/copy"
      assert.is_true(modfs.utime(uri, 1600000000000000256))
      assert.equal(1, chaos.seen "at.tributes/head" - heads)
      assert.equal(1, chaos.seen "at.tributes/copy" - copies)
      local head = chaos.head(path)
      assert.equal("1600000000.000000256", head["x-amz-meta-mtime"])
      assert.equal("kept as it is", head["x-amz-meta-other"])
      assert.equal("text/x-test", head["content-type"])
      assert.is_nil(head["x-amz-meta-mode"])
      assert.equal("content", modfs.read(uri))
    end)

    it("without a change of the time, which is the server's until then", function()
      for name, set in pairs {
        mode = function(uri) return modfs.chmod(uri, 384) end,
      } do
        local uri, path = object {}
        assert.is_true(set(uri), name)
        assert.equal("784111777", chaos.head(path)["x-amz-meta-mtime"], name)
      end
    end)

    it("on an object with much metadata", function()
      local much = {}
      for i = 1, 120 do
        much["key" .. i] = "value" .. i
      end
      local uri, path = object(much)
      assert.is_true(modfs.chmod(uri, 384))
      local head = chaos.head(path)
      for name, value in pairs(much) do
        assert.equal(value, head["x-amz-meta-" .. name])
      end
      assert.equal("33152", head["x-amz-meta-mode"])
    end)

    it("one after the other", function()
      local uri, path = object { mode = "0100600", mtime = "5.5" }
      assert.is_true(modfs.chmod(uri, 493))
      assert.equal("33261", chaos.head(path)["x-amz-meta-mode"])
      assert.is_true(modfs.utime(uri, 1600000000e9, 1700000000e9))
      local head = chaos.head(path)
      assert.same({ "33261", "1600000000", "1700000000" },
        { head["x-amz-meta-mode"], head["x-amz-meta-mtime"], head["x-amz-meta-atime"] })
      assert.same({ mtime = 1600000000e9, mode = 493 }, attributes(uri))
      same_time(1600000000e9, uri)
    end)

    it("on a large object by a copy in parts", function()
      local content = "<" .. ("x"):rep(11 * MIB) .. ">"
      local uri, path = object({ other = "kept" }, content, { ["content-type"] = "text/x-test" })
      assert(modfs.config("s3", { copy_bytes = 10 * MIB }))
      local parts = chaos.seen "at.tributes/partcopy"
      assert.is_true(modfs.chmod(uri, 384))
      assert.equal(2, chaos.seen "at.tributes/partcopy" - parts)
      local head = chaos.head(path)
      assert.same({ "33152", "kept", "text/x-test", tostring(#content) },
        { head["x-amz-meta-mode"], head["x-amz-meta-other"], head["content-type"],
          head["content-length"] })
      assert.is_true(content == modfs.read(uri))
    end)

    it("not on an object that was replaced meanwhile", function()
      fails("ABORTED", modfs.chmod("s3://head.newtag/dir/file", 384))
      assert.is_nil(modfs.stat("s3://head.newtag/dir/file").mode)
      assert.is_true(modfs.chmod("s3://head.newtax/dir/file", 384)) -- the control
      assert.equal(384, modfs.stat("s3://head.newtax/dir/file").mode)
    end)

    it("not on what is no object", function()
      for _, path in ipairs { "dir", "dir/", "marked", "marked/", "" } do
        local message = fails("UNIMPLEMENTED", modfs.chmod("s3://set.nothing/" .. path, 384))
        assert.truthy(message:find("a directory of S3 has no attributes", 1, true), message)
      end
      fails("NOT_FOUND", modfs.chmod("s3://set.nothing/none", 384))
      fails("FAILED_PRECONDITION", modfs.chmod("s3://set.nothing/dir/file/below", 384))
    end)

    it("not to a time before 1970, and then nothing is", function()
      local uri = object { mtime = "5" }
      fails("UNIMPLEMENTED", modfs.utime(uri, -1))
      fails("UNIMPLEMENTED", modfs.utime(uri, 1, -1))
      same_time(5000000000, uri)
    end)

    it("not in a transaction", function()
      local uri = object { mtime = "5" }
      local tx = assert(assert(modfs.filesystem "s3"):start_transaction())
      assert(tx:add(uri))
      fails("UNIMPLEMENTED", modfs.utime(uri, 1))
      assert(tx:abort())
      same_time(5000000000, uri)
      assert.is_true(modfs.utime(uri, 1))
    end)

    it("not where the server refuses, or makes no copy", function()
      for _, fault in ipairs { "status.403", "inside", "malformed.2" } do
        local uri = "s3://copy." .. fault .. "/dir/file"
        assert.is_nil((modfs.chmod(uri, 384)), fault)
      end
      fails("PERMISSION_DENIED", modfs.chmod("s3://head.status.403/dir/file", 384))
    end)
  end)

  describe("kept", function()
    local kept = { mtime = "1500000000.5", mode = "33152", uid = "7", gid = "8", other = "more" }

    local function has_all(path)
      local head = chaos.head(path)
      for name, value in pairs(kept) do
        assert.equal(value, head["x-amz-meta-" .. name], name)
      end
    end

    it("by copies and renames of the server", function()
      local uri = object(kept)
      assert(modfs.copy(uri, "s3://at.tributes/copied"))
      has_all "at.tributes/copied"
      assert(modfs.rename("s3://at.tributes/copied", "s3://at.tributes/renamed"))
      has_all "at.tributes/renamed"
      assert.same({ mtime = 1500000000500000000, mode = 384, owner = 7, group = 8 },
        attributes "s3://at.tributes/renamed")
    end)

    it("by those in parts, and in a transaction", function()
      local uri = object(kept, ("x"):rep(11 * MIB))
      assert(modfs.config("s3", { copy_bytes = 10 * MIB }))
      assert(modfs.copy(uri, "s3://at.tributes/copied"))
      has_all "at.tributes/copied"
      local tx = assert(assert(modfs.filesystem "s3"):start_transaction())
      assert(tx:add "s3://at.tributes/tx")
      assert(modfs.copy(uri, "s3://at.tributes/tx/copied"))
      assert(tx:commit())
      has_all "at.tributes/tx/copied"
    end)

    it("by what is appended, but for the times", function()
      for _, content in ipairs { "short", ("x"):rep(6 * MIB) } do
        local uri = object(kept, content)
        assert(modfs.write(uri, "more", { append = true }))
        assert.equal(#content + 4, modfs.size(uri))
        assert.same({ mtime = SERVER_TIME, mode = 384, owner = 7, group = 8 }, attributes(uri))
      end
    end)

    it("with the content type and the other metadata, by what is appended", function()
      local all = { mtime = kept.mtime, mode = "33152", author = "Bob" }
      local function keeps(path, length)
        local seen = chaos.head(path)
        assert.equal(tostring(length), seen["content-length"])
        assert.equal("text/csv", seen["content-type"])
        assert.equal("Bob", seen["x-amz-meta-author"])
        assert.equal("33152", seen["x-amz-meta-mode"])
        assert.is_nil(seen["x-amz-meta-mtime"])
      end
      for _, n in ipairs { 0, 5, 5 * MIB - 1, 5 * MIB + 1 } do
        for _, more in ipairs { "more", ("y"):rep(9 * MIB) } do
          local uri, path = object(all, ("x"):rep(n), { ["Content-Type"] = "text/csv" })
          local file = assert(modfs.open(uri, "a"))
          assert(file:write(more))
          assert(file:sync())
          keeps(path, n + #more)
          assert(file:write(more))
          assert(file:close())
          keeps(path, n + 2 * #more)
        end
      end
    end)

    it("by no new content", function()
      local uri = object(kept)
      assert(modfs.write(uri, "new"))
      assert.same({ mtime = SERVER_TIME }, attributes(uri))
    end)
  end)

  describe("the ETag", function()
    it("is known without reading", function()
      local uri = object {}
      local heads, gets = chaos.seen "at.tributes/head", chaos.seen "at.tributes/get"
      local tag = assert(modfs.hash(uri, "etag"))
      assert.equal(1, chaos.seen "at.tributes/head" - heads)
      assert.equal(gets, chaos.seen "at.tributes/get")
      assert.equal(chaos.head(uri:sub(6)).etag, '"' .. tag .. '"')
      assert.truthy(tag:find "^%x+$")
      assert(modfs.write(uri, "content"))
      assert.not_equal(tag, modfs.hash(uri, "etag"))
    end)

    it("is that of a file, or none", function()
      fails("NOT_FOUND", modfs.hash("s3://set.nothing/none", "etag"))
      fails("FAILED_PRECONDITION", modfs.hash("s3://set.nothing/dir", "etag"))
      fails("FAILED_PRECONDITION", modfs.hash("s3://set.nothing/dir/", "etag"))
      fails("PERMISSION_DENIED", modfs.hash("s3://head.status.403/dir/file", "etag"))
      fails("DATA_LOSS", modfs.hash("s3://head.notag.x/dir/file", "etag"))
      assert.equal("other", modfs.hash("s3://head.newtag/dir/file", "etag"))
    end)
  end)

  it("there are no links", function()
    fails("UNIMPLEMENTED", modfs.symlink("file", "s3://s3-good/link"))
  end)
end)

s3.describe("s3, attributes of objects on Ceph:", { "attributes" }, {}, function(ceph)
  local uri = "s3://attributes/"

  local function put(key, ...)
    tmpdir.write(ceph.place .. "/body", "content")
    local status, _, err = ceph.s3cmd("put", ceph.place .. "/body", uri .. key, ...)
    assert(status == 0, err)
  end

  -- The header lines of an object, between newlines.
  local function head(key)
    local status, out, err = ceph.curl("-f", "-I", ceph.http .. "/attributes/" .. key)
    assert(status == 0, err)
    return "\n" .. out:lower():gsub("\r", "") .. "\n"
  end

  it("what another client wrote is read", function()
    put("read", "--add-header=x-amz-meta-mtime:1500000000.25",
      "--add-header=x-amz-meta-mode:33152", "--add-header=x-amz-meta-uid:5")
    local found = attributes(uri .. "read")
    assert.same({ 1500000000250000000, 384, 5 }, { found.mtime, found.mode, found.owner })
  end)

  it("what is set is read, and keeps the rest", function()
    put("set", "--add-header=x-amz-meta-other:more", "--mime-type=text/x-test")
    assert.is_true(modfs.utime(uri .. "set", 1600000000000000512))
    assert.is_true(modfs.chmod(uri .. "set", 416))
    same_time(1600000000000000512, uri .. "set")
    assert.equal(416, attributes(uri .. "set").mode)
    local text = head "set"
    for _, line in ipairs { "x-amz-meta-other: more", "content-type: text/x-test",
      "x-amz-meta-mtime: 1600000000.000000512", "x-amz-meta-mode: 33184" } do
      assert.truthy(text:find("\n" .. line .. "\n", 1, true), text)
    end
    assert.equal("content", modfs.read(uri .. "set"))
  end)

  it("large objects are set and copied in parts", function()
    assert(modfs.config("s3", { copy_bytes = 10 * MIB }))
    finally(function() assert(modfs.config("s3", { copy_bytes = 2 ^ 30 })) end)
    local content = ("0123456789abcdef"):rep(MIB)
    assert(modfs.write(uri .. "large", content))
    assert.is_true(modfs.utime(uri .. "large", 1500000000e9))
    assert(modfs.copy(uri .. "large", uri .. "copy"))
    same_time(1500000000e9, uri .. "copy")
    assert.is_true(content == modfs.read(uri .. "copy"))
    assert.equal(0, ceph.uploads "attributes")
  end)

  it("the ETag is what everybody computes", function()
    assert(modfs.write(uri .. "tagged", "content"))
    assert.equal(modfs.hash(uri .. "tagged", "md5"), modfs.hash(uri .. "tagged", "etag"))
    assert(modfs.config("s3", { part_bytes = 5 * MIB }))
    finally(function() assert(modfs.config("s3", { part_bytes = 8 * MIB })) end)
    assert(modfs.write(uri .. "tagged", ("x"):rep(11 * MIB)))
    assert.truthy(modfs.hash(uri .. "tagged", "etag"):find "^%x+%-3$")
  end)

  describe("s3fs", function()
    local place = ceph.place .. "/mounted"

    local function mount()
      local secret = ceph.place .. "/s3fs"
      tmpdir.write(secret, ceph.one.key .. ":" .. ceph.one.secret .. "\n")
      shell.output(("chmod 600 %s && mkdir -p %s"):format(secret, place))
      return shell.run(("env -u LD_PRELOAD -u AWS_CA_BUNDLE timeout 60 s3fs attributes %s "
        .. "-o url=%s,use_path_request_style,passwd_file=%s"):format(place, ceph.http, secret))
    end

    teardown(function() shell.run("umount " .. place) end)

    it("reads what we set, and we read what it sets", function()
      if not shell.has "s3fs" or mount() ~= 0 then
        pending "s3fs is not installed, or cannot mount"
        return
      end
      assert(modfs.write(uri .. "ours", "content"))
      assert.is_true(modfs.utime(uri .. "ours", 1512345678000000256))
      assert.is_true(modfs.chmod(uri .. "ours", 416))
      assert.equal("640 1512345678.000000256",
        shell.output("timeout 60 stat -c '%a %.9Y' " .. place .. "/ours"))
      shell.output(("timeout 60 sh -c 'cd %s && echo content >theirs && chmod 604 theirs && "
        .. "chown 12:34 theirs && touch -d @1498765432.987654321 theirs'"):format(place))
      assert.same({ mtime = 1498765432987654321, mode = 388, owner = 12, group = 34 },
        attributes(uri .. "theirs"))
    end)
  end)

  describe("rclone", function()
    local settings = { CONFIG = "/dev/null", CONFIG_C_TYPE = "s3", CONFIG_C_PROVIDER = "Ceph",
      CONFIG_C_ENDPOINT = ceph.http, CONFIG_C_ACCESS_KEY_ID = ceph.one.key,
      CONFIG_C_SECRET_ACCESS_KEY = ceph.one.secret }
    local file = ceph.place .. "/timed"

    if not shell.has "rclone" then
      pending "rclone is not installed"
      return
    end

    local function rclone(...)
      local line = "env -u LD_PRELOAD -u AWS_CA_BUNDLE"
      for name, value in pairs(settings) do
        line = ("%s RCLONE_%s=%s"):format(line, name, shell.quote(value))
      end
      return shell.output(line .. " rclone", ...)
    end

    it("writes times that we read", function()
      tmpdir.write(file, "content")
      shell.output("touch -d @1512345678.123456789", file)
      rclone("copyto", file, "c:attributes/from-rclone")
      same_time(1512345678123456789, uri .. "from-rclone")
      assert.is_nil(attributes(uri .. "from-rclone").mode)
    end)

    it("writes modes and owners that we read", function()
      tmpdir.write(file, "content")
      shell.output("chmod 640 " .. file .. " && touch -d @1512345678.5", file)
      rclone("copyto", "-M", file, "c:attributes/with-mode")
      local found = attributes(uri .. "with-mode")
      assert.same({ 1512345678500000000, 416 }, { found.mtime, found.mode })
      assert.equal(tonumber(shell.output "id -u"), found.owner)
    end)

    it("reads the times that we set", function()
      assert(modfs.write(uri .. "for-rclone", "content"))
      assert.is_true(modfs.utime(uri .. "for-rclone", 1523456789000000256))
      local list = rclone("lsjson", "-M", "c:attributes/for-rclone")
      assert.truthy(list:find('"ModTime":"2018-04-11T14:26:29.000000256Z"', 1, true), list)
      rclone("copyto", "c:attributes/for-rclone", file .. ".back")
      assert.equal("1523456789.000000256", shell.output("date -r " .. file .. ".back +%s.%N"))
    end)
  end)
end)
