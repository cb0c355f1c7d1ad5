-- Rows as those of finalizer_calls: one with a fault on purpose, and the same without it.
local control = require "control"

local function row(method)
  return { name = "modfs.control:" .. method, make = function()
    local box = control.box()
    return function() return box[method](box) end, box
  end }
end

return { list = { row "stale", row "sound" } }
