-- HEADLESS=1 plays without a window; DEMO=1 lets the game play itself and then quit.
local headless = os.getenv "HEADLESS" ~= nil

function love.conf(t)
  t.identity = "modfs-lanterns"
  t.window.title = "Lanterns"
  t.window.width, t.window.height = 640, 400
  for _, module in ipairs { "window", "graphics", "image", "font", "audio", "sound" } do
    t.modules[module] = not headless
  end
  t.modules.joystick, t.modules.physics, t.modules.video = false, false, false
end
