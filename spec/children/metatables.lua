-- Every object under the metatable of each other one (gc_spec.lua); prints the number of pairs.
local modfs = require "modfs"
assert(modfs.write("mem://a", "test"))
local fs = modfs.filesystem "mem"
local makers = {
  function() return modfs.open "mem://a" end,
  function() return modfs.open("mem://b", "w") end,
  function() return modfs.map "mem://a" end,
  function() return modfs.buffer(4) end,
  function() return modfs.filesystem "mem" end,
  function() return fs:start_transaction() end,
  function() return modfs.plugins()[1] end,
  function() return select(2, modfs.dir "mem://") end,
  function() return io.tmpfile() end,
}
local function try(object, metatable)
  local own = debug.getmetatable(object)
  debug.setmetatable(object, metatable)
  local methods = metatable.__index
  for _, name in ipairs { "read", "write", "pread", "sub", "fill", "tell", "add", "commit",
    "next", "path_exists", "size", "name", "flush", "operations", "close" } do
    local method = type(methods) == "table" and methods[name]
    if method then pcall(method, object, "mem://a", 1) end
  end
  pcall(tostring, object)
  pcall(modfs.type, object)
  pcall(modfs.write, "mem://x", object)
  if metatable.__gc and own ~= metatable then pcall(metatable.__gc, object) end
  if metatable.__close and own ~= metatable then pcall(metatable.__close, object) end
  debug.setmetatable(object, own)
end
local pairs_tried = 0
for i, maker in ipairs(makers) do
  for j = 1, #makers - 1 do
    if i ~= j then
      local other = makers[j]()
      try(maker(), debug.getmetatable(other))
      pairs_tried = pairs_tried + 1
    end
  end
end
collectgarbage()
print(pairs_tried)
