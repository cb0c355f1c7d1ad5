-- dir of LuaFileSystem over modfs.dir: "." and ".." come first.
local core = require "modfs.core"
local errno = require "modfs.errno"

local closes_loops = tonumber(_VERSION:match "%d+%.%d+") >= 5.4

local methods = {}
local metatable = { __index = methods, __name = "directory metatable" }

local function check(self, where)
  if type(self) ~= "table" or getmetatable(self) ~= metatable then
    local got = self == nil and "no value" or type(self)
    error(("bad argument #1 to '%s' (directory metatable expected, got %s)"):format(where, got), 3)
  elseif where ~= "close" and not self.directory then
    error(("bad argument #1 to '%s' (closed directory)"):format(where), 3)
  end
  return self
end

function methods.next(self)
  check(self, "next")
  self.count = self.count + 1
  local name = ({ ".", ".." })[self.count] or (self.directory:next())
  if name == nil then
    self.directory = nil
    return
  end
  return name
end

function methods.close(self)
  local directory = check(self, "close").directory
  self.directory = nil
  if directory then
    directory:close()
  end
end

metatable.__close = methods.close

-- shown is the path as the caller wrote it.
return function(path, shown)
  local step, directory, code = core.dir(path)
  if not step then
    local reason = errno.translate(directory, code, path, "dir")
    error(("cannot open %s: %s"):format(shown, reason), 3)
  end
  local self = setmetatable({ directory = directory, count = 0 }, metatable)
  if closes_loops then
    return methods.next, self, nil, self
  end
  return methods.next, self
end
