-- Trees in which another process exchanges what lies there with links to a canary outside.
local build = require "spec.fixtures.build"
local modfs = require "modfs"
local shell = require "spec.support.shell"

local race = {}
race.__index = race

local folders = { "", "/x", "/x/y" }

-- The canary is like the directory that is exchanged with a link to it: paths lead astray easily.
local function plant(top, content)
  for _, folder in ipairs(folders) do
    assert(modfs.makedirs(top .. folder))
    for i = 1, 4 do
      modfs.write(top .. folder .. "/" .. i, content)
    end
  end
end

-- The modes and times of all in it.
local function attributes(top)
  local lines = {}
  for _, folder in ipairs(folders) do
    for j = 0, 4 do
      local path = top .. folder .. (j > 0 and "/" .. j or "")
      local info = modfs.lstat(path) or {}
      lines[#lines + 1] = ("%s %s %s"):format(path, info.mode, info.mtime_nsec)
    end
  end
  return table.concat(lines, "\n")
end

-- race.new(place): in place/src and place/to/src, a/sub is exchanged with a link to place/canary,
-- and in place/to/src the file b/1 with a link to one there. race:stop() ends that.
function race.new(place)
  local self = setmetatable({ place = place, canary = place .. "/canary" }, race)
  plant(self.canary, "canary")
  self.attributes = attributes(self.canary)
  assert(modfs.makedirs(place .. "/to"))
  local program = build.compile("exchanger", "spec/fixtures/race/exchanger.c",
    { program = true, free = true })
  local words = {}
  for _, pair in ipairs { { "src/a/sub", "" }, { "to/src/a/sub", "" }, { "to/src/b/1", "/1" } } do
    words[#words + 1] = ("%s/%s %s/%s.link %s%s"):format(place, pair[1], place, pair[1],
      self.canary, pair[2])
  end
  self.pid = shell.output(("%s %s >/dev/null 2>&1 & echo $!"):format(program,
    table.concat(words, " ")))
  return self
end

-- Makes place/side anew, beside its place and then in one step; whole: with what sync would delete.
function race:tree(side, whole)
  local top, new, old = self.place .. "/" .. side, self.place .. "/new", self.place .. "/old"
  for _, folder in ipairs(whole and { "/b", "/a/sub", "/c" } or { "/b" }) do
    plant(new .. folder, side)
  end
  for _, name in ipairs { "/a/sub/1", "/a/sub/x/1" } do
    modfs.makedirs((new .. name):match "^(.*)/")
    modfs.write(new .. name, side)
  end
  os.rename(top, old)
  assert(os.rename(new, top))
  modfs.rmtree(old)
  return top
end

-- What is wrong with the canary; nil for nothing. It is made whole again.
function race:damage()
  local wrong
  for i, folder in ipairs(folders) do
    local names = table.concat(modfs.listdir(self.canary .. folder) or {}, " ")
    if names ~= ({ "1 2 3 4 x", "1 2 3 4 y", "1 2 3 4" })[i] then
      wrong = ("canary%s holds %s"):format(folder, names)
    end
    for j = 1, 4 do
      local content = modfs.read(("%s%s/%d"):format(self.canary, folder, j))
      if content ~= "canary" then
        wrong = wrong or ("canary%s/%d is %s"):format(folder, j, content)
      end
    end
  end
  if attributes(self.canary) ~= self.attributes then
    wrong = wrong or "modes or times of the canary are others"
  end
  if wrong then
    modfs.rmtree(self.canary)
    plant(self.canary, "canary")
    self.attributes = attributes(self.canary)
  end
  return wrong
end

function race:stop()
  shell.run("kill " .. self.pid)
end

return race
