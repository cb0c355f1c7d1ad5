-- Lanterns: a small game whose files, mods and saved games all go through modfs.
local modfs = require "modfs"
local loading = require "loading"
local mods = require "mods"
local picture = require "picture"
local save = require "save"
local world_of = require "world"

local demo, screenshot = os.getenv "DEMO" ~= nil, os.getenv "SCREENSHOT"
local source, saves, load_more, world
local done, total, time, rest = 0, 0, 0, 0

function love.load()
  source = os.getenv "WORLD" or love.filesystem.getSource()
  saves = os.getenv "SAVES" or love.filesystem.getSaveDirectory()
  load_more = loading.start(source)
end

local function begin()
  local story = assert(modfs.read "mem://assets/story.txt"):gsub("\n", "")
  world = world_of.new(modfs.lines "mem://assets/level.txt", story)
  world.mods = mods.load()
  world:tell "start"
  print(("%d lanterns were lit before"):format(save.read(saves, world)))
  if love.graphics then
    picture.open(world)
  end
end

local function step(dx, dy)
  if world:step(dx, dy) then
    save.write(saves, world)
    print(("%d of %d lanterns are lit"):format(world.lit, #world.lanterns))
  end
end

local function play_demo(seconds)
  rest = rest + seconds
  if world:is_done() then
    love.event.quit()
  elseif rest > 0.02 or not love.graphics then
    rest = 0
    step(world:next_step())
  end
end

local function take_screenshot()
  if screenshot and world.lit * 2 >= #world.lanterns then
    local name = screenshot
    screenshot = nil
    love.graphics.captureScreenshot(function(data)
      assert(modfs.write(name, data:encode("png"):getString()))
    end)
  end
end

function love.update(seconds)
  time = time + seconds
  modfs.poll(0)
  if not world then
    local finished
    finished, done, total = load_more()
    if finished then
      begin()
    end
  elseif demo then
    play_demo(seconds)
  end
end

function love.quit()
  save.finish()
end

function love.draw()
  if world then
    picture.world(world, time)
    take_screenshot()
  else
    picture.loading(done, total)
  end
end

local steps = { left = { -1, 0 }, right = { 1, 0 }, up = { 0, -1 }, down = { 0, 1 } }

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  elseif key == "r" and world then
    save.forget(saves)
    world = nil
    modfs.rmtree "mem://assets"
    modfs.rmtree "mem://mods"
    load_more = loading.start(source)
  elseif world and steps[key] then
    step(steps[key][1], steps[key][2])
  end
end
