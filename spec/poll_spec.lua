local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"

local function now()
  assert(modfs.write("mem://poll_clock", ""))
  local time = modfs.stat("mem://poll_clock").mtime
  modfs.remove "mem://poll_clock"
  return time
end

-- Runs code in a fresh interpreter with copies of that many milliseconds; expects this output.
local function run(milliseconds, code, expected, more)
  local status, out, err = child([[
    local modfs = require "modfs"
    local device = modfs.device "REFERENCE:0"
    local stream, memory = device:stream(), device:allocate(4)
  ]] .. code, { before = ("export MODFS_REFERENCE_LATENCY_NS=%d "):format(milliseconds * 1e6)
    .. (more or "") })
  assert.same({ 0, expected or "", "" }, { status, out, err })
end

for _, name in ipairs { "REFERENCE:0", "NULL:0" } do
  describe("a callback on " .. name, function()
    local device, stream, memory, said
    before_each(function()
      device = assert(modfs.device(name))
      stream, memory, said = assert(device:stream()), assert(device:allocate(4)), {}
    end)
    after_each(function()
      if modfs.type(stream) == "stream" then
        assert(stream:close())
      end
      modfs.poll()
      memory:close()
    end)

    local function say(what)
      return function(...)
        assert(select("#", ...) == 0)
        said[#said + 1] = what
        return nil, "ignored"
      end
    end

    it("runs in stream:synchronize", function()
      assert.equal(stream, stream:callback(say "one"):fill(memory, 1):callback(say "two"))
      assert.is_true(stream:synchronize())
      assert.same({ "one", "two" }, said)
      assert.equal(0, modfs.poll())
    end)

    it("runs in event:wait", function()
      local event = device:event()
      stream:callback(say "one"):record(event)
      assert.is_true(event:wait())
      assert.same({ "one" }, said)
      event:close()
    end)

    it("runs in device:synchronize", function()
      local other = device:stream()
      stream:callback(say "one")
      other:callback(say "two")
      assert.is_true(device:synchronize())
      table.sort(said)
      assert.same({ "one", "two" }, said)
      other:close()
    end)

    it("runs in modfs.poll, which counts", function()
      for i = 1, 5 do
        stream:callback(say(i))
      end
      local ran, turns = 0, 0
      while ran < 5 and turns < 100 do
        ran, turns = ran + modfs.poll(1), turns + 1
      end
      assert.same({ 1, 2, 3, 4, 5 }, said)
      assert.equal(5, ran)
      assert.equal(0, modfs.poll())
    end)

    it("runs nowhere else", function()
      local event, timer, buffer = device:event(), device:timer(), modfs.buffer(4)
      stream:callback(say "one")
      stream:copy(memory, "test"):copy(buffer, memory):fill(memory, 1):record(event):wait(event)
      stream:callback(say "two"):status()
      event:status()
      if timer then
        timer:start(stream)
        timer:stop(stream)
        timer:nanoseconds()
        timer:close()
      end
      device:memory_usage()
      memory:read()
      event:close()
      assert.is_true(stream:close())
      collectgarbage()
      assert.same({}, said)
      assert.equal(2, modfs.poll())
      assert.same({ "one", "two" }, said)
    end)

    it("runs on the coroutine that asks, where it must not yield", function()
      local inside, failed
      stream:callback(function() inside = coroutine.running() end)
      stream:callback(function() coroutine.yield "out" end)
      local thread = coroutine.create(function()
        failed = { stream:synchronize() }
        return "end"
      end)
      local _, last = coroutine.resume(thread)
      assert.equal("end", last)
      assert.equal(thread, inside)
      assert.truthy(fails("UNKNOWN", failed[1], failed[2], failed[3]):find "yield")
    end)

    it("that raises fails its stream for good; the others go on", function()
      local other = device:stream()
      stream:callback(say "one"):callback(function() error "broken\27 on purpose" end)
      stream:callback(say "two"):callback(function() error "again" end)
      local message = fails("UNKNOWN", stream:synchronize())
      assert.truthy(message:find "broken%C+ on purpose", message)
      assert.same({ "one", "two" }, said)
      for _, try in ipairs {
        function() return stream:status() end, function() return stream:synchronize() end,
        function() return stream:fill(memory, 1) end, function() return stream:callback(print) end,
        function() return stream:copy(memory, "x") end,
      } do
        assert.truthy(fails("UNKNOWN", try()):find("on purpose", 1, true))
      end
      assert.truthy(tostring(stream):find "failed")
      assert.equal(other, other:fill(memory, 1))
      assert.is_true(other:synchronize())
      assert.is_true(other:close())
    end)

    it("may raise anything", function()
      local raised = {
        [{}] = "table", [setmetatable({}, { __tostring = function() return "told" end })] = "told",
        [setmetatable({}, { __tostring = function() error "no" end })] = "", [print] = "function",
        [true] = "boolean", ["\0nul"] = "", [("long"):rep(10000)] = "longlong", [12] = "12",
        [io.stdout] = "file",
      }
      for value, expected in pairs(raised) do
        local one = device:stream()
        one:callback(function() error(value, 0) end)
        assert.truthy(fails("UNKNOWN", one:synchronize()):find(expected, 1, true), expected)
        one:close()
      end
      stream:callback(function() error() end)
      fails("UNKNOWN", stream:synchronize())
    end)

    it("that polls or waits runs no other, and none twice", function()
      local polled = {}
      for i = 1, 300 do
        stream:callback(function()
          said[#said + 1] = i
          polled[#polled + 1] = modfs.poll() + modfs.poll(1) + modfs.poll(math.huge)
          assert(stream:synchronize() and device:synchronize())
          assert(#said == i)
        end)
      end
      assert.is_true(stream:synchronize())
      for i = 1, 300 do
        assert.equal(i, said[i])
        assert.equal(0, polled[i])
      end
      assert.equal(300, #said)
    end)

    it("that enqueues the next one does not run for ever", function()
      local count, going = 0, true
      local function again()
        count = count + 1
        if going then
          stream:callback(again)
        end
      end
      stream:callback(again)
      for turn = 1, 50 do
        modfs.poll()
        assert.truthy(count <= 2 * turn)
      end
      going = false
      assert.is_true(stream:synchronize())
      local before = count
      assert.equal(0, modfs.poll())
      assert.equal(before, count)
    end)

    it("runs when its stream is gone, and then its error is a warning", function()
      local gone = device:stream()
      gone:callback(say "one")
      gone:close()
      modfs.poll(1)
      device:stream():callback(say "two")
      collectgarbage()
      modfs.poll(1)
      assert.same({ "one", "two" }, said)
    end)

    it("may close its stream, its memory and its device", function()
      local own, event = device:stream(), device:event()
      own:callback(function()
        own:close()
        event:close()
        collectgarbage()
      end):callback(say "after")
      assert.is_true(own:synchronize())
      modfs.poll()
      assert.equal("closed stream", modfs.type(own))
      assert.equal("closed event", modfs.type(event))
      assert.same({ "after" }, said)
    end)

    it("is kept until it ran, and no longer", function()
      local weak = setmetatable({}, { __mode = "k" })
      for _ = 1, 20 do
        local mark = {}
        weak[mark] = true
        stream:callback(function() return mark end)
      end
      collectgarbage()
      local count = 0
      for _ in pairs(weak) do count = count + 1 end
      assert.equal(20, count)
      assert.is_true(stream:synchronize())
      collectgarbage()
      assert.is_nil(next(weak))
    end)
  end)
end

describe("callbacks", function()
  it("wait for the work before them", function()
    run(500, [[
      local first, second, states = device:event(), device:event(), {}
      local function note() states[#states + 1] = first:status() .. " " .. second:status() end
      stream:fill(memory, 1):record(first):callback(note)
      stream:fill(memory, 2):record(second):callback(note)
      print(modfs.poll(), modfs.poll(0))
      print(modfs.poll(10), states[1])
      print(modfs.poll(math.huge), states[2])
      print(modfs.poll(math.huge)) -- nothing is under way: no wait
    ]], "0\t0\n1\tcomplete pending\n1\tcomplete complete\n0\n")
  end)

  it("do not hold up the work behind them", function()
    run(0, [[
      stream:callback(print):copy(memory, "done")
      local event = device:event()
      stream:record(event)
      while event:status() ~= "complete" do end
      io.write(memory:read())
    ]], "done")
  end)

  it("that are under way when the state closes are dropped", function()
    for _, ending in ipairs { "", "os.exit(0, true)", "os.exit(0)", "stream = nil collectgarbage()",
      "modfs = nil device = nil stream = nil memory = nil collectgarbage()", "stream:close()" } do
      run(5, [[
        for _ = 1, 20 do stream:fill(memory, 1):callback(function() print "too late" end) end
        device:stream():callback(print)
      ]] .. ending, "", ending == "os.exit(0)" and "ASAN_OPTIONS=detect_leaks=0")
    end
  end)

  it("whose stream is closed warn about their errors", function()
    local status, out, err = child [[
      if warn then warn "@on" end
      local modfs = require "modfs"
      local stream = modfs.device "REFERENCE:0":stream()
      stream:callback(function() error "nobody there" end)
      stream:close()
      print(modfs.poll(1))
    ]]
    assert.same({ 0, "1\n" }, { status, out })
    assert.truthy(err:find "nobody there", err)
  end)

  it("that the plugin refuses fail, and are not kept", function()
    -- who refuses one may run it all the same, so what belongs to it is left for ever
    local status, out, err = child("spec/children/callback_refused.lua", { before =
      "export ASAN_OPTIONS=detect_leaks=0 MODFS_REFERENCE_FAULTS=callback:1" })
    assert.same({ 0, "INTERNAL\nnil\t0\t0\tnil\n", "" }, { status, out, err })
  end)
end)

describe("modfs.poll", function()
  it("waits no longer than it is told", function()
    for _, seconds in ipairs { 0, 0.02, 0.1 } do
      local start = now()
      assert.equal(0, modfs.poll(seconds))
      local waited = now() - start
      assert.truthy(waited >= seconds - 1e-3 and waited < seconds + 2, waited)
    end
  end)

  it("does not wait for ever when nothing is under way", function()
    for _, endless in ipairs { math.huge, 1e300, 2 ^ 63, 1e10 } do
      assert.equal(0, modfs.poll(endless))
    end
    assert.equal(0, modfs.poll(nil))
  end)

  it("refuses an invalid time", function()
    for _, bad in ipairs { -1, -1e-9, -math.huge } do
      assert.truthy(fails("INVALID_ARGUMENT", modfs.poll(bad)):find "timeout")
    end
    for _, bad in ipairs { 0 / 0, "x", true, {}, print } do
      assert.error_matches(function() modfs.poll(bad) end, "bad argument #1 to 'poll'")
    end
  end)
end)

describe("modfs.pollfd", function()
  it("is a descriptor that is readable while callbacks wait", function()
    local status, out, err = child "spec/children/pollfd.lua"
    assert.same({ 0, "01" .. "2\t0\n", "" }, { status, out, err })
  end)

  it("does not go to programs that are started", function()
    run(0, [[
      local fd = modfs.pollfd()
      local there = os.execute("test -e /proc/self/fd/" .. fd)
      assert(there ~= true and there ~= 0)
    ]])
  end)
end)
