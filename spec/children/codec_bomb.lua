-- 128 MiB of zeros, packed and unpacked in little memory (codec_spec.lua): the path, the codec.
local path, codec = ...
local modfs = require "modfs"
local function peak()
  return tonumber(modfs.read "/proc/self/status":match "VmHWM:%s*(%d+)")
end
local file = assert(modfs.codec.open(path, "w", codec))
local zeros = ("\0"):rep(1024 * 1024)
for _ = 1, 128 do assert(file:write(zeros)) end
assert(file:close())
collectgarbage() collectgarbage()
local before = peak()
file = assert(modfs.codec.open(path, "r", codec))
assert(file:size() == 128 * 1024 * 1024)
file:seek("set", 100 * 1024 * 1024)
assert(file:read(10) == ("\0"):rep(10))
assert(file:close())
assert(modfs.size(path) < 8 * 1024 * 1024)
print(peak() - before < 24 * 1024)
