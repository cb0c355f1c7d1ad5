-- What programs do to Jobs and their coroutines that nobody has foreseen.
local modfs = require "modfs"
local async = require "modfs.async"
local child = require "spec.support.child"

local yields_across_pcall = _VERSION ~= "Lua 5.1" or rawget(_G, "jit") ~= nil

-- A Job that is done when somebody resumes its coroutine.
local function gate()
  local thread
  local job = async.go(function()
    thread = coroutine.running()
    coroutine.yield()
    return "open"
  end)
  return job, function() assert(coroutine.resume(thread)) end
end

describe("odd programs", function()
  setup(function()
    assert(modfs.makedirs "mem://odd")
    assert(modfs.write("mem://odd/a", "first\nsecond\n"))
  end)

  teardown(function() modfs.rmtree "mem://odd" end)

  describe("a coroutine that awaits", function()
    it("goes on awaiting when somebody else resumes it", function()
      local waits, open = gate()
      local thread, first, second
      local job = async.go(function()
        thread = coroutine.running()
        first = waits:await()
        second = async.read("mem://odd/a"):await()
        return "ended"
      end)
      for _ = 1, 3 do
        assert.is_true(coroutine.resume(thread, "too early"))
      end
      assert.is_nil(first)
      open()
      assert.equal("ended", job:wait(10))
      assert.equal("open", first)
      assert.equal("first\nsecond\n", second)
    end)

    if coroutine.close then
      it("and is closed has a Job that is CANCELLED", function()
        local waits, open = gate()
        local thread
        local job = async.go(function()
          thread = coroutine.running()
          waits:await()
        end)
        assert.is_true(coroutine.close(thread))
        open()
        assert.same({ nil, "CANCELLED: go: the coroutine was closed", "CANCELLED" },
          { job:wait(10) })
      end)

      it("and is closed does not keep async.run from its end", function()
        assert.equal("end", async.run(function()
          local waits, open = gate() -- a short read may be done before go returns
          local thread
          async.go(function()
            thread = coroutine.running()
            waits:await()
            error "never"
          end)
          coroutine.close(thread)
          open()
          return "end"
        end))
      end)

      it("and is closed under luv does not end the process", function()
        local status, out, err = child([[
          local found, uv = pcall(require, "luv")
          local async = require "modfs.async"
          if not found then return print "end" end
          assert(async.use "luv")
          local thread = coroutine.create(function() async.exists("mem://none"):await() end)
          assert(coroutine.resume(thread))
          assert(coroutine.close(thread))
          uv.run()
          print "end"
        ]])
        assert.equal("end\n", out, err)
        assert.equal(0, status)
      end)
    end
  end)

  describe("Jobs that wait for each other", function()
    it("are an error where it is a circle", function()
      for others = 0, 3 do
        local jobs = {}
        local first, open = gate()
        local fine, problem = pcall(async.run, function()
          for i = 0, others do
            jobs[i] = async.go(function()
              first:await()
              return jobs[(i + 1) % (others + 1)]:await()
            end)
          end
          open()
        end)
        assert.is_false(fine)
        assert.equal("await: the job waits for itself", problem)
      end
    end)

    it("are an error where a Job asks a function that awaits it", function()
      for _, wait in ipairs { function(job) return job:await() end,
        function(job) return async.go(function() return job:await() end):await() end } do
        local job
        job = async.glob("mem://odd/*", { filter = function() return wait(job) end })
        local fine, problem = pcall(job.wait, job, 10)
        assert.same({ false, "await: the job waits for what is asked here" }, { fine, problem })
      end
    end)

    it("by async.all are known to wait for ever", function()
      local job
      local fine, problem = pcall(async.run, function()
        local first, open = gate()
        job = async.go(function()
          first:await()
          return async.all({ job, job }):await()
        end)
        open()
      end)
      assert.is_false(fine)
      assert.equal("async.run: a coroutine waits for something else than a job", problem)
      assert.equal("running", job:progress().state)
      assert.equal("modfs.Job (go, running)", tostring(job))
    end)

    -- The last of so many Jobs, each of which calls wait(job) with the one before, and the function
    -- that opens the first.
    local function chain(count, wait)
      local last, open = gate()
      for _ = 1, count do
        local before = last
        last = async.go(function() return wait(before) end)
      end
      return last, open
    end

    it("may be a long chain", function()
      for _, wait in ipairs { function(job) return job:await() end,
        function(job) return async.all({ job }):await()[1][1] end } do
        local last, open = chain(3000, wait)
        assert.is_false(last:done())
        assert.equal("running", last:progress().state)
        open()
        assert.equal("open", last:wait(10))
      end
    end)

    it("may be a long chain that is cancelled", function()
      local last, open = chain(3000, function(job) return job:await() end)
      assert.is_true(last:cancel())
      open()
      assert.equal("CANCELLED", select(3, last:wait(10)))
    end)

    it("may be a long chain that fails", function()
      local last, open = chain(300, function(job)
        job:await()
        error("mine", 0)
      end)
      open()
      assert.same({ false, "mine" }, { pcall(last.wait, last, 10) })
    end)
  end)

  describe("waits within each other", function()
    local limit = "wait: 16 waits run within each other already: coroutines should await"

    -- Calls a function that waits within itself, until it has failed once.
    local deepest, problem

    before_each(function() deepest, problem = 0, nil end)

    local function deeper(nest)
      if not problem then
        deepest = deepest + 1
        local fine, message = pcall(nest)
        problem = problem or not fine and message
      end
    end

    it("are an error beyond 16 where functions of on_done wait", function()
      local function nest()
        local job = async.size "mem://odd/a"
        job:on_done(coroutine.wrap(function() deeper(nest) end))
        return job:wait()
      end
      deeper(nest)
      assert.equal(17, deepest)
      assert.equal(limit, problem:sub(-#limit))
    end)

    it("are an error beyond 16 where filters wait", function()
      local threads = async.threads()
      async.threads(30)
      local function nest()
        return async.glob("mem://odd/*", { filter = function() deeper(nest) end }):wait()
      end
      deeper(nest)
      async.threads(threads)
      assert.equal(17, deepest)
      assert.equal(limit, problem:sub(-#limit))
    end)

    -- Each coroutine blocks until the next one, which awaits, has ended.
    local function blocking(depth)
      return async.go(function()
        async.size("mem://odd/a"):await()
        return depth > 1 and blocking(depth - 1):wait() + 1 or 1
      end)
    end

    it("let coroutines go on that were put off", function()
      assert.equal(16, async.run(function() return blocking(16):wait() end))
      assert.equal(16, blocking(16):wait())
    end)

    it("are an error beyond 16 where coroutines wait that were put off", function()
      local fine, message = pcall(async.run, function() return blocking(100):wait() end)
      assert.is_false(fine)
      assert.equal(limit, message:sub(-#limit))
    end)
  end)

  describe("a list of Jobs", function()
    it("may change after async.all and async.any have taken it", function()
      for _, name in ipairs { "all", "any" } do
        local one, other = gate(), gate()
        local list = { one, other }
        local job = async[name](list)
        list[1], list[2], list[3] = "nothing", nil, 5
        assert.is_true(job:cancel())
      end
      local one, open = gate()
      local list = { one, async.size "mem://odd/a" }
      local all = async.all(list)
      list[1], list[2] = nil, nil
      open()
      local results = all:wait(10)
      assert.equal("open", results[1][1])
      assert.equal(13, results[2][1])
    end)
  end)

  it("may wait for what is done while the queue is full", function()
    local status, out, err = child([[
      local modfs = require "modfs"
      local async = require "modfs.async"
      async.threads(1)
      async.queue(1)
      local done = async.exists "mem://none"
      done:wait()
      -- One that runs until it is answered, and one that waits.
      local running = async.glob("mem://*", { filter = function() return true end })
      local jobs = {}
      repeat
        jobs[#jobs + 1] = async.exists "mem://none"
        local full = jobs[#jobs]:done() and select(3, jobs[#jobs]:wait()) == "RESOURCE_EXHAUSTED"
      until full
      local told
      assert(done:on_done(function(that) told = that end) == done)
      assert(async.all({ done, jobs[#jobs] }):wait(10)[1][1] == false)
      assert(told == done)
      print "end"
    ]])
    assert.equal("end\n", out, err)
    assert.equal(0, status)
  end)

  describe("tostring of a Job", function()
    it("tells what it runs, and its state", function()
      local path = "mem://odd/" .. ("x"):rep(300)
      local file = assert(modfs.open "mem://odd/a")
      for text, job in pairs { ["read mem://odd/a"] = async.read "mem://odd/a",
        ["pread mem://odd/a"] = async(file):pread(0, 1), ["du mem://odd"] = async.du "mem://odd",
        exists = async.exists { "mem://odd/a" }, type = async.type(5), all = async.all {},
        any = async.any {}, go = async.go(function() end) } do
        job:wait()
        assert.equal(("modfs.Job (%s, done)"):format(text), tostring(job))
      end
      file:close()
      assert.equal("modfs.Job (exists mem://odd/xxx",
        tostring(async.exists(path)):match "^modfs.Job %(exists mem://odd/xxx")
      assert.is_true(#tostring(async.exists(path)) < 200)
    end)
  end)

  describe("arguments", function()
    it("of functions in Lua are checked at once, too", function()
      for _, name in ipairs { "copytree", "sync", "du", "rmtree" } do
        assert.has_error(function() async[name]({}) end,
          ("bad argument #1 to '%s' (string expected, got table)"):format(name))
      end
      assert.has_error(function() async.copytree("mem://odd", "mem://odd2", { none = 1 }) end,
        "bad argument #3 to 'copytree' (unknown option 'none')")
    end)

    it("of lines are checked at once", function()
      local file = assert(modfs.open "mem://odd/a")
      local calls = { { function() async.lines({}) end, "string expected, got table" },
        { function() async.lines("mem://odd/a", "q") end, "invalid format" },
        { function() async(file):lines("q") end, "invalid format" },
        { function() async.lines("mem://odd/a", -1) end, "count %-1 is negative" } }
      for _, call in ipairs(calls) do
        local fine, problem = pcall(call[1])
        assert.is_false(fine)
        assert.truthy(problem:find "^spec/async_odd_spec.lua:%d+: .*lines", problem)
        assert.truthy(problem:find(call[2]), problem)
      end
      assert.equal("INVALID_ARGUMENT", select(3, async(file):lines(-1)))
      file:close()
      assert.has_error(function() async(file):lines() end)
    end)

    it("that are no objects are named", function()
      assert.has_error(function() return async(5) end,
        "bad argument #1 to 'async' (object expected, got number)")
      local file = assert(modfs.open "mem://odd/a")
      assert.has_error(function() return async(file).none end,
        tostring(file) .. " has no method 'none'")
      file:close()
      local await = async.exists("mem://odd/a").await
      assert.has_error(function() await(file) end,
        "bad argument #1 to 'await' (Job expected, got userdata)")
    end)
  end)

  if _VERSION == "Lua 5.4" then
    it("close the file when they leave a loop over async.lines", function()
      local iterator, _, _, file = async.lines "mem://odd/a"
      assert.equal("first", iterator())
      for _ in iterator, nil, nil, file do -- luacheck: ignore 512
        break
      end
      assert.equal("closed file", modfs.type(file))
    end)
  end

  -- Programs for a loop that end although a wait that blocks has taken the last Job.
  for name, program in pairs {
    luv = [[
      assert(async.exists("mem://none"):wait() == false)
      loop.run()
      async.run(function() assert(async.exists("mem://none"):await() == false) end)
      loop.run()
    ]],
    cqueues = [[
      local controller = loop.new()
      controller:wrap(function()
        local job = async.exists "mem://none"
        loop.sleep(0)
        assert(job:wait() == false)
      end)
      assert(controller:loop(10) and controller:empty())
    ]],
    ["cqueues "] = [[
      local main, ended = loop.new(), 0
      for i = 1, 2 do
        local controller = loop.new()
        controller:wrap(function()
          for _ = 1, i * 20 do
            assert(async.exists("mem://none"):await() == false)
          end
        end)
        main:wrap(function()
          assert(controller:loop())
          ended = ended + 1
        end)
      end
      assert(main:loop(10) and ended == 2)
    ]],
  } do
    it("end under " .. name, function()
      local status, out, err = child(([[
        local found, loop = pcall(require, "%s")
        local async = require "modfs.async"
        if found then
          assert(async.use "%s")
          %s
        end
        print "end"
      ]]):format(name:match "%a+", name:match "%a+", program))
      assert.equal("end\n", out, err)
      assert.equal(0, status)
    end)
  end

  it("get one line about a loop that is missing", function()
    local status, out, err = child([[
      package.preload.luv = function() error("module 'luv' not found:\n\tno file", 0) end
      print((select(2, require("modfs.async").use "luv")))
    ]])
    assert.equal("UNIMPLEMENTED: async.use: the loop 'luv' needs its library: " ..
      "module 'luv' not found:\n", out, err)
    assert.equal(0, status)
  end)

  if yields_across_pcall then
    it("raise errors within and around an await", function()
      assert.equal("taken", async.run(function()
        local fine, problem = pcall(function()
          async.exists("mem://odd/a"):await()
          error("mine", 0)
        end)
        assert(not fine and problem == "mine")
        return "taken"
      end))
    end)
  end
end)
