-- modfs.loops: who resumes a coroutine when the Job that it awaits is done.
--
-- A loop is a table: wait(job) returns when the job is done, after the coroutine that calls it has
-- yielded, or at once where it cannot yield: then await blocks. go(fn, ...) begins a coroutine and
-- returns its Job; watch() is called when the first of several Jobs begins. modfs.loops.NAME has
-- open(), which returns the loop, and raises when the library is missing.
local jobs = require "modfs.jobs"
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

local function open(name)
  return name == "poll" and poll or require("modfs.loops." .. name).open()
end

function loops.wait(job)
  if own.is_member() then
    own.park(job)
  elseif own.here() then
    loop.wait(job)
  end
end

function loops.go(fn, ...)
  return (own.is_member() and own.go or loop.go)(fn, ...)
end

-- Until all coroutines that it begins have ended; returns what fn returns.
function loops.run(fn, ...)
  local group = own.group()
  local first = own.begin(group, fn, ...)
  local stuck = "async.run: a coroutine waits for something else than a job"
  while group.running > 0 do
    local waiting = next(group.jobs)
    loops.wait(waiting)
    if not waiting:done() and not jobs.turn() then
      error(stuck, 2)
    end
  end
  return first:wait()
end

function loops.use(name)
  if type(name) == "table" and type(name.wait) == "function" then
    loop = { wait = name.wait, go = own.go, watch = name.watch }
  elseif names[name] then
    local found, opened = pcall(open, name)
    if not found then
      return nil, ("UNIMPLEMENTED: async.use: the loop '%s' needs its library: %s")
        :format(name, tostring(opened)), "UNIMPLEMENTED"
    end
    loop = opened
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
