-- modfs.step: call(fn, ...) calls a function of the binding that may wait. In a Job's coroutine
-- (modfs.async) it runs on another thread, and the coroutine goes on when it is done; elsewhere it
-- is called. So one function in Lua serves both.
--
-- Between such a function and the coroutine may be no pcall, as Lua 5.1 cannot yield across it:
-- try(fn, ...) does what pcall(fn, ...) does, and with(object, fn) what modfs.with does.
local plain_with = require("modfs.with").with

local step = {}

-- A function of coroutine: nginx puts others, which know its requests only, in the place of Lua's.
function step.plain(name)
  return rawget(coroutine, "_" .. name) or coroutine[name]
end

local yield = step.plain "yield"

-- The coroutines that Jobs run, until they end; for each, the objects that `with` has to close.
step.driven = setmetatable({}, { __mode = "k" })

local function objects_here()
  local thread, is_main = coroutine.running()
  return thread and not is_main and step.driven[thread] or nil
end

local function results(fine, ...)
  if not fine then
    error((...), 0)
  end
  return ...
end

function step.call(fn, ...)
  if objects_here() then
    return results(yield(fn, ...))
  end
  return fn(...)
end

function step.try(fn, ...)
  if objects_here() then
    return yield(fn, ...)
  end
  return pcall(fn, ...)
end

local function leave(open, object, ...)
  open[object] = nil
  object:close()
  return ...
end

-- After an error it is the driver that closes the object.
function step.with(object, fn)
  local open = objects_here()
  if not open then
    return plain_with(object, fn)
  end
  open[object] = true
  return leave(open, object, fn(object))
end

-- Closes what the coroutine of a Job has left open.
function step.close(thread)
  local open = step.driven[thread]
  step.driven[thread] = nil
  for object in pairs(open) do
    pcall(object.close, object)
  end
end

return step
