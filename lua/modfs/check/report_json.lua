-- The report as one JSON object.
local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

-- Bytes beyond ASCII stay as they are where they are UTF-8 already; the texts are ours or escaped.
local function string_of(text)
  return '"' .. text:gsub('[%c"\\\127]', function(c)
    return escapes[c] or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

local encode

local function object_of(value)
  local keys, parts = {}, {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for i, key in ipairs(keys) do
    parts[i] = string_of(key) .. ":" .. encode(value[key])
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function array_of(value)
  local parts = {}
  for i, item in ipairs(value) do
    parts[i] = encode(item)
  end
  return "[" .. table.concat(parts, ",") .. "]"
end

function encode(value)
  if type(value) == "string" then
    return string_of(value)
  elseif type(value) == "table" then
    return (value[1] ~= nil or next(value) == nil) and array_of(value) or object_of(value)
  end
  return tostring(value)
end

return function(report)
  return encode(report) .. "\n"
end
