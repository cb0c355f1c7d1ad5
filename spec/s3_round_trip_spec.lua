-- A tree goes from the machine to s3 and back: content, names, empty directories, modes and times
-- of nanoseconds are what they were. S3 keeps no modes and times of directories, and no links.
local modfs = require "modfs"
local round_trip = require "spec.support.round_trip"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

-- The tests of a bucket; settle(): forgets what is cached.
local function cases(bucket, seen)
  local place, src, up

  setup(function()
    place = tmpdir.new()
    src, up = place .. "/src", "s3://" .. bucket .. "/up"
    round_trip.plant(src)
  end)
  teardown(function() tmpdir.remove(place) end)
  after_each(modfs.flush_caches)

  it("goes there and back", function()
    local report = assert(modfs.copytree(src, up))
    assert.same({}, report.errors)
    assert.equal(round_trip.files, report.files)
    report = assert(modfs.copytree(up, place .. "/back"))
    assert.same({}, report.errors)
    round_trip.same(src, place .. "/back")
    if shell.has "rsync" then
      local out = shell.output("rsync -ani --checksum", src .. "/", place .. "/back/")
      for line in out:gmatch "[^\n]+" do
        assert.truthy(line:find "^%.d", out)
      end
    end
  end)

  it("needs no request for the attributes", function()
    if not seen then
      return
    end
    -- The large one goes up in parts.
    assert.equal(round_trip.files - 1 + round_trip.directories, seen "put")
    assert.equal(0, seen "copy")
  end)

  it("is not copied again", function()
    assert.equal(0, assert(modfs.sync(src, up)).copied)
    assert.equal(0, assert(modfs.sync(up, place .. "/back")).copied)
    assert.equal(0, assert(modfs.sync(place .. "/back", up)).copied)
  end)

  it("a changed time is carried there and back", function()
    shell.output("touch -d @1234567890.123456789", src .. "/a/plain")
    assert.equal(1, assert(modfs.sync(src, up)).copied)
    assert.equal(1, assert(modfs.sync(up, place .. "/back")).copied)
    round_trip.same(src, place .. "/back")
  end)

  it("goes back without what is not wanted (the control)", function()
    assert(modfs.copytree(up, place .. "/bare", { preserve = {} }))
    assert.not_equal(round_trip.described(src), round_trip.described(place .. "/bare"))
  end)

  it("owners go along when they are asked for", function()
    if shell.output "id -u" ~= "0" then
      pending "only root gives files away"
      return
    end
    shell.output("chown 1234:2345", src .. "/a/plain")
    shell.output("chmod 6755", src .. "/a/plain") -- set-id bits go with the owner
    local all = { preserve = { "mtime", "mode", "owner" } }
    assert(modfs.copytree(src, up .. "2", all))
    assert(modfs.copytree(up .. "2", place .. "/owned", all))
    assert.equal("1234:2345 6755", shell.output("stat -c '%u:%g %a'", place .. "/owned/a/plain"))
    assert.equal("0:0 644", shell.output("stat -c '%u:%g %a'", place .. "/owned/plain"))
  end)
end

s3.describe_chaos("a tree to s3 and back", { part_bytes = 5 * 1024 * 1024 }, function(chaos)
  cases("round.trip", function(what) return chaos.seen("round.trip/" .. what) end)
end)

s3.describe("a tree to Ceph and back", { "round" }, {}, function()
  cases "round"
end)
