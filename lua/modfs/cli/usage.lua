-- Lengths of whole trees, as du -b adds them up.
local modfs = require "modfs"

-- A file with several names is counted once. Returns its length, and whether it is a directory.
local function length_of(self, path)
  local info, message = modfs.lstat(path)
  if not info then
    self.task:fail(message)
    return nil
  end
  local key = (info.links or 1) > 1 and info.kind ~= "directory" and info.inode
    and ("%d:%d"):format(info.device, info.inode)
  if key and self.seen[key] then
    return nil
  end
  if key then
    self.seen[key] = true
  end
  return info.length, info.kind == "directory"
end

local function depth_of(root, path)
  return select(2, path:sub(#root:gsub("/+$", "") + 1):gsub("/+[^/]", ""))
end

-- Adds up what is in a directory, and tells of it.
local function add_up(self, root, folder, folders, files)
  local bytes = length_of(self, folder) or 0
  local below = depth_of(root, folder)
  for _, name in ipairs(files) do
    local path = modfs.path.join(folder, name)
    local length = length_of(self, path)
    if length then
      bytes = bytes + length
      self.tell(path, length, below + 1, false)
    end
  end
  for _, name in ipairs(folders) do
    local path = modfs.path.join(folder, name)
    bytes = bytes + (self.sums[path] or 0)
    self.sums[path] = nil
  end
  self.sums[folder] = bytes
  self.tell(folder, bytes, below, true)
end

-- What it adds up to; nil where nothing is counted.
local function measure(self, root)
  local length, is_directory = length_of(self, root)
  if not is_directory then
    if length then
      self.tell(root, length, 0, false)
    end
    return length
  end
  self.sums = {}
  local function onerror(message, _, path)
    self.task:fail(message)
    add_up(self, root, path, {}, {})
  end
  for folder, folders, files in modfs.walk(root, { bottomup = true, onerror = onerror }) do
    add_up(self, root, folder, folders, files)
  end
  return self.sums[root]
end

-- new(task, tell) -> measure(root) -> bytes. tell(path, bytes, depth, is_directory) is called for
-- each entry that counts, for a directory after what is in it.
local function new(task, tell)
  local self = { task = task, tell = tell, seen = {} }
  return function(root)
    return measure(self, root)
  end
end

return { new = new }
