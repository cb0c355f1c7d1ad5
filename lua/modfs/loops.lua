-- modfs.loops: who resumes a coroutine when the Job that it awaits is done.
--
-- A loop is a table: wait(job) returns when the job is done, after the coroutine that calls it has
-- yielded, or at once where it cannot yield: then await blocks. go(fn, ...) begins a coroutine and
-- returns its Job; watch() is called when the first of several Jobs begins. modfs.loops.NAME has
-- open(), which returns the loop, and raises when the library is missing.
local jobs = require "modfs.jobs"
local check_none = require("modfs.options").check_none
local own = require "modfs.loops.own"

local loops = {}

-- Where the program calls modfs.poll. Only coroutines of async.go and async.run yield, in every
-- loop to modfs: another one may be an iterator, whose caller expects something else.
local poll = { go = own.go, wait = function() end }

local names = { poll = true, luv = true, cqueues = true, copas = true, ngx = true }
local loop = poll

local function in_nginx()
  local ngx = rawget(_G, "ngx")
  return type(ngx) == "table" and ngx.socket ~= nil and ngx.get_phase ~= nil
end

-- The loops that were used; each is opened once, as luv has one handle for a descriptor.
local opened = { poll = poll }

local function open(name)
  opened[name] = opened[name] or require("modfs.loops." .. name).open()
  return opened[name]
end

local function check_function(fn, name)
  if type(fn) ~= "function" then
    error(("bad argument #1 to '%s' (function expected, got %s)"):format(name, type(fn)), 3)
  end
end

function loops.wait(job)
  if own.is_member() then
    own.await(job, own.park)
  elseif own.here() then
    own.await(job, loop.wait)
  end
end

function loops.go(fn, ...)
  check_function(fn, "go")
  return (own.is_member() and own.go or loop.go)(fn, ...)
end

-- Waits until all coroutines of a group have ended.
local function finish(group)
  while group.running > 0 do
    local waiting = next(group.jobs)
    loops.wait(waiting)
    if not waiting:done() and not jobs.turn() then
      error("async.run: a coroutine waits for something else than a job", 0)
    end
  end
end

-- Cancels those that go on behind an error, such as Ctrl-C in the prompt.
local function finish_or_cancel(group)
  local fine, problem = pcall(finish, group)
  if not fine then
    for job in pairs(group.jobs) do
      job:cancel()
    end
    error(problem, 0)
  end
end

-- Until all coroutines that it begins have ended; returns or raises what fn does, or else raises
-- the first error of another one that nobody has taken.
function loops.run(fn, ...)
  check_function(fn, "run")
  local group = own.group()
  local first = own.begin(group, fn, ...)
  local ended = own.here() and finish or finish_or_cancel -- Lua 5.1 cannot yield across pcall
  ended(group)
  local function left(...)
    for _, job in ipairs(group.failed) do
      if not jobs.is_taken(job) then
        job:wait()
      end
    end
    return ...
  end
  return left(first:wait())
end

function loops.use(name, surplus)
  check_none(surplus, "use", 2)
  if type(name) == "table" and type(name.wait) == "function" then
    loop = { wait = name.wait, go = own.go, watch = name.watch }
  elseif names[name] then
    local found, chosen = pcall(open, name)
    if not found then
      return nil, ("UNIMPLEMENTED: async.use: the loop '%s' needs its library: %s")
        :format(name, tostring(chosen):match "^[^\n]*"), "UNIMPLEMENTED"
    end
    loop = chosen
  else
    error(("unknown loop '%s'"):format(tostring(name)), 2)
  end
  jobs.watch(loop.watch)
  return true
end

if in_nginx() then
  loops.use "ngx"
end

return loops
