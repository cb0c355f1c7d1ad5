-- Numbers of bytes for people, as -h of ls and du prints them.
local sizes = {}

local units = { "K", "M", "G", "T", "P", "E" }

-- Rounded up, with one digit behind the point below 10.
function sizes.human(bytes)
  if bytes < 1024 then
    return ("%d"):format(bytes)
  end
  local value, unit = bytes / 1024, 1
  while math.ceil(value) >= 1024 and unit < #units do
    value, unit = value / 1024, unit + 1
  end
  local tenths = math.ceil(value * 10)
  if tenths < 100 then
    return ("%d.%d%s"):format(math.floor(tenths / 10), tenths % 10, units[unit])
  end
  return ("%d%s"):format(math.ceil(value), units[unit])
end

return sizes
