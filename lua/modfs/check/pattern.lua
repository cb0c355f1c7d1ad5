-- Patterns as the contract describes them: * ? [list] [^list] never match a slash, \c is c itself.
local pattern = {}

-- Reads a byte of a list at i; a backslash quotes the next one. Returns it and what follows.
local function list_byte(text, i)
  local at = text:sub(i, i) == "\\" and i + 1 or i
  return text:byte(at), at + 1
end

-- Reads the list after "[" and returns the set of its bytes and what follows; the list must end.
local function read_list(text, i)
  local negated = text:sub(i, i) == "^"
  i = negated and i + 1 or i
  local start, set = i, {}
  while text:sub(i, i) ~= "]" or i == start do
    local low, high
    low, i = list_byte(text, i)
    high = low
    if text:sub(i, i) == "-" and text:sub(i + 1, i + 1) ~= "]" then
      high, i = list_byte(text, i + 1)
    end
    for value = low, high do
      set[value] = true
    end
  end
  if not negated then
    return set, i + 1
  end
  local rest = {}
  for value = 0, 255 do
    rest[value] = not set[value]
  end
  return rest, i + 1
end

-- The elements of a pattern without slashes: "*", or the set of bytes that match.
local function elements_of(text)
  local list, i = {}, 1
  while i <= #text do
    local sign = text:sub(i, i)
    i = i + 1
    if sign == "*" then
      list[#list + 1] = "*"
    elseif sign == "?" then
      list[#list + 1] = setmetatable({}, { __index = function() return true end })
    elseif sign == "[" then
      list[#list + 1], i = read_list(text, i)
    else
      local at = sign == "\\" and i or i - 1
      list[#list + 1], i = { [text:byte(at)] = true }, at + 1
    end
  end
  return list
end

local function matches_from(elements, k, name, i)
  local element = elements[k]
  if not element then
    return i > #name
  elseif element == "*" then
    return matches_from(elements, k + 1, name, i)
      or i <= #name and matches_from(elements, k, name, i + 1)
  end
  return i <= #name and element[name:byte(i)] == true
    and matches_from(elements, k + 1, name, i + 1)
end

-- Whether a path matches; slashes of both part them into names.
function pattern.matches(text, path)
  local names, parts = {}, {}
  for name in path:gmatch "[^/]+" do
    names[#names + 1] = name
  end
  for part in text:gmatch "[^/]+" do
    parts[#parts + 1] = part
  end
  for i, part in ipairs(parts) do
    if not names[i] or not matches_from(elements_of(part), 1, names[i], 1) then
      return false
    end
  end
  return #names == #parts
end

return pattern
