-- Who signs, for which region, and where to: s3 before a real Ceph, and before a server that sends
-- it on.
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local radosgw = require "spec.support.radosgw"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local forget = "unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE " ..
  "AWS_REGION AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_CA_BUNDLE " ..
  "AWS_SHARED_CREDENTIALS_FILE; export HOME=/nowhere MODFS_S3_ENDPOINT="

local function configure(options)
  assert(modfs.config("s3", options))
end

describe("s3, sent on,", function()
  local missing = s3.missing() or web.missing()
  if missing then
    pending(missing)
    return
  end

  local chaos

  setup(function()
    chaos = web.chaos()
    chaos.put("s3-good/file", "content")
    configure { endpoint = chaos.url, access_key_id = "AKID", secret_access_key = "secret",
      region = "us-east-1", retries = 0 }
  end)

  teardown(function() chaos.stop() end)

  it("signs for the region that a bucket is in, once it is told", function()
    assert.equal("content", assert(modfs.read "s3://get.home.eu-west-9/file"))
    assert.equal(7, assert(modfs.size "s3://all.home.ap-south-7/file"))
    assert.equal("content", assert(modfs.read "s3://all.home.ap-south-7/file"))
  end)

  it("asks no second time where the region is still wrong", function()
    local message = fails("FAILED_PRECONDITION", modfs.read "s3://get.refuse.400-region/file")
    contains(message, "AuthorizationHeaderMalformed")
  end)

  it("goes to no other port", function()
    for _, status in ipairs { 301, 302, 307, 308 } do
      local message = fails("FAILED_PRECONDITION",
        modfs.read(("s3://get.elsewhere.%d/file"):format(status)))
      contains(message, "HTTP status " .. status)
    end
  end)

  it("takes no endpoint and no region that is none", function()
    for _, endpoint in ipairs { "127.0.0.1", "ftp://host", "http://user@host", "http://host?x",
      "http://", "http://host:port", "http://ho st", "http://host:123456" } do
      configure { endpoint = endpoint }
      contains(fails("INVALID_ARGUMENT", modfs.read "s3://s3-good/file"), "endpoint")
    end
    configure { endpoint = chaos.url .. "/" }
    assert.equal("content", assert(modfs.read "s3://s3-good/file"))
    configure { endpoint = chaos.url, region = "eu west" }
    contains(fails("INVALID_ARGUMENT", modfs.read "s3://s3-good/file"), "region")
    configure { region = "us-east-1" }
  end)
end)

