-- Jobs: modfs.async on the loop "poll".
local modfs = require "modfs"
local async = require "modfs.async"
local child = require "spec.support.child"

describe("a Job", function()
  before_each(function()
    assert(modfs.makedirs "mem://async")
    assert(modfs.write("mem://async/a", "first"))
  end)

  after_each(function()
    modfs.rmtree "mem://async"
  end)

  it("returns what the plain call returns", function()
    assert.equal("first", async.read("mem://async/a"):wait())
    assert.same({ "a" }, async.listdir("mem://async"):wait())
    assert.same({ modfs.read "mem://async/none" }, { async.read("mem://async/none"):wait() })
  end)

  it("checks its arguments at once", function()
    assert.has_error(function() async.read() end,
      "bad argument #1 to 'read' (string expected, got no value)")
    assert.has_error(function() async.read("mem://async/a", { timeout = -1 }) end,
      "option 'timeout': positive number expected")
  end)

  it("is done after poll", function()
    local job = async.read "mem://async/a"
    local told
    assert.equal(job, job:on_done(function(that) told = that end))
    while not told do
      modfs.poll(1)
    end
    assert.equal(job, told)
    assert.is_true(job:done())
    assert.equal("done", job:progress().state)
  end)

  it("calls on_done at the next poll when it is done already", function()
    local job, told = async.read "mem://async/a", 0
    job:wait()
    job:on_done(function() told = told + 1 end)
    assert.equal(0, told)
    while told == 0 do
      modfs.poll(1)
    end
    modfs.poll(0)
    assert.equal(1, told)
  end)

  it("keeps its results when functions are added, and when it is asked again", function()
    local file = assert(modfs.open "mem://async/a")
    local missing = "mem://async/missing"
    for plain, job in pairs {
      [modfs.read "mem://async/a"] = async.read "mem://async/a",
      [false] = async.exists(missing),
      [select(2, modfs.read(missing))] = async.read(missing),
      [file:read(1)] = async(assert(modfs.open "mem://async/a")):read(1),
    } do
      local told = {}
      for i = 1, 3 do
        for _, value in ipairs { { job:wait() }, { job:wait() } } do
          assert.equal(plain, value[2] or value[1])
        end
        job:on_done(function(that) told[i] = that end)
      end
      while not (told[1] and told[2] and told[3]) do
        modfs.poll(1)
      end
      collectgarbage()
      assert.same({ job, job, job }, told)
    end
  end)

  it("calls each Job's function by its own name when two fail in one turn", function()
    local of_stat, of_size = async.stat "mem://async/no", async.size "mem://async/no"
    modfs.poll(1)
    assert.equal(select(2, modfs.size "mem://async/no"), select(2, of_size:wait()))
    assert.equal(select(2, modfs.stat "mem://async/no"), select(2, of_stat:wait()))
  end)

  it("is a job for modfs.type", function()
    local job = async.read "mem://async/a"
    assert.equal("job", modfs.type(job))
    job:wait()
    assert.equal("job", modfs.type(job))
    assert.equal("modfs.Job (read mem://async/a, done)", tostring(job))
  end)

  it("is cancelled by close, once", function()
    local job = async.read "/dev/zero" -- which has no end
    assert.is_true(job:close())
    assert.equal("CANCELLED", select(3, job:wait()))
    local closed, message = pcall(job.close, job)
    assert.is_false(closed)
    assert.truthy(message:find("attempt to use a closed job", 1, true), message)
    local with = async.read "mem://async/a"
    assert.is_true(modfs.with(with, function(object) return object:done() ~= nil end))
    assert.is_true(with:done())
  end)

  it("that is cancelled has done nothing, or says what it did", function()
    for i = 1, 200 do
      local job = async.makedirs("mem://async/made" .. i)
      assert.is_true(job:cancel())
      local made, _, code = job:wait()
      assert.is_true(made or code == "CANCELLED")
      assert.equal(made or false, modfs.exists("mem://async/made" .. i))
    end
  end)
end)

