-- Calls that fail in the middle: every allocation or system call of a call fails in turn, and the
-- call says so, or does the whole of it. For a trial without a host (modfs.check.native).
--
-- A subject is { words, run = function() -> answer, changes = whether it changes the fixture, steps
-- = whether a failure may leave the first steps of it done }. run calls the plugin itself: where it
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

-- A trial of a subject: what it does to a fixture when nothing fails.
local function trial_of(t, subject)
  fixture.prepare(t)
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

-- Runs the subject once with a fault; returns whether that happened, and the code. fault: arm(),
-- disarm(), which returns whether something failed, and what, that in words.
local function try(self, fault)
  local t, subject = self.t, self.subject
  if subject.changes then
    fixture.prepare(t)
  end
  fault.arm()
  local answer = run(t, subject)
  local failed = fault.disarm()
  local now, fine = described(t), answer.code == "OK"
  t:yes(now == self.after or now == self.before and not (fine and failed)
    or subject.steps == true and not fine, ("%s of %s fails, and it answers %s and leaves %s")
    :format(fault.what, subject.words, answer.code, now))
  if fine then
    t:equal(outputs(self.usual), outputs(answer), subject.words)
  end
  if subject.changes then
    fixture.remove(t)
  end
  return failed, answer.code
end

-- The code of a failure is a lack of memory, or the usual one.
function fixture.survives_shortage(t, subject)
  local trial = trial_of(t, subject)
  resources.each_shortage(t, function(k)
    local failed, code = try(trial, { what = "allocation " .. k, arm = function()
      t.runner.fail_allocation(k)
    end, disarm = function()
      local failed = t.runner.allocation_failed()
      t.runner.fail_allocation(0)
      return failed
    end })
    if code ~= trial.usual.code then
      resources.check_code(t, code, k, subject.words)
    end
    return failed
  end)
  finish(trial)
end

-- Errors that a system call may give, whatever the state of the storage is: of one call, and of all
-- of a kind. Without those that change names nothing could be removed again.
local of_one = { "EINTR", "EPERM", "EINVAL", "EXDEV" }
local of_all = { "EACCES", "EINVAL" }
local kinds = { "open", "read", "write", "stat", "close", "copy", "list", "attribute" }

function fixture.survives_refusals(t, subject)
  local trial, seen = trial_of(t, subject), nil
  local function fails(which, error_name, first, count)
    return try(trial, { what = ("a system call (%s, %s)"):format(which, error_name),
      arm = function()
        t.runner.arm(which, error_name, first, count)
      end, disarm = function()
        local _, met = t.runner.counts(which)
        t.runner.arm()
        return met > 0
      end })
  end
  for _, error_name in ipairs(of_one) do
    local k = 1
    while k <= 100 and fails("all", error_name, k, 1) do
      k, seen = k + 1, true
    end
  end
  for _, kind in ipairs(seen and kinds or {}) do
    for _, error_name in ipairs(of_all) do
      fails(kind, error_name, 1, 1000)
    end
  end
  finish(trial)
end

return fixture
