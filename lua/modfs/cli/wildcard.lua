-- Patterns of the shell for whole texts, as fnmatch(3) reads them: * and ? match slashes, too.
local characters = require "modfs.cli.characters"

local classes = { alpha = "%a", digit = "%d", alnum = "%w", upper = "%u", lower = "%l",
  space = "%s", punct = "%p", cntrl = "%c", xdigit = "%x", blank = " \t" }

local function literal(text)
  return (text:gsub("[^%w]", "%%%0"))
end

-- A character of a set; folded: a letter is a small and a large one.
local function member(char, fold)
  return fold and char:find "%a" and char:lower() .. char:upper() or literal(char)
end

-- All bytes from one to another.
local function range(from, to, fold)
  local bytes = {}
  for byte = from:byte(), to:byte() do
    bytes[#bytes + 1] = member(string.char(byte), fold)
  end
  return table.concat(bytes)
end

-- One element of a set: what it is for Lua, and the position behind it.
local function element(pattern, at, fold)
  local class, stop = pattern:match("^%[:(%a+):%]()", at)
  if class then
    return classes[class] or "", stop
  end
  local from, behind = pattern:match("^\\?(.)()", at)
  local to, last = pattern:match("^%-\\?([^%]])()", behind)
  if to then
    return range(from, to, fold), last
  end
  return member(from, fold), behind
end

-- The set that begins behind a bracket: what it is for Lua, and the position behind it; nil where
-- no bracket closes it.
local function set(pattern, at, fold)
  local negated, first = pattern:match("^([!^]?)()", at)
  local parts
  parts, at = {}, first
  while at <= #pattern do
    if pattern:sub(at, at) == "]" and at > first then
      local bytes = table.concat(parts)
      return bytes ~= "" and ("[%s%s]"):format(negated ~= "" and "^" or "", bytes) or nil, at + 1
    end
    parts[#parts + 1], at = element(pattern, at, fold)
  end
end

-- One character of a pattern that stands for itself.
local function plain(char, fold)
  return fold and char:find "%a" and "[" .. member(char, fold) .. "]" or literal(char)
end

-- One item of a pattern: what it is for Lua, and the position behind it. kind: any, what ? is;
-- more, what a character has behind its first byte; fold.
local function item(pattern, at, kind)
  local char = pattern:sub(at, at)
  if char == "*" then
    return ".*", at + 1
  elseif char == "?" then
    return kind.any, at + 1
  elseif char == "[" then
    local bytes, stop = set(pattern, at + 1, kind.fold)
    if bytes then
      return bytes .. kind.more, stop
    end
  elseif char == "\\" and at < #pattern then
    return plain(pattern:sub(at + 1, at + 1), kind.fold), at + 2
  end
  return plain(char, kind.fold), at + 1
end

local function translate(pattern, kind)
  local parts, at = { "^" }, 1
  while at <= #pattern do
    parts[#parts + 1], at = item(pattern, at, kind)
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

-- compile(pattern, fold) -> matches(text) -> whether it matches. fold: a small letter matches a
-- large one, but a class such as [[:upper:]] is what it says. As in find(1), ? matches a byte, or,
-- where a text is UTF-8, a character.
local function compile(pattern, fold)
  local of_text = translate(pattern, { fold = fold, any = "[\1-\127\194-\244][\128-\191]*",
    more = "[\128-\191]*" })
  local of_bytes = translate(pattern, { fold = fold, any = ".", more = "" })
  if of_text == of_bytes then
    return function(text)
      return text:find(of_bytes) ~= nil
    end
  end
  return function(text)
    return text:find(of_bytes) ~= nil or is_text(text) and text:find(of_text) ~= nil
  end
end

return { compile = compile }
