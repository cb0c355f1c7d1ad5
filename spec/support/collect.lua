-- busted --helper=spec/support/collect.lua runs the whole suite while the collector works all the
-- time: a full collection every so many lines, in every coroutine, and a collector without pause.
local every = tonumber(os.getenv "COLLECT_EVERY") or 50

local function collect()
  collectgarbage()
end

local function hook(thread)
  if thread then
    debug.sethook(thread, collect, "", every)
  else
    debug.sethook(collect, "", every)
  end
end

local create, wrap = coroutine.create, coroutine.wrap

function coroutine.create(body) -- luacheck: ignore 122
  local thread = create(body)
  hook(thread)
  return thread
end

function coroutine.wrap(body) -- luacheck: ignore 122
  return wrap(function(...)
    hook()
    return body(...)
  end)
end

collectgarbage("setpause", 0)
collectgarbage("setstepmul", 1000)
hook()
