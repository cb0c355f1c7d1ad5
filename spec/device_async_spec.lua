-- Methods of devices as Jobs. The plugin's copies and fills take the time that the child asks for.
local child = require "spec.support.child"

-- Runs Lua text with the device, a stream and a memory; each fill of the stream takes that long.
local function run(nanoseconds, text)
  local status, out, err = child([[
    local modfs = require "modfs"
    local async = require "modfs.async"
    local device = assert(modfs.device "REFERENCE:0")
    local stream, memory = assert(device:stream()), assert(device:allocate(16))
    local function clock() return require("modfs.jobs").clock() end
  ]] .. text, { before = "export MODFS_REFERENCE_LATENCY_NS=" .. nanoseconds, seconds = 60 })
  assert.equal(0, status, out .. err)
  return out
end

describe("a Job of a device", function()
  it("returns what the plain call returns", function()
    assert.equal("16\ttrue\nabcd\ttrue\n8\ttrue\ttrue\tINVALID_ARGUMENT\n", run(0, [[
      local made = async(device):allocate(16):wait()
      print(#made, async(device):synchronize():wait())
      async(made):write("abcd"):wait()
      print(made:read(1, 4), async(made):fill(7):wait())
      modfs.write("mem://device_async", ("x"):rep(8))
      local loaded, rate = async(device):load("mem://device_async"):wait()
      assert(async(made):copy(loaded, { n = 8 }):wait())
      local _, _, code = async(made):copy(made, { n = 99 }):wait()
      print(#loaded, rate > 0, async(made):read(1, 8):wait() == ("x"):rep(8), code)
    ]]))
  end)

  it("of a stream runs in its turn, before a plain call", function()
    assert.equal("true\ttrue\tabcdefgh\n", run(0, [[
      local buffer, event, timer = modfs.buffer(8), device:event(), device:timer()
      assert(timer:start(stream))
      for i = 1, 200 do
        async(stream):copy(memory, ("%08d"):format(i))
      end
      async(stream):copy(memory, "abcdefgh")
      async(stream):copy(buffer, memory, 8)
      local job = async(stream):record(event)
      assert(timer:stop(stream))
      assert(stream:synchronize())
      print(job:wait() == stream, async(event):wait():wait(), buffer:sub(1))
      assert(async(timer):nanoseconds():wait() > 0)
      assert(async(stream):status():wait())
    ]]))
  end)

  it("may use what is closed meanwhile", function()
    assert.equal("true\n", run(1000000, [[
      for i = 1, 50 do
        local other, event = device:allocate(1000), device:event()
        async(stream):fill(other, 1)
        async(stream):record(event)
        async(stream):copy(other, ("x"):rep(1000))
        local waits = device:stream()
        async(waits):wait(event)
        async(waits):wait(stream)
        other:close()
        event:close()
        if i % 2 == 0 then waits:close() end
      end
      collectgarbage()
      print(stream:synchronize())
    ]]))
  end)

  for what, wait in pairs { ["a stream"] = "stream:synchronize()", ["an event"] = "event:wait()",
    ["a timer"] = "timer:nanoseconds()" } do
    it("that waits for " .. what .. " ends when it is cancelled, and that stays usable", function()
      local out = run(600000000, ([[
        local event, timer = device:event(), device:timer()
        assert(timer:start(stream))
        assert(stream:fill(memory, 5):record(event))
        assert(timer:stop(stream))
        local object, method = %s, %q
        local job = async(object)[method](object)
        assert(not job:wait(0.1))
        local begun = clock()
        job:cancel()
        local _, _, code = job:wait()
        local took = clock() - begun
        print(code, stream:synchronize(), memory:read(1, 1):byte(), took)
      ]]):format(wait:match "^(%w+):(%w+)"))
      local took = out:match "^CANCELLED\ttrue\t5\t(%S+)\n$"
      assert.is_true(took and tonumber(took) < 0.1, out)
    end)
  end

  it("with a timeout ends in time", function()
    assert.equal("DEADLINE_EXCEEDED\n", run(600000000, [[
      stream:fill(memory, 5)
      print((select(3, async(stream):synchronize { timeout = 0.1 }:wait())))
    ]]))
  end)

  it("is awaited when its object is closed, and what is left is when the program ends", function()
    assert.equal("true\ttrue\n", run(300000000, [[
      stream:fill(memory, 5)
      local job = async(stream):synchronize()
      job:wait(0.05)
      print(stream:close(), job:wait())
      busy = device:stream()
      busy:fill(memory, 1)
      async(busy):synchronize()
      async(device):synchronize()
      async(memory):read()
    ]]))
  end)
end)
