-- Checksums that uploads to S3 carry, before a server that compares them.
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"

local MIB = 1024 * 1024

s3.describe_chaos("s3, checksums,", { retries = 0 }, function(chaos)
  local number = 0

  -- A new object of that size, and what the server says of its checksum.
  local function sum_of(size, write)
    number = number + 1
    local path, content = "s3-good/sum" .. number, ("abcdefgh"):rep(MIB):sub(1, size)
    assert((write or modfs.write)("s3://" .. path, content))
    assert.is_true(content == modfs.read("s3://" .. path))
    return chaos.head(path)["x-test-sum"]
  end

  before_each(function()
    assert(modfs.config("s3", { checksum = "crc32c", part_bytes = 5 * MIB }))
  end)

  teardown(function() assert(modfs.config("s3", { checksum = "auto", part_bytes = 8 * MIB })) end)

  it("are sent with small objects", function()
    for _, size in ipairs { 0, 1, 7, 8, 9, 1000, 65537 } do
      assert.equal("single", sum_of(size))
    end
  end)

  it("are sent with parts, and again when they are completed", function()
    assert.equal("parts", sum_of(5 * MIB + 3))
  end)

  it("are sent with parts in a transaction, even of an empty object", function()
    for _, size in ipairs { 0, 100 } do
      assert.equal("parts", sum_of(size, function(path, content)
        local filesystem = assert(modfs.filesystem "s3")
        local transaction = assert(filesystem:start_transaction())
        assert(filesystem:add_to_transaction(path, transaction))
        assert(modfs.write(path, content))
        return transaction:commit()
      end))
    end
  end)

  it("are not sent for an object that goes on with another one", function()
    assert(modfs.write("s3://s3-good/longer", ("a"):rep(5 * MIB)))
    assert(modfs.append("s3://s3-good/longer", "b"))
    assert.is_nil(chaos.head("s3-good/longer")["x-test-sum"])
    assert.equal(5 * MIB + 1, modfs.stat("s3://s3-good/longer").length)
  end)

  it("are not sent to an endpoint of one's own, unless they are wanted", function()
    for _, choice in ipairs { "auto", "none" } do
      assert(modfs.config("s3", { checksum = choice }))
      assert.is_nil(sum_of(1000))
      assert.is_nil(sum_of(5 * MIB + 3))
    end
  end)

  it("are compared by this server (the control)", function()
    local status = function(sum)
      return shell.output(("env -u LD_PRELOAD curl -s -o /dev/null -w '%%{http_code}' -X PUT " ..
        "-H 'x-amz-checksum-crc32c: %s' --data-binary 123456789 %s/s3-good/control"):format(sum,
        chaos.url))
    end
    assert.equal("200", status "4waSgw==") -- 0xe3069283, the check value of CRC-32C
    assert.equal("400", status "4waSgQ==")
  end)
end)
