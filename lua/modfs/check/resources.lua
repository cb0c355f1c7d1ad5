-- Assertions about leaked blocks, leaked descriptors and failing allocations, for a trial without a
-- host (modfs.check.native).
local resources = {}

-- Blocks in use, without those of caches: where each write gives a file a new version, what is
-- cached of the old ones goes only when the cache is full.
function resources.blocks(t)
  t.plugin:flush_caches()
  return t.runner.blocks()
end

-- A round may fill a cache; blocks that grow with each round are leaked.
function resources.loses_nothing(t, round)
  t:need_shim()
  for _ = 1, 3 do
    round()
  end
  collectgarbage()
  local before = resources.blocks(t)
  for _ = 1, 20 do
    round()
  end
  local left = resources.blocks(t) - before
  t:yes(left < 20, ("%d blocks are left after 20 rounds"):format(left))
end

-- One round may fill a cache or open a connection; further rounds must not open more.
function resources.keeps_descriptors(t, round)
  round()
  local before = t.runner.descriptors()
  for _ = 1, 5 do
    round()
  end
  t:equal(before, (t.runner.descriptors()), "open descriptors")
end

-- Codes that do not report a lack of memory.
local wrong = { NOT_FOUND = true, ALREADY_EXISTS = true, FAILED_PRECONDITION = true,
  OUT_OF_RANGE = true, INVALID_ARGUMENT = true, UNIMPLEMENTED = true, PERMISSION_DENIED = true,
  UNAUTHENTICATED = true }

-- words: the call, where the case makes several kinds.
function resources.check_code(t, code, k, words)
  t:no(wrong[code] == true, ("allocation %d%s fails, and the answer is %s"):format(k,
    words and " of " .. words or "", code))
end

-- A call in which something fails leaves no block. One may fill a cache, so that only what is left
-- by each of three further calls is leaked. what: what fails.
function resources.failing_loses_nothing(t, round, what)
  local before = resources.blocks(t)
  round()
  if resources.blocks(t) <= before then
    return
  end
  before = resources.blocks(t)
  for _ = 1, 3 do
    round()
  end
  local left = resources.blocks(t) - before
  t:yes(left < 3, ("%s fails, and three such calls leave %d blocks"):format(what, left))
end

-- Calls work(k) for k = 1, 2, ... until it returns that no allocation failed. What the calls have
-- acquired they release.
function resources.each_shortage(t, work)
  for k = 1, 100 do
    if not work(k) then
      return
    end
    resources.failing_loses_nothing(t, function()
      work(k)
    end, "allocation " .. k)
  end
  t:refuse("there are more than 100 allocations")
end

-- Lets each allocation of work() fail in turn; work returns an answer, right() checks the outcome
-- of a success, and untouched() that of a failure.
function resources.without_memory(t, prepare, work, right, untouched)
  t:need_shim()
  resources.each_shortage(t, function(k)
    prepare()
    t.runner.fail_allocation(k)
    local answer = work()
    local failed = t.runner.allocation_failed()
    t.runner.fail_allocation(0)
    resources.check_code(t, answer.code, k)
    local check = answer.code == "OK" and right or untouched
    check(answer)
    return failed
  end)
end

return resources
