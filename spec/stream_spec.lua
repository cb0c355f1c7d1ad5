local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"

local content = "0123456789abcdef"
-- Who refuses a callback may run it all the same, so what belongs to it is left for ever.
local leaky = "ASAN_OPTIONS=detect_leaks=0"
local slow = { before = "export MODFS_REFERENCE_LATENCY_NS=200000000" }

local function program(scene, options)
  options.arguments = { scene }
  return child("spec/children/stream.lua", options)
end

-- Runs a scene in a fresh interpreter, and expects nothing to be said.
local function run(scene, options)
  assert.same({ 0, "", "" }, { program(scene, options) })
end

for _, name in ipairs { "REFERENCE:0", "NULL:0" } do
  describe("a Stream of " .. name, function()
    local device, stream, memory
    before_each(function()
      device = assert(modfs.device(name))
      stream, memory = assert(device:stream()), assert(device:allocate(#content))
      assert.is_true(memory:write(content))
    end)
    after_each(function()
      stream:close()
      memory:close()
      modfs.remove "mem://stream"
    end)

    local function finish(result)
      assert.equal(stream, result)
      assert.is_true(stream:synchronize())
    end

    it("copies to memory from a string, a Buffer, a Region and memory", function()
      assert.is_true(modfs.write("mem://stream", "ABCDEF"))
      local other = device:allocate(6)
      assert.is_true(other:write "ABCDEF")
      for _, source in ipairs { "ABCDEF", modfs.buffer "ABCDEF", modfs.map "mem://stream",
        modfs.buffer("_ABCDEF_"):slice(2, 7), other } do
        for n = 0, 6 do
          assert.is_true(memory:write(content))
          finish(stream:copy(memory, source, n))
          assert.equal(("ABCDEF"):sub(1, n) .. content:sub(n + 1), memory:read())
        end
        assert.is_true(memory:write(content))
        finish(stream:copy(memory, source))
        assert.equal("ABCDEF6789abcdef", memory:read())
      end
      other:close()
    end)

    it("copies from memory to a Buffer, whoever owns it", function()
      for _, buffer in ipairs { modfs.buffer(20), device:host_allocate(20),
        modfs.buffer(30):slice(6, 25) } do
        buffer:fill(("x"):byte())
        finish(stream:copy(buffer, memory, 3))
        assert.equal("012" .. ("x"):rep(17), buffer:sub(1))
        finish(stream:copy(buffer, memory))
        assert.equal(content .. "xxxx", buffer:sub(1))
        buffer:close()
      end
    end)

    it("copies memory onto itself", function()
      finish(stream:copy(memory, memory))
      assert.equal(content, memory:read())
    end)

    it("copies nothing", function()
      finish(stream:copy(memory, ""))
      finish(stream:copy(memory, modfs.buffer(0)))
      finish(stream:copy(modfs.buffer(0), memory, 0))
      finish(stream:copy(device:allocate(0), device:allocate(0)))
      finish(stream:copy(memory, "x", 0))
      assert.equal(content, memory:read())
    end)

    it("fills", function()
      for _, byte in ipairs { 0, 7, 255 } do
        finish(stream:fill(memory, byte))
        assert.equal(string.char(byte):rep(16), memory:read())
      end
      finish(stream:fill(memory))
      assert.equal(("\0"):rep(16), memory:read())
    end)

    it("works in order, and each enqueuing call returns it", function()
      local buffer, event, other = modfs.buffer(16), device:event(), device:stream()
      local ran = 0
      assert.equal(stream, stream:fill(memory, 1):copy(memory, "two"):copy(buffer, memory)
        :record(event):wait(event):wait(other):callback(function() ran = ran + 1 end))
      assert.is_true(stream:synchronize())
      assert.equal("two" .. ("\1"):rep(13), buffer:sub(1))
      assert.equal(1, ran)
      event:close()
      other:close()
    end)

    it("reports its status", function()
      assert.is_true(stream:status())
      assert.is_true(stream:synchronize())
      assert.equal(("modfs.Stream (%s)"):format(name), tostring(stream))
      assert.equal("stream", modfs.type(stream))
    end)

    it("can wait for itself", function()
      finish(stream:fill(memory, 1):wait(stream):fill(memory, 2))
      assert.equal(("\2"):rep(16), memory:read())
    end)

    it("refuses what does not fit, naming both ends, and goes on", function()
      local small = modfs.buffer(4)
      for _, refused in ipairs {
        { memory, content .. "x" }, { memory, modfs.buffer(17) }, { memory, "abc", 4 },
        { small, memory }, { small, memory, 5 }, { modfs.buffer(20), memory, 17 },
        { memory, content, 17 }, { memory, "x", 2 ^ 32 }, { memory, "x", 2 ^ 53 },
        { memory, "x", math.maxinteger or 2 ^ 53 }, { device:allocate(3), memory },
        { memory, device:allocate(17) },
      } do
        local message = fails("INVALID_ARGUMENT", stream:copy(refused[1], refused[2], refused[3]))
        assert.truthy(message:find "src has %d+, dst %d+", message)
      end
      for _, n in ipairs { -1, -2 ^ 53, math.mininteger or -1 } do
        assert.truthy(fails("INVALID_ARGUMENT", stream:copy(memory, "x", n)):find "n %-%d+")
      end
      for _, byte in ipairs { -1, 256, 2 ^ 32 } do
        assert.truthy(fails("INVALID_ARGUMENT", stream:fill(memory, byte)):find "byte")
      end
      assert.is_true(stream:status())
      finish(stream:copy(memory, "fine"))
      assert.equal("fine456789abcdef", memory:read())
    end)

    it("refuses a copy from host to host, and callbacks that are not functions", function()
      assert.is_true(modfs.write("mem://stream", "ABCDEF"))
      local buffer = modfs.buffer(4)
      for _, source in ipairs { "x", buffer, modfs.map "mem://stream" } do
        assert.error_matches(function() stream:copy(buffer, source) end,
          "bad argument #2 to 'copy'")
      end
      assert.error_matches(function()
        stream:callback(setmetatable({}, { __call = print }))
      end, "bad argument #1 to 'callback'")
      assert.is_true(stream:synchronize())
      assert.equal(content, memory:read())
    end)
  end)
end

describe("a Stream", function()
  it("refuses what belongs to another device, naming it", function()
    local device, foreign = modfs.device "REFERENCE:0", modfs.device "REFERENCE:1"
    local stream, other = device:stream(), foreign:stream()
    local own, theirs = device:allocate(4), foreign:allocate(4)
    assert.is_true(theirs:write "test")
    for what, refused in pairs {
      dst = { stream:copy(theirs, "x") }, src = { stream:copy(own, theirs) },
      memory = { stream:fill(theirs, 1) }, stream = { stream:wait(other) },
    } do
      local message = fails("INVALID_ARGUMENT", refused[1], refused[2], refused[3])
      assert.truthy(message:find(what .. " belongs to REFERENCE:1", 1, true), message)
    end
    fails("INVALID_ARGUMENT", stream:copy(modfs.buffer(4), theirs))
    assert.is_true(stream:status())
    local pinned = foreign:host_allocate(4)
    assert.is_true(pinned:set(1, "host"))
    assert.equal(stream, stream:copy(own, pinned))
    assert.is_true(stream:synchronize())
    assert.equal("host", own:read())
    assert.equal("test", theirs:read())
    for _, part in ipairs { stream, other, own, theirs, pinned } do
      part:close()
    end
  end)

  it("returns before its work is done, and close waits for it", function()
    run("close_waits", slow)
  end)

  it("waits for another one, and two work at once", function()
    run("overlaps", slow)
  end)

  it("keeps what it works on, whatever becomes of the objects", function()
    run("keeps", slow)
  end)

  it("keeps a failure of its work as its status, for good", function()
    local status, out, err = program("fails", { before = "export MODFS_REFERENCE_FAULTS=copy:2" })
    assert.same({ 0, "" }, { status, err })
    assert.truthy(out:find "^[%u_]+\tmodfs%.Stream %(REFERENCE:0, failed%)\n$", out)
  end)

  it("survives a plugin that refuses at each place in turn", function()
    for _, kind in ipairs { "alloc", "host", "unified", "stream", "event", "copy", "fill",
      "callback" } do
      for k = 1, 3 do
        local status, out, err = program("survives", {
          before = ("export %s MODFS_REFERENCE_FAULTS=%s:%d+"):format(leaky, kind, k) })
        assert.same({ 0, "" }, { status, err }, kind .. ":" .. k)
        -- the first allocation takes all of the memory
        local expected = kind == "alloc" and k > 1 and "fine" or "failed"
        assert.equal(expected, out:match "%a+$", kind .. ":" .. k)
      end
    end
  end)
end)
