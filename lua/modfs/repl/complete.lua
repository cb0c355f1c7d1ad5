-- What may follow at the prompt: names, methods, options of functions and, in a string, what the
-- function takes that it is for.
local catalog = require "modfs.repl.catalog"
local manual = require "modfs.repl.manual"
local offers = require "modfs.repl.offers"

local function add(found, prefix, partial, name, suffix)
  if type(name) == "string" and name:sub(1, #partial) == partial then
    found[#found + 1] = prefix .. name .. (suffix or "")
  end
end

-- Where the line stands --------------------------------------------------------------------

local closes = { [")"] = "(", ["}"] = "{", ["]"] = "[" }
local opens = { ["("] = true, ["{"] = true, ["["] = true }

-- One character outside of strings, for the stack of open brackets.
local function see_bracket(stack, at, char)
  if opens[char] then
    stack[#stack + 1] = { char = char, at = at }
  elseif closes[char] and stack[#stack] and stack[#stack].char == closes[char] then
    stack[#stack] = nil
  end
end

-- Where the string begins that a line ends in, nil when it ends in none, and the brackets that are
-- open there.
local function scan(line)
  local stack, start, mark = {}, nil, nil
  local at = 1
  while at <= #line do
    local char = line:sub(at, at)
    if mark and char == "\\" then
      at = at + 1
    elseif mark == char then
      mark, start = nil, nil
    elseif not mark and (char == '"' or char == "'") then
      mark, start = char, at + 1
    elseif not mark then
      see_bracket(stack, at, char)
    end
    at = at + 1
  end
  return start, stack
end

-- Names -------------------------------------------------------------------------------------

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

-- The names that objects of modfs have: their methods, and the fields of their class.
local function names_of_object(value)
  local names, seen = {}, {}
  local class = catalog.class_of(value)
  local kind = class and require("modfs").type(value)
  for _, list in ipairs { kind and manual.methods(kind) or {}, catalog.fields(class) } do
    for _, name in ipairs(list) do
      if not seen[name] and get(value, name) ~= nil then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  return names
end

-- Names of the fields of a value, its own and what its metatable offers.
local function names_of(value)
  if type(value) == "userdata" then
    return names_of_object(value)
  end
  local names, seen = {}, {}
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

-- Options -------------------------------------------------------------------------------------

-- The function that is called before a bracket: its chain of names as it was typed.
local function called_before(line, bracket)
  return line:sub(1, bracket.at - 1):match "([%a_][%w_.:]*)%s*$"
end

-- What a chain calls, as the types name it: modfs.open, or modfs.Memory:copy for m:copy.
local function called_name(environment, chain)
  local object, method = chain:match "^(.*):([%w_]+)$"
  if object then
    local class = catalog.class_of(value_of(environment, object))
    return class and class .. ":" .. method
  end
  return catalog.name_of(value_of(environment, chain))
end

-- The options that may follow in a table among the arguments of a function; nil elsewhere.
local function options(environment, line, stack, word)
  local table_at, call_at = stack[#stack], stack[#stack - 1]
  if not table_at or table_at.char ~= "{" then
    return nil
  end
  local begun = line:sub(table_at.at + 1):match "[{,;]?%s*([%a_]?[%w_]*)$"
  local before = line:sub(1, #line - #begun):match "([{,;])%s*$"
  local chain = call_at and call_at.char == "(" and called_before(line, call_at)
  local name = before and chain and called_name(environment, chain)
  local found = {}
  for _, option in ipairs(name and catalog.options(name) or {}) do
    add(found, word:sub(1, #word - #begun), begun, option, " = ")
  end
  table.sort(found)
  return #found > 0 and found or nil
end

-- Strings ---------------------------------------------------------------------------------------

-- What is offered for the string that is the first argument of a function, by the end of its name.
local for_argument = { device = offers.devices, require = offers.modules }

local function in_string(line, string_start)
  local text = line:sub(string_start)
  local name = line:sub(1, string_start - 2):match "([%w_]+)%s*%(?%s*$"
  return (for_argument[name] or offers.paths)(text)
end

-- line from start to stop is the word to complete; returns what it may become.
return function(environment, line, start, stop)
  line = line:sub(1, stop)
  local string_start, stack = scan(line)
  if not string_start then
    local word = line:sub(start)
    return options(environment, line, stack, word) or fields(environment, word)
  end
  local found = in_string(line, string_start)
  for i, text in ipairs(found) do -- the word may begin in the midst of the string
    found[i] = start > string_start and text:sub(start - string_start + 1)
      or line:sub(start, string_start - 1) .. text
  end
  return found
end
