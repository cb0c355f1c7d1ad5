-- What may follow at the prompt: names, methods and, in a string, paths of any filesystem.
local modfs = require "modfs"
local manual = require "modfs.repl.manual"

local function add(found, prefix, partial, name, suffix)
  if type(name) == "string" and name:sub(1, #partial) == partial then
    found[#found + 1] = prefix .. name .. (suffix or "")
  end
end

-- Paths -----------------------------------------------------------------------

local function schemes(found, partial)
  for _, scheme in ipairs(modfs.schemes()) do
    if scheme ~= "" then
      add(found, "", partial, scheme .. "://")
    end
  end
end

local function list(found, folder, partial)
  for _, name in ipairs(modfs.listdir(folder == "" and "." or folder) or {}) do
    local is_folder = name:sub(1, #partial) == partial and modfs.isdir(folder .. name)
    add(found, folder, partial, name, is_folder and "/" or "")
  end
end

-- The text of a path so far -> whole paths; a directory ends with a slash, for more to follow.
local function paths(text)
  local found = {}
  local folder, partial = text:match "^(.*/)([^/]*)$"
  folder, partial = folder or "", partial or text
  if folder == "" then
    schemes(found, partial)
  end
  list(found, folder, partial)
  if #found == 1 and found[1]:find "/$" then -- alone, readline would close the string behind it
    list(found, found[1], "")
  end
  return found
end

-- Where the string begins that a line ends in; nil when it ends in none.
local function open_string(line)
  local at, start, mark = 1, nil, nil
  while at <= #line do
    local char = line:sub(at, at)
    if mark and char == "\\" then
      at = at + 1
    elseif mark == char then
      mark, start = nil, nil
    elseif not mark and (char == '"' or char == "'") then
      mark, start = char, at + 1
    end
    at = at + 1
  end
  return start
end

-- Names -----------------------------------------------------------------------

local function get(value, name)
  local fine, field = pcall(function() return value[name] end)
  return fine and field or nil
end

-- The value of a chain of names, such as modfs.path; nil where it has none.
local function value_of(environment, chain)
  local value = environment
  for name in chain:gmatch "[%w_]+" do
    value = get(value, name)
    if value == nil then
      return nil
    end
  end
  return value
end

local function index_of(value)
  local metatable = getmetatable(value)
  return type(metatable) == "table" and metatable.__index or nil
end

-- Names of the fields of a value, its own and what its metatable offers.
local function names_of(value)
  local names, seen = {}, {}
  local kind = type(value) == "userdata" and modfs.type(value)
  for _, name in ipairs(kind and manual.methods(kind) or {}) do
    names[#names + 1] = get(value, name) ~= nil and name or nil
  end
  while (type(value) == "table" or type(value) == "string") and not seen[value] do
    seen[value] = true
    if type(value) == "table" then
      for name in pairs(value) do
        names[#names + 1] = type(name) == "string" and name or nil
      end
    end
    value = index_of(value)
  end
  return names
end

local function fields(environment, word)
  local found, seen = {}, {}
  local before, chain, separator, partial = word:match "^(.-)([%a_][%w_.:]*)([.:])([%w_]*)$"
  if not chain then
    before, partial = word:match "^(.-)([%a_]?[%w_]*)$"
    chain, separator = "", ""
    if before:find "[.:]$" then -- a field of who knows what
      return {}
    end
  end
  local value = environment
  if chain ~= "" then
    value = value_of(environment, chain)
  end
  for _, name in ipairs(value ~= nil and names_of(value) or {}) do
    local wanted = separator ~= ":" or type(get(value, name)) == "function"
    if wanted and not seen[name] then
      add(found, before .. chain .. separator, partial, name)
      seen[name] = true
    end
  end
  table.sort(found)
  return found
end

-- line from start to stop is the word to complete; returns what it may become.
return function(environment, line, start, stop)
  local string_start = open_string(line:sub(1, stop))
  if not string_start then
    return fields(environment, line:sub(start, stop))
  end
  local found = paths(line:sub(string_start, stop))
  for i, path in ipairs(found) do -- the word may begin in the midst of the path
    found[i] = start > string_start and path:sub(start - string_start + 1)
      or line:sub(start, string_start - 1) .. path
  end
  return found
end
