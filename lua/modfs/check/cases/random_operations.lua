-- Random operations against a model; what fails is shrunk to the fewest steps.
local random = require "modfs.check.random"

local function assess(t, number)
  local length = 200
  local sequence = random.sequence(t.seed * 1009 + number, length)
  local runs = 0
  local function attempt(operations)
    runs = runs + 1
    local name = "run" .. runs
    return random.run(t.fs, t:directory(name), operations)
  end
  local steps, difference = attempt(sequence)
  t.assertions = t.assertions + steps
  if not difference then
    return
  end
  while #sequence > steps do
    table.remove(sequence)
  end
  local shortest = random.shrink(sequence, function(operations)
    local _, again = attempt(operations)
    return again ~= nil
  end)
  t.assertions = t.assertions + 1
  steps, difference = attempt(shortest)
  error({ failed = ("step %d of %d: %s"):format(steps, #shortest, difference),
    script = random.script(shortest), about = random.operation(shortest) }, 0)
end

return function(case)
  for number = 1, 8 do
    case("sequence_" .. number, "new_writable_file", function(t)
      t:wants_no "parents_implied"
      assess(t, number)
    end)
  end
end
