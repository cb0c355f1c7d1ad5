-- fails(code, results...) asserts that results are a failure with that code, in the form that every
-- function of modfs gives it, and returns the message.
local assert = require "luassert"

return function(code, ...)
  local value, message, name = ...
  assert.is_nil(value)
  assert.equal(code, name, message)
  assert.is_string(message)
  assert.equal(code .. ": ", message:sub(1, #code + 2))
  assert.is_nil(message:find("%c"), "control characters in the message")
  assert.is_true(#message <= 4096 + 64, "a long message")
  return message
end
