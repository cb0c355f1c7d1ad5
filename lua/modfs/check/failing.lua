-- Assertions about system calls that fail or transfer fewer bytes, for a trial without a host.
local resources = require "modfs.check.resources"

local failing = {}

-- Codes that do not report a failure of the storage.
local wrong = { NOT_FOUND = true, ALREADY_EXISTS = true, FAILED_PRECONDITION = true,
  OUT_OF_RANGE = true, INVALID_ARGUMENT = true, UNIMPLEMENTED = true }

-- Lets each call of some kinds fail in turn during work(), which returns an answer: a success has
-- to be right(answer), a failure untouched(answer). Neither leaves a block of memory.
function failing.each_call(t, kinds, error_name, work, prepare, right, untouched)
  t:need_shim()
  local function fail(k)
    prepare()
    t.runner.arm(kinds, error_name, k)
    local answer = work()
    local calls, met = t.runner.counts(kinds)
    t.runner.arm()
    return answer, calls, met
  end
  for k = 1, 200 do
    local answer, calls, met = fail(k)
    if k == 1 and calls == 0 then
      t:refuse(("no system call (%s) is seen that could fail"):format(kinds))
    end
    t:no(wrong[answer.code] == true and met > 0,
      ("call %d fails with %s, and the answer is %s"):format(k, error_name, answer.code))
    local check = answer.code == "OK" and right or untouched
    check(answer)
    if met == 0 then
      return
    end
    resources.failing_loses_nothing(t, function()
      fail(k)
    end, ("call %d (%s)"):format(k, kinds))
  end
  t:refuse("there are more than 200 such calls")
end

-- Gives every call of some kinds the same result; refuses the case if there is no such call.
function failing.all_calls(t, kinds, what, count, work)
  t:need_shim()
  t.runner.arm(kinds, what, 1, count)
  local answer = work()
  local calls, met = t.runner.counts(kinds)
  t.runner.arm()
  if calls == 0 then
    t:refuse(("no system call (%s) is seen"):format(kinds))
  end
  return answer, met
end

-- Reads a file and one byte past its end; returns OK if both succeed.
function failing.read_all(t, uri, size)
  local opened, file = t.p:new_random_access_file(uri)
  if not file then
    return opened
  end
  local answer = file:read(0, size + 1)
  file:cleanup_file()
  if answer.code == "OUT_OF_RANGE" then
    answer.code = "OK"
  else
    t:equal(-1, answer.value, "the count of a failed read")
  end
  return answer
end

return failing
