-- What users get wrong with s3: each told in one clear line, before a real Ceph.
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"

describe("s3, used badly:", function()
  local ceph, reason = s3.start { "mine" }
  if not ceph then
    pending(reason)
    return
  end

  local good

  setup(function()
    good = { endpoint = ceph.http, access_key_id = ceph.one.key, session_token = "",
      secret_access_key = ceph.one.secret, region = "us-east-1", ca_file = ceph.ca, retries = 0 }
    assert(modfs.config("s3", good))
    assert(modfs.write("s3://mine/file", "content"))
  end)

  teardown(function() ceph.stop() end)

  after_each(function()
    assert(modfs.config("s3", good))
    modfs.flush_caches()
  end)

  -- Every operation fails with the code, in one line with all the words.
  local function told(code, place, ...)
    local messages = { fails(code, modfs.read(place .. "/file")),
      fails(code, modfs.write(place .. "/new", "x")), fails(code, modfs.listdir(place)) }
    for _, message in ipairs(messages) do
      for _, word in ipairs { ... } do
        assert.truthy(message:find(word, 1, true), message .. "\nlacks " .. word)
      end
    end
  end

  it("a bucket that nobody has", function()
    told("NOT_FOUND", "s3://no-such-bucket", "no-such-bucket", "NoSuchBucket")
  end)

  it("no permission", function()
    assert(modfs.config("s3", { access_key_id = ceph.two.key,
      secret_access_key = ceph.two.secret }))
    told("PERMISSION_DENIED", "s3://mine", "mine", "AccessDenied", "403")
  end)

  it("a key that the server does not know, and a wrong secret", function()
    assert(modfs.config("s3", { access_key_id = "AKNOBODY" }))
    told("UNAUTHENTICATED", "s3://mine", "InvalidAccessKeyId", "does not know")
    assert(modfs.config("s3", { access_key_id = ceph.one.key, secret_access_key = "wrong" }))
    told("UNAUTHENTICATED", "s3://mine", "SignatureDoesNotMatch", "check the secret")
  end)

  it("no credentials at all", function()
    local script = ([[
      local modfs = require "modfs"
      modfs.config("s3", { endpoint = %q, credentials_file = "/nonexistent" })
      print((select(2, modfs.read "s3://mine/file")))
    ]]):format(ceph.http)
    local _, out, err = child(script, { before = "unset AWS_ACCESS_KEY_ID; export HOME=/none" })
    assert.equal("UNAUTHENTICATED: ", out:sub(1, 17), out .. err)
    assert.truthy(out:find "credentials")
    assert.equal(1, select(2, out:gsub("\n", "")))
  end)

  it("credentials that have ended", function()
    local session = ceph.session(1)
    shell.output "sleep 2" -- what ends them is the clock
    assert(modfs.config("s3", { access_key_id = session.key, secret_access_key = session.secret,
      session_token = session.token }))
    local message, code = select(2, modfs.read "s3://mine/file")
    assert.truthy(code == "PERMISSION_DENIED" or code == "UNAUTHENTICATED", message)
    session = ceph.session(900) -- the control
    assert(modfs.config("s3", { access_key_id = session.key, secret_access_key = session.secret,
      session_token = session.token }))
    assert.equal("content", modfs.read "s3://mine/file")
  end)

  it("a clock that is wrong is put right by the server's", function()
    if sanitized then
      pending "faketime wants the place that a sanitizer has"
      return
    end
    if not shell.has "faketime" then
      pending "faketime is not installed"
      return
    end
    local status, out, err = shell.run(("faketime -f -3d env MODFS_S3_ENDPOINT=%s " ..
      "MODFS_S3_ACCESS_KEY_ID=%s MODFS_S3_SECRET_ACCESS_KEY=%s %s bin/modfs cat s3://mine/file")
      :format(ceph.http, ceph.one.key, ceph.one.secret, os.getenv "LUA" or "lua5.4"))
    assert.equal(0, status, err)
    assert.equal("content", out)
  end)

  it("a certificate of another host, or of nobody we trust", function()
    local port = ceph.https:match "%d+$"
    assert(modfs.config("s3", { endpoint = ceph.https }))
    assert.equal("content", modfs.read "s3://mine/file") -- the control
    assert(modfs.config("s3", { endpoint = "https://wrong.localhost:" .. port }))
    told("FAILED_PRECONDITION", "s3://mine", "certificate")
    modfs.flush_caches()
    assert(modfs.config("s3", { endpoint = ceph.https, ca_file = "" }))
    told("FAILED_PRECONDITION", "s3://mine", "certificate")
    assert(modfs.config("s3", { ca_file = "/nonexistent" }))
    told("FAILED_PRECONDITION", "s3://mine", "/nonexistent")
  end)

  it("nobody at the endpoint, or no endpoint", function()
    assert(modfs.config("s3", { endpoint = "http://127.0.0.1:1" }))
    told("UNAVAILABLE", "s3://mine", "127.0.0.1")
    for _, endpoint in ipairs { "127.0.0.1:80", "ftp://127.0.0.1", "http://", "http://u:p@h",
      "http://h?x=y", "http://a b" } do
      local done, _, code = modfs.config("s3", { endpoint = endpoint })
      if done then
        fails("INVALID_ARGUMENT", modfs.read "s3://mine/file")
      else
        assert.equal("INVALID_ARGUMENT", code)
      end
    end
  end)

  it("names that no bucket has", function()
    for _, name in ipairs { "ab", "Upper", "under_score", "-dash", "dash-", "dot..dot", "a b",
      "192.168.0.1", ("n"):rep(64), "ümläut", "a%20b", "a\1b" } do
      local message = fails("INVALID_ARGUMENT", modfs.read("s3://" .. name .. "/file"))
      assert.truthy(message:find "bucket", message)
      fails("INVALID_ARGUMENT", modfs.write("s3://" .. name .. "/file", "x"))
      fails("INVALID_ARGUMENT", modfs.listdir("s3://" .. name))
    end
  end)

  it("keys that none can be", function()
    for _, key in ipairs { ("k"):rep(1025), "\255\254", "caf\233" } do
      fails("INVALID_ARGUMENT", modfs.write("s3://mine/" .. key, "x"))
      fails("INVALID_ARGUMENT", modfs.read("s3://mine/" .. key))
    end
    assert.has_error(function() modfs.read(nil) end)
    fails("INVALID_ARGUMENT", modfs.read "s3://mine/a\0b")
  end)

  it("options that are none", function()
    fails("NOT_FOUND", modfs.config("s3", { verify = 0 }))
    fails("NOT_FOUND", modfs.config("s3", { insecure = 1 }))
    for name, value in pairs { retries = -1, part_bytes = 1, parallel = 0, addressing = "sideways",
      encryption = "rot13", anonymous = 2, user_agent = "a\r\nX-Evil: yes", region = "a\nb",
      secret_access_key = "a\nb", connect_timeout_ms = 0 } do
      fails("INVALID_ARGUMENT", modfs.config("s3", { [name] = value }))
    end
    assert.equal("content", modfs.read "s3://mine/file")
  end)
end)
