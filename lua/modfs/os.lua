-- require "modfs.os": os, with remove and rename over every filesystem.
local core = require "modfs.core"
local errno = require "modfs.errno"
local place = require "modfs.place"

local real = os
local module = {}
for name, value in pairs(real) do
  module[name] = value
end

local function check_path(path, where, arg)
  if type(path) ~= "string" and type(path) ~= "number" then
    local got = path == nil and "no value" or type(path)
    error(("bad argument #%d to '%s' (string expected, got %s)"):format(arg, where, got), 3)
  end
  return tostring(path)
end

local function report(path, operation, done, message, code)
  if done then
    return true
  end
  return errno.failure(message, code, path, operation)
end

-- A file, or an empty directory.
function module.remove(path)
  local own, uri = place.find(check_path(path, "remove", 1))
  if own then
    return real.remove(own)
  elseif core.isdir(uri) then
    return report(path, "rmdir", core.rmdir(uri))
  end
  return report(path, "remove", core.remove(uri))
end

-- Between filesystems, too; there it is a copy and a removal.
function module.rename(src, dst)
  local from, from_uri = place.find(check_path(src, "rename", 1))
  local to, to_uri = place.find(check_path(dst, "rename", 2))
  if from and to then
    return real.rename(from, to)
  end
  return report(src, "rename", core.rename(from or from_uri, to or to_uri))
end

return module
