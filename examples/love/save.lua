-- The saved game: a line "x y" for each lantern that is lit. It is written atomically: whenever the
-- game or the machine stops, the file holds the last state or one before. No frame waits for that.
local modfs = require "modfs"
local async = require "modfs.async"

local save = {}

local latest, writer -- what is still to be written, and the job that does it

local function path_of(folder)
  return modfs.path.join(folder, "lanterns.txt")
end

local function write_latest(folder)
  while latest do
    local text = latest
    latest = nil
    assert(async.makedirs(folder):await())
    assert(async.write(path_of(folder), text, { atomic = true }):await())
  end
end

-- Waits until all is written; raises what went wrong.
function save.finish()
  if writer then
    writer:wait()
  end
end

function save.write(folder, world)
  local lines = {}
  for _, lantern in ipairs(world.lanterns) do
    if lantern.lit then
      lines[#lines + 1] = ("%d %d\n"):format(lantern.x, lantern.y)
    end
  end
  latest = table.concat(lines)
  if not writer or writer:done() then
    save.finish()
    writer = async.go(write_latest, folder)
  end
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
  save.finish()
  return modfs.remove(path_of(folder))
end

return save
