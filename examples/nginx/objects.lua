-- What can be asked of an object, in plain values: these functions also run in the threads of a
-- pool, whose Lua states share nothing with the worker's.
local modfs = require "modfs"

local objects = {}

-- Names one state of an object: whoever has seen the same tag twice has seen the same bytes.
local function tag_of(stat)
  return ('"%.0f-%.0f"'):format(stat.mtime_nsec, stat.length)
end

-- -> is_directory, length, seconds of its last change, tag
function objects.stat(path)
  local stat, message, code = modfs.stat(path)
  if not stat then
    return nil, message, code
  end
  return stat.is_directory, stat.length, stat.mtime, tag_of(stat)
end

-- Opens the object in the state that the tag names. Once open it stays that state: writers here put
-- a new file in the place of the old one.
function objects.open(path, tag)
  local file, message, code = modfs.open(path)
  if not file then
    return nil, message, code
  end
  local _, _, _, now = objects.stat(path)
  if now ~= tag then
    file:close()
    return nil, "ABORTED: open " .. path .. ": it has changed", "ABORTED"
  end
  return file
end

-- n bytes at offset of the object in that state.
function objects.read(path, tag, offset, n)
  local file, message, code = objects.open(path, tag)
  if not file then
    return nil, message, code
  end
  local data, why, reason = file:pread(offset, n)
  file:close()
  return data, why, reason
end

-- -> names, then what stat says of each: { is_directory, length, mtime }
function objects.list(path)
  local names, message, code = modfs.listdir(path)
  if not names then
    return nil, message, code
  end
  local entries = {}
  for _, name in ipairs(names) do
    local is_directory, length, mtime = objects.stat(modfs.path.join(path, name))
    if length then
      entries[#entries + 1] = { name = name, is_directory = is_directory, length = length,
        mtime = mtime }
    end
  end
  return entries
end

return objects
