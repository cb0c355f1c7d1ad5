-- The saved game: a line "x y" for each lantern that is lit. It is written atomically: whenever the
-- game or the machine stops, the file holds the last state or the one before.
local modfs = require "modfs"

local save = {}

local function path_of(folder)
  return modfs.path.join(folder, "lanterns.txt")
end

function save.write(folder, world)
  local lines = {}
  for _, lantern in ipairs(world.lanterns) do
    if lantern.lit then
      lines[#lines + 1] = ("%d %d\n"):format(lantern.x, lantern.y)
    end
  end
  assert(modfs.makedirs(folder))
  assert(modfs.write(path_of(folder), table.concat(lines), { atomic = true }))
end

-- Lights what was lit; a first game has no file. Returns how many lanterns that were.
function save.read(folder, world)
  if not modfs.exists(path_of(folder)) then
    return 0
  end
  for line in modfs.lines(path_of(folder)) do
    local x, y = line:match "^(%d+) (%d+)$"
    local lantern = x and world:lantern_at(tonumber(x), tonumber(y))
    if lantern then
      world:light(lantern)
    end
  end
  return world.lit
end

function save.forget(folder)
  return modfs.remove(path_of(folder))
end

return save
