local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"

describe("a Timer", function()
  local device, stream, timer
  before_each(function()
    device = assert(modfs.device "REFERENCE:0")
    stream, timer = assert(device:stream()), assert(device:timer())
  end)
  after_each(function()
    stream:close()
    if modfs.type(timer) == "timer" then
      timer:close()
    end
  end)

  it("gives nanoseconds between its marks", function()
    assert.is_true(timer:start(stream))
    assert.is_true(timer:stop(stream))
    local nanoseconds = timer:nanoseconds()
    assert.equal(math.floor(nanoseconds), nanoseconds)
    assert.truthy(nanoseconds >= 0 and nanoseconds < 60e9, nanoseconds)
    assert.equal(nanoseconds, timer:nanoseconds())
  end)

  it("measures what lies between, and nothing else", function()
    local status, out, err = child("spec/children/timed.lua", { before =
      "export MODFS_REFERENCE_LATENCY_NS=10000000" })
    assert.same({ 0, "" }, { status, err })
    local nanoseconds = tonumber(out)
    assert.truthy(nanoseconds >= 30e6 and nanoseconds < 1000e6, out)
  end)

  it("can be used again", function()
    for _ = 1, 20 do
      assert.is_true(timer:start(stream))
      assert.is_true(timer:stop(stream))
      assert.truthy(timer:nanoseconds() >= 0)
    end
  end)

  it("fails before it was stopped", function()
    fails("FAILED_PRECONDITION", timer:nanoseconds())
    assert.is_true(timer:stop(stream))
    fails("FAILED_PRECONDITION", timer:nanoseconds()) -- it was not started
    for _ = 1, 2 do
      assert.is_true(timer:start(stream))
      fails("FAILED_PRECONDITION", timer:nanoseconds())
      assert.is_true(timer:stop(stream))
      assert.truthy(timer:nanoseconds())
    end
  end)

  it("measures from one stream to another, and is closed while it runs", function()
    local other = device:stream()
    assert.is_true(timer:start(stream))
    assert.equal(other, other:wait(stream))
    assert.is_true(timer:stop(other))
    assert.truthy(timer:nanoseconds() < 60e9)
    assert.is_true(timer:start(stream))
    assert.is_true(timer:close())
    assert.is_true(stream:synchronize())
    other:close()
  end)

  it("refuses a stream of another device", function()
    local foreign = assert(modfs.device("REFERENCE:1"):stream())
    for _, method in ipairs { "start", "stop" } do
      local message = fails("INVALID_ARGUMENT", timer[method](timer, foreign))
      assert.truthy(message:find "stream", message)
    end
    assert.is_true(foreign:status())
    foreign:close()
  end)
end)
