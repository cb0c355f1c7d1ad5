-- Rows as those of finalizer_calls: one with a fault on purpose, the same without it, and one that
-- ends the process by an error.
local control = require "control"

local function row(method)
  return { name = "modfs.control:" .. method, make = function()
    local box = control.box()
    return function() return box[method](box) end, box
  end }
end

local failing = { name = "modfs.control:failing", make = function()
  error "it is not made:\n\tfor no reason"
end }

return { list = { row "stale", row "sound", failing } }
