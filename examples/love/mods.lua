-- Mods are folders of Lua modules in mem://mods, found and required through modfs.
local modfs = require "modfs"
local searcher = require "modfs.searcher"

searcher.install("mem://mods/?.lua", "mem://mods/?/init.lua")

-- Every mod that loads, by name; what is wrong with another is printed, and the game goes on.
local function load()
  local found = {}
  for _, name in ipairs(assert(modfs.listdir "mem://mods")) do
    local fine, mod = pcall(require, name)
    if fine and type(mod) == "table" then
      found[#found + 1] = mod
      print("mod " .. name)
    else
      print(("mod %s does not load: %s"):format(name, tostring(mod)))
    end
  end
  return found
end

return { load = load }
