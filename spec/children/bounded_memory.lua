-- Writes a file of so many MiB at the URI and reads it: URI MEGABYTES OPTIONS, a Lua table for
-- modfs.config of its scheme. Prints the most memory of the process in KiB before, behind the write
-- and behind the read.
local modfs = require "modfs"
local uri, megabytes, options = ...

local function most()
  return modfs.read "/proc/self/status":match "VmHWM:%s*(%d+)"
end

local load = loadstring or load
assert(modfs.config(uri:match "^%a+", load("return " .. options)()))
modfs.exists(uri)
local found, megabyte = { most() }, ("0123456789abcdef"):rep(65536)
local writer = assert(modfs.open(uri, "w"))
for _ = 1, megabytes do
  assert(writer:write(megabyte))
end
assert(writer:close())
found[2] = most()
local reader, length = assert(modfs.open(uri)), 0
for piece in function() return reader:read(65536) end do
  length = length + #piece
end
assert(length == megabytes * 1048576)
found[3] = most()
print(table.concat(found, " "))
