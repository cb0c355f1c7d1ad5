-- Jobs: modfs.async on the loop "poll".
local modfs = require "modfs"
local async = require "modfs.async"

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

  it("is a job for modfs.type", function()
    local job = async.read "mem://async/a"
    assert.equal("job", modfs.type(job))
    job:wait()
    assert.equal("job", modfs.type(job))
    assert.equal("modfs.Job (done)", tostring(job))
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
