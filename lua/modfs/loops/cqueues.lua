-- The loop "cqueues": in each controller a coroutine serves the descriptor of modfs.poll while Jobs
-- are pending; those that await wait for a condition.
local core = require "modfs.core"
local jobs = require "modfs.jobs"
local own = require "modfs.loops.own"

local loop = {}

function loop.open()
  local cqueues = require "cqueues"
  local condition = require "cqueues.condition"
  local served = setmetatable({}, { __mode = "k" }) -- controllers
  local idle = condition.new() -- nothing is pending: who serves in another controller ends, too

  local function serve()
    local controller = cqueues.running()
    local readable = { pollfd = assert(core.pollfd()), events = "r" }
    while jobs.pending() > 0 do
      cqueues.poll(readable, idle)
      core.poll(0)
    end
    served[controller] = nil
    idle:signal()
  end

  local function watch()
    local controller = cqueues.running()
    if controller and not served[controller] then
      served[controller] = true
      controller:wrap(serve)
    end
  end

  local function wait(job)
    local _, can_yield = cqueues.running()
    if not can_yield then
      return
    end
    watch()
    local done = condition.new()
    job:on_done(function() done:signal() end)
    while not job:done() do
      done:wait()
    end
  end

  local function begin(body, ...)
    local controller = cqueues.running()
    if not controller then
      error("async.go: no controller of cqueues runs", 3)
    end
    controller:wrap(body, ...)
  end

  return { wait = wait, go = own.go_with(begin), watch = watch }
end

return loop
