-- trial.run(call, options) calls what a row of finalizer_calls makes again and again, each time
-- with a finalizer at a later point that ends one of the objects at work, until the call is over
-- before that comes. Returns what went wrong, one text for each, and how many points there were.
local chances = require "spec.support.chances"
local modfs = require "modfs"

local trial = {}

-- What the C library writes over memory that was freed (GLIBC_TUNABLES, finalizer_spec.lua).
local freed = ("\219"):rep(4)

local function describe(value, seen)
  if type(value) == "table" then
    if seen[value] then
      return "{…}"
    end
    seen[value] = true
    local parts = {}
    for key, item in pairs(value) do
      parts[#parts + 1] = ("[%s]=%s"):format(describe(key, seen), describe(item, seen))
    end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
  elseif type(value) == "userdata" then
    return modfs.type(value) or "userdata"
  elseif type(value) == "string" or type(value) == "number" then
    return tostring(value)
  end
  return type(value) == "boolean" and tostring(value) or type(value)
end

local function outcome(count, fine, ...)
  local all = { count = count, fine = fine, ... }
  local parts = { fine and "returned" or "raised" }
  for i = 1, select("#", ...) do
    parts[#parts + 1] = describe(all[i], {})
  end
  all.text = table.concat(parts, " | ")
  return all
end

local ways = {}

function ways.finalize(object)
  local metatable = debug.getmetatable(object)
  if metatable and metatable.__gc then
    metatable.__gc(object)
  end
end

function ways.close(object)
  if object.close then
    object:close()
  end
end

-- Ends nothing, but moves what the call may have in its hands.
function ways.use(object)
  for _, method in ipairs { "read", "next", "step", "flush", "fill", "stream" } do
    if object[method] then
      pcall(object[method], object)
    end
  end
end

local function clear(list)
  for key in pairs(list) do
    list[key] = nil
  end
end

-- Uses what calls share: the state's status and its buffer.
local function disturb()
  modfs.open "mem://finalizers/none/none"
  modfs.read "mem://finalizers/other"
  local file = modfs.open "mem://finalizers/other"
  if file then
    file:pread(0, 1000)
    file:close()
  end
end

local function ending(object, way)
  return function()
    if type(object) == "table" then
      clear(object)
    elseif type(object) == "userdata" then
      pcall(ways[way], object)
    end
    pcall(disturb)
  end
end

-- Whether a call may end so once one of its objects is closed, or a table empty.
local function is_fair(call, object, way, came, expected)
  if came.text == expected or type(object) == "table" or way == "use" then
    return true
  elseif came.fine then
    return call.varies or came[1] == nil and type(came[2]) == "string"
      or came.text:find "closed" ~= nil
  end
  return type(came[1]) == "string" and came[1]:find "closed" ~= nil
end

local function prepare(call)
  collectgarbage() -- ends what transactions are left
  local made = { call.make() }
  return table.remove(made, 1), made
end

-- One call with the finalizer at point n. Returns how many points there were, and what went wrong.
local function try(call, n, place, way, expected)
  local run, objects = prepare(call)
  local object = objects[place]
  local came = outcome(chances.run(n, ending(object, way), run))
  if came.text:find(freed, 1, true) then
    return came.count, "gives freed memory: " .. came.text
  elseif not is_fair(call, object, way, came, expected) then
    return came.count, ("%s, not %s"):format(came.text, expected)
  end
  return came.count
end

-- Tells on standard error where it is: the last line of a process that crashes.
local function series(call, place, way, expected, most, wrongs)
  for n = 1, most do
    local where = ("%s: %s of object %d at point %d"):format(call.name, way, place, n)
    io.stderr:write(where, "\n")
    local count, wrong = try(call, n, place, way, expected)
    if wrong then
      wrongs[#wrongs + 1] = where .. ": " .. wrong
    end
    if count < n then
      return n - 1
    end
  end
  return most
end

-- What the call gives when nothing is ended, and how many objects it has.
local function undisturbed(call)
  local run, objects = prepare(call)
  return outcome(chances.run(0, nil, run)).text, #objects
end

-- options.most is how many points are tried; options.full tries the other ways, too.
function trial.run(call, options)
  local wrongs, points = {}, 0
  local expected, objects = undisturbed(call)
  if expected:find "^raised" and not call.raises then
    return { call.name .. " " .. expected }, 0
  end
  for place = 1, math.max(1, objects) do
    for _, way in ipairs(options.full and { "finalize", "close", "use" } or { "finalize" }) do
      points = points + series(call, place, way, expected, options.most, wrongs)
    end
  end
  return wrongs, points
end

return trial
