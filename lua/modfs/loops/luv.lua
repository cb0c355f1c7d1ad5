-- The loop "luv": a poll handle on the descriptor of modfs.poll, which keeps uv.run alive only
-- while Jobs are pending. Any coroutine yields.
local core = require "modfs.core"
local jobs = require "modfs.jobs"
local own = require "modfs.loops.own"

local luv = {}

function luv.open()
  local uv = require "luv"
  local handle = assert(uv.new_poll(assert(core.pollfd())))

  -- The error of a coroutine of the program becomes that of a callback of luv.
  local function report(problem, thread)
    local text = type(problem) == "string" and debug.traceback(thread, problem) or problem
    local timer = uv.new_timer()
    timer:start(0, 0, function()
      timer:close()
      error(text, 0)
    end)
  end

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
  local function wait(job)
    own.park(job, report)
  end

  return { wait = wait, go = own.go, watch = watch }
end

return luv
