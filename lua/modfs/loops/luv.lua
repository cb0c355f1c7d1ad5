-- The loop "luv": a poll handle on the descriptor of modfs.poll, which keeps uv.run alive only
-- while Jobs are pending. Any coroutine yields.
local core = require "modfs.core"
local jobs = require "modfs.jobs"
local own = require "modfs.loops.own"

local luv = {}

function luv.open()
  local handle = assert(require("luv").new_poll(assert(core.pollfd())))

  local function serve()
    core.poll(0)
    if jobs.pending() == 0 then
      handle:unref()
    end
  end

  local function watch()
    handle:ref()
  end

  assert(handle:start("r", serve))
  if jobs.pending() == 0 then
    handle:unref()
  end
  return { wait = own.park, go = own.go, watch = watch }
end

return luv
