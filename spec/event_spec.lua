local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"

describe("an Event", function()
  local device, stream, event
  before_each(function()
    device = assert(modfs.device "REFERENCE:0")
    stream, event = assert(device:stream()), assert(device:event())
  end)
  after_each(function()
    stream:close()
    event:close()
  end)

  it("is unknown until it is recorded", function()
    assert.equal("unknown", event:status())
    fails("FAILED_PRECONDITION", event:wait())
    assert.equal(stream, stream:wait(event))
    assert.is_true(stream:synchronize())
  end)

  it("is complete when the stream has reached it", function()
    assert.equal(stream, stream:record(event))
    assert.is_true(event:wait())
    assert.equal("complete", event:status())
    assert.equal("modfs.Event (REFERENCE:0, complete)", tostring(event))
    assert.is_true(event:wait())
  end)

  it("can be recorded again, and by another stream", function()
    local other = device:stream()
    for _ = 1, 50 do
      assert.equal(stream, stream:record(event))
      assert.equal(other, other:wait(event))
      assert.equal(other, other:record(event))
      assert.equal(stream, stream:wait(event))
    end
    assert.is_true(event:wait())
    assert.equal("complete", event:status())
    other:close()
  end)

  it("is pending while work is under way, and an error when that failed", function()
    local status, out, err = child("spec/children/event_states.lua", { before =
      "export MODFS_REFERENCE_LATENCY_NS=300000000 MODFS_REFERENCE_FAULTS=fill:2" })
    assert.same({ 0, "pending\tmodfs.Event (REFERENCE:0, pending)\ncomplete\ntrue\terror\n", "" },
      { status, out, err })
  end)

  it("of another device is refused, by its name", function()
    local foreign = assert(modfs.device("REFERENCE:1"):event())
    for _, method in ipairs { "record", "wait" } do
      local message = fails("INVALID_ARGUMENT", stream[method](stream, foreign))
      assert.truthy(message:find "event", message)
      assert.truthy(message:find "REFERENCE:1", message)
    end
    assert.equal("unknown", foreign:status())
    assert.is_true(stream:status())
    foreign:close()
  end)
end)
