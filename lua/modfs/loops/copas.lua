-- The loop "copas": what awaits reads something that looks like a socket: it has the descriptor of
-- modfs.poll, and is readable at once ("dirty") when its Job is done.
local core = require "modfs.core"
local jobs = require "modfs.jobs"
local own = require "modfs.loops.own"

local loop = {}

local function nothing() end

-- is_done() says whether reading is over.
local function readable(is_done)
  local function receive()
    core.poll(0)
    if is_done() then
      return true
    end
    return nil, "timeout"
  end
  return { getfd = core.pollfd, dirty = is_done, receive = receive, close = nothing,
    settimeout = nothing }
end

function loop.open()
  local copas = require "copas"
  local serving = false

  local function is_idle()
    return jobs.pending() == 0
  end

  local function serve()
    copas.receive(readable(is_idle))
    serving = false
  end

  -- For functions of on_done, which nobody awaits.
  local function watch()
    if not serving then
      serving = true
      copas.addthread(serve)
    end
  end

  local function wait(job)
    copas.receive(readable(function() return job:done() end))
  end

  return { wait = wait, go = own.go_with(copas.addthread), watch = watch }
end

return loop
