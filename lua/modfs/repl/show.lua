-- Values as a person reads them: tables laid out and cut, numbers explained by the name of their
-- field.
local paint = require "modfs.repl.paint"

local DEEPEST, WIDEST, LONGEST = 4, 76, 2000
local MOST_OUTSIDE, MOST_INSIDE = 50, 10 -- entries of a table that are shown

local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

local function quote(text)
  local rest = #text > LONGEST and (" … (%d bytes)"):format(#text) or ""
  text = text:sub(1, LONGEST):gsub('[%c"\\\127-\255]', function(byte)
    return escapes[byte] or (byte < "\127" or byte == "\127") and ("\\x%02x"):format(byte:byte())
      or byte
  end)
  return '"' .. text .. '"' .. rest
end

-- Numbers with a name ------------------------------------------------------------------

local function size(bytes)
  local units, at = { "kB", "MB", "GB", "TB" }, 0
  while bytes >= 1000 and at < #units do
    bytes, at = bytes / 1000, at + 1
  end
  return at > 0 and bytes < 1 / 0 and ("(%.1f %s)"):format(bytes, units[at])
end

-- No date is beyond the year 9999.
local function time(seconds)
  return math.abs(seconds) < 253402300800
    and os.date("(%Y-%m-%d %H:%M:%S)", math.floor(seconds))
end

local function nanoseconds(count)
  return time(count / 1e9)
end

local function mode(bits)
  return bits >= 0 and bits < 65536 and bits % 1 == 0 and ("(0%03o)"):format(bits)
end

-- What a number of that name means; the first pattern that fits counts.
local notes = { { "^mode$", mode }, { "^[am]time_nsec$", nanoseconds }, { "^[am]time$", time },
  { "^newer_than$", nanoseconds }, { "^length$", size }, { "^size$", size }, { "_size$", size },
  { "^bytes$", size }, { "_bytes$", size } }

local function note_of(key, value)
  if type(key) ~= "string" or type(value) ~= "number" or value ~= value then
    return nil
  end
  for _, note in ipairs(notes) do
    if key:find(note[1]) then
      return note[2](value) or nil
    end
  end
end

-- Where Lua has no integers, large ones would end in an exponent.
local function number(value)
  if not math.type and value % 1 == 0 and math.abs(value) < 2 ^ 63 then -- luacheck: ignore 143
    return ("%.0f"):format(value)
  end
  return tostring(value)
end

-- Tables --------------------------------------------------------------------------------

-- Without metamethods; Lua 5.1 and LuaJIT ask none for a table.
local length_of = rawget(_G, "rawlen") or function(value)
  return #value
end

local show

local function key_of(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then
    return key
  end
  return "[" .. show(key, { depth = 1, seen = {}, paint = paint.plain }) .. "]"
end

local function keys_of(value, length)
  local keys = {}
  for key in next, value do
    if not (type(key) == "number" and key >= 1 and key <= length and key % 1 == 0) then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, function(a, b)
    return tostring(a) < tostring(b)
  end)
  return keys
end

local function field(key, item, state)
  local note = note_of(key, item)
  return key_of(key) .. " = " .. show(item, state)
    .. (note and " " .. state.paint("note", note) or "")
end

-- The entries of a table as texts, cut behind as many as are shown.
local function parts_of(value, state)
  local length = length_of(value)
  local keys = keys_of(value, length)
  local most = state.depth == 1 and MOST_OUTSIDE or MOST_INSIDE
  local inside = { depth = state.depth + 1, seen = state.seen, paint = state.paint }
  local parts = {}
  for i = 1, math.min(length, most) do
    parts[i] = show(rawget(value, i), inside)
  end
  for i = 1, math.min(#keys, most - #parts) do
    parts[#parts + 1] = field(keys[i], rawget(value, keys[i]), inside)
  end
  local more = length + #keys - #parts
  if more > 0 then
    parts[#parts + 1] = state.paint("more", ("… %d more"):format(more))
  end
  return parts
end

local function is_wide(line)
  return line:find("\n", 1, true) or paint.width(line) > WIDEST
end

local function show_table(value, state)
  if state.seen[value] then
    return "{ … itself }"
  elseif state.depth > DEEPEST then
    return "{ … }"
  end
  state.seen[value] = true
  local parts = parts_of(value, state)
  state.seen[value] = nil
  local line = table.concat(parts, ", ")
  if not is_wide(line) then
    return #parts == 0 and "{}" or "{ " .. line .. " }"
  end
  local indent = ("  "):rep(state.depth)
  return "{\n" .. indent .. table.concat(parts, ",\n" .. indent) .. "\n"
    .. indent:sub(3) .. "}"
end

-- Any value ------------------------------------------------------------------------------

local texts = { string = quote, number = number }
local kinds = { string = "string", number = "number", boolean = "boolean", ["nil"] = "nil" }

function show(value, state)
  local kind = type(value)
  if kind == "table" then
    local metatable = getmetatable(value)
    if type(metatable) ~= "table" or not metatable.__tostring then
      return show_table(value, state)
    end
  end
  return state.paint(kinds[kind] or "object", (texts[kind] or tostring)(value))
end

-- painter: as of modfs.repl.paint; plain unless given.
return function(value, painter)
  return show(value, { depth = 1, seen = {}, paint = painter or paint.plain })
end
