-- Finalizers that use modfs, at the end of the state, too (gc_spec.lua).
-- luacheck: globals late
local modfs = require "modfs"
local keep = setmetatable({}, { __gc = function()
  pcall(modfs.write, "mem://last", "words")
  pcall(function() modfs.open("mem://last"):close() end)
  pcall(modfs.glob, "mem://*")
  pcall(function() modfs.filesystem "mem":start_transaction():close() end)
  print "done"
end })
assert(modfs.write("mem://a", "test"))
local files = { modfs.open "mem://a", modfs.open("mem://b", "w"), modfs.map "mem://a" }
late = setmetatable({}, { __gc = function()
  print(pcall(files[1].pread, files[1], 0, 1))
  print(pcall(tostring, files[2]))
end })
debug.getregistry().keep = keep
