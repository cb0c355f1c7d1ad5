-- Lists a directory of N names: URI N OPTIONS, a Lua table for modfs.config of its scheme. Prints
-- the most memory of the process in KiB before, behind that, and how many names there were.
local modfs = require "modfs"
local uri, n, options = ...

local function most()
  return modfs.read "/proc/self/status":match "VmHWM:%s*(%d+)"
end

local function count(name)
  local names = 0
  for _ in assert(modfs.dir(uri .. "/" .. name)) do names = names + 1 end
  return names
end

local load = loadstring or load
assert(modfs.config(uri:match "^%a+", load("return " .. options)()))
count "10"
local before = most()
local names = count(n)
print(before, most(), names)
