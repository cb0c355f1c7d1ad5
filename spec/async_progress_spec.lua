-- job:progress(): what is done, and, where it is known, of how much.
local async = require "modfs.async"
local modfs = require "modfs"
local twelve_files = require "spec.support.twelve_files"

local D = "mem://progress"

local function stage()
  twelve_files(D, function() return 1000 end)
end

local function any() return true end

describe("the progress of a Job of a tree", function()
  before_each(stage)
  after_each(function() modfs.rmtree(D) end)

  it("has totals where they are counted before", function()
    for _, name in ipairs { "copytree", "sync" } do
      for _, threads in ipairs { 1, 4 } do
        stage()
        local job
        local seen, last = 0, 0
        local function progress(done, total)
          local now = job:progress()
          seen = seen + 1
          assert.equal(12000, total)
          assert.same({ 12, 12000 }, { now.total_files, now.total_bytes })
          assert.is_true(now.bytes >= done and now.bytes >= last)
          last = now.bytes
        end
        job = async[name](D .. "/src", D .. "/dst", { progress = progress, threads = threads })
        job:wait()
        assert.equal(12, seen)
        assert.same({ state = "done", files = 12, total_files = 12, bytes = 12000,
          total_bytes = 12000 }, job:progress())
      end
    end
  end)

  it("counts files that are up to date as done", function()
    assert(modfs.copytree(D .. "/src/d1", D .. "/dst/d1", { preserve = { "mtime" } }))
    local job = async.sync(D .. "/src", D .. "/dst", { progress = any, size_only = true })
    assert.equal(4, job:wait().kept)
    assert.same({ state = "done", files = 12, total_files = 12, bytes = 12000,
      total_bytes = 12000 }, job:progress())
  end)

  it("counts deleted files", function()
    local job = async.rmtree(D .. "/src", { progress = function() end })
    job:wait()
    assert.same({ state = "done", files = 12, total_files = 12 }, job:progress())
  end)

  it("has what is done alone, without a function for it", function()
    local job = async.copytree(D .. "/src", D .. "/dst")
    job:wait()
    assert.same({ state = "done", files = 12, bytes = 12000 }, job:progress())
    job = async.du(D .. "/src")
    job:wait()
    assert.same({ state = "done", files = 12, bytes = 12000 }, job:progress())
  end)

  it("grows while the tree is counted, and then while it is copied", function()
    local job
    local totals, files = {}, {}
    local function filter(entry)
      local now = job:progress()
      assert.equal("running", now.state)
      totals[#totals + 1], files[#files + 1] = now.total_files or 0, now.files or 0
      return entry ~= nil
    end
    job = async.copytree(D .. "/src", D .. "/dst", { progress = any, filter = filter, threads = 1 })
    job:wait()
    assert.equal(30, #totals) -- each entry is chosen twice
    assert.equal(0, totals[1])
    assert.is_true(totals[15] > 0 and totals[15] <= 12)
    assert.equal(0, files[15])
    assert.equal(12, totals[16])
    assert.is_true(files[30] > 0)
  end)

  it("grows within a large file", function()
    local size = 64 * 1024 * 1024
    local place = assert(modfs.tempdir())
    assert(modfs.makedirs(D .. "/large"))
    assert(modfs.write(D .. "/large/file", ("x"):rep(size)))
    local within = 0
    for _ = 1, 50 do
      local job = async.copytree(D .. "/large", place .. "/copy")
      repeat
        local bytes = job:progress().bytes or 0
        within = math.max(within, bytes < size and bytes or 0)
        modfs.poll(0)
      until job:done()
      if within > 0 then break end
    end
    modfs.rmtree(place)
    assert.is_true(within > 0)
  end)
end)

describe("the progress of async.all", function()
  before_each(stage)
  after_each(function() modfs.rmtree(D) end)

  it("is the sum of its Jobs'", function()
    local quiet = assert(modfs.tempdir())
    local gate = async(assert(modfs.watch(quiet))):next(60)
    local function filter()
      gate:await()
      return true
    end
    local list = {
      async.copytree(D .. "/src", D .. "/one", { progress = any }),
      async.copytree(D .. "/src", D .. "/two", { progress = any, filter = filter }),
      async.read(D .. "/src/d1/f1"),
    }
    local all = async.all(list)
    assert.truthy(({ queued = true, running = true })[all:progress().state])
    list[1]:wait()
    list[3]:wait()
    local now = all:progress()
    assert.equal("running", now.state)
    assert.is_true(now.files >= 12 and now.bytes >= 13000)
    gate:cancel()
    all:wait()
    modfs.rmtree(quiet)
    assert.same({ state = "done", files = 24, total_files = 24, bytes = 25000,
      total_bytes = 25000 }, all:progress())
    local outer = async.all { all }
    outer:wait()
    assert.same(all:progress(), outer:progress())
  end)

  it("has no totals until all have them", function()
    local job
    local function filter()
      assert.is_nil(job:progress().total_bytes)
      return true
    end
    job = async.all { async.copytree(D .. "/src", D .. "/one", { progress = any }),
      async.du(D .. "/src", { filter = filter }) }
    job:wait()
    assert.equal(24000, job:progress().total_bytes)
  end)

  it("is done without any Job", function()
    assert.same({ state = "done" }, async.all({}):progress())
  end)
end)
