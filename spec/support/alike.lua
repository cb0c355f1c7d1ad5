-- Results of our functions beside those of Lua's own, by the thousand.
local assert = require "luassert"

local alike = {}

local kind_of = math.type or type

-- Each value with its kind, so that 1 and 1.0 differ, and nil counts.
function alike.describe(...)
  local list = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    list[i] = ("%s %s"):format(kind_of(value) or type(value), tostring(value))
  end
  return table.concat(list, "\n")
end

-- assert.equal, cheaper where there are thousands of them.
function alike.same(expected, got, label)
  if expected ~= got then
    assert.equal(expected, got, label)
  end
end

return alike
