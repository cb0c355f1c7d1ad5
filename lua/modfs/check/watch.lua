-- Limits of time for the children of a run. A child may use `seconds` of CPU time, and be asleep
-- for six times as long. While it waits for a processor no time counts: on a loaded machine a good
-- plugin is slow, but within both limits.
--
-- `hung` holds each slot in which a child was killed: where first, and how often. A later call of
-- such a slot has a limit of one second, whatever is left of the child's own; after three, cases
-- about the slot are not run.
--
-- Of each child: `seen`, when it was looked at last; `running`, `waiting`, `asleep`, its times
-- until then; `again`, the call of a hung slot that it was in, and what it had used by then.
local slots = require "modfs.check.slots"

local watch = {}
watch.__index = watch

local asleep_factor, again_seconds, most_hung = 6, 1, 3

-- How often a child is looked at, in seconds.
watch.interval = 0.05

-- watch.new(runner): runner is modfs.runner.
function watch.new(runner)
  return setmetatable({ runner = runner, hung = {} }, watch)
end

function watch:begin(child)
  child.seen = self.runner.clock()
  child.running, child.waiting, child.asleep = 0, 0, 0
end

-- The last call that a child has recorded, and how long its records are.
local function last_call(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local size = file:seek "end"
  file:seek("set", math.max(0, size - 8192))
  local call = ("\n" .. (file:read "*a" or "")):match ".*\ncall ([^\n]*)"
  file:close()
  return call, size
end

local function slot_of(call)
  local method = call and call:match "^[%w_]+:([%w_]+)%("
  return method and (slots[method] or method)
end

-- Why a child that is in a call of a slot that hung before has had enough time for it.
local function hangs_again(self, child)
  local call, size = last_call(child.results)
  local slot = slot_of(call)
  local hung = self.hung[slot or ""]
  local used = child.running + child.asleep
  if not hung then
    child.again = nil
  elseif not child.again or child.again.size ~= size then
    child.again = { size = size, used = used }
  elseif used - child.again.used >= math.min(again_seconds, child.seconds) then
    return ("hangs in %s, as in %s: killed after %g s"):format(slot, hung.case,
      math.min(again_seconds, child.seconds))
  end
end

-- Why a child has to be killed, or nil.
function watch:verdict(child)
  local now = self.runner.clock()
  local past = now - child.seen
  local running, waiting
  if past >= watch.interval then
    running, waiting = self.runner.times(child.pid)
  end
  if not running then
    return nil
  end
  local awake = running - child.running + math.max(0, waiting - child.waiting)
  child.asleep = child.asleep + math.max(0, past - awake)
  child.seen, child.running, child.waiting = now, running, waiting
  if running >= child.seconds then
    return ("hangs: killed after %g s of CPU time"):format(child.seconds)
  elseif child.asleep >= child.seconds * asleep_factor then
    return ("hangs: killed after it was asleep for %g s"):format(child.seconds * asleep_factor)
  end
  return next(self.hung) and hangs_again(self, child)
end

-- Remembers the slot in which a child was killed.
function watch:finish(child, found)
  local slot = child.hangs and slot_of(found.call)
  if slot then
    local hung = self.hung[slot] or { case = child.job.case, count = 0 }
    hung.count = hung.count + 1
    self.hung[slot] = hung
  end
end

function watch:refusal(operation)
  local hung = self.hung[operation]
  if hung and hung.count >= most_hung then
    return ("not run: %s hung in %d cases, first in %s"):format(operation, hung.count, hung.case)
  end
end

return watch
