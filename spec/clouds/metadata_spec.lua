-- What users keep in the metadata of objects is alike in all stores: extended attributes of the
-- namespace user, and the content type by the name's extension. The other side are the libraries of
-- the services.
local azurite = require "spec.support.azurite"
local build = require "spec.fixtures.build"
local clouds = require "spec.support.clouds"
local fails = require "spec.support.fails"
local gs = require "spec.support.gs"
local modfs = require "modfs"
local moto = require "spec.support.moto"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024
local options = { preserve = { "mtime", "mode", "xattrs" } }

-- Prints the items that are no attributes of files, with encoded words as what they mean.
local show = [[
import email.header
def show(type, items):
  known = {"mtime", "atime", "mode", "uid", "gid"}
  def plain(text):
    parts = email.header.decode_header(text)
    return "".join(p if isinstance(p, str) else p.decode(c or "ascii", "replace") for p, c in parts)
  print(type, ";".join("%s=%s" % (k, plain(v)) for k, v in sorted(items.items())
    if k not in known and v is not None)) # fake-gcs-server keeps what is set to null
]]

local stores = {}

-- read(key): what the library prints of an object; write(key, n): an object of its own, of n bytes.
function stores.s3()
  local server, reason = moto.start()
  if not server then
    return nil, reason
  end
  server.root = "s3://checked"
  function server.read(key)
    return server.python(show .. ([[
o = s3.head_object(Bucket="checked", Key=%q)
show(o["ContentType"], o["Metadata"])]]):format(key))
  end
  function server.write(key, n)
    server.python(([[
s3.put_object(Bucket="checked", Key=%q, Body=b"x" * %d, ContentType="text/csv",
  Metadata={"Author": "Bob", "projectid": "4711"})]]):format(key, n))
  end
  return server
end

function stores.az()
  local found = shell.output("ls -d " .. clouds .. "/azure-storage-blob-*/bin/python " ..
    "2>/dev/null | tail -1 || true")
  if found == "" then
    return nil, "azure-storage-blob is not installed in " .. clouds .. ": scripts/setup.sh clouds"
  end
  local server, reason = azurite.start {}
  if not server then
    return nil, reason
  end
  server.root = "az://" .. server.account .. "/checked"
  local function python(key, program)
    tmpdir.write(server.place .. "/program", ([[
from azure.storage.blob import BlobClient, ContentSettings
blob = BlobClient(%q, "checked", %q, credential=%q)
%s]]):format(server.url, key, server.key, program))
    return shell.output("env -u LD_PRELOAD", found, server.place .. "/program")
  end
  function server.read(key)
    return python(key, show .. [[
o = blob.get_blob_properties()
show(o.content_settings.content_type, o.metadata)]])
  end
  function server.write(key, n)
    python(key, ([[
blob.upload_blob(b"x" * %d, content_settings=ContentSettings(content_type="text/csv"),
  metadata={"Author": "Bob", "projectid": "4711"}, overwrite=True)]]):format(n))
  end
  return server
end

function stores.gs()
  local server, reason = gs.start "gcp-storage-emulator" -- the other one takes null for ""
  if not server then
    return nil, reason
  end
  server.root = "gs://checked"
  assert(modfs.config("gs", { endpoint = server.endpoint, protocol = "json", anonymous = 1 }))
  local function python(program)
    tmpdir.write(server.place .. "/program", ([[
import json, urllib.request
def ask(path, data=None, type=None):
  request = urllib.request.Request(%q + path, data, {"Content-Type": type} if type else {})
  return json.load(urllib.request.urlopen(request))
%s]]):format(server.endpoint, program))
    return shell.output("env -u LD_PRELOAD python3", server.place .. "/program")
  end
  function server.read(key)
    return python(show .. ([[
o = ask("/storage/v1/b/checked/o/" + urllib.request.quote(%q, ""))
show(o.get("contentType", ""), o.get("metadata", {}))]]):format(key))
  end
  function server.write(key, n)
    python(([[
part = '--x\nContent-Type: %%s\n\n%%s\n'
about = json.dumps({"name": %q, "contentType": "text/csv",
  "metadata": {"author": "Bob", "projectid": "4711"}})
ask("/upload/storage/v1/b/checked/o?uploadType=multipart", (part %% ("application/json", about) +
  part %% ("text/csv", "x" * %d) + "--x--").encode(),
  "multipart/related; boundary=x")]]):format(key, n))
  end
  return server
end

-- Those of users, with their names in lower case, as all stores but one keep them.
local function lowered(path)
  local found = {}
  for name, value in pairs(assert(modfs.xattrs(path))) do
    found[name:lower()] = name:find "^user" and value or nil
  end
  return found
end

