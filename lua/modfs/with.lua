-- modfs.with: <close> for the Luas that have none, and for those that have.
local core = require "modfs.core"

-- modfs.io, whose handles are tables, is not loaded for those who never use it.
local function is_closed(object)
  local type_of = (package.loaded["modfs.io"] or io).type
  return (core.type(object) or type_of(object) or ""):find("^closed") ~= nil
end

local function is_closable(object)
  local fine, close = pcall(function() return object.close end)
  return fine and close ~= nil
end

-- Closes after an error, which is not replaced by another.
local function give_up(object)
  if not is_closed(object) then
    pcall(function()
      return (object.abort or object.close)(object)
    end)
  end
end

-- What came of fn decides.
local function leave(object, fine, ...)
  if not fine then
    give_up(object)
    error((...), 0)
  end
  if not is_closed(object) then
    local done, message = object:close()
    if not done and message ~= nil then
      error(message, 0)
    end
  end
  return ...
end

local function with(object, fn)
  if not is_closable(object) then
    error(("bad argument #1 to 'with' (object expected, got %s)"):format(type(object)), 2)
  end
  if type(fn) ~= "function" and not (getmetatable(fn) or {}).__call then
    give_up(object)
    error(("bad argument #2 to 'with' (function expected, got %s)"):format(type(fn)), 2)
  end
  return leave(object, pcall(fn, object))
end

return { with = with }
