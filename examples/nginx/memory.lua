-- Keeps what was read once in mem://, for as long as the original has not changed. Each worker has
-- a memory of its own; the original is asked for its tag each time, so none serves old bytes.
local modfs = require "modfs"
local objects = require "objects"

local limit = 256 * 1024 * 1024 -- bytes

local kept, bytes = {}, 0

-- An open handle keeps the bytes of a file that is removed.
local function forget(path)
  modfs.remove(kept[path].copy)
  bytes, kept[path] = bytes - kept[path].length, nil
end

local function make_room(length)
  for path in pairs(kept) do
    if bytes + length <= limit then
      break
    end
    forget(path)
  end
end

local function keep(path, tag, length)
  make_room(length)
  local copy = "mem://kept/" .. ngx.md5(path .. tag)
  local copied, message, code = modfs.copy(path, copy)
  if not copied then
    return nil, message, code
  end
  local _, now_length, _, now = objects.stat(path)
  if now ~= tag or now_length ~= length then
    modfs.remove(copy)
    return nil, "ABORTED: open " .. path .. ": it has changed", "ABORTED"
  end
  bytes, kept[path] = bytes + length, { copy = copy, tag = tag, length = length }
  return true
end

local memory = { stat = objects.stat, list = objects.list }

-- As objects.open, out of memory.
function memory.open(path, tag, length)
  if length > limit then
    return objects.open(path, tag)
  end
  if kept[path] and kept[path].tag ~= tag then
    forget(path)
  end
  if not kept[path] then
    modfs.makedirs "mem://kept"
    local fine, message, code = keep(path, tag, length)
    if not fine then
      return nil, message, code
    end
  end
  return modfs.open(kept[path].copy)
end

return memory
