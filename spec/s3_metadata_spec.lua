-- The address 169.254.169.254 is asked for credentials when a program says so, and never else. All
-- runs in a network of its own that has this address.
local child = require "spec.support.child"
local own_network = require "spec.support.own_network"
local s3 = require "spec.support.s3"
local tmpdir = require "spec.support.tmpdir"

describe("s3 and the address for credentials:", function()
  local reason = s3.missing() or own_network.missing()
  if reason then
    pending(reason)
    return
  end

  local place

  before_each(function() place = tmpdir.new() end)

  after_each(function() tmpdir.remove(place) end)

  -- Runs Lua in that network, after the shell text given; -> its output, who came to the address.
  local function run(code, before)
    local status, out, err = child(code, { seconds = 120, before = before,
      under = own_network.unshare .. " bash spec/fixtures/s3/network.sh " .. place })
    assert.equal(0, status, err)
    local log = tmpdir.content(place .. "/log")
    assert.equal("listens\n", log:sub(1, 8))
    return out, log:sub(9)
  end

  local read = [[
    local modfs = require "modfs"
    local got, message, code = modfs.read "s3://s3-good/file"
    print(got and "read" or code)
  ]]

  it("somebody waits there (the control)", function()
    local _, log = run [[os.execute "env -u LD_PRELOAD curl -s http://169.254.169.254/x"]]
    assert.equal("GET /x\n", log)
  end)

  it("nobody goes there by default, with credentials or without", function()
    local out, log = run(read)
    assert.equal("", log)
    assert.is_nil(out:find("read", 1, true), out)
    out, log = run(read, "export MODFS_S3_ACCESS_KEY_ID=A MODFS_S3_SECRET_ACCESS_KEY=B")
    assert.equal("read\n", out)
    assert.equal("", log)
    out, log = run(read, "export MODFS_S3_ANONYMOUS=1")
    assert.equal("read\n", out)
    assert.equal("", log)
  end)

  it("somebody goes there when a program says so, once", function()
    local out, log = run([[
      local modfs = require "modfs"
      modfs.config("s3", { metadata = 1 })
      for _ = 1, 3 do
        print(assert(modfs.read "s3://s3-good/file") and "read")
        modfs.flush_caches()
      end
    ]])
    assert.equal("read\nread\nread\n", out)
    local place_of_roles = "/latest/meta-data/iam/security-credentials/"
    assert.equal("PUT /latest/api/token\nGET " .. place_of_roles .. "\nGET " .. place_of_roles ..
      "the-role\n", log)
  end)

  it("nobody goes there while there are other credentials", function()
    local out, log = run(read, "export MODFS_S3_METADATA=1 MODFS_S3_ACCESS_KEY_ID=A " ..
      "MODFS_S3_SECRET_ACCESS_KEY=B")
    assert.equal("read\n", out)
    assert.equal("", log)
  end)

  it("nobody goes there as to an endpoint, or as to a web server", function()
    local out, log = run [[
      local modfs = require "modfs"
      local function try(message, code)
        print(code, message:match "link%-local")
      end
      modfs.config("s3", { access_key_id = "A", secret_access_key = "B" })
      for _, host in ipairs { "169.254.169.254", "[::ffff:169.254.169.254]" } do
        modfs.config("s3", { endpoint = "http://" .. host })
        try(select(2, modfs.read "s3://latest/meta-data"))
        try(select(2, modfs.read("http://" .. host .. "/latest/meta-data")))
      end
    ]]
    assert.equal("", log)
    assert.equal(("FAILED_PRECONDITION\tlink-local\n"):rep(4), out)
  end)

  it("nobody goes there for a name that leads there", function()
    local _, log = run [[
      local modfs = require "modfs"
      modfs.config("s3", { access_key_id = "A", secret_access_key = "B" })
      for _, name in ipairs { "169.254.169.254", "latest", "meta-data" } do
        modfs.read("s3://" .. name .. "/latest/meta-data/iam/security-credentials/")
        modfs.listdir("s3://" .. name)
      end
    ]]
    assert.equal("", log)
  end)
end)