describe("async.run", function()
  it("returns what its function returns, when all that it began has ended", function()
    local ended = {}
    local result, second = async.run(function()
      async.go(function()
        async.exists("mem://x"):await()
        ended.inner = true
      end)
      ended.outer = true
      return 1, 2
    end)
    assert.equal(1, result)
    assert.equal(2, second)
    assert.same({ outer = true, inner = true }, ended)
  end)

  it("raises what its function raises", function()
    assert.has_error(function()
      async.run(function()
        async.exists("mem://x"):await()
        error("mine", 0)
      end)
    end, "mine")
  end)

  it("gathers Jobs", function()
    local results = async.run(function()
      return async.all({ async.exists "mem://x", async.size "mem://x" }):await()
    end)
    assert.equal(false, results[1][1])
    assert.equal("NOT_FOUND", results[2][3])
    assert.equal(1, async.any({ async.exists "mem://x" }):wait())
  end)
end)

describe("async.go", function()
  it("cancels what its coroutine awaits, once", function()
    local seen, cleaned
    local job = async.go(function()
      seen = select(3, async.read("/dev/zero"):await())
      cleaned = async.exists("mem://x"):await()
      return "more"
    end)
    assert.is_true(job:cancel())
    local result, _, code = job:wait()
    assert.same({ "CANCELLED", false, "CANCELLED" }, { seen, cleaned, code })
    assert.is_nil(result)
  end)

  it("cancels what is awaited next, if nothing is", function()
    local job, code
    local first = async.read "/dev/zero" -- a short one may be done before go returns
    job = async.go(function()
      first:await()
      job:cancel()
      code = select(3, async.read("/dev/zero"):await())
    end)
    first:cancel()
    assert.equal("CANCELLED", select(3, job:wait()))
    assert.equal("CANCELLED", code)
  end)

  it("tells the progress of what its coroutine awaits", function()
    local inner = async.read "/dev/zero"
    local job = async.go(function() inner:await() end)
    repeat
      modfs.poll(0.01)
    until job:progress().bytes
    assert.equal("running", job:progress().state)
    inner:cancel()
    job:wait()
    assert.same({ state = "done" }, job:progress())
  end)

  it("refuses what is no function", function()
    assert.has_error(function() async.go(5) end,
      "bad argument #1 to 'go' (function expected, got number)")
    assert.has_error(function() async.run {} end,
      "bad argument #1 to 'run' (function expected, got table)")
  end)

  it("lets async.run raise an error that nobody takes, when all have ended", function()
    local ended
    assert.has_error(function()
      async.run(function()
        async.go(function() error("lost", 0) end)
        async.go(function()
          async.exists("mem://x"):await()
          ended = true
        end)
      end)
    end, "lost")
    assert.is_true(ended)
  end)

  it("leaves the error to who awaits the Job", function()
    local caught = async.run(function()
      local job = async.go(function() error("caught", 0) end)
      return select(2, pcall(job.wait, job))
    end)
    assert.equal("caught", caught)
  end)

  -- What a program writes to standard error.
  local function complaints(code)
    local status, _, err = child("if warn then warn '@on' end\n" .. code)
    assert.equal(0, status, err)
    return err
  end

  it("outside of async.run warns of an error that nobody takes", function()
    local lost = "modfs: error in a Job that nobody awaits: "
    local err = complaints [[
      local async = require "modfs.async"
      async.go(function() error("lost at the end", 0) end)
      local kept = async.go(function() error(setmetatable({}, { __tostring = function()
        return "with a text"
      end })) end)
      collectgarbage()
      collectgarbage()
      _G.kept = kept
    ]]
    assert.truthy(err:find(lost .. "lost at the end", 1, true), err)
    assert.truthy(err:find(lost .. "with a text", 1, true), err)
    assert.equal("", complaints [[
      local async = require "modfs.async"
      local job = async.go(function() error("taken", 0) end)
      assert(not pcall(job.wait, job))
    ]])
  end)
end)

