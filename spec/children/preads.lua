-- Reads a file in pieces, whose system calls are counted (file_spec.lua): how many.
local count = ...
local modfs = require "modfs"
local path = os.tmpname()
assert(modfs.write(path, ("x"):rep(8192)))
local file = assert(modfs.open(path))
for i = 1, tonumber(count) do
  assert(#file:pread(i, 4096) == 4096)
end
collectgarbage "stop"
os.remove(path)
