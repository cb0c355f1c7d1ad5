-- Signature Version 4, against what Amazon publishes: the test suite of the General Reference, as
-- far as it is not about paths that S3 never rewrites, each request once, and the examples of the
-- S3 reference.
local build = require "spec.fixtures.build"
local shell = require "spec.support.shell"

local empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
local unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
local token = "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwA" ..
  "eMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8p" ..
  "hUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT" ..
  "38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabI" ..
  "Qwj2ICCR/oLxBA=="

-- name, method, path, query, headers beside Host and X-Amz-Date, names of those signed, signature
local plain = "host;x-amz-date"
local one = "host;my-header1;x-amz-date"
local suite = {
  { "get-vanilla", "GET", "/", "", {}, plain,
    "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
  { "get-header-key-duplicate", "GET", "/", "",
    { "My-Header1:value2", "My-Header1:value2", "My-Header1:value1" }, one,
    "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea" },
  { "get-header-value-multiline", "GET", "/", "", { "My-Header1:value1,value2,value3" }, one,
    "ba17b383a53190154eb5fa66a1b836cc297cc0a3d70a5d00705980573d8ff790" },
  { "get-header-value-order", "GET", "/", "",
    { "My-Header1:value4", "My-Header1:value1", "My-Header1:value3", "My-Header1:value2" }, one,
    "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01" },
  { "get-header-value-trim", "GET", "/", "", { "My-Header1: value1", 'My-Header2: "a   b   c"' },
    "host;my-header1;my-header2;x-amz-date",
    "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736" },
  { "get-unreserved", "GET", "/" .. unreserved, "", {}, plain,
    "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f" },
  { "get-utf8", "GET", "/%E1%88%B4", "", {}, plain,
    "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85" },
  { "get-vanilla-empty-query-key", "GET", "/", "Param1=value1", {}, plain,
    "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb" },
  { "get-vanilla-query-order-key-case", "GET", "/", "Param1=value1&Param2=value2", {}, plain,
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500" },
  { "get-vanilla-query-unreserved", "GET", "/", unreserved .. "=" .. unreserved, {}, plain,
    "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197" },
  { "get-vanilla-utf8-query", "GET", "/", "%E1%88%B4=bar", {}, plain,
    "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04" },
  { "post-vanilla", "POST", "/", "", {}, plain,
    "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b" },
  { "post-header-key-sort", "POST", "/", "", { "My-Header1:value1" }, one,
    "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c" },
  { "post-header-value-case", "POST", "/", "", { "My-Header1:VALUE1" }, one,
    "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d" },
  { "post-sts-header-before", "POST", "/", "", { "X-Amz-Security-Token:" .. token },
    "host;x-amz-date;x-amz-security-token",
    "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead" },
  { "post-vanilla-query", "POST", "/", "Param1=value1", {}, plain,
    "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11" },
  { "post-vanilla-query-nonunreserved", "POST", "/",
    "%2B=%2F%2C%3F%3E%3C%60%22%3B%3A%5C%7C%5D%5B%7B%7D&%40%23%24%25%5E=", {}, plain,
    "66c82657c86e26fb25238d0e69f011edc4c6df5ae71119d7cb98ed9b87393c1e" },
  { "post-vanilla-query-space", "POST", "/", "p=", {}, plain,
    "e71688addb58a26418614085fb730ba3faa623b461c17f48f2fbdb9361b94a9b" },
  { "get-slashes", "GET", "/example/", "", {}, plain,
    "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84" },
  { "get-slash-pointless-dot", "GET", "/example", "", {}, plain,
    "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5" },
  { "get-space", "GET", "/example%20space/", "", {}, plain,
    "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741" },
  { "post-x-www-form-urlencoded", "POST", "/", "",
    { "Content-Type:application/x-www-form-urlencoded" }, "content-type;host;x-amz-date",
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
    "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e" },
}

-- Of S3's own reference: method, path, query, all headers, names, signature, payload
local hashed = "host;x-amz-content-sha256;x-amz-date"
local examples = {
  { "GET object", "GET", "/test.txt", "", { "Range: bytes=0-9" },
    "host;range;x-amz-content-sha256;x-amz-date",
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41" },
  { "PUT object", "PUT", "/test%24file.text", "",
    { "Date: Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class: REDUCED_REDUNDANCY" },
    "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072" },
  { "GET bucket lifecycle", "GET", "/", "lifecycle=", {}, hashed,
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543" },
  { "GET bucket", "GET", "/", "max-keys=2&prefix=J", {}, hashed,
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7" },
}

describe("the signature", function()
  if shell.run "pkg-config --exists libcrypto" ~= 0 then
    pending "libssl-dev is not installed"
    return
  end
  local program = build.compile("s3_sign",
    "spec/fixtures/s3/sign.c plugins/s3/sign.c plugins/s3/sign.h",
    { program = true, free = true, libraries = "-lcrypto" })

  local function sign(...)
    return shell.output(program, ...):gsub("\n$", "")
  end

  for _, case in ipairs(suite) do
    it("of the suite's " .. case[1], function()
      local headers = { "Host:example.amazonaws.com", "X-Amz-Date:20150830T123600Z" }
      for _, header in ipairs(case[5]) do
        table.insert(headers, 1, header)
      end
      if case[1]:find "duplicate" or case[1]:find "order$" then -- those of one name, as they came
        headers = { "Host:example.amazonaws.com", case[5][1], case[5][2], case[5][3], case[5][4] }
        headers[#headers + 1] = "X-Amz-Date:20150830T123600Z"
      end
      assert.equal("Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/" ..
        "service/aws4_request, SignedHeaders=" .. case[6] .. ", Signature=" .. case[7],
        (sign(case[2], case[3], case[4], case[8] or empty, "20150830T123600Z", "us-east-1",
          "service", "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
          (table.unpack or unpack)(headers))))
    end)
  end

  it("of the General Reference's GET of users", function()
    local signed = sign("GET", "/", "Action=ListUsers&Version=2010-05-08", empty,
      "20150830T123600Z", "us-east-1", "iam", "AKIDEXAMPLE",
      "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      "Content-Type: application/x-www-form-urlencoded; charset=utf-8", "Host: iam.amazonaws.com",
      "X-Amz-Date: 20150830T123600Z")
    assert.truthy(signed:find(
      "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7", 1, true))
  end)

  it("of S3's PUT in chunks", function()
    local signed = sign("PUT", "/examplebucket/chunkObject.txt", "",
      "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "20130524T000000Z", "us-east-1", "s3",
      "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "Host: s3.amazonaws.com",
      "x-amz-date: 20130524T000000Z", "x-amz-storage-class: REDUCED_REDUNDANCY",
      "x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "Content-Encoding: aws-chunked",
      "x-amz-decoded-content-length: 66560", "Content-Length: 66824")
    assert.truthy(signed:find(
      "Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9", 1, true))
  end)

  it("sorts names that begin like others by the names, not by the lines", function()
    local signed = sign("PUT", "/", "", empty, "20150830T123600Z", "us-east-1", "s3", "ID", "key",
      "x-amz-copy-source-range: bytes=0-1", "x-amz-copy-source: /a/b", "Host: h")
    assert.truthy(signed:find("SignedHeaders=host;x-amz-copy-source;x-amz-copy-source-range,", 1,
      true))
  end)

  -- The first key of HMAC is "AWS4" and the secret; a longer one than 64 bytes is hashed first.
  it("with a secret of any length", function()
    for length, signature in pairs {
      [60] = "d4333cd8522179ffa18940b85084b91b2c9cb561b7ce886a602ff67863383c07",
      [61] = "448b340ae0617cd00971c88e5d6d3d59704ad39b229c8053d0a197969a3703af",
      [200] = "e9234c4a22745e11e38134f938ebce98d45af9481d2df5b5bacb910e5af84a41",
    } do
      local signed = sign("GET", "/", "", empty, "20150830T123600Z", "us-east-1", "s3", "ID",
        ("s"):rep(length), "Host: h")
      assert.truthy(signed:find("Signature=" .. signature, 1, true), length)
    end
  end)

  it("is refused for what is no header", function()
    assert.equal(1, (shell.run(program, "GET", "/", "", empty, "20150830T123600Z", "us-east-1",
      "s3", "ID", "key", "no colon")))
  end)

  for _, case in ipairs(examples) do
    it("of S3's " .. case[1], function()
      local payload = case[8] or empty
      local headers = { "x-amz-content-sha256: " .. payload, "x-amz-date: 20130524T000000Z",
        "Host: examplebucket.s3.amazonaws.com" }
      for _, header in ipairs(case[5]) do
        table.insert(headers, 1, header)
      end
      assert.equal("Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/" ..
        "us-east-1/s3/aws4_request, SignedHeaders=" .. case[6] .. ", Signature=" .. case[7],
        (sign(case[2], case[3], case[4], payload, "20130524T000000Z", "us-east-1", "s3",
          "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
          (table.unpack or unpack)(headers))))
    end)
  end
end)
