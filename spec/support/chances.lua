-- Finalizers at every point where Lua may run one.
--
-- While the collector is tight, each allocation that looks at it finishes a whole cycle, and a
-- finalizer of this file runs in each: a chance. chances.run(n, act, call) calls call() so, and
-- act() in the n-th chance; it returns how many chances came, and what pcall(call) returned.
local chances = {}

local newproxy = rawget(_G, "newproxy") -- before 5.2 only userdata have finalizers
local unpack = table.unpack or unpack -- luacheck: ignore 113
local function pack(...)
  return { n = select("#", ...), ... }
end
local is_54 = _VERSION == "Lua 5.4"

local armed, count, wanted, action

local finalize

local function plant()
  if newproxy then
    getmetatable(newproxy(true)).__gc = finalize
  else
    setmetatable({}, { __gc = finalize })
  end
end

-- While this runs the collector stands still: what it allocates counts for nothing.
function finalize()
  if not armed then
    return
  end
  count = count + 1
  if count == wanted then
    action()
  end
  plant()
end

-- A cycle has no pause behind it, and each step is a whole one.
local function tighten()
  if is_54 then
    collectgarbage("incremental", 0, 0, 60)
    collectgarbage("setpause", 0)
  elseif newproxy then
    collectgarbage("setpause", 0)
    collectgarbage("setstepmul", 0) -- without a limit
  else
    collectgarbage("setpause", 0)
    collectgarbage("setstepmul", 2 ^ 30)
  end
end

local function loosen()
  collectgarbage("setpause", 200)
  collectgarbage("setstepmul", is_54 and 100 or 200)
  if is_54 then
    collectgarbage("incremental", 0, 0, 13)
  end
end

function chances.run(n, act, call)
  collectgarbage()
  tighten()
  collectgarbage() -- from here on by the new rules
  armed, count, wanted, action = true, 0, n, act
  plant()
  local results = pack(pcall(call))
  armed = false
  loosen()
  return count, unpack(results, 1, results.n)
end

return chances
