-- Calls that fail in the middle: every allocation or system call of a call fails in turn, and the
-- call says so, or does the whole of it. For a trial without a host (modfs.check.native).
--
-- A subject is { words, run = function() -> answer, changes = whether it changes the fixture, steps
-- = whether a failure may leave the first steps of it done, prepare = what is done to each new
-- fixture before }. run calls the plugin itself: where it
-- fails on purpose, to answer UNIMPLEMENTED says nothing about the slot. Every run of one that
-- changes the fixture has a new one.
local resources = require "modfs.check.resources"
local values = require "modfs.check.values"

local fixture = {}

-- The same name each time: a plugin may keep something for each path that it has seen.
fixture.name = "fixture"

-- A directory with the file a, the file dir/b, and the empty directory empty.
function fixture.prepare(t)
  local name = fixture.name
  t:directory(name)
  t:file(name .. "/a", "test")
  t:directory(name .. "/dir")
  t:file(name .. "/dir/b", "other")
  t:directory(name .. "/empty")
end

function fixture.remove(t)
  t:remove(fixture.name)
end

-- A path in the fixture, in the plugin's own form.
function fixture.path(t, relative)
  return t:path(t:at(fixture.name .. "/" .. relative))
end

local function described(t)
  local found = t:describe(fixture.name)
  for _, path in ipairs { "a", "dir/b", "new" } do
    local answer = t.plugin:lstat(fixture.path(t, path))
    if answer and answer.code == "OK" then
      found[#found + 1] = ("%s: kind %d, mode %o"):format(path, answer.kind, answer.mode)
    end
  end
  return table.concat(found, ", ")
end

-- The outputs of an answer, without its message and times.
local function outputs(answer)
  local list = {}
  for _, key in ipairs(values.sorted_keys(answer)) do
    if key ~= "message" and not key:find "time_nsec$" then
      list[#list + 1] = key .. " = " .. values.show(answer[key])
    end
  end
  return table.concat(list, ", ")
end

local function run(t, subject)
  local answer = subject.run()
  t:yes(answer.fault == nil, answer.fault)
  return answer
end

local function set_up(t, subject)
  fixture.prepare(t)
  if subject.prepare then
    subject.prepare()
  end
end

-- A trial of a subject: what it does to a fixture when nothing fails.
local function trial_of(t, subject)
  set_up(t, subject)
  local self = { t = t, subject = subject, before = described(t) }
  self.usual = run(t, subject)
  self.after = described(t)
  if subject.changes then
    fixture.remove(t)
  end
  return self
end

local function finish(self)
  if not self.subject.changes then
    fixture.remove(self.t)
  end
end

-- Whether what is there now is as before the call or as after it.
local function is_whole(self, now, fine, failed)
  return now == self.after or now == self.before and not (fine and failed)
    or self.subject.steps == true and not fine
end

local function is_removal(name)
  return name ~= nil and (name:find "^unlink" ~= nil or name == "rmdir")
end

-- Runs the subject once with a fault; returns what disarm does, and the code. fault: arm(),
-- disarm(), which returns whether something failed (or how often, and the function that failed
-- last), and what, that in words.
local function try_once(self, fault)
  local t, subject = self.t, self.subject
  if subject.changes then
    set_up(t, subject)
  end
  fault.arm()
  local answer = run(t, subject)
  local failed, name = fault.disarm()
  local happened = failed == true or type(failed) == "number" and failed > 0
  local now, fine = described(t), answer.code == "OK"
  t:yes(is_whole(self, now, fine, happened) or self.lax == true and is_removal(name),
    ("%s of %s fails, and it answers %s and leaves %s"):format(fault.what, subject.words,
    answer.code, now))
  if fine then
    t:equal(outputs(self.usual), outputs(answer), subject.words)
  end
  if subject.changes then
    fixture.remove(t)
  end
  return failed, answer.code
end

local function held(t)
  return { blocks = resources.blocks(t), descriptors = (t.runner.descriptors()) }
end

-- The same, and it leaves no block and no descriptor. One call may fill a cache.
local function try(self, fault)
  local t = self.t
  local before = held(t)
  local failed, code = try_once(self, fault)
  local after = held(t)
  if after.blocks > before.blocks or after.descriptors > before.descriptors then
    for _ = 1, 3 do
      try_once(self, fault)
    end
    for what, count in pairs(held(t)) do
      t:yes(count < after[what] + 3, ("%s of %s fails, and three such calls leave %d %s"):format(
        fault.what, self.subject.words, count - after[what], what))
    end
  end
  return failed, code
end

-- A fault by an allocation, as try takes it.
local function shortage(t, k)
  return { what = "allocation " .. k, arm = function()
    t.runner.fail_allocation(k)
  end, disarm = function()
    local failed = t.runner.allocation_failed()
    t.runner.fail_allocation(0)
    return failed
  end }
end

-- The code of a failure is a lack of memory, or the usual one.
function fixture.survives_shortage(t, subject)
  local trial = trial_of(t, subject)
  for k = 1, 100 do
    local failed, code = try(trial, shortage(t, k))
    if code ~= trial.usual.code then
      resources.check_code(t, code, k, subject.words)
    end
    if not failed then
      return finish(trial)
    end
  end
  t:refuse("there are more than 100 allocations")
end

-- Errors that a system call may give, whatever the state of the storage is: of one call, and of all
-- of a kind. Without those that change names nothing could be removed again.
local of_one = { "EINTR", "EPERM", "EINVAL", "EXDEV", "EIO" }
local of_all = { "EACCES", "EINVAL", "EIO" }
local kinds = { "open", "read", "write", "stat", "close", "copy", "list", "attribute", "control" }

-- A fault by system calls, as try takes it: that of runner.arm.
local function refusal(t, which, error_name, ...)
  local rule = { which, error_name, ... }
  return { what = ("a system call (%s, %s)"):format(which, error_name), arm = function()
    t.runner.arm((table.unpack or unpack)(rule))
  end, disarm = function()
    local _, met, _, _, name = t.runner.counts(which)
    t.runner.arm()
    return met, name
  end }
end

-- Codes that do not report a failure of the storage.
local misleading = { NOT_FOUND = true, ALREADY_EXISTS = true, FAILED_PRECONDITION = true,
  OUT_OF_RANGE = true, INVALID_ARGUMENT = true, UNIMPLEMENTED = true, PERMISSION_DENIED = true }

-- One try of survives_refusals; returns whether a call failed.
local function refused(trial, fault, error_name)
  local t = trial.t
  local met, code = try(trial, fault)
  t:yes(error_name ~= "EIO" or met == 0 or code == trial.usual.code or not misleading[code],
    ("%s of %s fails, and it answers %s"):format(fault.what, trial.subject.words, code))
  return met > 0
end

function fixture.survives_refusals(t, subject)
  local trial = trial_of(t, subject)
  for _, error_name in ipairs(of_one) do
    for k = 1, 100 do
      if not refused(trial, refusal(t, "all", error_name, k, 1), error_name) then
        if k == 1 then
          return finish(trial) -- it makes no system calls
        end
        break
      end
    end
  end
  for _, kind in ipairs(kinds) do
    for _, error_name in ipairs(of_all) do
      refused(trial, refusal(t, kind, error_name, 1, 1000), error_name)
    end
  end
  finish(trial)
end

-- A signal that interrupts a call (EINTR) is no failure: nothing differs.
local interrupted = "open read write copy sync list"

function fixture.survives_signals(t, subject)
  local trial = trial_of(t, subject)
  for k = 1, 100 do
    local met, code = try(trial, refusal(t, interrupted, "EINTR", k, 1))
    t:yes(met == 0 or code == trial.usual.code, ("a signal interrupts call %d (%s) of %s, and it"
      .. " answers %s"):format(k, interrupted, subject.words, code))
    if met == 0 then
      break
    end
  end
  finish(trial)
end

-- Two calls fail, the second one while the first failure is dealt with. Where that is the deletion
-- of a name, the name may be left. In all, no more than some seconds of CPU time.
local most_seconds = 4

-- Lets call `first` fail and each later one in turn; returns how many failed the last time.
local function fails_twice(t, trial, error_name, first)
  for second = 1, 40 do
    local met = try(trial, refusal(t, "all", error_name, first, 1, second, "EIO"))
    if met < 2 then
      return met
    end
  end
end

-- The same for each first one; returns whether there was one.
local function each_fails_twice(t, trial, error_name)
  for first = 1, 40 do
    local none = fails_twice(t, trial, error_name, first) == 0
    if none or os.clock() > t.fails_twice_until then
      return not none or first > 1
    end
  end
  return true
end

function fixture.survives_two_failures(t, subject)
  local trial = trial_of(t, subject)
  t.fails_twice_until = t.fails_twice_until or os.clock() + most_seconds
  trial.lax = true
  if each_fails_twice(t, trial, "EXDEV") then
    each_fails_twice(t, trial, "EIO")
  end
  finish(trial)
end

-- The ways in which calls fail, by the words for the names of cases.
fixture.ways = { { "are_short", fixture.survives_shortage },
  { "are_refused", fixture.survives_refusals },
  { "are_interrupted", fixture.survives_signals },
  { "fail_twice", fixture.survives_two_failures } }

return fixture