describe("s3, signing", function()
  local ceph, reason
  if s3.missing() then
    reason = s3.missing()
  else
    ceph, reason = radosgw.start { "signing", "other" }
  end
  if not ceph then
    pending(reason)
    return
  end

  setup(function()
    tmpdir.write(ceph.place .. "/body", "content")
    assert(ceph.s3cmd("put", ceph.place .. "/body", "s3://signing/file") == 0)
  end)

  teardown(function() ceph.stop() end)

  local read = [[
    local modfs = require "modfs"
    local got, message = modfs.read "s3://signing/file"
    print(got or message)
  ]]

  -- What a process prints that begins with these variables of the environment, and no others of s3.
  local function run(variables, code)
    local before = forget .. ceph.http
    for name, value in pairs(variables) do
      before = before .. " " .. name .. "=" .. shell.quote(value)
    end
    local status, out, err = child(code or read, { seconds = 120, before = before })
    assert.equal(0, status, err)
    return (out:gsub("\n$", ""))
  end

  local one = ceph.one

  it("takes credentials from its own variables, and from those of Amazon", function()
    assert.equal("content", run { MODFS_S3_ACCESS_KEY_ID = one.key,
      MODFS_S3_SECRET_ACCESS_KEY = one.secret })
    assert.equal("content", run { AWS_ACCESS_KEY_ID = one.key, AWS_SECRET_ACCESS_KEY = one.secret })
    assert.equal("content", run { AWS_ACCESS_KEY_ID = "wrong", AWS_SECRET_ACCESS_KEY = "wrong",
      MODFS_S3_ACCESS_KEY_ID = one.key, MODFS_S3_SECRET_ACCESS_KEY = one.secret })
    contains(run { AWS_ACCESS_KEY_ID = one.key, AWS_SECRET_ACCESS_KEY = "wrong" },
      "SignatureDoesNotMatch")
  end)

  it("takes endpoint and region from Amazon's variables", function()
    assert.equal("content", run { MODFS_S3_ACCESS_KEY_ID = one.key,
      MODFS_S3_SECRET_ACCESS_KEY = one.secret, AWS_REGION = "default" })
    local own = "unset MODFS_S3_ENDPOINT; export AWS_ENDPOINT_URL=http://wrong "
    local status, out, err = child(read, { seconds = 120, before = forget .. "x; " .. own ..
      "AWS_ENDPOINT_URL_S3=" .. ceph.http .. " AWS_ACCESS_KEY_ID=" .. one.key ..
      " AWS_SECRET_ACCESS_KEY=" .. one.secret })
    assert.equal(0, status, err)
    assert.equal("content\n", out)
  end)

  it("takes them from a section of the credentials file, read for each request", function()
    local file = ceph.place .. "/credentials"
    local text = ("# ours\n[default]\naws_access_key_id = wrong\naws_secret_access_key=wrong\n" ..
      "[ work ]\n aws_access_key_id = %s\r\naws_secret_access_key\t=\t%s\t\nregion = x\n")
      :format(one.key, one.secret)
    tmpdir.write(file, text)
    assert.equal("content", run { AWS_SHARED_CREDENTIALS_FILE = file, AWS_PROFILE = "work" })
    contains(run { AWS_SHARED_CREDENTIALS_FILE = file }, "InvalidAccessKeyId")
    contains(run { AWS_SHARED_CREDENTIALS_FILE = file, AWS_PROFILE = "none" }, "UNAUTHENTICATED")
    assert.equal("content", run({ AWS_SHARED_CREDENTIALS_FILE = file }, ([[
      local modfs = require "modfs"
      assert(select(3, modfs.read "s3://signing/file") == "UNAUTHENTICATED")
      local file = io.open(%q, "w")
      file:write("[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n")
      file:close()
      print(assert(modfs.read "s3://signing/file"))
    ]]):format(file, one.key, one.secret)))
    shell.output("mkdir -p " .. ceph.place .. "/.aws; mv " .. file .. " " .. ceph.place .. "/.aws")
    assert.equal("content", run { HOME = ceph.place })
  end)

  it("takes short-lived credentials, their token from a file, too", function()
    local session = ceph.session(900)
    assert.equal("content", run { AWS_ACCESS_KEY_ID = session.key,
      AWS_SECRET_ACCESS_KEY = session.secret, AWS_SESSION_TOKEN = session.token })
    tmpdir.write(ceph.place .. "/token", session.token .. "\n")
    assert.equal("content", run { AWS_ACCESS_KEY_ID = session.key,
      AWS_SECRET_ACCESS_KEY = session.secret, MODFS_S3_TOKEN_FILE = ceph.place .. "/token" })
    contains(run { AWS_ACCESS_KEY_ID = session.key, AWS_SECRET_ACCESS_KEY = session.secret,
      MODFS_S3_TOKEN_FILE = ceph.place .. "/none" }, "token_file")
  end)

  it("says what to do without credentials", function()
    local message = run {}
    contains(message, "UNAUTHENTICATED: open s3://signing/file: no credentials: set the options")
    contains(run { MODFS_S3_ANONYMOUS = "1" }, "PERMISSION_DENIED")
  end)

  it("tells nobody a secret, and sets all options or none", function()
    configure { endpoint = ceph.http, access_key_id = one.key, secret_access_key = one.secret }
    local options = modfs.config "s3"
    assert.equal("***", options.access_key_id)
    assert.equal("***", options.secret_access_key)
    assert.equal("", options.session_token)
    assert.equal("content", assert(modfs.read "s3://signing/file"))
    fails("INVALID_ARGUMENT", modfs.config("s3", { secret_access_key = "x", parallel = 0 }))
    fails("INVALID_ARGUMENT", modfs.config("s3", { addressing = "sideways" }))
    fails("NOT_FOUND", modfs.config("s3", { verify = 0 }))
    assert.equal("content", assert(modfs.read "s3://signing/file"))
    assert(modfs.config("s3", options))
    assert.equal("content", assert(modfs.read "s3://signing/file"))
  end)

  it("signs for a clock that is wrong, by the server's", function()
    if not shell.has "faketime" or os.getenv "LD_PRELOAD" then
      pending "faketime is not installed, or another library is preloaded"
      return
    end
    local status, out, err = child(read, { seconds = 120, before = forget ..
      ceph.http .. " MODFS_S3_ACCESS_KEY_ID=" .. one.key ..
      " MODFS_S3_SECRET_ACCESS_KEY=" .. one.secret, under = "faketime -f -2d" })
    assert.equal(0, status, err)
    assert.equal("content\n", out)
  end)

  it("addresses the bucket in the host", function()
    configure { addressing = "virtual", endpoint = ceph.http:gsub("127.0.0.1", "localhost") }
    assert.equal("content", assert(modfs.read "s3://signing/file"))
    configure { addressing = "auto", endpoint = ceph.http }
  end)

  it("goes over TLS, and trusts nobody it was not told to", function()
    configure { endpoint = ceph.https, ca_file = "" }
    contains(fails("FAILED_PRECONDITION", modfs.read "s3://signing/file"), "certificate")
    configure { ca_file = ceph.ca }
    assert.equal("content", assert(modfs.read "s3://signing/file"))
    configure { endpoint = ceph.https:gsub("127.0.0.1", "wrong.localhost") }
    fails("FAILED_PRECONDITION", modfs.read "s3://signing/file")
    configure { ca_file = "/nowhere", endpoint = ceph.https }
    modfs.flush_caches()
    fails("FAILED_PRECONDITION", modfs.read "s3://signing/file")
    configure { endpoint = ceph.http, ca_file = "" }
  end)

  it("tells bad input in one clear line each", function()
    contains(fails("NOT_FOUND", modfs.open "s3://no-such-bucket/x"), "NoSuchBucket")
    for _, bucket in ipairs { "Upper", "a", "under_score", "-dash", "dash-", "two..dots",
      "192.168.1.1", ("b"):rep(64), "sp ace", "a%62c" } do
      contains(fails("INVALID_ARGUMENT", modfs.open("s3://" .. bucket .. "/x")), "bucket")
    end
    fails("INVALID_ARGUMENT", modfs.open "s3:///x")
    fails("INVALID_ARGUMENT", modfs.open "s3://signing/a\r\nb")
    fails("INVALID_ARGUMENT", modfs.open "s3://signing/\255")
    fails("INVALID_ARGUMENT", modfs.open("s3://signing/" .. ("k"):rep(1025)))
    configure { access_key_id = ceph.two.key, secret_access_key = ceph.two.secret }
    local message = fails("PERMISSION_DENIED", modfs.open "s3://signing/file")
    contains(message, "s3://signing/file: GetObject: HTTP status 403, AccessDenied")
    contains(message, "request tx")
    contains(fails("PERMISSION_DENIED", modfs.stat "s3://signing/file"), "AccessDenied")
    configure { access_key_id = one.key, secret_access_key = one.secret }
  end)
end)
