-- Transactions of the plugin of s3: parts are uploaded, objects made by the commit alone.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"

local MIB = 1024 * 1024

s3.describe("s3, transactions", { "commits", "beside" }, { part_bytes = 5 * MIB }, function(ceph)
  local uri, fs, tx = "s3://commits/", nil, nil
  local large = ("0123456789abcdef"):rep(MIB * 11 / 16)

  -- What another client sees: "key size" for each object.
  local function seen()
    local status, out, err = ceph.s3cmd("ls", "-r", "s3://commits")
    assert(status == 0, err)
    local list = {}
    for size, key in out:gmatch " (%d+)%s+s3://commits/([^\n]*)" do
      list[#list + 1] = key .. " " .. size
    end
    return list
  end

  local function begin(...)
    tx = assert(fs:start_transaction())
    for _, path in ipairs { ... } do
      assert(tx:add(uri .. path))
    end
  end

  setup(function() fs = assert(modfs.filesystem "s3://commits") end)

  before_each(function() assert(modfs.write(uri .. "kept", "old")) end)

  after_each(function()
    assert.equal(0, ceph.uploads "commits")
    assert(modfs.rmtree(uri .. ""))
    assert(modfs.mkdir "s3://commits")
  end)

  it("show nothing before the commit, and all after it", function()
    begin("dir", "kept")
    assert(modfs.write(uri .. "dir/empty", ""))
    assert(modfs.write(uri .. "dir/small", "small"))
    assert(modfs.write(uri .. "dir/large", large))
    assert(modfs.write(uri .. "kept", "new content"))
    assert(modfs.write(uri .. "outside", "x"))
    assert.same({ "kept 3", "outside 1" }, seen())
    assert.equal("old", modfs.read(uri .. "kept"))
    assert.is_false(modfs.exists(uri .. "dir/small"))
    assert.equal(4, ceph.uploads "commits")
    assert(tx:commit())
    assert.same({ "dir/empty 0", "dir/large " .. #large, "dir/small 5", "kept 11", "outside 1" },
      seen())
    assert.is_true(large == modfs.read(uri .. "dir/large"))
  end)

  it("do not read their own writes, which build on each other", function()
    begin("dir", "kept")
    assert(modfs.write(uri .. "kept", "new content"))
    assert(modfs.mkdir(uri .. "dir"))
    assert(modfs.write(uri .. "dir/file", "made"))
    assert(modfs.rename(uri .. "dir/file", uri .. "dir/moved"))
    assert.equal("old", modfs.read(uri .. "kept"))
    assert.equal(3, modfs.size(uri .. "kept"))
    assert.is_false(modfs.exists(uri .. "dir"))
    assert.is_false(modfs.exists(uri .. "dir/moved"))
    assert(tx:commit())
    assert.equal("new content", modfs.read(uri .. "kept"))
    assert.equal("made", modfs.read(uri .. "dir/moved"))
    assert.is_false(modfs.exists(uri .. "dir/file"))
  end)

  it("leave no trace when they are aborted, closed or dropped", function()
    for _, ending in ipairs { "abort", "close", "drop" } do
      begin("dir", "kept")
      assert(modfs.write(uri .. "dir/large", large))
      assert(modfs.write(uri .. "kept", "new content"))
      assert(modfs.makedirs(uri .. "dir/deep/er"))
      assert(modfs.remove(uri .. "kept"))
      assert.equal(2, ceph.uploads "commits")
      if ending == "drop" then
        tx = nil
        collectgarbage()
        collectgarbage()
      else
        assert(tx[ending](tx))
      end
      assert.same({ "kept 3" }, seen())
      assert.equal(0, ceph.uploads "commits")
    end
  end)

  it("append to what was committed", function()
    assert(modfs.write(uri .. "long", large))
    begin("long", "kept", "fresh")
    assert(modfs.write(uri .. "long", "more", { append = true }))
    assert(modfs.write(uri .. "kept", "er", { append = true }))
    assert(modfs.write(uri .. "fresh", "new", { append = true }))
    fails("FAILED_PRECONDITION", modfs.write(uri .. "kept", "again", { append = true }))
    assert.equal(#large, modfs.size(uri .. "long"))
    assert(tx:commit())
    assert.same({ "fresh 3", "kept 5", "long " .. #large + 4 }, seen())
    assert.equal("older", modfs.read(uri .. "kept"))
    assert.equal("more", modfs.read(uri .. "long"):sub(-4))
  end)

  it("delete, rename and copy when they are committed", function()
    for _, name in ipairs { "a", "b", "c" } do
      assert(modfs.write(uri .. "dir/" .. name, name:rep(4)))
    end
    begin "dir"
    assert(modfs.remove(uri .. "dir/a"))
    fails("NOT_FOUND", modfs.remove(uri .. "dir/a"))
    assert(modfs.rename(uri .. "dir/b", uri .. "dir/moved"))
    fails("NOT_FOUND", modfs.rename(uri .. "dir/b", uri .. "dir/moved"))
    assert(modfs.copy(uri .. "kept", uri .. "dir/copy"))
    assert(modfs.write(uri .. "dir/made", "made"))
    assert(modfs.rename(uri .. "dir/made", uri .. "dir/made and moved"))
    fails("FAILED_PRECONDITION", modfs.rename(uri .. "dir/c", uri .. "outside"))
    fails("FAILED_PRECONDITION", modfs.rename(uri .. "kept", uri .. "dir/inside"))
    fails("NOT_FOUND", modfs.copy(uri .. "none", uri .. "dir/x"))
    assert.same({ "dir/a 4", "dir/b 4", "dir/c 4", "kept 3" }, seen())
    assert(tx:commit())
    assert.same({ "dir/c 4", "dir/copy 3", "dir/made and moved 4", "dir/moved 4", "kept 3" },
      seen())
    assert.equal("made", modfs.read(uri .. "dir/made and moved"))
    assert.equal("bbbb", modfs.read(uri .. "dir/moved"))
  end)

  it("make and delete directories when they are committed", function()
    assert(modfs.makedirs(uri .. "old/empty"))
    assert(modfs.write(uri .. "old/tree/file", "x"))
    begin("new", "old")
    assert(modfs.mkdir(uri .. "new"))
    fails("ALREADY_EXISTS", modfs.mkdir(uri .. "new"))
    assert(modfs.mkdir(uri .. "new/below"))
    fails("NOT_FOUND", modfs.mkdir(uri .. "new/not/below"))
    assert(modfs.write(uri .. "new/below/file", "x"))
    assert(modfs.rmdir(uri .. "old/empty"))
    fails("NOT_FOUND", modfs.rmdir(uri .. "old/empty"))
    fails("FAILED_PRECONDITION", modfs.rmdir(uri .. "old/tree"))
    assert.same({ true, 0, 0 }, { modfs.rmtree(uri .. "old/tree") })
    fails("FAILED_PRECONDITION", modfs.open(uri .. "new/below", "w"))
    assert.same({ "kept 3", "old/ 0", "old/empty/ 0", "old/tree/file 1" }, seen())
    assert(tx:commit())
    assert.same({ "kept 3", "new/ 0", "new/below/ 0", "new/below/file 1", "old/ 0" }, seen())
  end)

  it("hold a path each", function()
    begin "dir"
    local other = assert(fs:start_transaction())
    fails("FAILED_PRECONDITION", other:add(uri .. "dir/below"))
    fails("FAILED_PRECONDITION", other:add "s3://commits")
    assert(other:add(uri .. "directory"))
    assert(other:add "s3://beside")
    assert(modfs.write("s3://beside/file", "x"))
    assert.is_false(modfs.exists "s3://beside/file")
    assert(other:commit())
    assert.equal("x", modfs.read "s3://beside/file")
    fails("NOT_FOUND", fs:get_transaction_for_path(uri .. "directory"))
    assert.equal(tx, fs:get_transaction_for_path(uri .. "dir/below"))
    assert(tx:abort())
  end)

  it("let an open file go on after a commit, not after an abort", function()
    begin "dir"
    local late = assert(modfs.open(uri .. "dir/late", "w"))
    assert(late:write("late"))
    assert(late:sync())
    assert.is_false(modfs.exists(uri .. "dir/late"))
    assert(modfs.write(uri .. "dir/atom", "atom", { atomic = true }))
    assert.is_false(modfs.exists(uri .. "dir/atom"))
    assert(tx:commit())
    assert(late:close())
    assert.equal("late", modfs.read(uri .. "dir/late"))
    begin "dir"
    local lost = assert(modfs.open(uri .. "dir/lost", "w"))
    assert(lost:write("lost"))
    assert(tx:abort())
    fails("ABORTED", lost:close())
    assert.is_false(modfs.exists(uri .. "dir/lost"))
  end)

  it("say how far a commit came that failed", function()
    begin "dir"
    for _, name in ipairs { "one", "two", "three" } do
      assert(modfs.write(uri .. "dir/" .. name, "x"))
    end
    local status, out = ceph.curl("-f", ceph.http .. "/commits?uploads=")
    assert.equal(0, status)
    local id = out:match "<Key>dir/two</Key><UploadId>([^<]*)</UploadId>"
    assert.equal(0, (ceph.curl("-f", "-X", "DELETE",
      ceph.http .. "/commits/dir/two?uploadId=" .. id)))
    local value, message = tx:commit() -- Ceph says that it is "already in progress"
    assert.is_nil(value)
    assert.truthy(message:find("1 of 3 changes were made", 1, true), message)
    assert.same({ "dir/one 1", "kept 3" }, seen())
  end)
end)
