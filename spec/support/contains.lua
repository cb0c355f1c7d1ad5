-- contains(text, fragment): asserts that a text has a fragment in it.
local assert = require "luassert"

return function(text, fragment)
  assert.is_truthy(text:find(fragment, 1, true), ("%q misses %q"):format(text, fragment))
end
