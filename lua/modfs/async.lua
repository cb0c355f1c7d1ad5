-- require "modfs.async": the functions of modfs, and the methods of its objects, as Jobs.
--
-- A function of the binding is started on another thread by jobs.start. A function written in Lua
-- runs in a coroutine of its own, on the state's thread, and hands each call that may wait to
-- jobs.start (modfs.step). Both return a Job.
local core = require "modfs.core"
local jobs = require "modfs.jobs"
local loops = require "modfs.loops"
local check_none = require("modfs.options").check_none
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

local function failed(code, what)
  return true, nil, nil, code .. ": " .. what, code
end

-- Starts the next call of a coroutine: what pcall tells, and the Job, or nil and the failure.
local function begin(job, deadline, fn, ...)
  local left = deadline and deadline - jobs.clock()
  if jobs.cancelled(job) then
    return failed("CANCELLED", "cancelled")
  elseif left and left <= 0 then
    return failed("DEADLINE_EXCEEDED", "the time is over")
  end
  return pcall(jobs.start, fn, left, ...)
end

-- Runs a function in a coroutine of its own, for a Job. An error before its first call is one of
-- its arguments, and is raised at once.
local function drive(name, fn, timeout, ...)
  local inner, advance
  local has_begun = false
  local path = (...)
  local job = jobs.open(function() return inner and inner:cancel() end,
    type(path) == "string" and name .. " " .. path or name)
  local thread = create(fn)
  local deadline = timeout and jobs.clock() + timeout
  step.driven[thread] = {}

  local function resume(...)
    return advance(resume_coroutine(thread, ...))
  end

  local function go_on(fine, started, ...)
    inner = fine and started or nil
    if not fine then
      return resume(false, started)
    end
    has_begun = true
    if not inner then
      return resume(true, ...)
    end
    jobs.follow(job, inner, true)
    if inner:done() then
      return resume(pcall(inner.wait, inner))
    end
    inner:on_done(function() resume(pcall(inner.wait, inner)) end)
  end

  function advance(fine, ...)
    if not fine then
      step.close(thread)
      if not has_begun then
        error((...), 0)
      end
      return jobs.fail(job, (...))
    elseif status(thread) == "dead" then
      step.close(thread)
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

-- The asynchronous form of a function, which has a name.
local function asynchronous(fn, name)
  local is_plain = is_of_binding(fn)
  local function timed(...)
    local timeout, count, arguments = without_timeout(select("#", ...), { ... })
    if is_plain then
      return jobs.start(fn, timeout, unpack(arguments, 1, count))
    end
    return drive(name, fn, timeout, unpack(arguments, 1, count))
  end
  return is_plain and jobs.starter(fn, timed) or timed
end

-- Lines ---------------------------------------------------------------------------

local function pack(...)
  return { n = select("#", ...), ... }
end

-- Lua 5.1 cannot yield in the iterator of a loop, so that it has to wait there.
local function is_loop(level)
  return debug.getinfo(level + 1, "n").name == "(for generator)"
end

-- An iterator over the values of formats, read by blocks, the next one while one is consumed.
-- start(): the Job of the next block; ended(): called at the end of the file.
local function ahead(count, start, ended)
  local job, block, at = nil, { n = 0 }, 0
  local function fetch(blocks)
    local message
    job = job or assert(start())
    block, message = (blocks and job.wait or job.await)(job)
    if not block then
      error(message, 0)
    end
    local whole = block.n % count == 0 and block[block.n] ~= nil
    at, job = 0, whole and start() or nil
  end
  return function()
    if at >= block.n then
      fetch(_VERSION == "Lua 5.1" and is_loop(1))
    end
    at = at + count
    if block[at - count + 1] == nil then
      at = block.n
      return ended()
    end
    return unpack(block, at - count + 1, math.min(at, block.n))
  end
end

local function read_ahead(file, ended, ...)
  local formats = pack(...)
  return ahead(math.max(1, formats.n), function()
    return jobs.start(jobs.read_ahead, nil, file, unpack(formats, 1, formats.n))
  end, ended)
end

