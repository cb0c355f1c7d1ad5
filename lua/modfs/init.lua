-- require "modfs": the core, and what is said best in Lua.
local modfs = require "modfs.core"

for _, topic in ipairs { "with", "plugins", "tree", "temporary", "chunk", "devices" } do
  for name, value in pairs(require("modfs." .. topic)) do
    modfs[name] = value
  end
end
modfs.codec = require "modfs.codec"

return modfs
