-- lock_dir of LuaFileSystem: a directory of that name is the lock, because making one is a single
-- step in every filesystem.
local core = require "modfs.core"
local errno = require "modfs.errno"

local NAME = "/lockfile.lfs"

local methods = {}

local function free(self)
  if self.path then
    core.rmdir(self.path)
    self.path = nil
  end
end

function methods.free(self)
  free(self)
end

local metatable = { __index = methods, __name = "lock metatable", __gc = free }

-- Before 5.2 only userdata have finalizers.
local function finalize(lock)
  local newproxy = rawget(_G, "newproxy")
  if newproxy then
    local proxy = newproxy(true)
    getmetatable(proxy).__gc = function() free(lock) end
    lock.proxy = proxy
  end
  return lock
end

-- Whether there is a lock that nobody has touched for so long, in whole seconds as in
-- LuaFileSystem; what is no number is no time.
local function is_stale(path, seconds)
  seconds = tonumber(seconds)
  local stat = seconds and core.stat(path)
  return stat and os.time() - math.floor(stat.mtime) > seconds
end

return function(folder, seconds)
  local path = folder:gsub("/+$", "") .. NAME
  if is_stale(path, seconds) then
    core.rmdir(path)
  end
  local done, message, code = core.mkdir(path)
  if not done then
    return nil, (errno.translate(message, code, path))
  end
  return finalize(setmetatable({ path = path }, metatable))
end
