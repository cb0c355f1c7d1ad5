-- Records calls and their results, and which operations the plugin implements.
local slots = require "modfs.check.slots"
local steps = require "modfs.check.steps"
local values = require "modfs.check.values"

local journal = {}
journal.__index = journal

-- The handles whose methods are watched, by the operation that made them.
local handles = { new_random_access_file = "file", new_writable_file = "writable",
  new_appendable_file = "writable", new_read_only_memory_region_from_file = "region",
  start_transaction = "transaction" }

local function unwrapped(...)
  local list = { n = select("#", ...), ... }
  for i = 1, list.n do
    if type(list[i]) == "table" and rawget(list[i], "__raw") then
      list[i] = list[i].__raw
    end
  end
  return list
end

-- Records a call before it is made, as it may not return; returns the number of this step. handle:
-- the object that is called, if a step has made it.
function journal:note_on(handle, label, method, ...)
  self.call = ("%s:%s(%s)"):format(label, method, values.list(...))
  self.answer = "nothing: the call did not return"
  self.steps = self.steps + 1
  if self.steps <= steps.most then
    local made = handle and rawget(handle, "__step")
    self.tell("step", steps.encode(made and "@" .. made or label, method, ...))
  end
  self.tell("call", self.call)
  return self.steps
end

function journal:note(label, method, ...)
  return self:note_on(nil, label, method, ...)
end

-- Records the results of a call.
function journal:answered(...)
  self.answer = values.list(...)
end

-- Notes that the plugin itself answered an operation.
function journal:serve(operation)
  if not self.served[operation] then
    self.served[operation] = true
    self.tell("served", operation)
  end
end

-- Notes the code of a result, once for each operation: what of the contract a case has met.
function journal:meet(operation, code)
  local key = operation .. " " .. code
  if not self.met[key] then
    self.met[key] = true
    self.tell("met", key)
  end
end

local function settle(self, wrapped, label, method, step, ...)
  self:answered(...)
  local value, _, code = ...
  local operation = slots[method] or method
  if value then
    self:meet(operation, "OK")
  elseif type(code) == "string" then
    self:meet(operation, code)
  end
  if value == nil and code == "UNIMPLEMENTED" then
    self.tell("unimplemented", operation)
    error({ refused = operation .. " is UNIMPLEMENTED" }, 0)
  elseif value ~= nil then
    self:serve(operation)
  end
  if handles[method] and value ~= nil and label == "fs" then
    return self:wrap(value, handles[method], step)
  end
  if value ~= nil and value == wrapped.__raw then
    return wrapped
  end
  return ...
end

-- A proxy whose methods call object's and record the call; step: the one that made the object.
function journal:wrap(object, label, step)
  local wrapped = { __raw = object, __step = step }
  function wrapped.length()
    return #object
  end
  return setmetatable(wrapped, { __index = function(_, method)
    return function(_, ...)
      local now = self:note_on(wrapped, label, method, ...)
      local arguments = unwrapped(...)
      return settle(self, wrapped, label, method, now,
        object[method](object, (table.unpack or unpack)(arguments, 1, arguments.n)))
    end
  end })
end

return function(tell)
  return setmetatable({ tell = tell, served = {}, met = {}, steps = 0 }, journal)
end
