-- Random calls of a library with io's functions. A trial is a sequence of calls that a seed
-- settles; it notes what each returns or raises: so two libraries can be compared call by call.
local moves = require "spec.support.io_moves"
local world = require "spec.support.io_world"

local CALLS = 40 -- of one trial

local trial = {}

local names = {}
for name in pairs(moves) do
  names[#names + 1] = name
end
table.sort(names)

local function finish(self, place)
  self.lib.input(io.stdin)
  self.lib.output(io.stdout)
  for _, slot in ipairs(self.slots) do
    if self.lib.type(slot.file) == "file" then
      slot.file:close()
    end
  end
  self.slots, self.steps = {}, {}
  collectgarbage()
  collectgarbage()
  for _, name in ipairs(world.names) do
    self:note("content of " .. name, place.read(self.folder .. "/" .. name))
  end
  return self.notes
end

-- What lib does in the calls of this seed. place: the folder, whether it is elsewhere than on the
-- disk, and how files in it are written, read and removed.
function trial.run(lib, seed, place)
  local self = world.new(lib, seed, place)
  place.clear()
  for _, name in ipairs { "a", "b", "c", "solid" } do
    assert(place.write(self.folder .. "/" .. name, self:content()))
  end
  for _ = 1, CALLS do
    moves[names[self.random(#names)]](self)
  end
  return finish(self, place)
end

-- The first difference of two lists of notes, in words; nil when there is none.
function trial.difference(seed, expected, found)
  for i = 1, math.max(#expected, #found) do
    if expected[i] ~= found[i] then
      return ("seed %d, note %d:\n  io:       %s\n  modfs.io: %s"):format(seed, i,
        tostring(expected[i]), tostring(found[i]))
    end
  end
end

return trial
