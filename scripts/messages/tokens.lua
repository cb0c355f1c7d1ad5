-- Reads C and Lua far enough to know each string literal and the calls that it stands in.
local tokens = {}

local function quoted_end(source, from, quote)
  local at = from + 1
  while source:sub(at, at) ~= quote do
    at = at + (source:sub(at, at) == "\\" and 2 or 1)
    assert(at <= #source, "a string without an end")
  end
  return at
end

local function long_end(source, from)
  local level = source:match("^%[(=*)%[", from)
  return level and select(2, source:find("]" .. level .. "]", from, true))
end

-- The end of a comment or an #include that begins here, or nil.
local function c_blank(source, at)
  if source:find("^/%*", at) then
    return select(2, source:find("*/", at + 2, true))
  end
  if source:find("^//", at) or source:find("^#%s*include", at) then
    return (source:find("\n", at, true) or #source + 1) - 1
  end
end

local function lua_blank(source, at)
  if source:find("^%-%-", at) then
    return long_end(source, at + 2) or (source:find("\n", at, true) or #source + 1) - 1
  end
end

local function literal_at(source, at, is_lua)
  local quote = source:match("^[\"']", at)
  if quote then
    local last = quoted_end(source, at, quote)
    return last, (is_lua or quote == '"') and source:sub(at + 1, last - 1) or nil
  end
  local last = is_lua and long_end(source, at)
  if last then
    return last, (source:sub(at, last):gsub("^%[=*%[\n?", ""):gsub("%]=*%]$", ""))
  end
end

-- Calls visit.name, visit.literal and visit.sign for each token of the source in turn.
function tokens.read(source, is_lua, visit)
  local blank = is_lua and lua_blank or c_blank
  local word = is_lua and "^[%a_][%w_%.:]*" or "^[%a_][%w_]*"
  local at = 1
  while at <= #source do
    local last = blank(source, at)
    if not last then
      local text
      last, text = literal_at(source, at, is_lua)
      if not last then
        local name = source:match(word, at)
        last = name and at + #name - 1 or select(2, source:find("^%s+", at)) or at
        if name then
          visit.name(name)
        elseif not source:find("^%s", at) then
          visit.sign(source:sub(at, at))
        end
      elseif text then
        visit.literal(text)
      end
    end
    at = last + 1
  end
end

return tokens
