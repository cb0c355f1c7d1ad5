-- What is seen. Sprites are text files, 8 by 8: # is the frame, o the inside.
local modfs = require "modfs"

local picture = {}

local size = 32

local sprites = {}

local function sprite(name, frame, inside)
  local data = love.image.newImageData(8, 8)
  local y = 0
  for line in modfs.lines("mem://assets/sprites/" .. name .. ".txt") do
    for x = 0, 7 do
      local sign = line:sub(x + 1, x + 1)
      local colour = sign == "#" and frame or sign == "o" and inside
      if colour then
        data:setPixel(x, y, colour[1], colour[2], colour[3], 1)
      end
    end
    y = y + 1
  end
  local image = love.graphics.newImage(data)
  image:setFilter("nearest", "nearest")
  return image
end

function picture.open(world)
  local colours = world.colours
  sprites.lit = sprite("lantern", colours.frame, colours.light)
  sprites.dark = sprite("lantern", colours.frame, colours.dark)
  sprites.walker = sprite("walker", colours.walker, colours.ground)
end

local function place(image, x, y)
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(image, (x - 1) * size, (y - 1) * size, 0, size / 8)
end

local function glow(world, lantern)
  local r, g, b = unpack(world.colours.light)
  local x, y = (lantern.x - 0.5) * size, (lantern.y - 0.5) * size
  for radius = 3, 1, -1 do
    love.graphics.setColor(r, g, b, 0.08)
    love.graphics.circle("fill", x, y, radius * size / 2)
  end
end

local function fireflies(world, time)
  love.graphics.setColor(world.colours.light)
  for i, fly in ipairs(world.fireflies or {}) do
    local angle = time * (1 + fly.phase / 3) + i
    love.graphics.circle("fill", (fly.x - 0.5 + 0.7 * math.cos(angle)) * size,
      (fly.y - 0.5 + 0.7 * math.sin(angle * 1.3)) * size, 2)
  end
end

function picture.world(world, time)
  love.graphics.clear(world.colours.ground)
  love.graphics.setColor(world.colours.wall)
  for y = 1, world.height do
    for x = 1, world.width do
      if world:is_wall(x, y) then
        love.graphics.rectangle("fill", (x - 1) * size, (y - 1) * size, size, size)
      end
    end
  end
  for _, lantern in ipairs(world.lanterns) do
    if lantern.lit then
      glow(world, lantern)
    end
    place(lantern.lit and sprites.lit or sprites.dark, lantern.x, lantern.y)
  end
  place(sprites.walker, world.x, world.y)
  fireflies(world, time)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print(("%s   %d of %d"):format(world.story, world.lit, #world.lanterns), 12, 368)
end

function picture.loading(done, total)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("Loading …", 120, 170)
  love.graphics.rectangle("line", 120, 190, 400, 20)
  love.graphics.rectangle("fill", 120, 190, total > 0 and 400 * done / total or 0, 20)
end

return picture
