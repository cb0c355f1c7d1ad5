-- Whether a standard stream is a terminal. Lua cannot ask that, and a program that can takes longer
-- to start than most commands run: it is started only where the descriptor may be one.
local modfs = require "modfs"

-- Whether what is open there is certainly none: a file, a pipe, a socket or /dev/null.
local function is_other(descriptor)
  local path = "/proc/self/fd/" .. descriptor
  local info, target = modfs.stat(path), modfs.readlink(path) or ""
  return info ~= nil and (info.kind == "file" or target == "/dev/null"
    or target:find "^pipe:%[" ~= nil or target:find "^socket:%[" ~= nil)
end

return function(descriptor)
  if is_other(descriptor) then
    return false
  end
  local result = os.execute("test -t " .. descriptor)
  return result == true or result == 0
end
