-- A mod of two modules: colours of an evening, and a line of its own.
local colours = require "dusk.colours"

return {
  name = "dusk",
  start = function(world)
    world.colours = colours
    world.story = world.story .. " The sun has just set."
  end,
}
