-- dir of LuaFileSystem over modfs.dir: "." and ".." come first.
local core = require "modfs.core"
local errno = require "modfs.errno"
local refusal = require "modfs.refusal"

local closes_loops = tonumber(_VERSION:match "%d+%.%d+") >= 5.4

local methods = {}
local metatable = { __index = methods, __name = "directory metatable" }

-- The refusal of what is no directory of ours.
local function refuse_other(...)
  local self = ...
  if type(self) ~= "table" or getmetatable(self) ~= metatable then
    local got = select("#", ...) == 0 and "no value" or type(self)
    return refusal.of_argument(1, ("directory metatable expected, got %s"):format(got))
  end
end

methods.next = refusal.entry(function(...)
  local answer, number, text = refuse_other(...)
  if answer then
    return answer, number, text
  end
  local self = ...
  if not self.directory then
    return refusal.of_argument(1, "closed directory")
  end
  self.count = self.count + 1
  local name = ({ ".", ".." })[self.count] or (self.directory:next())
  if name == nil then
    self.directory = nil
    return
  end
  return name
end)

methods.close = refusal.entry(function(...)
  local answer, number, text = refuse_other(...)
  if answer then
    return answer, number, text
  end
  local self = ...
  local directory = self.directory
  self.directory = nil
  if directory then
    directory:close()
  end
end)

metatable.__close = methods.close

-- shown is the path as the caller wrote it.
return function(path, shown)
  local step, directory, code = core.dir(path)
  if not step then
    local reason = errno.translate(directory, code, path, "dir")
    return refusal.because(("cannot open %s: %s"):format(shown, reason))
  end
  local self = setmetatable({ directory = directory, count = 0 }, metatable)
  if closes_loops then
    return methods.next, self, nil, self
  end
  return methods.next, self
end
