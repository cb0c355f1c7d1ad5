-- Behind main.lua of examples/love (love_spec.lua): begins with frames that do nothing, and prints
-- how many milliseconds the longest of them took, and the longest one until the game has loaded.
local loading = require "loading"

local empty_frames = 100

local start, load, update = loading.start, love.load, love.update
local frame, last, has_loaded = 0, nil, false
local longest = { empty = 0, loading = 0 }

function loading.start(...)
  local more = start(...)
  return function()
    local finished, done, total = more()
    has_loaded = has_loaded or finished
    return finished, done, total
  end
end

function love.load()
  last = love.timer.getTime()
end

local function measure()
  local now = love.timer.getTime()
  local kind = frame <= empty_frames and "empty" or "loading"
  longest[kind] = math.max(longest[kind], now - last)
  last = now
end

function love.update(seconds)
  local had_loaded = has_loaded
  frame = frame + 1
  measure()
  if frame == empty_frames then
    load()
  elseif frame > empty_frames then
    update(seconds)
  end
  if had_loaded then
    print(("frames: %.3f %.3f"):format(longest.empty * 1000, longest.loading * 1000))
    love.event.quit()
  end
end
