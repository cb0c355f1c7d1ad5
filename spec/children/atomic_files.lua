-- Atomic files that nobody closes, in a process that ends without a word (atomic_spec.lua): the
-- path, how many.
-- luacheck: globals held
local path, count = ...
local modfs = require "modfs"
held = {}
for i = 1, tonumber(count) do
  held[i] = assert(modfs.open(path, "w", { atomic = true }))
  held[i]:write "never"
  held[i]:flush()
end
os.exit(3)
