-- A tree goes from the machine to az and back: content, names, empty directories, modes and times
-- of nanoseconds are what they were. Azure keeps no modes and times of directories, and no links.
local azurite = require "spec.support.azurite"
local modfs = require "modfs"
local round_trip = require "spec.support.round_trip"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

describe("a tree to az and back", function()
  local server, reason = azurite.start { "round" }
  if not server then
    pending(reason)
    return
  end
  local place, src, up

  setup(function()
    place = tmpdir.new()
    src, up = place .. "/src", "az://" .. server.account .. "/round/up"
    assert(modfs.config("az", { part_bytes = 1024 * 1024 }))
    round_trip.plant(src)
  end)
  teardown(function()
    server.stop()
    tmpdir.remove(place)
  end)

  it("goes there and back", function()
    local report = assert(modfs.copytree(src, up))
    assert.same({}, report.errors)
    assert.equal(round_trip.files, report.files)
    report = assert(modfs.copytree(up, place .. "/back"))
    assert.same({}, report.errors)
    round_trip.same(src, place .. "/back")
  end)

  it("is not copied again, until a time or a content changes", function()
    assert.equal(0, assert(modfs.sync(src, up)).copied)
    assert.equal(0, assert(modfs.sync(up, place .. "/back")).copied)
    shell.output("touch -d @1234567890.123456789", src .. "/a/plain")
    tmpdir.write(src .. "/a/q?", "changed")
    assert.equal(2, assert(modfs.sync(src, up)).copied)
    assert.equal(2, assert(modfs.sync(up, place .. "/back")).copied)
    round_trip.same(src, place .. "/back")
  end)

  it("names that Azure cannot have are told, and the rest is copied", function()
    tmpdir.write(src .. "/odd\239\191\191", "x")
    local report = assert(modfs.sync(src, up))
    assert.equal(1, #report.errors)
    assert.truthy(report.errors[1].message:find("U+FFFF", 1, true), report.errors[1].message)
  end)

  it("goes back without what is not wanted (the control)", function()
    assert(modfs.copytree(up, place .. "/bare", { preserve = {} }))
    assert.not_equal(round_trip.described(src), round_trip.described(place .. "/bare"))
  end)
end)
