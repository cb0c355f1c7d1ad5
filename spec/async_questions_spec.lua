-- Jobs whose operation asks a function of the script: filters, and the progress of a copy. They run
-- on other threads; the function runs on the state's own, when it polls or waits.
local async = require "modfs.async"
local clock = require("modfs.jobs").clock
local modfs = require "modfs"
local child = require "spec.support.child"
local twelve_files = require "spec.support.twelve_files"

local D = "mem://questions"

local function stage()
  twelve_files(D, function(k) return k end)
end

local quiet -- a directory in which nothing happens

setup(function() quiet = assert(modfs.tempdir()) end)
teardown(function() modfs.rmtree(quiet) end)

-- A Job that takes so long.
local function pause(seconds)
  return async(assert(modfs.watch(quiet))):next(seconds)
end

local function odd(entry)
  return entry.kind == "directory" or tonumber(entry.name:match "%d+") % 2 == 1
end

local function walked(...)
  local found = {}
  for dir, dirs, files in ... do
    found[#found + 1] = dir .. ": " .. table.concat(dirs, " ") .. "; " .. table.concat(files, " ")
  end
  return table.concat(found, "\n")
end

-- Each with a filter; the last argument of call is a table of options.
local calls = {
  { "copytree", function(f, options) return f(D .. "/src", D .. "/dst", options) end },
  { "sync", function(f, options) return f(D .. "/src", D .. "/dst", options) end },
  { "du", function(f, options) return f(D .. "/src", options) end },
  { "rmtree", function(f, options) return f(D .. "/src", options) end },
  { "glob", function(f, options) return f(D .. "/src/**", options) end },
  { "walk", function(f, options) return f(D .. "/src", options) end },
}

local function outcome(name, ...)
  local left = table.concat(modfs.glob(D .. "/**"), "\n")
  if name == "walk" then
    return { walked(...), left }
  end
  return { n = select("#", ...), left, ... }
end

describe("a Job with a filter", function()
  before_each(stage)
  after_each(function()
    async.threads(8)
    modfs.rmtree(D)
  end)

  for _, row in ipairs(calls) do
    local name, call = row[1], row[2]

    it("does what the plain call does: " .. name, function()
      for _, progress in ipairs { false, true } do
        local options = { filter = odd }
        options.progress = progress and (name == "copytree" or name == "sync") and function() end
          or nil
        stage()
        local expected = outcome(name, call(modfs[name], options))
        stage()
        local got = outcome(name, call(async[name], options):wait())
        assert.same(expected, got)
      end
    end)

    it("runs beside the loop: " .. name, function()
      local asked = 0
      local job = call(async[name], { filter = function(entry)
        asked = asked + 1
        return odd(entry)
      end })
      assert.equal(0, asked) -- control: the plain call would have asked by now
      assert.is_false(job:done())
      local before
      repeat
        before = asked
        modfs.poll(1)
        assert.is_true(asked - before <= 1) -- one in each poll
      until job:done()
      assert.is_true(asked > 0)
      job:wait()
    end)

    it("raises the error of its filter: " .. name, function()
      local problem = setmetatable({}, { __tostring = function() return "mine" end })
      for _, threads in ipairs { 1, 8 } do
        async.threads(threads)
        local job = call(async[name], { filter = function() error(problem) end })
        local fine, raised = pcall(job.wait, job)
        assert.is_false(fine)
        assert.equal(problem, raised)
        assert.is_true(job:done())
      end
      assert.has_error(function() call(modfs[name], { filter = function() error(problem) end }) end)
    end)

    it("may call modfs and wait for other Jobs in its filter: " .. name, function()
      async.threads(1) -- which the asking Job has
      local function filter(entry)
        assert(modfs.exists(D .. "/src"))
        assert(async.exists(D .. "/src"):wait())
        assert(async.exists(D .. "/src"):await())
        assert(async.glob(D .. "/src/d1/*", { filter = odd }):await())
        if name ~= "walk" then -- whose iterator calls it plainly
          assert(async.run(function() return async.exists(D .. "/src"):await() end))
        end
        return odd(entry)
      end
      local expected = outcome(name, call(modfs[name], { filter = odd }))
      stage()
      assert.same(expected, outcome(name, call(async[name], { filter = filter }):wait()))
      if name ~= "walk" then
        stage()
        async.run(function()
          local job = call(async[name], { filter = filter })
          assert.same(expected, outcome(name, job:await()))
        end)
      end
    end)

    it("ends when it is cancelled while its filter is asked: " .. name, function()
      for _, how in ipairs { "cancel", "timeout", "within" } do
        local job
        local options = { filter = function()
          return how ~= "within" or job:cancel() and async.exists("mem://x"):wait()
        end }
        options.timeout = how == "timeout" and 0.02 or nil
        job = call(async[name], options)
        if how == "cancel" then
          assert.is_true(job:progress().state ~= "done")
          job:cancel()
        elseif how == "timeout" then
          repeat until job:done() -- no poll
        end
        local result, _, code = job:wait(5)
        assert.is_nil(result)
        assert.equal(how == "timeout" and "DEADLINE_EXCEEDED" or "CANCELLED", code)
      end
    end)
  end

  it("ends within 100 ms when it is cancelled while it waits", function()
    for _, row in ipairs(calls) do
      local asked
      local job = row[2](async[row[1]], { filter = function()
        asked = true
        return async.exists "mem://x":await()
      end })
      repeat modfs.poll(1) until asked
      local began = clock()
      job:cancel()
      repeat modfs.poll(0.01) until job:done()
      assert.is_true(clock() - began < 0.1)
      assert.equal("CANCELLED", select(3, job:wait(0)))
    end
  end)

  it("lets a filter await while others are asked", function()
    local open, most, jobs = 0, 0, {}
    local function filter()
      open = open + 1
      most = math.max(most, open)
      pause(0.01):await()
      open = open - 1
      return true
    end
    for i = 1, 4 do
      jobs[i] = async.glob(D .. "/src/d" .. i .. "/*", { filter = filter })
    end
    async.all(jobs):wait()
    assert.equal(0, open)
    assert.is_true(most > 1)
  end)

  it("refuses to be waited for in its own filter", function()
    local job
    job = async.du(D .. "/src", { filter = function() return job:wait() end })
    assert.has_error(function() job:wait() end, "wait: the job waits for what is asked here")
  end)

  it("is dropped like any other", function()
    local asked = 0
    async.du(D .. "/src", { filter = function() asked = asked + 1 return true end })
    collectgarbage()
    for _ = 1, 100 do
      modfs.poll(0.01)
    end
    assert.is_true(asked >= 15)
  end)

  it("runs in turn on a Tree, whose plain calls answer it", function()
    local asked = 0
    local tree = assert(modfs.tree("du", D .. "/src", { filter = function()
      asked = asked + 1
      return true
    end }))
    local first, second = async(tree):step(), async(tree):step()
    assert.is_nil(tree:step())
    assert.is_true(first:done() and second:done())
    assert.equal(12, tree:result().files)
    assert.equal(15, asked)
    tree:close()
  end)

  it("may cancel or close its Tree in the filter, but not step it", function()
    for _, name in ipairs { "cancel", "close", "step" } do
      local tree, problem
      tree = assert(modfs.tree("du", D .. "/src", { filter = function()
        if not problem then
          problem = { pcall(tree[name], tree) }
        end
        return true
      end }))
      local job = async(tree):step()
      job:wait()
      assert.equal(name ~= "step", problem[1])
      assert.equal(name == "step", tostring(problem[2]):find "cannot continue" ~= nil)
    end
  end)

  it("keeps the order of what runs on one object", function()
    local file = assert(modfs.open(D .. "/order", "w"))
    local asked = 0
    async.glob(D .. "/src/**", { filter = function()
      asked = asked + 1
      async(file):write "a"
      async(file):write "b"
      return true
    end }):wait()
    assert(async(file):close():wait())
    assert.is_true(asked > 10)
    assert.equal(("ab"):rep(asked), modfs.read(D .. "/order"))
  end)
end)

describe("async.copy with progress", function()
  local size = 40 * 1024 * 1024
  local src, directory, dst = D .. "/big", nil, nil

  before_each(function()
    assert(modfs.makedirs(D))
    directory = assert(modfs.tempdir())
    dst = directory .. "/copy"
    assert(modfs.write(src, ("x"):rep(size)))
  end)
  after_each(function()
    modfs.rmtree(D)
    modfs.rmtree(directory)
  end)

  local function told_by(call)
    local told = {}
    local function progress(done, total, path)
      told[#told + 1] = ("%d %d %s"):format(done, total, path)
    end
    return told, call(progress)
  end

  it("tells what the plain call tells, beside the loop", function()
    local expected = told_by(function(progress)
      assert(modfs.copy(src, dst, { progress = progress }))
    end)
    local told = told_by(function(progress)
      local job = async.copy(src, dst, { progress = progress })
      assert.is_false(job:done())
      assert.is_true(job:wait())
    end)
    assert.same(expected, told)
    assert.is_true(#told > 1)
  end)

  it("ends as the plain call does", function()
    local function stop() return false end
    local expected = { modfs.copy(src, dst, { progress = stop }) }
    assert.equal("CANCELLED", expected[3])
    assert.same(expected, { async.copy(src, dst, { progress = stop }):wait() })
    local job = async.copy(src, dst, { progress = function() error("mine", 0) end })
    assert.has_error(function() job:wait() end, "mine")
    job = async.copy(src, dst, { progress = function() job:cancel() end })
    assert.equal("CANCELLED", select(3, job:wait()))
  end)
end)

describe("async.walk with onerror", function()
  it("calls it as walk does", function()
    for _, path in ipairs { D .. "/none", D } do
      local told = {}
      local function onerror(...) told[#told + 1] = table.concat({ ... }, "|") end
      local plain, second = modfs.walk(path, { onerror = onerror })
      local expected = told
      told = {}
      local iterator, other = async.walk(path, { onerror = onerror }):wait()
      assert.same(expected, told)
      assert.same({ type(plain), type(second) }, { type(iterator), type(other) })
    end
  end)
end)

describe("a loop beside a slow filter", function()
  before_each(stage)
  after_each(function() modfs.rmtree(D) end)

  local function slow()
    local over = clock() + 0.01
    repeat until clock() >= over
    return true
  end

  -- loops_spec.lua measures the same with timers.
  it("has its turn between two entries, while the plain call blocks it", function()
    local began = clock()
    assert(modfs.du(D .. "/src", { filter = slow }))
    assert.is_true(clock() - began > 0.14) -- control: 15 questions in one turn
    local turns = 0
    local job = async.du(D .. "/src", { filter = slow })
    repeat
      modfs.poll(0.01)
      turns = turns + 1
    until job:done()
    assert.is_true(turns >= 15)
  end)
end)

describe("a state that ends while a Job asks", function()
  for _, how in ipairs { "close", "exit", "by itself", "close within", "exit within" } do
    it("ends the Job: " .. how, function()
      local status, output, problem = child("spec/children/ends_asking.lua",
        { arguments = { how }, seconds = 10 })
      assert.same({ 0, "ended\n", "" }, { status, output, problem })
    end)
  end
end)