for _, scheme in ipairs { "s3", "az", "gs" } do
  describe("metadata of " .. scheme, function()
    local server, reason = stores[scheme]()
    if not server then
      pending(reason)
      return
    end
    local place, program, uri

    setup(function()
      place, uri = tmpdir.new(), server.root .. "/"
      program = build.compile("xattrs", "spec/fixtures/xattrs/program.c",
        { program = true, free = true })
      assert(modfs.mkdir(server.root))
    end)
    teardown(function()
      server.stop()
      tmpdir.remove(place)
    end)

    local function set(path, name, value)
      return shell.run(program, "set", place .. "/" .. path, name, value) == 0
    end

    -- The attributes of user, as dump shows them, in the order of their names.
    local function dump(path)
      return shell.output(("%s dump %s | LC_ALL=C sort"):format(program, place .. "/" .. path))
    end

    it("is what copies of files with extended attributes have, and gives them back", function()
      shell.output(("mkdir %s/from; printf one >%s/from/a"):format(place, place))
      if not set("from/a", "user.author", "Ann Other") then
        return pending "the filesystem of temporary files has no extended attributes"
      end
      assert(set("from/a", "user.empty", ""))
      assert(set("from/a", "user.odd", " two  spaces"))
      assert(set("from/a", "user.umlaut", "ü"))
      assert(set("from/a", "user.word", "=?x"))
      local counts = assert(modfs.copytree(place .. "/from", uri .. "tree", options))
      assert.same({}, counts.errors or {})
      local seen = server.read "tree/a"
      assert.truthy(seen:find(" author=Ann Other;empty=;odd= two  spaces;umlaut=ü;word==?x", 1,
        true), seen)
      assert(modfs.copytree(uri .. "tree", place .. "/back", options))
      assert.equal(dump "from", dump "back")
      assert.equal(modfs.stat(place .. "/from/a").mtime_nsec,
        modfs.stat(uri .. "tree/a").mtime_nsec)
      -- Bytes that are no text come back, too; those that are gone go.
      shell.output(("rm %s/from/a; printf one >%s/from/a"):format(place, place))
      assert(set("from/a", "user.author", "hex:00ff0a80"))
      assert(modfs.sync(place .. "/from", uri .. "tree", options))
      assert(modfs.copytree(uri .. "tree", place .. "/again", options))
      assert.equal(dump "from", dump "again")
      assert.is_nil(server.read "tree/a":find("umlaut", 1, true))
    end)

    it("of others is read by name, and stays through chmod, utime and copy", function()
      server.write("theirs", 1)
      assert(modfs.chmod(uri .. "theirs", 416))
      assert(modfs.utime(uri .. "theirs", 1500000000123456789))
      assert(modfs.copy(uri .. "theirs", uri .. "copied"))
      for _, name in ipairs { "theirs", "copied" } do
        assert.equal("text/csv author=Bob;projectid=4711", server.read(name):lower()
          :gsub("author=bob", "author=Bob"))
        assert(modfs.copytree(uri .. name, place .. "/" .. name, options))
        if dump(name) ~= "" then
          assert.equal(" user.author 426f62\n user.projectid 34373131", dump(name))
        end
      end
    end)

    it("changes without a change of the object's time", function()
      shell.output(("mkdir %s/timed; printf x >%s/timed/a"):format(place, place))
      if not set("timed/a", "user.author", "Ann") then
        return pending "the filesystem of temporary files has no extended attributes"
      end
      server.write("timed/a", 1)
      server.write("timed/b", 1)
      local function times()
        local first, second = modfs.stat(uri .. "timed/a"), modfs.stat(uri .. "timed/b")
        return { first.mtime_nsec, second.mtime_nsec }
      end
      local before = times()
      shell.output "sleep 1.1" -- the time of an upload may be one in seconds
      local counts = assert(modfs.sync(place .. "/timed", uri .. "timed",
        { preserve = { "xattrs" }, size_only = true }))
      assert.equal(0, counts.copied)
      assert.truthy(server.read "timed/a":find "author=Ann$")
      assert(modfs.chmod(uri .. "timed/b", 384))
      assert.same(before, times())
    end)

    it("is read and set by its name", function()
      local object = uri .. "named"
      server.write("named", 1)
      assert.same({ ["user.author"] = "Bob", ["user.projectid"] = "4711" }, lowered(object))
      assert(modfs.setxattr(object, "user.author", "Ann Öther"))
      assert(modfs.setxattr(object, "user.projectid"))
      assert(modfs.setxattr(object, "user.more", ""))
      assert.same({ ["user.author"] = "Ann Öther", ["user.more"] = "" }, lowered(object))
      assert.equal("text/csv author=Ann Öther;more=", server.read "named":gsub("^(.-)Author",
        "%1author"))
      fails("NOT_FOUND", modfs.xattrs(uri .. "none"))
      fails("NOT_FOUND", modfs.setxattr(uri .. "none", "user.a", "x"))
      fails("UNIMPLEMENTED", modfs.setxattr(object, "system.a", "x"))
    end)

    it("of others stays when the object is appended to, whatever its size", function()
      for _, n in ipairs { 0, 1, 4 * MIB - 1, 5 * MIB + 1 } do
        for _, more in ipairs { "more", ("y"):rep(9 * MIB) } do
          server.write("longer", n)
          assert(modfs.append(uri .. "longer", more))
          assert.equal(n + #more, modfs.size(uri .. "longer"))
          assert.equal("text/csv author=bob;projectid=4711", server.read "longer":lower())
        end
      end
    end)

    it("that cannot be kept is told", function()
      tmpdir.write(place .. "/bad", "x")
      if not set("bad", "user.UPPER case", "x") then
        return pending "the filesystem of temporary files has no extended attributes"
      end
      if scheme == "gs" then -- which takes every name
        assert(modfs.copytree(place .. "/bad", uri .. "bad", options))
        assert.truthy(server.read "bad":find(" UPPER case=x$"))
        return
      end
      local copied, message, code = modfs.copytree(place .. "/bad", uri .. "bad", options)
      local told = copied and copied.errors[1] or { code = code, message = message }
      assert.equal("UNIMPLEMENTED", told.code, told.message)
      assert.truthy(told.message:find('do not keep the extended attribute "user.UPPER case"', 1,
        true), told.message)
      assert(modfs.copytree(place .. "/bad", uri .. "bad", { preserve = { "xattrs?" } }))
    end)

    it("has the content type of the name, with content_type = auto", function()
      assert(modfs.config(scheme, { content_type = "auto" }))
      assert(modfs.write(uri .. "a.json", "{}"))
      assert(modfs.config(scheme, { content_type = "" }))
      assert.truthy(server.read "a.json":find "^application/json ")
    end)
  end)
end
