-- At which of its points the control is closed (finalizer_spec.lua).
local chances = require "spec.support.chances"
local control = require "control"
for n = 1, 6 do
  local box = control.box()
  local _, _, open = chances.run(n, function() box:close() end, function()
    return box:trace()
  end)
  print(open)
end
