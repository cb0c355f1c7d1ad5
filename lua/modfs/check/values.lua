-- Formats values for reports, and compares them.
local values = {}

local longest = 160

local function quoted(s)
  local text = s
  if #text > longest then
    text = text:sub(1, longest)
  end
  text = text:gsub('[%c"\\\127-\255]', function(c)
    return (c == '"' or c == "\\") and "\\" .. c or ("\\x%02x"):format(c:byte())
  end)
  return ('"%s"%s'):format(text, #s > longest and ("… (%d bytes)"):format(#s) or "")
end

-- The keys of a table, in the order of their texts.
function values.sorted_keys(t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

function values.show(value)
  if type(value) == "string" then
    return quoted(value)
  elseif type(value) == "table" and rawget(value, "__raw") then
    return tostring(value.__raw)
  elseif type(value) ~= "table" then
    return tostring(value)
  end
  local parts = {}
  for i, key in ipairs(values.sorted_keys(value)) do
    if i > 12 then
      parts[i] = "…"
      break
    end
    parts[i] = (type(key) == "number" and "" or key .. " = ") .. values.show(value[key])
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- Several values, with commas.
function values.list(...)
  local parts = {}
  for i = 1, select("#", ...) do
    parts[i] = values.show((select(i, ...)))
  end
  return table.concat(parts, ", ")
end

function values.same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return a == b
  end
  for key, value in pairs(a) do
    if not values.same(value, b[key]) then
      return false
    end
  end
  for key in pairs(b) do
    if a[key] == nil then
      return false
    end
  end
  return true
end

return values
