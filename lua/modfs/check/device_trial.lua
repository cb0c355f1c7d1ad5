-- What a case about devices holds: the first device of the plugin's platform, by its bare slots,
-- and the assertions of modfs.check.trial.
local journal_of = require "modfs.check.journal"
local runner = require "modfs.runner"
local trial = require "modfs.check.trial"

local device_trial = setmetatable({}, { __index = trial })
device_trial.__index = device_trial

-- How long a callback may take to come, in seconds.
device_trial.patience = 5

-- device_trial.new(file, tell) -> trial, or nil and a message
function device_trial.new(file, tell)
  local platform, message = runner.platform(file)
  if not platform then
    return nil, message
  end
  local self = setmetatable({ journal = journal_of(tell), assertions = 0, ends = {},
    hosts = {}, file = file }, device_trial)
  self.facts, self.slots = platform:facts(), platform:slots()
  self.raw = platform
  self.platform = self.journal:wrap(platform, "platform")
  return self
end

-- What a device may still write to: a trial that did not end well stays as it is.
device_trial.unfinished = {}

function device_trial:open()
  device_trial.unfinished[self] = true
  local count, message = self.raw:get_device_count()
  if not count then
    error({ failed = "setup failed: " .. message }, 0)
  elseif count == 0 then
    self:refuse("the platform has no device")
  end
  self.device = self:open_device(0)
end

function device_trial:open_device(ordinal)
  self.journal:note("platform", "create_device", ordinal)
  local device = self:must(self.raw:create_device(ordinal))
  self:finally(function() self.raw:destroy_device(device) end)
  return self.journal:wrap(device, "device")
end

-- What is to be done at the end of the case, the last first.
function device_trial:finally(action)
  table.insert(self.ends, action)
end

function device_trial:close()
  if self.device then
    self.device.__raw:synchronize_all_activity()
  end
  while #self.ends > 0 do
    table.remove(self.ends)()
  end
  self.raw:close()
  device_trial.unfinished[self] = nil
end

function device_trial:has(slot)
  return self.slots[slot] == "plugin"
end

function device_trial:needs(slot)
  if not self:has(slot) then
    self.journal.tell("unimplemented", slot)
    self:refuse(slot .. ": the slot is empty")
  end
end

function device_trial:need_shim()
  if not runner.has_shim() then
    self:refuse("the shim is not loaded: " .. (self.without_shim or "it was not preloaded"))
  end
end

-- Parts ----------------------------------------------------------------------------------

-- Something that ends with the case, unless it has ended before.
local function made(self, make, destroy, ...)
  local device = self.device
  local object = self:must(device[make](device, ...))
  self:finally(function()
    if not self.ended or not self.ended[object] then
      device.__raw[destroy](device.__raw, object)
    end
  end)
  return object
end

function device_trial:stream()
  return made(self, "create_stream", "destroy_stream")
end

function device_trial:event()
  return made(self, "create_event", "destroy_event")
end

function device_trial:timer()
  self:needs "create_timer"
  return made(self, "create_timer", "destroy_timer")
end

function device_trial:memory(n)
  return made(self, "allocate", "deallocate", n)
end

function device_trial:pinned(n)
  return made(self, "host_memory_allocate", "host_memory_deallocate", n)
end

-- Ends an object before the case does.
function device_trial:destroy(slot, object)
  self.ended = self.ended or {}
  self.ended[object] = true
  return self.device[slot](self.device, object)
end

