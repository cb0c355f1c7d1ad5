-- modfs.loops: who resumes a coroutine when the Job that it awaits is done.
--
-- A loop is a table: wait(job) returns when the job is done, after the coroutine that calls it has
-- yielded; go(fn, ...) begins a coroutine. The loop "poll" is here: coroutines of async.run and
-- async.go, which modfs.poll resumes. Elsewhere await blocks.
local core = require "modfs.core"
local jobs = require "modfs.jobs"

-- The coroutines of the loop "poll", with the group that counts them.
local groups = setmetatable({}, { __mode = "k" })

local function here()
  local thread, is_main = coroutine.running()
  return not is_main and thread or nil
end

local poll = {}

-- Resumes a coroutine; when it has ended, its Job has its results.
local function resume(thread, job, ...)
  local function left(fine, ...)
    if not fine then
      jobs.fail(job, (...))
    elseif coroutine.status(thread) == "dead" then
      jobs.finish(job, ...)
    else
      return
    end
    groups[thread].running = groups[thread].running - 1
    groups[thread] = nil
  end
  left(coroutine.resume(thread, ...))
end

function poll.wait(job)
  local thread = here()
  local group = thread and groups[thread]
  if group then
    job:on_done(function() resume(thread, group.jobs[thread]) end)
    coroutine.yield()
  end
end

local function begin(group, fn, ...)
  local thread = coroutine.create(fn)
  local job = jobs.open(function() end)
  groups[thread] = group
  group.jobs[thread] = job
  group.running = group.running + 1
  resume(thread, job, ...)
  return job
end

function poll.go(fn, ...)
  local group = groups[here() or false] or { running = 0, jobs = {} }
  return begin(group, fn, ...)
end

local loop = poll
local loops = {}

function loops.wait(job)
  return loop.wait(job)
end

function loops.go(fn, ...)
  return loop.go(fn, ...)
end

-- Until all coroutines that it begins have ended; returns what fn returns.
function loops.run(fn, ...)
  local group = { running = 0, jobs = setmetatable({}, { __mode = "k" }) }
  local first = begin(group, fn, ...)
  while group.running > 0 do
    if jobs.pending() == 0 then
      error("async.run: a coroutine waits for something else than a job", 2)
    end
    core.poll(math.huge)
  end
  return first:wait()
end

function loops.use(name)
  if name == "poll" then
    loop = poll
  elseif type(name) == "table" and type(name.wait) == "function" then
    loop = name
  else
    error(("unknown loop '%s'"):format(tostring(name)), 2)
  end
  return true
end

return loops
