-- trial(call) runs a row of odd_calls with every odd value in every position, and returns what went
-- wrong, one text for each. with_unknown_option(call) returns what it raises.
local modfs = require "modfs"
local odd_calls = require "spec.support.odd_calls"
local odd_values = require "spec.support.odd_values"

local load = loadstring or load -- luacheck: ignore 113

local content = "0123456789"

local function device()
  return assert(modfs.device "REFERENCE:0")
end

local owners = {
  modfs = function() return modfs end,
  path = function() return modfs.path end,
  file = function() return assert(modfs.open(odd_calls.file)) end,
  writable = function() return assert(modfs.open(odd_calls.directory .. "/w", "w")) end,
  region = function() return assert(modfs.map(odd_calls.file)) end,
  buffer = function() return modfs.buffer(content) end,
  watch = function() return (assert(modfs.watch "/")) end,
  fs = function() return modfs.filesystem "mem" end,
  transaction = function() return assert(modfs.filesystem("mem"):start_transaction()) end,
  device = device,
  memory = function() return assert(device():allocate(10)) end,
  stream = function() return assert(device():stream()) end,
  event = function() return assert(device():event()) end,
  timer = function() return assert(device():timer()) end,
}
local of_devices = { device = true, memory = true, stream = true, event = true, timer = true }

-- Whether an open object still does its work.
local works = {
  file = function(o) return o:pread(0, 10) == content end,
  writable = function(o) return type(o:tell()) == "number" end,
  region = function(o) return o:sub(1) == content end,
  buffer = function(o) return #o == 10 and #o:sub(1) == 10 end,
  watch = function(o) return type(o:fd()) == "number" end,
  fs = function(o) return o:path_exists "/" == true end,
  transaction = function(o) return type(tostring(o)) == "string" end,
  device = function(o) return o:synchronize() end,
  memory = function(o) return #o == 10 and #o:read() == 10 end,
  stream = function(o) return o:synchronize() end,
  event = function(o) return type(o:status()) == "string" end,
  timer = function(o) return type(tostring(o)) == "string" end,
}

local function set_the_stage()
  collectgarbage() -- ends what transactions are left
  modfs.rmtree(odd_calls.directory)
  modfs.rmtree "mem://odd2"
  assert(modfs.mkdir(odd_calls.directory))
  assert(modfs.write(odd_calls.file, content))
end

local function good_arguments(call)
  local arguments = { n = (#call - 2) / 2 }
  for i = 1, arguments.n do
    local value = call[2 + 2 * i]
    if type(value) == "function" then
      value = value(modfs)
    end
    arguments[i] = value ~= odd_calls.NONE and value or nil
  end
  return arguments
end

-- The call as a program would write it, so that messages can tell the name.
local function written(form, count)
  local names = ("a, b, c, d, e"):sub(1, math.max(0, 3 * count - 2))
  local source = "local o, f, a, b, c, d, e = ... return { %s }"
  return assert(load(source:format(form:gsub("ARGS", names))))
end

local raising = { lines = true, dofile = true }

-- What an object that is closed, and of the right kind otherwise, has to be answered.
local function demanded(kind, odd)
  local closed = (odd[2]:match "^a closed (%a+)$" or ""):lower()
  return odd_values.expected(kind, closed) == "any" and "attempt to use a closed " .. closed
end

local function verdict(expected, name, position, returned, result, closed)
  if not returned and type(result) ~= "string" then
    return "raised a " .. type(result)
  elseif expected == "raise" then
    local place = ("bad argument #%d to '%s'"):format(math.max(position, 1), name)
    return returned and "did not raise"
      or not (result:find(closed or place, 1, true)
        or not closed and result:find("closed", 1, true))
      and "raised: " .. result
  elseif expected == "nul" then
    if raising[name] then
      return (returned or not result:find "INVALID_ARGUMENT") and "NUL was taken"
    end
    return (not returned or result[1] ~= nil or result[3] ~= "INVALID_ARGUMENT")
      and "NUL: " .. tostring(returned and result[3] or result)
  end
end

local function try(call, position, odd)
  set_the_stage()
  local owner, name = call[1], call[2]
  local is_method = works[owner] ~= nil
  local object, arguments = owners[owner](), good_arguments(call)
  local method, self = object[name], object
  local form = is_method and position > 0 and "o:%s(ARGS)" or "o.%s(ARGS)"
  if position > 0 then
    arguments[position] = odd[3]
  else
    form, self = arguments.n > 0 and "f(o, ARGS)" or "f(o)", odd[3]
  end
  local kind = position == 0 and owner or call[1 + 2 * position]
  local returned, result = pcall(written(form:format(name), arguments.n), self, method,
    arguments[1], arguments[2], arguments[3], arguments[4])
  local wrong = verdict(odd_values.expected(kind, odd[1]), name, position, returned, result,
    demanded(kind, odd))
  local is_open = is_method and not modfs.type(object):find "closed"
  if not wrong and is_open and not works[owner](object) then
    wrong = "the object is broken"
  end
  return wrong and ("%s.%s, %s at %d: %s"):format(owner, name, odd[2], position, wrong)
end

local function trial(call)
  local wrongs = {}
  local first = works[call[1]] and 0 or 1
  for position = first, (#call - 2) / 2 do
    set_the_stage()
    local on = of_devices[call[1]] and device()
    for i = 1, #odd_values.list(modfs, odd_calls.file, on) do
      set_the_stage()
      local odd = odd_values.list(modfs, odd_calls.file, on)[i]
      wrongs[#wrongs + 1] = try(call, position, odd) or nil
    end
  end
  return wrongs
end

-- What a call raises that gets an unknown option, in the place of its options or behind all.
local function with_unknown_option(call)
  set_the_stage()
  local owner, arguments = owners[call[1]](), good_arguments(call)
  local place = arguments.n + 1
  for i = 1, arguments.n do
    place = call[1 + 2 * i] == "options?" and i or place
  end
  arguments[place] = { no_such_key = true }
  local form = works[call[1]] and "o:%s(ARGS)" or "o.%s(ARGS)"
  local returned, problem = pcall(written(form:format(call[2]), place), owner, nil, arguments[1],
    arguments[2], arguments[3], arguments[4], arguments[5])
  return returned and "did not raise" or problem
end

return { trial = trial, with_unknown_option = with_unknown_option }
