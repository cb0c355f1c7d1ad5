-- The fields of the core's table as they were before modules in Lua took some of their places: when
-- those are loaded again, the table is still the one that they have changed.
local core = require "modfs.core"

local shape = getmetatable(core)
if not shape then
  local own = {}
  for name, value in pairs(core) do
    own[name] = value
  end
  shape = { own = own }
  setmetatable(core, shape)
end

return shape.own
