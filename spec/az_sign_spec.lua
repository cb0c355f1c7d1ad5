-- Shared Key, against what Microsoft publishes, and against openssl for the keyed hash.
local azurite = require "spec.support.azurite"
local build = require "spec.fixtures.build"
local shell = require "spec.support.shell"

local date, version = "x-ms-date: Fri, 26 Jun 2015 23:39:12 GMT", "x-ms-version: 2015-02-21"
local signed_date = "x-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n"

describe("the signature of az", function()
  if shell.run "pkg-config --exists libcrypto" ~= 0 then
    pending "libssl-dev is not installed"
    return
  end
  local program = build.compile("az_sign",
    "spec/fixtures/az/sign.c plugins/az/shared_key.c plugins/az/shared_key.h",
    { program = true, free = true, libraries = "-lcrypto" })

  local function text(...)
    local status, out = shell.run(program, "text", "myaccount", azurite.key, ...)
    assert.equal(0, status)
    return out
  end

  it("covers the text of the reference's example of metadata", function()
    assert.equal("GET\n\n\n\n\n\n\n\n\n\n\n\n" .. signed_date ..
      "/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20",
      text("GET", "/mycontainer", "0", "restype=container", "comp=metadata", "timeout=20", "--",
        version, date))
  end)

  it("covers the text of the example of a new container, without a length of 0", function()
    assert.equal("PUT\n\n\n\n\n\n\n\n\n\n\n\n" .. signed_date ..
      "/myaccount/mycontainer\nrestype:container\ntimeout:30",
      text("PUT", "/mycontainer", "0", "restype=container", "timeout=30", "--", date, version))
  end)

  it("covers the standard headers, each in its line", function()
    assert.equal("PUT\nce\ncl\n11\nmd5\ntext/plain\n\nims\n\"tag\"\n*\nius\nbytes=0-9\n" ..
      "x-ms-blob-type:BlockBlob\n" .. signed_date .. "/myaccount/c/a%20b",
      text("PUT", "/c/a%20b", "11", "--", "Content-Encoding: ce", "content-language:cl",
        "Content-MD5: md5", "Content-Type: text/plain", "If-Modified-Since: ims",
        'If-Match: "tag"', "If-None-Match: *", "If-Unmodified-Since: ius", "Range: bytes=0-9",
        date, version, "X-Ms-Blob-Type:  BlockBlob "))
  end)

  it("sorts an underscore in the names of headers before digits and letters", function()
    local covered = text("PUT", "/c/b", "0", "--", "x-ms-meta-ab: 1", "x-ms-meta-a0: 2",
      "x-ms-meta-a_b: 3", "x-ms-meta-a: 4")
    assert.truthy(covered:find("x-ms-meta-a:4\nx-ms-meta-a_b:3\nx-ms-meta-a0:2\nx-ms-meta-ab:1\n",
      1, true))
  end)

  it("is the keyed hash of that text, as openssl makes it", function()
    local words = { "GET", "/mycontainer", "0", "restype=container", "comp=list", "--", date }
    local covered = text((table.unpack or unpack)(words))
    local hex = shell.output("printf %s " .. azurite.key ..
      " | base64 -d | od -An -v -tx1 | tr -d ' \n'")
    local expected = shell.output(("printf %%s %s | openssl dgst -sha256 -mac HMAC -macopt " ..
      "hexkey:%s -binary | base64"):format(shell.quote(covered), hex))
    assert.equal("Authorization: SharedKey myaccount:" .. expected,
      shell.output(program, "header", "myaccount", azurite.key, (table.unpack or unpack)(words)))
  end)

  it("is refused with a key that is not base64", function()
    for _, key in ipairs { "", "a", "not base64", "abc$", "=AAA", "AAAA AAA" } do
      local status = shell.run(program, "header", "myaccount", key, "GET", "/c", "0", "--", date)
      assert.equal(1, status, key)
    end
  end)
end)
