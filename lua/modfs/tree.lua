-- Directories as the tree functions see them: a link is a file, wherever it leads.
local core = require "modfs.core"

local function join(folder, name)
  return (folder == "" or folder:find("/$")) and folder .. name or folder .. "/" .. name
end

-- stat is what core.dir knows of the entry; nil where the plugin does not tell kinds.
local function is_folder(path, stat)
  if stat then
    return stat.kind == "directory"
  end
  return core.isdir(path) == true
end

-- Sorted names of directories, sorted names of everything else, and the set of links among these;
-- or a failure.
local function list(path)
  local step, object, control = core.dir(path)
  if not step then
    return nil, object, control
  end
  local folders, files, links = {}, {}, {}
  for name, stat in step, object, control do
    local names = is_folder(join(path, name), stat) and folders or files
    names[#names + 1] = name
    links[name] = stat and stat.kind == "link" or nil
  end
  table.sort(folders)
  table.sort(files)
  return folders, files, links
end

local function push(self, path)
  local folders, files, links = list(path)
  if not folders then
    self.fail(files, links, path)
    return
  end
  self[#self + 1] = { path = path, folders = folders, files = files, links = links, at = 0 }
end

-- A visit of a tree, without recursion: next(visit) returns path, folders, files, links. When a
-- directory cannot be listed, fail(message, code, path) is called and the visit goes on.
local function start(path, bottomup, fail)
  local visit = { bottomup = bottomup, fail = fail }
  push(visit, path)
  return visit
end

local function enter_next(self, frame)
  frame.at = frame.at + 1
  local name = frame.folders[frame.at]
  if name then
    push(self, join(frame.path, name))
  else
    self[#self] = nil
  end
  return name ~= nil
end

-- Top-down, the caller may remove names from folders: those are not visited.
local function next_folder(self)
  while #self > 0 do
    local frame = self[#self]
    local ready = not self.bottomup and not frame.seen
    frame.seen = true
    if ready or (not enter_next(self, frame) and self.bottomup) then
      return frame.path, frame.folders, frame.files, frame.links
    end
  end
end

-- Whether dst is a path that a tree can be written to; an empty one is no name of anything.
local function check_target(dst)
  local there, message, code = core.isdir(dst)
  if dst == "" then
    there, message, code = core.stat(dst)
  end
  return there ~= nil or nil, message, code
end

return { check_target = check_target, join = join, list = list, start = start, next = next_folder }
