-- require "modfs": the core, and what is said best in Lua.
local found, modfs = pcall(require, "modfs.core")
if not found then
  error(require "modfs.mismatch" (modfs), 0)
end

for _, topic in ipairs { "with", "plugins", "tree", "temporary", "chunk", "devices" } do
  for name, value in pairs(require("modfs." .. topic)) do
    modfs[name] = value
  end
end

-- The modules beside it are fields as well, loaded when they are first asked for.
local beside = { async = true, check = true, codec = true, io = true, lfs = true, os = true,
  searcher = true, tfrecord = true }

getmetatable(modfs).__index = function(_, name)
  if beside[name] then
    local module = require("modfs." .. name)
    rawset(modfs, name, module)
    return module
  end
end

return modfs
