-- busted --helper=spec/support/collect.lua runs the whole suite while the collector works all the
-- time: a step of it at every allocation, a full collection every COLLECT_EVERY instructions.
local every = tonumber(os.getenv "COLLECT_EVERY") or 2000

local function collect()
  collectgarbage()
end

local create, wrap = coroutine.create, coroutine.wrap

function coroutine.create(body) -- luacheck: ignore 122
  local thread = create(body)
  debug.sethook(thread, collect, "", every)
  return thread
end

function coroutine.wrap(body) -- luacheck: ignore 122
  return wrap(function(...)
    debug.sethook(collect, "", every)
    return body(...)
  end)
end

collectgarbage("setpause", 0)
pcall(collectgarbage, "incremental", 0, 100, 1) -- 5.4: steps of two bytes; 0 leaves the pause alone
debug.sethook(collect, "", every)
