-- Lengths of whole trees, as du -b adds them up.
local choosing = require "modfs.cli.choosing"
local modfs = require "modfs"

-- The length of an entry; nil where it has counted already: files with several names, and
-- everything where several paths are measured, count for the first of their paths.
local function length_of(self, path)
  local info, message = modfs.lstat(path)
  if not info then
    self.task:fail(message)
    return nil
  end
  local once = self.several or info.kind ~= "directory" and (info.links or 1) > 1
  local key = once and info.inode and ("%d:%d"):format(info.device, info.inode)
  if key and self.seen[key] then
    return nil
  elseif key then
    self.seen[key] = true
  end
  return info.length
end

local function depth_of(root, path)
  return select(2, path:sub(#root:gsub("/+$", "") + 1):gsub("/+[^/]", ""))
end

-- Adds up what is in a directory, and tells of it.
local function add_up(self, root, folder, folders, files)
  local own = length_of(self, folder)
  local bytes = own or 0
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
  if own then
    self.tell(folder, bytes, below, true)
  end
end

-- What it adds up to; nil where nothing is counted.
local function measure(self, root)
  local info, message = modfs.lstat(root)
  if not info then
    return self.task:fail(message)
  elseif info.kind ~= "directory" then
    local length = length_of(self, root)
    if length then
      self.tell(root, length, 0, false)
    end
    return length
  end
  self.sums = {}
  local function onerror(why, _, path)
    self.task:fail(why)
    add_up(self, root, path, {}, {})
  end
  local how = choosing.options(self.options, { bottomup = true, onerror = onerror })
  for folder, folders, files in modfs.walk(root, how) do
    add_up(self, root, folder, folders, files)
  end
  return self.sums[root]
end

-- new(task, options, tell) -> measure(root) -> bytes. tell(path, bytes, depth, is_directory) is
-- called for each entry that counts, for a directory after what is in it. options: several, whether
-- more than one root is measured, and what is chosen.
local function new(task, options, tell)
  local self = { task = task, options = options, several = options.several, tell = tell, seen = {} }
  return function(root)
    return measure(self, root)
  end
end

return { new = new }
