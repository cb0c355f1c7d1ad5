-- The formats of read: what a value asks for, and what io says of one that it does not know.
local refusal = require "modfs.refusal"

local real_open = io.open
local REFUSED = refusal.REFUSED
local MOST = 2 ^ 53 -- beyond it a count is no exact number on every Lua

local kinds = {}
for _, format in ipairs { "n", "l", "L", "a" } do -- on every Lua, with and without the star
  kinds[format], kinds["*" .. format] = format, format
end

local function close_and_return(file, ...)
  file:close()
  return ...
end

-- What io's own method of that name does to such arguments, on a file that has no content.
local function consult(name, ...)
  local file = real_open("/dev/null", name == "write" and "w" or "r")
  if not file then
    return refusal.because "/dev/null cannot be opened"
  end
  return close_and_return(file, refusal.delegate(file[name], file, ...))
end

-- What io makes of a count that is no index: 5.1, 5.2 and LuaJIT cut a fraction off.
local function settle_count(count)
  if count ~= count then
    return 0
  elseif count < 0 or count > MOST then
    return MOST
  end
  return math.floor(count)
end

local function parse_odd(format, at)
  local answer, number, text = consult("read", format)
  if answer == REFUSED then
    return answer, number > 0 and at or number, text
  elseif type(format) == "number" then
    return settle_count(format)
  end
  kinds[format] = format:match "^%*?(.)" -- "*all", "*line" and the like: io looks no further
  return kinds[format]
end

-- The kind that File:read takes, or the refusal of the argument of number at.
local function parse(format, at)
  local kind = kinds[format]
  if kind then
    return kind
  elseif type(format) == "number" and format >= 0 and format <= MOST and format % 1 == 0 then
    return format
  end
  return parse_odd(format, at)
end

return { consult = consult, parse = parse }