describe("async.all and async.any", function()
  it("take no Jobs at all", function()
    assert.same({}, async.all({}):wait())
    local status, out, err = child [[
      print(select(3, require("modfs.async").any({}):wait()))
    ]]
    assert.equal("INVALID_ARGUMENT\n", out, err)
    assert.equal(0, status)
  end)

  it("take 100,000", function()
    local list = {}
    for i = 1, 100000 do
      list[i] = async.exists "mem://many"
    end
    local results, failed = async.all(list):wait(), 0
    for i = 1, #list do
      local fine = results[i][1] == false or results[i][3] == "RESOURCE_EXHAUSTED"
      failed = failed + (fine and 0 or 1)
    end
    assert.equal(100000, #results)
    assert.equal(0, failed)
  end)

  it("take a Job twice", function()
    local job = async.exists "mem://x"
    assert.same({ { n = 1, false }, { n = 1, false } }, async.all({ job, job }):wait())
  end)

  it("refuse what is no list of Jobs", function()
    assert.has_error(function() async.all(5) end,
      "bad argument #1 to 'all' (table expected, got number)")
    assert.has_error(function() async.any { async.exists "mem://x", 5 } end,
      "bad argument #1 to 'any' (Job expected at [2], got number)")
  end)

  it("end with CANCELLED when they are cancelled", function()
    local all = async.all { async.read "/dev/zero", async.read "/dev/zero" }
    local any = async.any { async.read "/dev/zero" }
    all:cancel()
    any:cancel()
    assert.same({ nil, "CANCELLED: all: cancelled", "CANCELLED" }, { all:wait() })
    assert.same({ nil, "CANCELLED: any: cancelled", "CANCELLED" }, { any:wait() })
  end)

  it("raise the error of a Job", function()
    local raising = async.go(function() error("inner", 0) end)
    local all = async.all { async.exists "mem://x", raising }
    assert.has_error(function() all:wait() end, "inner")
  end)
end)

describe("a Job that lacks descriptors", function()
  local code = [[
    local path, kind = ...
    local modfs = require "modfs"
    local async = require "modfs.async"
    modfs.pollfd()
    collectgarbage "stop"
    local kept = {}
    repeat
      kept[#kept + 1] = modfs.open(path)
    until not modfs.open(path)
    if kind ~= "kept" then
      kept = nil
    end
    local calls = { w = function() return async.open(path .. ".new", "w") end,
      map = async.map, watch = async.watch }
    local object, message = (calls[kind] or async.open)(path):wait()
    print(modfs.type(object), message)
  ]]

  local function open(kind)
    local path = os.tmpname()
    finally(function()
      os.remove(path)
      os.remove(path .. ".new")
    end)
    local status, out, err = child(code, { arguments = { path, kind }, descriptors = 40 })
    assert.equal(0, status, err)
    return out
  end

  it("begins anew after a collection", function()
    local kinds = { open = "file", w = "writable file", map = "region", watch = "watch" }
    for kind, made in pairs(kinds) do
      assert.equal(made .. "\tnil\n", open(kind))
    end
  end)

  it("fails if that did not help", function()
    assert.truthy(open("kept"):find "^nil\tRESOURCE_EXHAUSTED: open ")
  end)
end)

describe("waiting for Lua code", function()
  it("that nothing resumes is an error, or over in time", function()
    local status, out, err = child [[
      local async = require "modfs.async"
      local job = async.go(function() coroutine.yield() end)
      print(select(3, job:wait(0.01)), pcall(job.wait, job))
    ]]
    assert.equal("DEADLINE_EXCEEDED\tfalse\twait: the job waits for something else than other " ..
      "jobs, which cannot go on\n", out, err)
    assert.equal(0, status)
  end)
end)
