-- The memory that writing and reading a large file takes is what the READMEs of the plugins say,
-- whatever its length. MODFS_MEGABYTES=1024: of 1 GiB.
local azurite = require "spec.support.azurite"
local child = require "spec.support.child"
local gs = require "spec.support.gs"
local hadoop = require "spec.support.hadoop"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local megabytes = tonumber(os.getenv "MODFS_MEGABYTES" or 256)
local MIB = 1024

-- What the child took beyond its own, in KiB: to write, and to read as well.
local function taken(uri, options)
  local status, out, err = child("spec/children/bounded_memory.lua",
    { arguments = { uri, megabytes, options }, seconds = 600 })
  assert.equal(0, status, err)
  local before, written, read = out:match "(%d+) (%d+) (%d+)"
  return written - before, read - before
end

local function takes_at_most(written, read, uri, options)
  local to_write, to_read = taken(uri, options)
  if not os.getenv "LD_PRELOAD" then -- a checker has memory of its own
    assert.is_true(to_write < written * MIB, to_write .. " KiB to write")
    assert.is_true(to_read < read * MIB, to_read .. " KiB to read")
  end
end

hadoop.describe("the memory of hdfs", { data_nodes = 1, block_size = 134217728 }, function(hdfs)
  it("is a buffer to write, and the cache and one window to read", function()
    takes_at_most(12, 64, hdfs.uri .. "/large", ("{ conf_dir = %q, user = 'root' }"):format(
      hdfs.conf))
  end)
end)

describe("the memory of az", function()
  local server, reason = azurite.start { "con" }
  if not server then
    pending(reason)
    return
  end
  teardown(server.stop)

  it("is some blocks to write, and the cache and one window to read", function()
    takes_at_most(48, 64, ("az://%s/con/large"):format(server.account), ("{ endpoint = %q, " ..
      "account = %q, account_key = %q }"):format(server.url, server.account, server.key))
  end)
end)

describe("the memory of gs", function()
  local server, reason = gs.start "fake-gcs-server"
  if not server then
    pending(reason)
    return
  end
  local options = ("{ endpoint = %q, protocol = 'json', anonymous = 1 }"):format(server.endpoint)
  setup(function()
    assert(modfs.config("gs", { endpoint = server.endpoint, protocol = "json", anonymous = 1 }))
    assert(modfs.mkdir "gs://checked")
  end)
  teardown(server.stop)

  it("is parallel * part_bytes to write, and the cache and one window to read", function()
    takes_at_most(72, 72, "gs://checked/large", options)
  end)
end)

describe("the memory of listing 100,000 names of 200 letters", function()
  if gs.missing() then
    pending(gs.missing())
    return
  end
  local place, pid, endpoint

  setup(function()
    place = tmpdir.new()
    local port
    pid, port = web.launch("spec/fixtures/objects/listing.lua", place .. "/port", place)
    endpoint = "http://127.0.0.1:" .. port
  end)
  teardown(function() web.stop(pid, place) end)

  local function lists_within(mebibytes, uri, options)
    local status, out, err = child("spec/children/listing_memory.lua",
      { arguments = { uri, 100000, options:format(endpoint) }, seconds = 300 })
    assert.equal(0, status, err)
    local before, behind, names = out:match "(%d+)%s(%d+)%s(%d+)"
    assert.equal("100000", names)
    if not os.getenv "LD_PRELOAD" then
      assert.is_true(behind - before < mebibytes * MIB, behind - before .. " KiB")
    end
  end

  it("is a page of 1,000 in gs", function()
    lists_within(3, "gs://bucket", "{ endpoint = %q, anonymous = 1 }")
  end)

  it("is a page of 5,000 in az", function()
    lists_within(4, "az://account/con", "{ endpoint = %q, account = 'account', anonymous = 1 }")
  end)
end)
