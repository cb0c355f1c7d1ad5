-- What a server is asked while trees go there and come back: small files cost what they must.
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local tmpdir = require "spec.support.tmpdir"

local FILES, FOLDERS = 40, 3 -- with the root

s3.describe_chaos("s3, trees of small files,", { retries = 0 }, function(chaos)
  local place

  setup(function()
    place = tmpdir.new()
    for i = 1, FILES do
      local folder = ({ "", "/a", "/a/b" })[1 + i % FOLDERS]
      assert(modfs.makedirs(place .. "/tree" .. folder))
      assert(modfs.write(("%s/tree%s/%d"):format(place, folder, i), "content"))
    end
  end)

  teardown(function() tmpdir.remove(place) end)

  after_each(function() assert(modfs.config("s3", { if_none_match = 0 })) end)

  local operations = { "put", "list", "head", "get" }

  -- What the server was asked meanwhile.
  local function asked_for(bucket, copy)
    local before, asked = {}, {}
    for _, what in ipairs(operations) do
      before[what] = chaos.seen(bucket .. "/" .. what)
    end
    copy()
    for _, what in ipairs(operations) do
      asked[what] = chaos.seen(bucket .. "/" .. what) - before[what]
    end
    return asked
  end

  local function up(bucket)
    local report = assert(modfs.copytree(place .. "/tree", "s3://" .. bucket .. "/up"))
    assert.same({}, report.errors)
    assert.equal(FILES, report.files)
    assert.equal(7 * FILES, report.bytes)
  end

  it("into a new folder nobody asks what stands in the way", function()
    local asked = asked_for("fresh.tree", function() up "fresh.tree" end)
    assert.equal(FILES + FOLDERS, asked.put)
    assert.is_true(asked.list <= 5 * FOLDERS, asked.list .. " listings")
    assert.is_true(asked.head <= 3 * FOLDERS, asked.head .. " looks")
  end)

  it("owners go with the upload", function()
    local asked = asked_for("owned.tree", function()
      local report = assert(modfs.copytree(place .. "/tree", "s3://owned.tree/up",
        { preserve = { "mtime", "mode", "owner" } }))
      assert.same({}, report.errors)
    end)
    assert.equal(FILES + FOLDERS, asked.put)
    assert.is_true(asked.head <= 3 * FOLDERS, asked.head .. " looks")
    local from, to = modfs.stat(place .. "/tree/a/1"), modfs.stat "s3://owned.tree/up/a/1"
    assert.same({ from.owner, from.group, from.mode, from.mtime_nsec },
      { to.owner, to.group, to.mode, to.mtime_nsec })
  end)

  it("back again each is fetched, and no more", function()
    up "back.tree"
    for _, round in ipairs { "first", "second" } do
      modfs.filesystem("s3://back.tree"):flush_caches()
      local report
      local asked = asked_for("back.tree", function()
        report = assert(modfs.copytree("s3://back.tree/up", place .. "/back"))
      end)
      assert.equal(7 * FILES, report.bytes, round)
      assert.equal(FILES, asked.get, round)
      assert.is_true(asked.head <= FOLDERS, asked.head .. " looks in the " .. round)
    end
  end)

  it("into one that is there each is looked for (the control)", function()
    up "there.tree"
    local asked = asked_for("there.tree", function() up "there.tree" end)
    assert.equal(FILES, asked.put)
    assert.is_true(asked.list >= FILES, asked.list .. " listings")
    assert.is_true(asked.head <= 3 * FOLDERS, asked.head .. " looks: s3 has no links")
  end)

  it("if_none_match looks for objects in a new folder, too", function()
    assert(modfs.config("s3", { if_none_match = 1 }))
    local asked = asked_for("none.tree", function() up "none.tree" end)
    assert.equal(FILES + FOLDERS, asked.put)
    assert.is_true(asked.head >= FILES, asked.head .. " looks")
  end)

  it("a transaction takes a new folder", function()
    local tx = assert(assert(modfs.filesystem "s3://inside.tree"):start_transaction())
    assert(tx:add "s3://inside.tree/up")
    up "inside.tree"
    assert.is_false(modfs.exists "s3://inside.tree/up/a/1")
    assert(tx:commit())
    assert.equal("content", modfs.read "s3://inside.tree/up/a/1")
    assert.equal(FILES, modfs.du("s3://inside.tree/up").files)
  end)
end)
