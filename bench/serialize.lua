-- Tables of strings, numbers, booleans and tables as the text of a Lua chunk that returns them:
-- what a section's process passes to the one that started it.
local sorted_keys = require("modfs.check.values").sorted_keys

local function write(value, out)
  if type(value) ~= "table" then
    out[#out + 1] = type(value) == "number" and ("%.17g"):format(value) or ("%q"):format(value)
    return
  end
  out[#out + 1] = "{"
  for _, item in ipairs(value) do
    write(item, out)
    out[#out + 1] = ","
  end
  for _, key in ipairs(sorted_keys(value)) do
    if math.type(key) ~= "integer" then
      out[#out + 1] = ("[%q]="):format(key)
      write(value[key], out)
      out[#out + 1] = ","
    end
  end
  out[#out + 1] = "}"
end

return function(value)
  local out = {}
  write(value, out)
  return "return " .. table.concat(out)
end
