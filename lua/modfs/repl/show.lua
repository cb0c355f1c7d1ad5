-- Values as a person reads them: tables laid out, lengths and times explained.
local DEEPEST, WIDEST, LONGEST = 4, 76, 2000

local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

local function quote(text)
  local rest = #text > LONGEST and (" … (%d bytes)"):format(#text) or ""
  text = text:sub(1, LONGEST):gsub('[%c"\\\127-\255]', function(byte)
    return escapes[byte] or (byte < "\127" or byte == "\127") and ("\\x%02x"):format(byte:byte())
      or byte
  end)
  return '"' .. text .. '"' .. rest
end

local function size(bytes)
  local units, at = { "kB", "MB", "GB", "TB" }, 0
  while bytes >= 1000 and at < #units do
    bytes, at = bytes / 1000, at + 1
  end
  return at > 0 and (" (%.1f %s)"):format(bytes, units[at]) or ""
end

local function time(seconds)
  return os.date(" (%Y-%m-%d %H:%M:%S)", math.floor(seconds))
end

-- What a number of that name means.
local notes = { length = size, bytes = size, mtime = time }

local show

local function key_of(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then
    return key
  end
  return "[" .. show(key, 1, {}) .. "]"
end

local function keys_of(value)
  local keys = {}
  for key in pairs(value) do
    if not (type(key) == "number" and key >= 1 and key <= #value and key % 1 == 0) then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, function(a, b)
    return tostring(a) < tostring(b)
  end)
  return keys
end

local function parts_of(value, depth, seen)
  local parts = {}
  for _, item in ipairs(value) do
    parts[#parts + 1] = show(item, depth + 1, seen)
  end
  for _, key in ipairs(keys_of(value)) do
    local item = value[key]
    local note = type(item) == "number" and notes[key] and notes[key](item) or ""
    parts[#parts + 1] = key_of(key) .. " = " .. show(item, depth + 1, seen) .. note
  end
  return parts
end

local function show_table(value, depth, seen)
  if seen[value] then
    return "{ … itself }"
  elseif depth > DEEPEST then
    return "{ … }"
  end
  seen[value] = true
  local parts = parts_of(value, depth, seen)
  seen[value] = nil
  local line = table.concat(parts, ", ")
  if #line <= WIDEST and not line:find "\n" then
    return #parts == 0 and "{}" or "{ " .. line .. " }"
  end
  local indent = ("  "):rep(depth)
  return "{\n" .. indent .. table.concat(parts, ",\n" .. indent) .. "\n"
    .. indent:sub(3) .. "}"
end

function show(value, depth, seen)
  if type(value) == "string" then
    return quote(value)
  elseif type(value) == "table" and not (getmetatable(value) or {}).__tostring then
    return show_table(value, depth, seen)
  end
  return tostring(value)
end

return function(value)
  return show(value, 1, {})
end