local function host_of(content)
  local host = runner.host(type(content) == "string" and #content or content)
  if type(content) == "string" then
    host:set(0, content)
  end
  return host
end

-- Host memory of the process, with that content or of that size; it is there until the case ends.
function device_trial:host(content)
  local host = host_of(content)
  table.insert(self.hosts, host)
  return host
end

-- Bytes that are no others' : n of them, different for each salt.
function device_trial:bytes(n, salt) -- luacheck: ignore 212
  local state, parts = (salt or 1) * 7919 % 2147483647 + 1, {}
  for i = 1, math.min(n, 251) do
    state = state * 16807 % 2147483647
    parts[i] = string.char(state % 256)
  end
  local piece = table.concat(parts)
  return n > 0 and piece:rep(math.ceil(n / #piece)):sub(1, n) or ""
end

-- At once, by the slots that take no stream.
function device_trial:put(memory, offset, content)
  self:must(self.device:sync_memcpy_htod(memory, offset, host_of(content), 0, #content))
end

function device_trial:get(memory, offset, n)
  local host = host_of(n)
  self:must(self.device:sync_memcpy_dtoh(host, 0, memory, offset, n))
  return host:bytes()
end

-- Waits for a stream, as hosts do.
function device_trial:finish(stream)
  local device = self.device
  if self:has "block_host_until_done" then
    return self:must(device:block_host_until_done(stream))
  end
  local event = self:event()
  self:must(device:record_event(stream, event))
  self:must(device:block_host_for_event(event))
end

-- The same bytes with some of them replaced.
function device_trial:replaced(content, offset, part) -- luacheck: ignore 212
  return content:sub(1, offset) .. part .. content:sub(offset + #part + 1)
end

-- Callbacks --------------------------------------------------------------------------------

local codes = { CANCELLED = 1, UNKNOWN = 2, INVALID_ARGUMENT = 3, DEADLINE_EXCEEDED = 4,
  NOT_FOUND = 5, ALREADY_EXISTS = 6, PERMISSION_DENIED = 7, RESOURCE_EXHAUSTED = 8,
  FAILED_PRECONDITION = 9, ABORTED = 10, OUT_OF_RANGE = 11, INTERNAL = 13,
  UNAVAILABLE = 14, DATA_LOSS = 15, UNAUTHENTICATED = 16 }

-- What a callback says when it fails.
device_trial.words = "the runner's callback fails"

-- Enqueues a callback and returns it; options: code, seconds, gate.
function device_trial:callback(stream, options)
  options = options or {}
  local call = runner.call { code = codes[options.code] or 0, seconds = options.seconds,
    gate = options.gate }
  self:must(self.device:host_callback(stream, call))
  return call
end

-- Keeps a stream from going on until gate:open(), or for some seconds at most. Returns the gate,
-- and whether it holds: a device that works at once cannot be held, its gate is open already.
function device_trial:hold(stream)
  local gate = self:hold_behind(stream)
  gate:meet(self.patience)
  return gate, gate:closed()
end

-- The same, behind what the stream has to do yet: its callback comes later.
function device_trial:hold_behind(stream)
  local gate = runner.gate()
  self:finally(function() gate:open() end)
  self:callback(stream, { gate = gate })
  return gate
end

-- Asserts what is true as long as a gate is closed: what was seen counts if it is closed still.
function device_trial:meanwhile(gate, seen, what)
  self:yes(seen == true or not gate:closed(), what)
end

-- The same of all of a list, after the device has had time to do what it must not do yet:
-- seen(item) and what(item).
function device_trial:meanwhile_all(gate, list, seen, what)
  runner.rest(0.05)
  for i, item in ipairs(list) do
    self:meanwhile(gate, seen(item, i), what(item, i))
  end
end

-- Threads that wait -----------------------------------------------------------------------

-- A thread that calls a slot which waits: block_host_for_event, block_host_until_done or
-- synchronize_all_activity.
function device_trial:wait_aside(slot, object)
  return self:must(self.device:wait_aside(slot, object))
end

-- Waits until a thread is back, and asserts that its slot succeeded.
function device_trial:back(waiter, what)
  self:yes(waiter:returned(self.patience), what .. " returns")
  self:ok(waiter:answer())
end

function device_trial:now() -- luacheck: ignore 212
  return runner.clock()
end

return device_trial
