-- Directories that nest for ever, files that claim lengths that nothing has: every function that
-- goes over a tree or a file ends, and its failure names the plugin.
local build = require "spec.fixtures.build"
local cost = require "spec.support.cost"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"
local valgrind = require "spec.support.valgrind"

local shelf, plugin
local place = tmpdir.large() -- mem:// would walk 20,000 paths from its root

setup(function()
  shelf = build.shelf()
  plugin = shelf:put(build.compile("hostile.so", "spec/fixtures/hostile/hostile.c"), "hostile")
  assert(modfs.load(plugin))
end)

teardown(function()
  shelf:remove()
  tmpdir.remove(place)
end)

after_each(function()
  modfs.rmtree "mem://hostile"
end)

local function names_plugin(message)
  assert.is_truthy(message:find(plugin, 1, true), message)
  return message
end

-- The failure of an operation, or the one that its report brings.
local function failure_of(code, result, ...)
  if type(result) ~= "table" then
    return names_plugin(fails(code, result, ...))
  end
  assert.equal(1, #result.errors)
  local failure = result.errors[1]
  assert.equal(code, failure.code)
  return names_plugin(failure.message)
end

describe("directories that nest for ever", function()
  local operations = {
    { "du", "abyss", "one", function(path) return modfs.du(path) end },
    { "du on two threads", "chasm", "two", function(path)
      return modfs.du(path, { threads = 2 })
    end },
    { "du of long names", "chasm", "long", function(path) return modfs.du(path) end },
    { "rmtree on two threads", "chasm", "two", function(path)
      return modfs.rmtree(path, { threads = 2 })
    end },
    { "rmtree with progress", "chasm", "one", function(path)
      return modfs.rmtree(path, { progress = function() end })
    end },
    { "copytree", "chasm", "one", function(path)
      return modfs.copytree(path, place .. "/copy")
    end },
    { "sync", "abyss", "one", function(path)
      return modfs.sync(path, "mem://hostile", { dry_run = true })
    end },
  }

  local function walk(path, options)
    local count = 0
    for _ in modfs.walk(path, options) do
      count = count + 1
    end
    return count
  end

  operations[#operations + 1] = { "rmtree as the host does it", "abyss", "one", modfs.rmtree }
  operations[#operations + 1] = { "rmtree as the host does it", "chasm", "two", modfs.rmtree }
  for _, name in ipairs { "one", "two", "long" } do
    operations[#operations + 1] = { "glob", "chasm", name, function(path)
      local found, message, code = modfs.glob(path .. "/**/none")
      return found, message and (message:gsub("/%*%*/none", "", 1)), code
    end }
    operations[#operations + 1] = { "walk top-down", "chasm", name, function(path)
      local _, message = pcall(walk, path)
      return nil, message, message:match "^[A-Z_]+"
    end }
  end
  operations[#operations + 1] = { "walk bottom-up", "abyss", "one", function(path)
    local _, message = pcall(walk, path, { bottomup = true })
    return nil, message, message:match "^[A-Z_]+"
  end }

  it("are reported to a walk's onerror once", function()
    local told = {}
    local count = walk("chasm:///long", { onerror = function(message, code, path)
      told[#told + 1] = { code, path, names_plugin(message) and nil }
    end })
    assert.same({ { "RESOURCE_EXHAUSTED", "chasm:///long" } }, told)
    assert.is_true(count > 4000)
  end)

  for _, operation in ipairs(operations) do
    local title, scheme, top, call = (table.unpack or unpack)(operation)
    it(("end %s of %s:///%s"):format(title, scheme, top), function()
      if valgrind and top ~= "long" then
        pending "20,000 levels take minutes under valgrind; those of long names are fewer"
      end
      local path = ("%s:///%s"):format(scheme, top)
      local message = failure_of("RESOURCE_EXHAUSTED", call(path))
      local expected = ("RESOURCE_EXHAUSTED: %s %s: "):format(title:match "^%a+", path)
      assert.equal(expected, message:sub(1, #expected))
      assert.is_truthy(message:find "nest more than %d+ levels deep", message)
    end)
  end

  -- A tree that built the path of each directory from its root would take 17 times as long.
  it("cost a tree no more than a walk", function()
    if valgrind then
      pending "20,000 levels take minutes under valgrind"
    end
    assert.is_true(cost.ratio(function() modfs.du "chasm:///one" end,
      function() pcall(walk, "chasm:///one") end) < 5)
  end)

  it("are not reported as a cancellation", function()
    local report = assert(modfs.sync("chasm:///one", "mem://hostile", { dry_run = true }))
    assert.equal("RESOURCE_EXHAUSTED", report.errors[1].code)
    assert.equal("chasm:///one", report.errors[1].path)
  end)
end)

describe("files of 2^63 - 1 bytes", function()
  for _, scheme in ipairs { "abyss", "chasm" } do
    it("are counted up to the largest number: " .. scheme, function()
      local result, message, code, counts = modfs.du(scheme .. ":///vast")
      names_plugin(fails("OUT_OF_RANGE", result, message, code))
      assert.same({ 3, 1, math.huge, 1 }, { counts.files, counts.dirs, counts.bytes,
        #counts.errors })
      local report = assert(modfs.sync(scheme .. ":///vast", "mem://hostile", { dry_run = true }))
      assert.same({ 3, math.huge }, { report.copied, report.bytes })
      assert.equal("OUT_OF_RANGE", report.errors[1].code)
    end)

    it("are copied as long as they are: " .. scheme, function()
      for i, operation in ipairs { "copytree", "sync" } do
        local target, calls = "mem://hostile/" .. operation, 0
        local report = assert(modfs[operation](scheme .. ":///vast", target, i == 1 and {
          progress = function() calls = calls + 1 end } or nil))
        assert.same({ 15, {} }, { report.bytes, report.errors })
        assert.equal("a\nbc\n", modfs.read(target .. "/b"))
        assert.equal(i == 1 and 3 or 0, calls)
      end
      assert(modfs.rmtree(scheme .. ":///vast", { progress = function() end }))
    end)
  end

  -- Lua 5.1 and LuaJIT have no number for the length.
  local function check_length(length, message, code)
    if math.maxinteger then
      assert.equal(math.maxinteger, length)
    else
      fails("OUT_OF_RANGE", length, message, code)
    end
  end

  it("are as long as they say, and read as they are", function()
    for _, path in ipairs { "abyss:///vast/a", "chasm:///vast/a" } do
      local stats, message, code = modfs.stat(path)
      check_length(stats and stats.length, message, code)
      stats, message, code = modfs.lstat(path)
      check_length(stats and stats.length, message, code)
      check_length(modfs.size(path))
      assert.equal("a\nbc\n", modfs.read(path))
      local lines = {}
      for line in modfs.lines(path) do
        lines[#lines + 1] = line
      end
      assert.same({ "a", "bc" }, lines)
      local file = assert(modfs.open(path))
      check_length(file:size())
      assert.equal("bc\n", file:pread(2, 5))
      local at, told, name = file:seek "end"
      check_length(at, told, name)
      assert(file:close())
      assert.is_truthy(tostring(file):find "closed")
    end
  end)

  it("are not mapped", function()
    local message = fails("INTERNAL", modfs.map "abyss:///vaster/c")
    assert.is_truthy(names_plugin(message):find(" map abyss:///vaster/c: ", 1, true), message)
  end)
end)
