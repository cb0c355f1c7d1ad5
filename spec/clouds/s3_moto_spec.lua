-- s3 before a server of another making: moto, which `make test-clouds` installs.
local checked = require "spec.support.checked"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local moto = require "spec.support.moto"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

describe("s3 before moto", function()
  local server, reason = moto.start()
  if not server then
    pending(reason)
    return
  end
  local place, endpoint = server.place, server.endpoint

  setup(function()
    assert(modfs.config("s3", { part_bytes = 5 * 1024 * 1024 }))
    assert(modfs.mkdir "s3://checked")
  end)

  teardown(function() server.stop() end)

  it("passes modfs check, in short", function()
    if os.getenv "LD_PRELOAD" then
      pending "a checker of memory stands in the place of the shim"
      return
    end
    local plugin = shell.output("realpath " .. (os.getenv "BUILD" or "build")) ..
      "/modfs/plugins/s3.so"
    local seen = checked(("env MODFS_S3_ENDPOINT=%s MODFS_S3_ACCESS_KEY_ID=key " ..
      "MODFS_S3_SECRET_ACCESS_KEY=secret %s bin/modfs check --scheme s3 --seconds 120 --tap " ..
      "--root s3://checked/root --strict 1"):format(endpoint, os.getenv "LUA" or "lua5.4"), plugin)
    assert.same({}, seen.failed, seen.out)
    assert.equal(0, seen.status, seen.err)
    assert.is_true(seen.passed > 70, seen.passed .. " passed")
  end)

  it("moves what it lists, and deletes nothing else", function()
    local run = ("env MODFS_S3_ENDPOINT=%s MODFS_S3_ACCESS_KEY_ID=key " ..
      "MODFS_S3_SECRET_ACCESS_KEY=secret %s bin/modfs mv s3://checked/odd %s/odd 2>&1"):format(
      endpoint, os.getenv "LUA" or "lua5.4", place)
    local keys = [[
def put(*keys):
    for key in keys: s3.put_object(Bucket="checked", Key=key, Body=b"x")
def keys():
    found = s3.list_objects_v2(Bucket="checked", Prefix="odd/")
    return [o["Key"] for o in found.get("Contents", [])]
]]
    server.python(keys .. "put('odd/a', 'odd/b/c', 'odd/d/')")
    assert.equal(0, (shell.run(run)))
    assert.equal("[]", server.python(keys .. "print(keys())"))
    assert(modfs.rmtree(place .. "/odd"))
    server.python(keys .. "put('odd/a', 'odd/a/below', 'odd//empty', 'odd/b/./dot', 'odd/b/c')")
    assert.equal(1, (shell.run(run)))
    assert.equal("['odd//empty', 'odd/a/below', 'odd/b/./dot']",
      server.python(keys .. "print(keys())"))
    assert.same({ "a", "b" }, modfs.listdir(place .. "/odd"))
    assert(modfs.rmtree "s3://checked/odd")
  end)

  it("uploads in parts, appends, copies and aborts", function()
    local content = ("0123456789abcdef"):rep(700000)
    local uri = "s3://checked/dir/"
    assert(modfs.write(uri .. "large", content))
    assert.is_true(content == modfs.read(uri .. "large"))
    assert(modfs.append(uri .. "large", "end"))
    assert(modfs.copy(uri .. "large", uri .. "copy"))
    assert.is_true(content .. "end" == modfs.read(uri .. "copy"))
    local writer = assert(modfs.open(uri .. "given-up", "w", { atomic = true }))
    assert(writer:write(content))
    assert(writer:abort())
    assert.same({ "copy", "large" }, modfs.listdir(uri))
    local left = shell.output("env -u LD_PRELOAD curl -s", endpoint .. "/checked?uploads=")
    assert.is_nil(left:find("<UploadId>", 1, true), left)
    assert(modfs.utime(uri .. "copy", 1500000000000000000))
    assert.equal(1500000000, modfs.stat(uri .. "copy").mtime)
    assert.equal(content, modfs.read(assert(modfs.presign(uri .. "large", "GET", 60)))
      :sub(1, #content))
    assert(modfs.rmtree "s3://checked/dir")
  end)

  it("takes and keeps checksums", function()
    local function kept(key) -- moto lists the algorithm, and does not compare the checksum
      return shell.output("env -u LD_PRELOAD curl -s", ("%s/checked?list-type=2&prefix=%s")
        :format(endpoint, key)):match "<ChecksumAlgorithm>(.-)</ChecksumAlgorithm>"
    end
    assert(modfs.write("s3://checked/plain", "123456789"))
    assert.is_nil(kept "plain")
    assert(modfs.config("s3", { checksum = "crc32c" }))
    assert(modfs.write("s3://checked/summed", "123456789"))
    assert.equal("CRC32C", kept "summed")
    local content = ("0123456789abcdef"):rep(400000)
    assert(modfs.write("s3://checked/parts", content))
    assert.is_true(content == modfs.read "s3://checked/parts")
    assert(modfs.append("s3://checked/parts", "end"))
    assert(modfs.config("s3", { checksum = "auto" }))
    assert.equal(#content + 3, modfs.stat("s3://checked/parts").length)
  end)

  it("reads versions of an object", function()
    local function curl(...) return shell.output("env -u LD_PRELOAD curl -s", ...) end
    assert(modfs.mkdir "s3://versions")
    curl("-X", "PUT", "-H", "Content-Type: text/xml", "-d", "<VersioningConfiguration>" ..
      "<Status>Enabled</Status></VersioningConfiguration>", endpoint .. "/versions?versioning=")
    local uri = "s3://versions/a"
    assert(modfs.write(uri, "first, and longer"))
    local first = curl(endpoint .. "/versions?versions="):match "<VersionId>(.-)</VersionId>"
    assert(modfs.write(uri, "second"))
    local old = uri .. "?versionId=" .. first
    fails("NOT_FOUND", modfs.read(old)) -- the control: it is a key like any other
    assert(modfs.config("s3", { versions = 1 }))
    assert.equal("first, and longer", modfs.read(old))
    assert.equal(17, modfs.stat(old).length)
    assert.equal("second", modfs.read(uri))
    fails("FAILED_PRECONDITION", modfs.write(old, "x"))
    fails("FAILED_PRECONDITION", modfs.remove(old))
    fails("FAILED_PRECONDITION", modfs.chmod(old, 384))
    fails("FAILED_PRECONDITION", modfs.presign(old, "PUT", 60))
    assert.equal("first, and longer", curl(modfs.presign(old, "GET", 60)))
    assert(modfs.copy(old, uri))
    assert.equal("first, and longer", modfs.read(uri))
    fails("NOT_FOUND", modfs.read(uri .. "?versionId=00000000-0000-0000-0000-000000000000"))
    assert(modfs.config("s3", { versions = 0 }))
  end)

  it("takes the credentials of roles that it issues", function()
    modfs.makedirs(place .. "/.aws")
    tmpdir.write(place .. "/token", "a token")
    tmpdir.write(place .. "/.aws/config", "[default]\n" ..
      "role_arn = arn:aws:iam::123456789012:role/r\n" ..
      "source_profile = base\n[profile base]\naws_access_key_id = AK\n" ..
      "aws_secret_access_key = s\n")
    assert(modfs.write("s3://checked/role", "content"))
    for _, more in ipairs { "", " AWS_ROLE_ARN=arn:aws:iam::123456789012:role/pod " ..
      "AWS_WEB_IDENTITY_TOKEN_FILE=" .. place .. "/token" } do
      local _, out, err = child([[
        local modfs = require "modfs"
        print(modfs.read "s3://checked/role", modfs.presign "s3://checked/role")
      ]], { before = ("export HOME=%s AWS_ENDPOINT_URL=%s%s"):format(place, endpoint, more) })
      assert.truthy(out:find "^content\t.*Credential=ASIA%w+", out .. err)
    end
  end)
end)
