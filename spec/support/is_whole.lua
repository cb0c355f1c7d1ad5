-- is_whole(path, content, …): nothing is at the path of an object, or one of these contents as a
-- whole; any failure to read it but NOT_FOUND is an error.
local modfs = require "modfs"

return function(path, ...)
  modfs.flush_caches()
  local content, message, code = modfs.read(path)
  if not content and code == "NOT_FOUND" then return true end
  assert(content, message)
  for _, one in ipairs { ... } do
    if content == one then return true end
  end
  return false
end
