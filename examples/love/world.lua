-- The town: walls, lanterns and the one who walks among them. Knows nothing of LÖVE or of files.
local world = {}
world.__index = world

local colours = { ground = { 0.1, 0.1, 0.1 }, wall = { 0.3, 0.3, 0.3 }, frame = { 0.5, 0.5, 0.5 },
  dark = { 0.2, 0.2, 0.2 }, light = { 1, 0.9, 0.4 }, walker = { 0.9, 0.9, 0.9 } }

local function key(x, y)
  return x .. "," .. y
end

-- level: an iterator of lines: # wall, * lantern, @ walker, . ground.
function world.new(level, story)
  local self = setmetatable({ colours = colours, story = story, walls = {}, lanterns = {},
    mods = {}, lit = 0, width = 0, height = 0 }, world)
  for line in level do
    self.height = self.height + 1
    self.width = math.max(self.width, #line)
    for x = 1, #line do
      self:put(line:sub(x, x), x, self.height)
    end
  end
  return self
end

function world:put(sign, x, y)
  if sign == "#" then
    self.walls[key(x, y)] = true
  elseif sign == "*" then
    self.lanterns[#self.lanterns + 1] = { x = x, y = y, lit = false }
  elseif sign == "@" then
    self.x, self.y = x, y
  end
end

function world:is_wall(x, y)
  return self.walls[key(x, y)] == true
end

-- Tells the mods; one that fails is left out from then on, and said so.
function world:tell(event, ...)
  for i = #self.mods, 1, -1 do
    local mod = self.mods[i]
    local fine, problem = pcall(mod[event] or function() end, self, ...)
    if not fine then
      print(("mod %s has failed: %s"):format(mod.name, problem))
      table.remove(self.mods, i)
    end
  end
end

function world:light(lantern)
  if not lantern.lit then
    lantern.lit, self.lit = true, self.lit + 1
    self:tell("lit", lantern)
  end
end

function world:lantern_at(x, y)
  for _, lantern in ipairs(self.lanterns) do
    if lantern.x == x and lantern.y == y then
      return lantern
    end
  end
end

-- Takes a step; returns whether a lantern was lit by it.
function world:step(dx, dy)
  local x, y = self.x + dx, self.y + dy
  if self:is_wall(x, y) then
    return false
  end
  self.x, self.y = x, y
  local lantern = self:lantern_at(x, y)
  local is_new = lantern ~= nil and not lantern.lit
  if is_new then
    self:light(lantern)
  end
  return is_new
end

function world:is_done()
  return self.lit == #self.lanterns
end

-- The first step of the shortest way to a dark lantern: what the demo plays.
function world:next_step()
  local seen, queue = { [key(self.x, self.y)] = true }, { { self.x, self.y } }
  for _, at in ipairs(queue) do
    local lantern = self:lantern_at(at[1], at[2])
    if lantern and not lantern.lit then
      return at[3], at[4]
    end
    for _, step in ipairs { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } } do
      local x, y = at[1] + step[1], at[2] + step[2]
      if not self:is_wall(x, y) and not seen[key(x, y)] then
        seen[key(x, y)] = true
        queue[#queue + 1] = { x, y, at[3] or step[1], at[4] or step[2] }
      end
    end
  end
end

return world
