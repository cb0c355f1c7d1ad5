-- modfs.loops.own: coroutines that modfs itself begins and resumes.
local jobs = require "modfs.jobs"
local step = require "modfs.step"

local create, resume = step.plain "create", step.plain "resume"
local yield, status = step.plain "yield", step.plain "status"

local own = {}

-- The coroutines that were begun here, with the group that counts them.
local members = setmetatable({}, { __mode = "k" })

-- The coroutines of async.go, in whatever loop: their Jobs, and the Jobs that they await.
local tasks = setmetatable({}, { __mode = "k" })

-- The Jobs that are being cancelled, one after another: cancelling each of a long chain within the
-- one before would need too much of C's stack.
local cancelling

local function cancel_all()
  for _, job in ipairs(cancelling) do -- it grows meanwhile
    job:cancel()
  end
end

-- Cancelling the Job of async.go cancels, once, what its coroutine awaits, or awaits next: it may
-- clean up after that. Its result is then CANCELLED.
local function pass_cancel(task)
  if not task.awaited or task.passed then
    return
  end
  task.passed = true
  if cancelling then
    cancelling[#cancelling + 1] = task.awaited
    return
  end
  cancelling = { task.awaited }
  local fine, problem = pcall(cancel_all)
  cancelling = nil
  if not fine then
    error(problem, 0)
  end
end

local function new_task(group)
  local task = { group = group }
  task.job = jobs.open(function() pass_cancel(task) end, "go")
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
  if task.group and task.group.asking == job then
    error("await: the job waits for what is asked here", 0)
  end
  task.awaited = job
  jobs.follow(task.job, job)
  if jobs.cancelled(task.job) then
    pass_cancel(task)
  end
  wait(job)
  task.awaited = nil
end

local function leave_group(task, fine)
  local group = task.group
  if group then
    group.jobs[task.job] = nil
    group.running = group.running - 1
    group.failed[#group.failed + 1] = not fine and task.job or nil
  end
end

local function finish_closed(task)
  leave_group(task, true)
  jobs.finish(task.job, nil, "CANCELLED: go: the coroutine was closed", "CANCELLED")
end

-- A coroutine has ended: its Job gets its results.
local function finish(task, fine, ...)
  leave_group(task, fine)
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
  if status(thread) == "dead" then -- by coroutine.close
    return tasks[thread] and finish_closed(tasks[thread])
  end
  local fine, problem = resume(thread, ...)
  local task = tasks[thread]
  if not fine and task then
    finish(task, false, problem)
  elseif not fine then
    error(problem, 0)
  end
end

-- A coroutine that ends may wake another one within itself, and so on. C's stack is short (200
-- calls in Lua 5.4): at this depth they wait until the one that wakes them has yielded or ended.
local deepest, depth = 8, 0
local sleepers = {}

local function wake_now(thread, report)
  depth = depth + 1
  local fine, problem = pcall(go_on, thread)
  depth = depth - 1
  if not fine and report then
    report(problem, thread)
  elseif not fine then
    error(problem, 0)
  end
end

local function wake(thread, report)
  if depth >= deepest then
    sleepers[#sleepers + 1] = { thread = thread, report = report }
  else
    wake_now(thread, report)
  end
end

local function wake_all(thread, report)
  wake(thread, report)
  while depth == deepest - 1 and #sleepers > 0 do
    local next_one = table.remove(sleepers, 1)
    wake(next_one.thread, next_one.report)
  end
end

-- Who blocks in `wait` may wait for what one of them does.
jobs.sleep(function()
  local next_one = table.remove(sleepers, 1)
  if next_one then
    wake_now(next_one.thread, next_one.report)
  end
  return next_one ~= nil
end)

-- Yields the running coroutine until a Job is done, whoever resumes it before. If it is none of
-- async.go, report(problem, thread) is called with its error; without it, that is a warning.
function own.park(job, report)
  local thread, is_done = own.here(), false
  job:on_done(function()
    is_done = true
    wake_all(thread, report)
  end)
  repeat
    yield()
  until is_done
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
  local group = own.group()
  group.asking = job
  local call = own.begin(group, fn, ...)
  local function answer()
    jobs.answer(job, pcall(call.wait, call))
  end
  if call:done() then
    return answer()
  end
  call:on_done(answer)
end)

return own
