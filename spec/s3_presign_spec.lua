-- URLs that are signed for others: what Amazon publishes of them, and a real Ceph that takes them.
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"

s3.describe("modfs.presign", { "presigned" }, {}, function(ceph)
  local uri = "s3://presigned/a folder/ü+%"

  setup(function() assert(modfs.write(uri, "content")) end)

  -- curl without credentials -> the HTTP status, the body.
  local function curl(url, more)
    local out = shell.output("env -u LD_PRELOAD curl -s -w '%{http_code}' " .. (more or ""), url)
    return out:sub(-3), out:sub(1, -4)
  end

  it("signs a URL with which anybody reads the object", function()
    local url = assert(modfs.presign(uri, "GET", 60))
    contains(url, "X-Amz-Expires=60&")
    local status, body = curl(url)
    assert.equal("200", status)
    assert.equal("content", body)
    assert.equal("content", modfs.read(url))
    assert.equal("403", (curl((url:gsub("Signature=%x%x", "Signature=00")))))
    assert.equal("403", (curl((url:gsub("Expires=60", "Expires=61")))))
    assert.equal("403", (curl(url, "-X PUT -d x")))
    contains(assert(modfs.presign(uri)), "X-Amz-Expires=3600&") -- GET for an hour
  end)

  it("signs a URL with which anybody writes the object, and none other", function()
    local url = assert(modfs.presign(uri .. "2", "PUT", 60))
    assert.equal("403", (curl(url)))
    assert.equal("200", (curl(url, "-X PUT --data-binary new")))
    assert.equal("new", modfs.read(uri .. "2"))
    local other = url:gsub("%%25%?", "%%25b?"):gsub("%%252%?", "%%252b?")
    assert.equal("403", (curl(other, "-X PUT --data-binary new")))
  end)

  it("signs with a session token", function()
    local session = ceph.session(900)
    assert(modfs.config("s3", { access_key_id = session.key, secret_access_key = session.secret,
      session_token = session.token }))
    local url = assert(modfs.presign(uri, "GET", 60))
    assert(modfs.config("s3", { access_key_id = ceph.one.key, secret_access_key = ceph.one.secret,
      session_token = "" }))
    contains(url, "X-Amz-Security-Token=")
    assert.equal("200", (curl(url)))
  end)

  it("ends when it was told to end", function()
    local url = assert(modfs.presign(uri, "GET", 1))
    shell.output "sleep 2.2"
    assert.equal("403", (curl(url)))
  end)

  it("is what Amazon's example shows", function()
    if not shell.has "faketime" or os.getenv "LD_PRELOAD" then
      pending "faketime is not installed, or another library is preloaded"
      return
    end
    local _, out = child([[
      local modfs = require "modfs"
      modfs.config("s3", { endpoint = "https://s3.amazonaws.com", addressing = "virtual",
        access_key_id = "AKIAIOSFODNN7EXAMPLE", region = "us-east-1",
        secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" })
      print(modfs.presign("s3://examplebucket/test.txt", "GET", 86400))
    ]], { under = "env TZ=UTC faketime -f '2013-05-24 00:00:00'" })
    assert.equal("https://examplebucket.s3.amazonaws.com/test.txt" ..
      "?X-Amz-Algorithm=AWS4-HMAC-SHA256" ..
      "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" ..
      "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" ..
      "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404\n", out)
  end)

  it("refuses what cannot be signed", function()
    fails("INVALID_ARGUMENT", modfs.presign(uri, "DELETE", 60))
    fails("INVALID_ARGUMENT", modfs.presign(uri, "GET", 0))
    fails("INVALID_ARGUMENT", modfs.presign(uri, "GET", 604801))
    fails("FAILED_PRECONDITION", modfs.presign("s3://presigned/folder/", "GET", 60))
    fails("FAILED_PRECONDITION", modfs.presign("s3://presigned", "GET", 60))
    contains(fails("UNIMPLEMENTED", modfs.presign("mem://x", "GET", 60)), "mem://")
    assert(modfs.config("s3", { anonymous = 1 }))
    fails("FAILED_PRECONDITION", modfs.presign(uri, "GET", 60))
    assert(modfs.config("s3", { anonymous = 0 }))
  end)
end)
