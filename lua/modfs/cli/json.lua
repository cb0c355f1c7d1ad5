-- Values as JSON. An array is a table with something at 1, or none at all: empty tables are arrays.
local characters = require "modfs.cli.characters"

local json = {}

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

-- A byte that is no UTF-8 becomes the character of its number, so that the output is always JSON.
local function encode_string(text)
  local parts, at = {}, 1
  while at <= #text do
    local plain = text:match('^[^%c"\\\127-\255]+', at)
    local stop = plain and at + #plain or characters.behind(text, at)
    if stop then
      parts[#parts + 1] = text:sub(at, stop - 1)
    else
      local byte = text:sub(at, at)
      parts[#parts + 1] = escapes[byte] or ("\\u%04x"):format(byte:byte())
    end
    at = stop or at + 1
  end
  return '"' .. table.concat(parts) .. '"'
end

local function encode_number(value)
  if value ~= value or value == math.huge or value == -math.huge then
    return "null"
  end
  local is_whole = value % 1 == 0 and value >= -2 ^ 63 and value < 2 ^ 63
  return (is_whole and "%d" or "%.17g"):format(value)
end

local encode

local function encode_array(value)
  local parts = {}
  for i, item in ipairs(value) do
    parts[i] = encode(item)
  end
  return "[" .. table.concat(parts, ",") .. "]"
end

local function encode_object(value)
  local names, parts = {}, {}
  for name in pairs(value) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    parts[i] = encode_string(name) .. ":" .. encode(value[name])
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

function encode(value)
  local kind = type(value)
  if kind == "string" then
    return encode_string(value)
  elseif kind == "number" then
    return encode_number(value)
  elseif kind == "table" then
    return (value[1] ~= nil or next(value) == nil) and encode_array(value) or encode_object(value)
  end
  return kind == "boolean" and tostring(value) or "null"
end

json.encode = encode

return json
