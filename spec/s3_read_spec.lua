-- What the plugin of s3 and gs reads, from a real Ceph.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local radosgw = require "spec.support.radosgw"
local tmpdir = require "spec.support.tmpdir"

local function contains(text, part)
  assert.truthy(text:find(part, 1, true), text .. "\nlacks " .. part)
end

local function is_built()
  local plugins = modfs.available()
  for _, plugin in ipairs(plugins) do
    if plugin.name == "s3" then
      return true
    end
  end
  return false
end

describe("s3, reading", function()
  local ceph, reason
  if is_built() then
    ceph, reason = radosgw.start { "reading", "other" }
  else
    reason = "built without libcurl4-openssl-dev, libexpat1-dev or libssl-dev"
  end
  if not ceph then
    pending(reason)
    return
  end

  local content, uri

  local function configure(options)
    assert(modfs.config("s3", options))
  end

  -- Puts an object there by another client; the key is encoded by it.
  local function put(key, data)
    tmpdir.write(ceph.place .. "/body", data)
    local status, _, err = ceph.s3cmd("put", ceph.place .. "/body", "s3://reading/" .. key)
    assert(status == 0, err)
  end

  setup(function()
    configure { endpoint = ceph.http, access_key_id = ceph.one.key,
      secret_access_key = ceph.one.secret }
    local pieces = {}
    for i = 1, 300000 do
      pieces[i] = ("%08d\n"):format(i)
    end
    content = table.concat(pieces)
    uri = "s3://reading/"
    put("large", content)
    put("small", "a few words\n")
    put("empty", "")
    put("dir/file", "inside\n")
  end)

  teardown(function() ceph.stop() end)

  it("reads a file whole, in order, and anywhere", function()
    assert.equal("a few words\n", assert(modfs.read(uri .. "small")))
    assert.is_true(content == assert(modfs.read(uri .. "large")))
    local file = assert(modfs.open(uri .. "large"))
    assert.equal(#content, assert(file:size()))
    assert.equal("00000001", file:read "l")
    assert.equal(content:sub(1000001, 1000100), assert(file:pread(1000000, 100)))
    assert.equal(content:sub(-10), assert(file:pread(#content - 10, 100)))
    assert.is_nil((file:pread(#content, 1)))
    file:close()
    assert.equal("", assert(modfs.read(uri .. "empty")))
  end)

  it("tells size, time and what is a directory", function()
    local stat = assert(modfs.stat(uri .. "large"))
    assert.equal(#content, stat.length)
    assert.is_false(stat.is_directory)
    assert.is_true(math.abs(os.time() - stat.mtime) < 3600)
    assert.equal(0, assert(modfs.size(uri .. "empty")))
    assert.is_true(modfs.isdir "s3://reading")
    assert.is_true(modfs.isdir "s3://reading/")
    assert.is_true(modfs.isdir(uri .. "dir"))
    assert.is_true(modfs.isdir(uri .. "dir/"))
    assert.is_true(modfs.isdir "s3://")
    assert.is_false(modfs.isdir(uri .. "small"))
    assert.is_false(modfs.isdir(uri .. "nothing"))
    assert.is_false(modfs.exists(uri .. "nothing"))
    assert.is_false(modfs.exists(uri .. "dir/nothing"))
    assert.is_false(modfs.exists "s3://no-such-bucket/x")
    fails("FAILED_PRECONDITION", modfs.open(uri .. "dir"))
    fails("FAILED_PRECONDITION", modfs.open(uri .. "small/x"))
    fails("FAILED_PRECONDITION", modfs.open(uri .. "small/"))
    fails("NOT_FOUND", modfs.open(uri .. "nothing/x"))
    contains(fails("NOT_FOUND", modfs.open "s3://no-such-bucket/x"), "NoSuchBucket")
  end)
end)
