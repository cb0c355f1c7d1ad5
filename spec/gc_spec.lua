local modfs = require "modfs"
local child = require "spec.support.child"
local tmpdir = require "spec.support.tmpdir"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"

local function collect()
  collectgarbage()
  collectgarbage()
end

-- One object of each class, and how to use it.
local function objects()
  assert(modfs.write("mem://gc", "test"))
  local fs = modfs.filesystem "mem"
  local directory = select(2, modfs.dir "mem://")
  return {
    { "file", modfs.open "mem://gc", function(o) return o:pread(0, 1) end },
    { "writable file", modfs.open("mem://gc2", "w"), function(o) return o:tell() end },
    { "region", modfs.map "mem://gc", function(o) return o:sub(1) end },
    { "buffer", modfs.buffer(4), function(o) return o:sub(1) end },
    { "filesystem", fs, function(o) return o:flush_caches() end },
    { "transaction", fs:start_transaction(), function(o) return o:add "mem://gc3" end },
    { "directory", directory, function(o) return o:next() end },
  }
end

describe("an object that is dropped", function()
  local root

  before_each(function()
    root = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(root)
    modfs.remove "mem://gc"
    modfs.remove "mem://gc2"
  end)

  it("gives its descriptor back", function()
    local function descriptors()
      return #modfs.listdir "/proc/self/fd"
    end
    if jit then
      jit.off() -- compiled code keeps the functions that it has called, iterators among them
    end
    assert.is_true(modfs.write(root .. "/a_file", "test"))
    collect()
    local before = descriptors()
    local function use()
      modfs.open(root .. "/a_file")
      modfs.open(root .. "/other", "w")
      modfs.open(root .. "/other", "a")
      modfs.map(root .. "/a_file")
      modfs.dir(root)()
      modfs.lines(root .. "/a_file")
      modfs.open(root)
      modfs.read(root)
      modfs.copy(root .. "/a_file", root .. "/none/x")
      modfs.write(root .. "/other", "x", { atomic = true })
    end
    for _ = 1, 20 do
      use()
    end
    collect()
    assert.equal(before, descriptors())
  end)

  -- The control shows that without the collector 64 descriptors are not enough.
  it("makes room when descriptors run out", function()
    local function run(...)
      return child("spec/children/few_descriptors.lua", { arguments = { root, ... },
        before = "ulimit -n 64" })
    end
    local status, out, err = run()
    assert.same({ 0, "all\n", "" }, { status, out, err })
    status, out, err = run "keep"
    assert.same({ 1, "" }, { status, out })
    assert.is_truthy(err:find "RESOURCE_EXHAUSTED", err)
  end)

  -- The control keeps the files, so that nothing is freed.
  it("makes room for each function that opens something", function()
    local function run(place, ...)
      return child("spec/children/scarce_descriptors.lua", { arguments = { root .. place, ... },
        before = "ulimit -n 64" })
    end
    local status, out, err = run "/dropped"
    assert.same({ 0, "all\n", "" }, { status, out, err })
    status, out, err = run("/kept", "keep")
    assert.same({ 0, "" }, { status, err })
    for _, name in ipairs { "read", "dir", "copy", "append", "walk", "async_read" } do
      assert.is_truthy(("\n" .. out):find("\n" .. name .. ", 0 left: ", 1, true), name)
    end
  end)

  it("is not looked for under each name that a temporary file may have", function()
    if sanitized or shell.run "strace -o /dev/null true" ~= 0 then
      pending "strace is not installed, or cannot trace here"
      return
    end
    local log = root .. "/log"
    local status, out, err = child([[
      local modfs = require "modfs"
      local path, files = ..., {}
      modfs.write(path, "x")
      local one = io.open(path)
      while one do
        files[#files + 1], one = one, io.open(path)
      end
      files[#files]:close()
      files[#files - 1]:close() -- one for the directory, and one for the file
      modfs.write(path, "y", { atomic = true })
      assert(#files > 0)
    ]], { arguments = { root .. "/target" }, before = "ulimit -n 64",
      under = "strace -f -e trace=openat -o " .. log })
    assert.same({ 0, "", "" }, { status, out, err })
    local _, tries = tmpdir.content(log):gsub("%.modfs%-", "")
    assert.is_true(tries > 0 and tries < 20, tries .. " names")
  end)

  it("makes room when memory would grow without end", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      modfs.write("mem://big", ("x"):rep(2 ^ 20))
      for _ = 1, 3000 do
        assert(modfs.buffer(2 ^ 20)):fill(1)
      end
      print(modfs.read "/proc/self/status":match "VmHWM:%s*(%d+) kB")
    ]]
    assert.same({ 0, "" }, { status, err })
    assert.is_true(tonumber(out) < 2 ^ 20, "resident kB: " .. out)
  end)
end)

describe("what stands on an object", function()
  before_each(function()
    assert.is_true(modfs.write("mem://gc", "one\ntwo\nthree\n"))
  end)
  after_each(function()
    modfs.remove "mem://gc"
  end)

  it("keeps it alive: iterators their file, slices their bytes", function()
    local step = modfs.open("mem://gc"):lines()
    local slice = modfs.map("mem://gc"):slice(5, 7)
    local inner = modfs.buffer("abcdef"):slice(2):slice(2, 3)
    local names = modfs.dir "mem://"
    local bytes = modfs.map("mem://gc"):lines()
    for _ = 1, 3 do
      collect()
      modfs.buffer(100000):fill(255)
    end
    assert.equal("one", step())
    assert.equal("two", slice:sub(1))
    assert.equal("cd", inner:sub(1))
    assert.is_string(names())
    assert.equal("one", bytes())
  end)
end)

describe("finalizers", function()
  after_each(function()
    modfs.remove "mem://gc"
    modfs.remove "mem://gc2"
  end)

  it("can be reached by debug alone", function()
    for _, row in ipairs(objects()) do
      assert.is_false(getmetatable(row[2]))
      assert.has_error(function() setmetatable(row[2], {}) end)
      assert.has_error(function() return row[2].__gc() end)
    end
  end)

  it("called by hand close; called twice they do nothing", function()
    for _, row in ipairs(objects()) do
      local name, object, use = row[1], row[2], row[3]
      local finalize = debug.getmetatable(object).__gc
      use(object)
      finalize(object)
      finalize(object)
      assert.equal("closed " .. name, modfs.type(object))
      assert.error_matches(function() use(object) end, "closed")
      assert.is_string(tostring(object))
    end
    collect()
  end)

  it("called with foreign values do nothing and never raise", function()
    local all = objects()
    for _, row in ipairs(all) do
      local finalize = debug.getmetatable(row[2]).__gc
      for _, value in ipairs { 1, "x", {}, print, true, io.stdout, io.stderr } do
        finalize(value)
      end
      finalize(nil)
      finalize()
      for _, other in ipairs(all) do
        if other ~= row then
          finalize(other[2])
        end
      end
    end
    for _, row in ipairs(all) do
      assert.equal(row[1], modfs.type(row[2]))
      row[3](row[2])
      row[2]:close()
    end
    assert.is_truthy(io.stdout:write "")
  end)

  it("leave a closed object to a finalizer that resurrects it", function()
    if _VERSION == "Lua 5.1" then
      return pending "tables have no __gc in Lua 5.1"
    end
    local saved = {}
    do
      local all = objects()
      for i, row in ipairs(all) do
        setmetatable({}, { __gc = function() saved[i] = row end })
      end
    end
    collect()
    for _, row in pairs(saved) do
      if modfs.type(row[2]):find "closed" then
        assert.error_matches(function() row[3](row[2]) end, "closed")
      else
        row[3](row[2])
      end
    end
    saved = nil -- luacheck: ignore 311 331
    collect()
  end)

  it("may themselves use modfs, also when the state is closed", function()
    local status, out, err = child "spec/children/late_finalizers.lua"
    if _VERSION == "Lua 5.1" then
      return pending "tables have no __gc in Lua 5.1"
    end
    assert.same({ 0, "" }, { status, err })
    assert.is_truthy(out:find "done")
  end)

  it("meet no crash when metatables are exchanged by debug", function()
    local status, out, err = child "spec/children/metatables.lua"
    assert.same({ 0, "64\n", "" }, { status, out, err })
  end)
end)

describe("the collector at work", function()
  local function works(how)
    local root = tmpdir.new()
    local status, out, err = child("spec/children/collected.lua", {
      arguments = { root .. "/top", how } })
    tmpdir.remove(root)
    assert.same({ 0, "fine\n", "" }, { status, out, err })
  end

  for _, how in ipairs { "at every instruction",
    "with full collections at every few instructions", "without a pause", "stopped",
    "in generational mode", "in a coroutine" } do
    it(how .. " changes nothing", function()
      if how:find "generational" and not pcall(collectgarbage, "generational") then
        return pending(_VERSION .. " has no generational mode")
      end
      works(how)
    end)
  end

  it("is driven by spec/support/collect.lua for whole suites", function()
    local status, out = child [[
      dofile "spec/support/collect.lua"
      local before, runs = collectgarbage "count", 0
      local watch
      function watch() setmetatable({}, { __gc = function() runs = runs + 1 watch() end }) end
      watch()
      for i = 1, 1000 do local t = { i } end
      print(runs > (_VERSION == "Lua 5.2" and 2 or 10)) -- steps are longer in 5.2
    ]]
    if _VERSION == "Lua 5.1" then
      return pending "tables have no __gc in Lua 5.1"
    end
    assert.same({ 0, "true\n" }, { status, out })
  end)
end)
