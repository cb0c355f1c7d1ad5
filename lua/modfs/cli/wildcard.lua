-- Patterns of the shell for whole texts, as fnmatch(3) reads them: * and ? match slashes, too.
local characters = require "modfs.cli.characters"

local classes = { alpha = "%a", digit = "%d", alnum = "%w", upper = "%u", lower = "%l",
  space = "%s", punct = "%p", cntrl = "%c", xdigit = "%x", blank = " \t" }

local function literal(text)
  return (text:gsub("[^%w]", "%%%0"))
end

-- All bytes from one to another.
local function range(from, to)
  local bytes = {}
  for byte = from:byte(), to:byte() do
    bytes[#bytes + 1] = literal(string.char(byte))
  end
  return table.concat(bytes)
end

-- One element of a set: what it is for Lua, and the position behind it.
local function element(pattern, at)
  local class, stop = pattern:match("^%[:(%a+):%]()", at)
  if class then
    return classes[class] or "", stop
  end
  local from, behind = pattern:match("^\\?(.)()", at)
  local to, last = pattern:match("^%-\\?([^%]])()", behind)
  if to then
    return range(from, to), last
  end
  return literal(from), behind
end

-- The set that begins behind a bracket: what it is for Lua, and the position behind it; nil where
-- no bracket closes it.
local function set(pattern, at)
  local negated, first = pattern:match("^([!^]?)()", at)
  local parts
  parts, at = {}, first
  while at <= #pattern do
    if pattern:sub(at, at) == "]" and at > first then
      local bytes = table.concat(parts)
      return bytes ~= "" and ("[%s%s]"):format(negated ~= "" and "^" or "", bytes) or nil, at + 1
    end
    parts[#parts + 1], at = element(pattern, at)
  end
end

-- One item of a pattern: what it is for Lua, and the position behind it. any: what ? is; more: what
-- a character has behind its first byte.
local function item(pattern, at, any, more)
  local char = pattern:sub(at, at)
  if char == "*" then
    return ".*", at + 1
  elseif char == "?" then
    return any, at + 1
  elseif char == "[" then
    local bytes, stop = set(pattern, at + 1)
    if bytes then
      return bytes .. more, stop
    end
  elseif char == "\\" and at < #pattern then
    return literal(pattern:sub(at + 1, at + 1)), at + 2
  end
  return literal(char), at + 1
end

local function translate(pattern, any, more)
  local parts, at = { "^" }, 1
  while at <= #pattern do
    parts[#parts + 1], at = item(pattern, at, any, more)
  end
  return table.concat(parts) .. "$"
end

local function is_text(name)
  local at = name:find "[\128-\255]"
  while at do
    at = characters.behind(name, at)
    if not at then
      return false
    end
    at = name:find("[\128-\255]", at)
  end
  return true
end

-- compile(pattern, fold) -> matches(text) -> whether it matches; fold: small letters are as large
-- ones. Where a text is UTF-8 ? matches a character, else a byte.
local function compile(pattern, fold)
  pattern = fold and pattern:lower() or pattern
  local of_text = translate(pattern, "[\1-\127\194-\244][\128-\191]*", "[\128-\191]*")
  local of_bytes = translate(pattern, ".", "")
  return function(text)
    text = fold and text:lower() or text
    return text:find(is_text(text) and of_text or of_bytes) ~= nil
  end
end

return { compile = compile }
