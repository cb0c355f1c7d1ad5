-- require "modfs.async": the functions of modfs, and the methods of its objects, as Jobs.
--
-- A function of the binding is started on another thread by jobs.start. A function written in Lua
-- runs in a coroutine of its own, on the state's thread, and hands each call that may wait to
-- jobs.start (modfs.step). Both return a Job.
local core = require "modfs.core"
local jobs = require "modfs.jobs"
local loops = require "modfs.loops"
local step = require "modfs.step"

local create, resume_coroutine = step.plain "create", step.plain "resume"
local status = step.plain "status"
local unpack = table.unpack or unpack -- luacheck: ignore 113

-- Arguments ---------------------------------------------------------------------

-- The option timeout of a table that is the last argument; then how many arguments there are
-- without it, and these.
local function without_timeout(count, arguments)
  local options = arguments[count]
  local seconds = type(options) == "table" and rawget(options, "timeout")
  if not seconds then
    return nil, count, arguments
  end
  if type(seconds) ~= "number" or seconds <= 0 or seconds ~= seconds then
    error("option 'timeout': positive number expected", 4)
  end
  local others = {}
  for key, value in pairs(options) do
    others[key] = value
  end
  others.timeout = nil
  arguments[count] = next(others) ~= nil and others or nil
  return seconds, arguments[count] and count or count - 1, arguments
end

-- Functions in Lua ----------------------------------------------------------------

local function cancelled()
  return nil, "CANCELLED: cancelled", "CANCELLED"
end

-- Starts the next call of a coroutine; nil and the failure when it cannot begin.
local function begin(job, deadline, fn, ...)
  local left = deadline and deadline - jobs.clock()
  if jobs.cancelled(job) then
    return nil, cancelled()
  elseif left and left <= 0 then
    return nil, nil, "DEADLINE_EXCEEDED: the time is over", "DEADLINE_EXCEEDED"
  end
  return jobs.start(fn, left, ...)
end

-- Runs a function in a coroutine of its own, for a Job.
local function drive(fn, timeout, ...)
  local inner, advance
  local job = jobs.open(function() return inner and inner:cancel() end)
  local thread = create(fn)
  local deadline = timeout and jobs.clock() + timeout
  step.driven[thread] = true

  local function resume(...)
    return advance(resume_coroutine(thread, ...))
  end

  local function go_on(started, ...)
    inner = started
    if not inner then
      return resume(...)
    end
    jobs.follow(job, inner)
    if inner:done() then
      return resume(inner:wait())
    end
    inner:on_done(function() resume(inner:wait()) end)
  end

  function advance(fine, ...)
    if not fine then
      return jobs.fail(job, (...))
    elseif status(thread) == "dead" then
      return jobs.finish(job, ...)
    end
    return go_on(begin(job, deadline, ...))
  end

  resume(...)
  return job
end

-- Calls ---------------------------------------------------------------------------

local function is_of_binding(fn)
  return debug.getinfo(fn, "S").what == "C"
end

-- The asynchronous form of a function.
local function asynchronous(fn)
  local start = is_of_binding(fn) and jobs.start or drive
  return function(...)
    local count = select("#", ...)
    if count == 0 or type((select(count, ...))) ~= "table" then
      return start(fn, nil, ...)
    end
    local timeout, arguments
    timeout, count, arguments = without_timeout(count, { ... })
    return start(fn, timeout, unpack(arguments, 1, count))
  end
end

-- The asynchronous form of each function of a module.
local function mirror(module)
  return setmetatable({}, { __index = function(self, name)
    local value = module[name]
    local mirrored
    if type(value) == "function" then
      mirrored = asynchronous(value)
    elseif type(value) == "table" then
      mirrored = mirror(value)
    end
    rawset(self, name, mirrored)
    return mirrored
  end })
end

-- async(object): its methods.
local function methods(object)
  return setmetatable({}, { __index = function(_, name)
    local method = asynchronous(object[name])
    return function(_, ...) return method(object, ...) end
  end })
end

-- Jobs ----------------------------------------------------------------------------

local method = jobs.methods()

function method:await()
  if not self:done() then
    loops.wait(self)
  end
  return self:wait()
end

local function pack(...)
  return { n = select("#", ...), ... }
end

-- A Job that cancels those of a list.
local function gathered(list)
  return jobs.open(function()
    for _, one in ipairs(list) do
      one:cancel()
    end
  end)
end

local async = mirror(core)

function async.all(list)
  local job, missing = gathered(list), #list
  local results = {}
  local function arrived(i, ...)
    results[i] = pack(...)
    missing = missing - 1
    if missing == 0 then
      jobs.finish(job, results)
    end
  end
  for i, one in ipairs(list) do
    one:on_done(function() arrived(i, one:wait()) end)
  end
  if missing == 0 then
    jobs.finish(job, results)
  end
  return job
end

function async.any(list)
  local job = gathered(list)
  for i, one in ipairs(list) do
    one:on_done(function() jobs.finish(job, i) end)
  end
  return job
end

async.run, async.go, async.use = loops.run, loops.go, loops.use
async.threads, async.queue = jobs.threads, jobs.queue

return setmetatable(async, {
  __index = getmetatable(async).__index,
  __call = function(_, object) return methods(object) end,
})