-- The asynchronous form of each function of a module.
local function mirror(module)
  return setmetatable({}, { __index = function(self, name)
    local value = module[name]
    local mirrored
    if type(value) == "function" then
      mirrored = asynchronous(value, name)
    elseif type(value) == "table" then
      mirrored = mirror(value)
    end
    rawset(self, name, mirrored)
    return mirrored
  end })
end

-- async(object): its methods.
local function methods(object)
  local kind = type(object)
  if kind ~= "userdata" and kind ~= "table" then
    error(("bad argument #1 to 'async' (object expected, got %s)"):format(kind), 3)
  end
  return setmetatable({}, { __index = function(_, name)
    local method = object[name]
    if type(method) ~= "function" then
      error(("%s has no method '%s'"):format(tostring(object), tostring(name)), 2)
    end
    if name == "lines" and core.type(object) == "file" then
      return function(_, ...)
        local fine, accepted, message, code = pcall(jobs.lines, object, ...)
        if not fine then
          error(accepted, 2)
        elseif not accepted then
          return nil, message, code
        end
        return read_ahead(object, function() end, ...)
      end
    end
    local start = asynchronous(method, name)
    return function(_, ...) return start(object, ...) end
  end })
end

-- Jobs ----------------------------------------------------------------------------

local method = jobs.methods()

function method:await(surplus)
  check_none(surplus, "await", 1)
  if core.type(self) ~= "job" then
    error(("bad argument #1 to 'await' (Job expected, got %s)"):format(type(self)), 2)
  elseif not self:done() then
    loops.wait(self)
  end
  return self:wait()
end

-- Checks a list of Jobs; returns a copy of it, and a Job that cancels them.
local function gathered(list, name, surplus)
  check_none(surplus, name, 2, 1)
  if type(list) ~= "table" then
    error(("bad argument #1 to '%s' (table expected, got %s)"):format(name, type(list)), 3)
  end
  local parts = {}
  for i, one in ipairs(list) do
    if core.type(one) ~= "job" then
      error(("bad argument #1 to '%s' (Job expected at [%d], got %s)"):format(name, i,
        type(one)), 3)
    end
    parts[i] = one
  end
  return parts, jobs.open(function()
    for _, one in ipairs(parts) do
      one:cancel()
    end
  end, name)
end

-- Gives such a Job its result.
local function finish(job, name, result)
  if jobs.cancelled(job) then
    return jobs.finish(job, nil, ("CANCELLED: %s: cancelled"):format(name), "CANCELLED")
  end
  jobs.finish(job, result)
end

local async = mirror(core)

-- The iterator of modfs.lines, which awaits only when nothing is there.
function async.lines(path, ...)
  local fine, accepted, message = pcall(jobs.lines, path, ...)
  if not (fine and accepted) then
    error(fine and message or accepted, 2)
  end
  local file
  file, message = async.open(path):await()
  if not file then
    error((message:gsub("open", "lines", 1)), 2)
  end
  local next_line = read_ahead(file, function() file:close() end, ...)
  if _VERSION == "Lua 5.4" then
    return next_line, nil, nil, file -- which the loop closes
  end
  return next_line
end

-- One that raises an error makes the whole raise it, at once.
function async.all(list, surplus)
  local parts, job = gathered(list, "all", surplus)
  local results, missing = {}, #parts
  jobs.parts(job, parts)
  local function arrived(i, fine, ...)
    if not fine then
      return jobs.fail(job, (...))
    end
    results[i] = pack(...)
    missing = missing - 1
    if missing == 0 then
      finish(job, "all", results)
    end
  end
  for i, one in ipairs(parts) do
    one:on_done(function() arrived(i, pcall(one.wait, one)) end)
  end
  if missing == 0 then
    finish(job, "all", results)
  end
  return job
end

function async.any(list, surplus)
  local parts, job = gathered(list, "any", surplus)
  for i, one in ipairs(parts) do
    one:on_done(function() finish(job, "any", i) end)
  end
  if #parts == 0 then
    jobs.finish(job, nil, "INVALID_ARGUMENT: any: no Jobs are given", "INVALID_ARGUMENT")
  end
  return job
end

async.run, async.go, async.use = loops.run, loops.go, loops.use
async.threads, async.queue = jobs.threads, jobs.queue

return setmetatable(async, {
  __index = getmetatable(async).__index,
  __call = function(_, object) return methods(object) end,
})
