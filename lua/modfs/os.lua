-- require "modfs.os": os, with remove and rename over every filesystem.
local core = require "modfs.core"
local errno = require "modfs.errno"
local place = require "modfs.place"
local refusal = require "modfs.refusal"

local real = os
local module = {}
for name, value in pairs(real) do
  module[name] = value
end

local function report(path, operation, done, message, code)
  if done then
    return true
  end
  return errno.failure(message, code, path, operation)
end

-- A file, or an empty directory.
module.remove = refusal.entry(function(...)
  local path = ...
  if type(path) ~= "string" and type(path) ~= "number" then
    return refusal.delegate(real.remove, ...)
  end
  path = tostring(path)
  local own, uri = place.find(path)
  if own then
    return refusal.delegate(real.remove, own)
  elseif core.isdir(uri) then
    return report(path, "rmdir", core.rmdir(uri))
  end
  return report(path, "remove", core.remove(uri))
end)

-- Between filesystems, too; there it is a copy and a removal.
module.rename = refusal.entry(function(...)
  local answer, number, text = refusal.no_strings(2, 0, ...)
  if answer then
    return answer, number, text
  end
  local src, dst = ...
  local from, from_uri = place.find(tostring(src))
  local to, to_uri = place.find(tostring(dst))
  if from and to then
    return refusal.delegate(real.rename, from, to)
  end
  return report(tostring(src), "rename", core.rename(from or from_uri, to or to_uri))
end)

return module
