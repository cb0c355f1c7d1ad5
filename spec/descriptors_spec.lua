-- Servers and plugins in a process that is short of descriptors: garbage is collected where that
-- helps, and where it does not the failure is RESOURCE_EXHAUSTED at once, neither a host that is
-- not reached, nor a missing plugin or missing credentials.
local child = require "spec.support.child"
local s3 = require "spec.support.s3"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local MOST_LEFT = 7

local function read(left, warm, keep, ...)
  local status, out, err = child("spec/children/scarce_connections.lua", { before = "ulimit -n 64",
    arguments = { left, warm, keep, ... } })
  assert.same({ 0, "" }, { status, err })
  return out
end

-- The control is in the second half: with kept files some reads fail.
local function check(content, ...)
  local failed = 0
  for left = 0, MOST_LEFT do
    for _, warm in ipairs { "cold", "warm" } do
      local where = (" (%d left, %s)"):format(left, warm)
      assert.equal(content .. where, read(left, warm, "drop", ...) .. where)
      local kept = read(left, warm, "keep", ...)
      if kept ~= content then
        assert.equal("RESOURCE_EXHAUSTED" .. where, kept:match "^%S*" .. where, kept)
        failed = failed + 1
      end
    end
  end
  assert.is_true(failed > 1 and failed < 2 * MOST_LEFT, failed .. " reads failed")
end

describe("a process short of descriptors", function()
  local missing = s3.missing() or web.missing()
  if missing then
    return pending(missing)
  end
  local place, chaos, nginx

  setup(function()
    place = tmpdir.new()
    chaos = web.chaos()
    chaos.put("s3-good/file", "an object")
    nginx = web.nginx()
    nginx.write("file", "a file")
  end)
  teardown(function()
    nginx.stop()
    chaos.stop()
    tmpdir.remove(place)
  end)

  it("reads from a web server", function()
    check("a file", nginx.http .. "/file")
  end)

  it("reads from a web server over TLS", function()
    check("a file", nginx.https .. "/file", "ca_file=" .. nginx.ca)
  end)

  it("reads from a store, with keys of a file", function()
    tmpdir.write(place .. "/credentials",
      "[default]\naws_access_key_id = AKID\naws_secret_access_key = secret\n")
    check("an object", "s3://s3-good/file", "endpoint=" .. chaos.url,
      "credentials_file=" .. place .. "/credentials")
  end)
end)
