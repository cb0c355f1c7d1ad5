-- How the drop-ins raise. A function that refusal.entry makes is a C function around a body in Lua;
-- where the body returns REFUSED, an argument's number and a text, it raises as a C function of
-- this Lua does, with the position of the call. So no position is in a file of modfs, and the words
-- are those of the Lua that runs: most texts come from Lua's own function, which is asked in pcall.
require "modfs.core" -- which brings modfs.entry
local entry = require "modfs.entry"

local REFUSED = entry.refusal

local refusal = { REFUSED = REFUSED, entry = entry.new }

-- An error that is of no argument.
function refusal.because(text)
  return REFUSED, 0, text
end

function refusal.of_argument(number, text)
  return REFUSED, number, text
end

-- The results of pcall: what a C function raises has neither position nor name when pcall calls it.
local function relay(done, ...)
  if done then
    return ...
  end
  local message = ...
  if type(message) ~= "string" or message:find "^not enough memory$"
    or message:find "^memory allocation error" then
    return REFUSED, -1, message
  end
  local number, text = message:match "^bad argument #(%d+) to '[^']*' %((.*)%)$"
  if number then
    return REFUSED, tonumber(number), text
  end
  return REFUSED, 0, message
end

-- Calls a C function, and returns what it returns, or the refusal that it raises.
function refusal.delegate(fn, ...)
  return relay(pcall(fn, ...))
end

-- nil where the argument of this number is a string or a number, else the refusal.
function refusal.no_string(number, ...)
  local value = select(number, ...)
  if type(value) == "string" or type(value) == "number" then
    return nil
  end
  local _, _, text = relay(pcall(os.getenv, select(number, ...)))
  return REFUSED, number, text
end

-- The same for the first arguments: so many that are required, then so many that may be nil.
function refusal.no_strings(required, optional, ...)
  for i = 1, required + optional do
    if i <= required or (select(i, ...)) ~= nil then
      local answer, number, text = refusal.no_string(i, ...)
      if answer then
        return answer, number, text
      end
    end
  end
end

return refusal
