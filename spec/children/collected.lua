-- Uses most of modfs once while the collector works in some way (gc_spec.lua): a path, the way.
-- luacheck: globals kept
local top, how = ...

local ways = {}

ways["at every instruction"] = function()
  debug.sethook(function() collectgarbage "step" end, "", 1)
end

ways["with full collections at every few instructions"] = function()
  debug.sethook(function() collectgarbage() end, "", 5)
end

ways["without a pause"] = function()
  collectgarbage("setpause", 0)
  collectgarbage("setstepmul", 10000)
end

ways["stopped"] = function()
  collectgarbage "stop"
end

ways["in generational mode"] = function()
  collectgarbage "generational"
  debug.sethook(function() collectgarbage "step" end, "", 3)
end

ways["in a coroutine"] = function()
  coroutine.wrap(function()
    debug.sethook(function() collectgarbage() end, "", 20)
  end)()
  local loaded = require "modfs"
  coroutine.wrap(function()
    collectgarbage()
    assert(loaded.write("mem://thread", "test"))
    kept = assert(loaded.open "mem://thread")
  end)()
  collectgarbage()
  assert(kept:read "a" == "test" and loaded.remove "mem://thread")
end

ways[how]()
local modfs = require "modfs"
local function use(place)
  assert(modfs.makedirs(place .. "/a/b"))
  local w = assert(modfs.open(place .. "/f", "w"))
  assert(w:write("one\n", 2, modfs.buffer "\nthree\n"))
  assert(w:flush())
  assert(w:close())
  for line in modfs.lines(place .. "/f") do assert(#line > 0) end
  local f = assert(modfs.open(place .. "/f"))
  assert(f:read "L" == "one\n" and f:read "n" == 2 and f:read "a" == "\nthree\n")
  assert(f:pread(0, 3) == "one")
  local b = modfs.buffer(8)
  assert(f:readinto(b, 0) == 8 and b:sub(1, 3) == "one")
  assert(modfs.map(place .. "/f"):slice(1, 3):sub(1) == "one")
  assert(#modfs.glob(place .. "/*") == 2)
  assert(#modfs.listdir(place) == 2)
  assert(modfs.copy(place .. "/f", place .. "/g") and modfs.rename(place .. "/g", place .. "/a/g"))
  assert(modfs.exists { place, place .. "/f" })
  assert(modfs.stat(place .. "/f").length == 12)
  assert(select(3, modfs.open(place .. "/none")) == "NOT_FOUND")
  assert(not pcall(modfs.open, place .. "/f", "zzz"))
  for name in modfs.dir(place) do assert(#name == 1) end
  for _, option in ipairs(modfs.filesystem(place):get_filesystem_configuration()) do
    assert(option.name)
  end
  assert(modfs.config(modfs.filesystem(place).scheme))
  assert(modfs.filesystem(place):operations().stat)
  assert(modfs.rmtree(place))
end
local tx = modfs.filesystem "mem":start_transaction()
assert(tx:add "mem://hidden" and modfs.write("mem://hidden", "x"))
assert(not modfs.exists "mem://hidden" and tx:commit() and modfs.remove "mem://hidden")
use "mem://top"
use(top)
print "fine"
