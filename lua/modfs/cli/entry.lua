-- What lstat tells of an entry, with the target of a link.
local modfs = require "modfs"

local entry = {}

-- describe(path) -> the table of modfs.lstat with target, or nil and why not.
function entry.describe(path)
  local info, message = modfs.lstat(path)
  if not info then
    return nil, message
  end
  info.target = info.kind == "link" and modfs.readlink(path) or nil
  return info
end

return entry
