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
modfs.codec = require "modfs.codec"

return modfs
