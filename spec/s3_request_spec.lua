-- Who signs for s3, with which options, and what users get wrong: before a real Ceph.
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local forget = "unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE " ..
  "AWS_REGION AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_CA_BUNDLE " ..
  "AWS_SHARED_CREDENTIALS_FILE; export HOME=/nowhere MODFS_S3_ENDPOINT="

local function configure(options)
  assert(modfs.config("s3", options))
end

s3.describe("s3, signing", { "signing", "other" }, {}, function(ceph)
  setup(function()
    tmpdir.write(ceph.place .. "/body", "content")
    assert(ceph.s3cmd("put", ceph.place .. "/body", "s3://signing/file") == 0)
  end)

  before_each(function()
    configure { endpoint = ceph.http, access_key_id = ceph.one.key, session_token = "", retries = 0,
      secret_access_key = ceph.one.secret, ca_file = "", addressing = "auto" }
    modfs.flush_caches()
  end)

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

  -- Reading, writing and listing fail with the code, in one line with all the words.
  local function told(code, place, ...)
    for _, message in ipairs { fails(code, modfs.read(place .. "/file")),
      fails(code, modfs.write(place .. "/new", "x")), fails(code, modfs.listdir(place)) } do
      for _, word in ipairs { ... } do
        contains(message, word)
      end
    end
  end

  it("tells a key that the server does not know from a wrong secret", function()
    configure { access_key_id = "AKNOBODY" }
    told("UNAUTHENTICATED", "s3://signing", "InvalidAccessKeyId", "does not know")
    configure { access_key_id = one.key, secret_access_key = "wrong" }
    told("UNAUTHENTICATED", "s3://signing", "SignatureDoesNotMatch", "check the secret")
  end)

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
    told("FAILED_PRECONDITION", "s3://signing", "certificate")
    configure { ca_file = ceph.ca }
    assert.equal("content", assert(modfs.read "s3://signing/file"))
    configure { endpoint = ceph.https:gsub("127.0.0.1", "wrong.localhost") }
    told("FAILED_PRECONDITION", "s3://signing", "certificate")
    configure { ca_file = "/nowhere", endpoint = ceph.https }
    modfs.flush_caches()
    told("FAILED_PRECONDITION", "s3://signing", "/nowhere")
    configure { endpoint = ceph.http, ca_file = "" }
  end)

  it("tells bad input in one clear line each", function()
    told("NOT_FOUND", "s3://no-such-bucket", "no-such-bucket", "NoSuchBucket")
    for _, bucket in ipairs { "Upper", "a", "ab", "under_score", "-dash", "dash-", "two..dots",
      "192.168.1.1", ("b"):rep(64), "sp ace", "a%62c", "ümläut", "a\1b" } do
      told("INVALID_ARGUMENT", "s3://" .. bucket, "bucket")
    end
    for _, key in ipairs { "a\r\nb", "a\0b", "\255\254", "caf\233", ("k"):rep(1025) } do
      fails("INVALID_ARGUMENT", modfs.read("s3://signing/" .. key))
      fails("INVALID_ARGUMENT", modfs.write("s3://signing/" .. key, "x"))
    end
    fails("INVALID_ARGUMENT", modfs.open "s3:///x")
    configure { access_key_id = ceph.two.key, secret_access_key = ceph.two.secret }
    told("PERMISSION_DENIED", "s3://signing", "signing", "AccessDenied", "403")
    local message = fails("PERMISSION_DENIED", modfs.open "s3://signing/file")
    contains(message, "s3://signing/file: GetObject: HTTP status 403, AccessDenied")
    contains(message, "request tx")
    contains(fails("PERMISSION_DENIED", modfs.stat "s3://signing/file"), "AccessDenied")
    configure { endpoint = "http://127.0.0.1:1" }
    told("UNAVAILABLE", "s3://signing", "127.0.0.1")
  end)

  it("takes no option that is none", function()
    for name, value in pairs { retries = -1, part_bytes = 1, parallel = 0, addressing = "sideways",
      encryption = "rot13", anonymous = 2, user_agent = "a\r\nX-Evil: yes", region = "a\nb",
      secret_access_key = "a\nb", connect_timeout_ms = 0 } do
      fails("INVALID_ARGUMENT", modfs.config("s3", { [name] = value }))
    end
    fails("NOT_FOUND", modfs.config("s3", { verify = 0 }))
    fails("NOT_FOUND", modfs.config("s3", { insecure = 1 }))
    assert.equal("content", modfs.read "s3://signing/file")
  end)
end)
