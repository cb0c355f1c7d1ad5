-- modfs.loops.own: coroutines that modfs itself begins and resumes.
local jobs = require "modfs.jobs"
local step = require "modfs.step"

local create, resume = step.plain "create", step.plain "resume"
local yield = step.plain "yield"

local own = {}

-- The coroutines that were begun here, with the group that counts them.
local members = setmetatable({}, { __mode = "k" })

-- The coroutines of async.go, in whatever loop: their Jobs, and the Jobs that they await.
local tasks = setmetatable({}, { __mode = "k" })

-- Cancelling the Job of async.go cancels, once, what its coroutine awaits, or awaits next: it may
-- clean up after that. Its result is then CANCELLED.
local function pass_cancel(task)
  if task.awaited and not task.passed then
    task.passed = true
    task.awaited:cancel()
  end
end

local function new_task(group)
  local task = { group = group }
  task.job = jobs.open(function() pass_cancel(task) end)
  return task
end

-- The running coroutine, unless a Job drives it; nil outside of any.
function own.here()
  local thread, is_main = coroutine.running()
  return thread and not is_main and not step.driven[thread] and thread or nil
end

function own.is_member()
  return members[own.here() or false] ~= nil
end

-- The running coroutine awaits a Job: calls wait(job).
function own.await(job, wait)
  local task = tasks[own.here() or false]
  if not task then
    return wait(job)
  end
  task.awaited = job
  jobs.follow(task.job, job)
  if jobs.cancelled(task.job) then
    pass_cancel(task)
  end
  wait(job)
  task.awaited = nil
end

-- A coroutine has ended: its Job gets its results.
local function finish(task, fine, ...)
  local group = task.group
  if group then
    group.jobs[task.job] = nil
    group.running = group.running - 1
    group.failed[#group.failed + 1] = not fine and task.job or nil
  end
  if not fine then
    jobs.fail(task.job, (...))
  elseif task.passed then
    jobs.finish(task.job, nil, "CANCELLED: go: cancelled", "CANCELLED")
  else
    jobs.finish(task.job, ...)
  end
end

-- The body of a coroutine, whoever resumes it. Lua 5.1 cannot yield across pcall: there who resumes
-- it gets the error; if that is a loop of others, the Job is never done.
local function body(task, fn)
  local function begin(...)
    tasks[own.here()] = task
    if _VERSION == "Lua 5.1" and not rawget(_G, "jit") then
      return finish(task, true, fn(...))
    end
    return finish(task, pcall(fn, ...))
  end
  return begin
end

local function go_on(thread, ...)
  local fine, problem = resume(thread, ...)
  local task = tasks[thread]
  if not fine and task then
    finish(task, false, problem)
  elseif not fine then
    error(problem, 0)
  end
end

-- Yields the running coroutine until a Job is done. If it is none of async.go, report(problem,
-- thread) is called with its error; without it, that is a warning.
function own.park(job, report)
  local thread = own.here()
  job:on_done(function()
    local fine, problem = pcall(go_on, thread)
    if not fine and report then
      report(problem, thread)
    elseif not fine then
      error(problem, 0)
    end
  end)
  yield()
end

function own.group()
  return { running = 0, jobs = {}, failed = {} }
end

-- Begins a coroutine of a group; returns its Job.
function own.begin(group, fn, ...)
  local task = new_task(group)
  local thread = create(body(task, fn))
  members[thread] = group
  group.jobs[task.job] = true
  group.running = group.running + 1
  go_on(thread, ...)
  return task.job
end

function own.go(fn, ...)
  return own.begin(members[own.here() or false] or own.group(), fn, ...)
end

-- go for a loop whose begin(body) begins a coroutine of it.
function own.go_with(begin)
  return function(fn, ...)
    local task = new_task()
    begin(body(task, fn), ...)
    return task.job
  end
end

-- A function that a Job asks runs in a coroutine of its own, and so may await other Jobs.
jobs.asked(function(job, fn, ...)
  local call = own.begin(own.group(), fn, ...)
  local function answer()
    jobs.answer(job, pcall(call.wait, call))
  end
  if call:done() then
    return answer()
  end
  call:on_done(answer)
end)

return own
