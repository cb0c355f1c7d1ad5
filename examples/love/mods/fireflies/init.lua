-- A mod that answers what happens: each lantern that is lit calls some fireflies.
return {
  name = "fireflies",
  start = function(world)
    world.fireflies = {}
  end,
  lit = function(world, lantern)
    for i = 1, 3 do
      world.fireflies[#world.fireflies + 1] = { x = lantern.x, y = lantern.y, phase = i }
    end
  end,
}
