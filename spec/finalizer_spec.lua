-- A finalizer may run wherever Lua allocates, and may end what the call at hand works on. Each
-- function and method is called with a finalizer at its first, second, … such point, which ends one
-- of its objects, until there are no more points: nothing may crash, give freed memory or another
-- result. With MODFS_FINALIZERS (as `make finalizers` sets it) every point is tried, and the object
-- is also closed by its method, or used.
local child = require "spec.support.child"
local finalizer_calls = require "spec.support.finalizer_calls"
local process = require "modfs.check.process"

-- There a finalizer that plants the next one runs once only, so that later points are not reached.
local once = _VERSION == "Lua 5.2" and "Lua 5.2 runs no finalizer at the later points"

local full = os.getenv "MODFS_FINALIZERS" ~= nil

-- The C library marks what is freed, and keeps no freed block aside; checkers do that themselves.
local mark = "export GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=219"

-- What a process that crashed was at, and what a checker said of it.
local function crash(status, err)
  local at = "?"
  for line in err:gmatch "[^\n]+" do
    at = line:match "^modfs%S+: %a+ of object %d+ at point %d+$" or at
  end
  local said = err:match "ERROR: AddressSanitizer[^\n]*" or err:match "[^\n]*runtime error[^\n]*"
    or process.last_words(err)
  return ("%s: exit status %d: %s"):format(at, status, said)
end

-- Runs all rows of a list, going on behind one that ends the process. Returns what went wrong, by
-- row, and the number of points.
local function run(name, most)
  local rows = #require(name).list
  local wrongs, points, from = {}, 0, 1
  while from <= rows do
    local status, out, err = child("spec/children/finalizers.lua", {
      arguments = { name, from, most, full }, before = mark, seconds = full and 3000 or 120 })
    local row = from - 1
    for line in out:gmatch "[^\n]+" do
      local i, n = line:match "^row (%d+) (%d+)$"
      row = tonumber(i) or row
      points = points + (tonumber(n) or 0)
      if not i and line ~= "all" then
        wrongs[row] = (wrongs[row] or "") .. line .. "\n"
      end
    end
    if status == 0 then
      return wrongs, points
    end
    wrongs[row + 1] = crash(status, err)
    from = row + 2
  end
  return wrongs, points
end

describe("a finalizer that ends an object at work", function()
  local wrongs, points

  setup(function()
    wrongs, points = run("spec.support.finalizer_calls", full and 10000 or 40)
  end)

  for i, call in ipairs(finalizer_calls.list) do
    it(("does no harm to %s (call %d)"):format(call.name, i), function()
      assert.equal("", wrongs[i] or "")
    end)
  end

  it("is tried at hundreds of points", function()
    if once then
      return pending(once)
    end
    assert.is_true(points > 1000, points .. " points")
    if full then
      print(("\n%d calls, %d points"):format(#finalizer_calls.list, points))
    end
  end)
end)

describe("the list of calls", function()
  local listed = {}
  for _, call in ipairs(finalizer_calls.list) do
    listed[call.name] = true
  end

  it("has every function and method of the types", function()
    local count, missing = 0, {}
    for line in io.lines((os.getenv "BUILD" or "build") .. "/meta/modfs.lua") do
      local name = line:match "^function ([%w_.:]+)%("
      if name then
        name = name:find "^modfs%." and name or "modfs." .. name
        count = count + 1
        -- A Job of a function or method runs the same code as its plain call.
        local plain = name:gsub("^modfs%.async%.", "modfs."):gsub("^modfs%.Async(%u)", "modfs.%1")
        missing[#missing + 1] = not listed[name] and not listed[plain] and name or nil
      end
    end
    assert.equal("", table.concat(missing, " "))
    assert.is_true(count > 175, count .. " functions")
  end)

  it("has every method and metamethod that a class has", function()
    local missing = {}
    local function check(class, functions)
      for name, value in pairs(functions) do
        local own = ("modfs.%s:%s"):format(class, name)
        local ends = name == "__gc" or name == "__close"
        if type(value) == "function" and not ends and not listed[own] then
          missing[#missing + 1] = own
        end
      end
    end
    for class, make in pairs(finalizer_calls.makers) do
      finalizer_calls.stage()
      local object = assert(make())
      local metatable = debug.getmetatable(object)
      check(class, metatable)
      check(class, type(metatable.__index) == "table" and metatable.__index or {})
    end
    table.sort(missing)
    assert.equal("", table.concat(missing, " "))
  end)
end)

describe("the control", function()
  local wrongs

  setup(function()
    wrongs = run("spec.support.finalizer_control", 40)
  end)

  -- scripts/control.c holds a pointer over its third allocation, and over no other.
  it("is found, and at the point where its fault is", function()
    if once then
      return pending(once)
    end
    assert.is_truthy(wrongs[1]:find("at point 3", 1, true), wrongs[1])
    assert.is_nil(wrongs[1]:find("at point 2", 1, true))
    assert.is_nil(wrongs[2], wrongs[2])
  end)

  it("tells the error of a process that one ended, not the end of its traceback", function()
    local words = "spec/support/finalizer_control.lua:13: it is not made:"
    assert.is_truthy(wrongs[3]:find(words, 1, true), wrongs[3])
  end)

  it("is closed at each of its points", function()
    if once then
      return pending(once)
    end
    local status, out, err = child "spec/children/chances.lua"
    assert.same({ 0, "0\n1\n2\n3\n4\n5\n", "" }, { status, out, err })
  end)
end)
