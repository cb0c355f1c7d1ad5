-- modfs.loops.own: coroutines that modfs itself begins and resumes.
local jobs = require "modfs.jobs"
local step = require "modfs.step"

local create, resume = step.plain "create", step.plain "resume"
local status, yield = step.plain "status", step.plain "yield"

local own = {}

-- The coroutines that were begun here, with the group that counts them and their Job.
local members = setmetatable({}, { __mode = "k" })

-- The running coroutine, unless a Job drives it; nil outside of any.
function own.here()
  local thread, is_main = coroutine.running()
  return thread and not is_main and not step.driven[thread] and thread or nil
end

function own.is_member()
  return members[own.here() or false] ~= nil
end

-- Resumes a coroutine; when it has ended, its Job has its results.
local function go_on(thread, ...)
  local member = members[thread]
  local function left(fine, ...)
    if fine and status(thread) ~= "dead" then
      return
    elseif not member then
      return fine or error((...), 0)
    elseif fine then
      jobs.finish(member.job, ...)
    else
      jobs.fail(member.job, (...))
    end
    local group = member.group
    members[thread], group.jobs[member.job] = nil, nil
    group.running = group.running - 1
  end
  left(resume(thread, ...))
end

-- Yields the running coroutine until a Job is done.
function own.park(job)
  local thread = own.here()
  job:on_done(function() go_on(thread) end)
  yield()
end

function own.group()
  return { running = 0, jobs = {} }
end

-- Begins a coroutine of a group; returns its Job.
function own.begin(group, fn, ...)
  local thread, job = create(fn), jobs.open(function() end)
  members[thread] = { group = group, job = job }
  group.jobs[job] = true
  group.running = group.running + 1
  go_on(thread, ...)
  return job
end

function own.go(fn, ...)
  local here = members[own.here() or false]
  return own.begin(here and here.group or own.group(), fn, ...)
end

-- The body of a coroutine that a loop resumes: gives a Job the function's results. Lua 5.1 cannot
-- yield across pcall: there the loop gets the error, and the Job is never done.
function own.body(job, fn)
  local function settle(fine, ...)
    if fine then
      return jobs.finish(job, ...)
    end
    jobs.fail(job, (...))
  end
  if _VERSION == "Lua 5.1" and not rawget(_G, "jit") then
    return function(...) settle(true, fn(...)) end
  end
  return function(...) settle(pcall(fn, ...)) end
end

-- go for a loop whose begin(body) begins a coroutine of it.
function own.go_with(begin)
  return function(fn, ...)
    local job = jobs.open(function() end)
    begin(own.body(job, fn), ...)
    return job
  end
end

return own
