-- modfs.step: call(fn, ...) calls a function of the binding that may wait. In a Job's coroutine
-- (modfs.async) it runs on another thread, and the coroutine goes on when it is done; elsewhere it
-- is called. So one function in Lua serves both.
--
-- Between such a function and the coroutine may be no pcall, as Lua 5.1 cannot yield across it.
local step = {}

-- A function of coroutine: nginx puts others, which know its requests only, in the place of Lua's.
function step.plain(name)
  return rawget(coroutine, "_" .. name) or coroutine[name]
end

local yield = step.plain "yield"

-- The coroutines that Jobs run, until they end.
step.driven = setmetatable({}, { __mode = "k" })

function step.call(fn, ...)
  local coroutine_here, is_main = coroutine.running()
  if coroutine_here and not is_main and step.driven[coroutine_here] then
    return yield(fn, ...)
  end
  return fn(...)
end

return step
