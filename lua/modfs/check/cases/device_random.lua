-- Random schedules against a model; what fails is shrunk to the fewest steps that fail again.
local random = require "modfs.check.random"
local schedule = require "modfs.check.device_random"

local length, repeats, shrinking = 150, 4, 5

-- Whether one of some tries fails: order goes wrong now and then only.
local function fails(t, sequence)
  for _ = 1, repeats do
    local step, why = schedule.run(t, sequence)
    if step then
      return step, why
    end
  end
end

local function complain(t, sequence, step, why)
  local finish = t:now() + shrinking
  local shortest = random.shrink(sequence, function(shorter)
    if t:now() > finish then
      return false
    end
    local again, reason = fails(t, shorter)
    step, why = again or step, reason or why
    return again ~= nil
  end)
  t.device:synchronize_all_activity()
  error({ failed = ("step %d of %d: %s"):format(math.min(step, #shortest), #shortest, why),
    script = schedule.script(t, shortest),
    about = schedule.operation(shortest[math.min(step, #shortest)]) }, 0)
end

return function(case)
  for number = 1, 8 do
    case("schedule_" .. number, "create_stream_dependency", function(t)
      local sequence = schedule.sequence(t.seed * 1009 + number, length)
      local step, why = schedule.run(t, sequence)
      t.assertions = t.assertions + #sequence
      if step then
        complain(t, sequence, step, why)
      end
    end)
  end
end
