-- fails_at(code, path, results...): as fails, with a message that names the operation and the path.
local assert = require "luassert"
local fails = require "spec.support.fails"

return function(code, path, ...)
  local message = fails(code, ...)
  assert.is_truthy(message:match("^" .. code .. ": [%w_]+ "), message)
  assert.is_truthy(message:find(path, 1, true), message)
  return message
end
