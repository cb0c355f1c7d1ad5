-- What one of two overlapping calls at a device works on: streams, events, memory of its own, made
-- when they are first asked for. The device is quiet when it is made, described or ended.
--   device_side.new(device, number) -> side; device: as modfs.runner gives it, without a journal
--   side:get(name) -> its object of that name
--   side:spare(name) -> a new one, which the call ends
--   side:describe() -> what its objects hold, in words
--   side:finish(): ends its objects
local runner = require "modfs.runner"

local device_side = {}
device_side.__index = device_side

-- The size of its memory.
device_side.size = 256

local function must(value, message)
  if not value then
    error({ failed = "setup failed: " .. tostring(message) }, 0)
  end
  return value
end

device_side.must = must

local makers, enders = {}, {}

-- A stream that has been at work: it may have got a thread by that.
function makers.stream(self)
  local stream = must(self.device:create_stream())
  must(self.device:host_callback(stream, runner.call {}))
  must(self.device:synchronize_all_activity())
  return stream
end

makers.second = makers.stream
enders.stream, enders.second = "destroy_stream", "destroy_stream"

function makers.event(self)
  local event = must(self.device:create_event())
  must(self.device:record_event(self:get "second", event))
  must(self.device:synchronize_all_activity())
  return event
end

enders.event = "destroy_event"

function makers.timer(self)
  return must(self.device:create_timer())
end

enders.timer = "destroy_timer"

local function filled(self, name)
  local host = runner.host(device_side.size)
  host:set(0, self:content(name))
  return host
end

function makers.memory(self, name)
  local memory = must(self.device:allocate(device_side.size))
  must(self.device:sync_memcpy_htod(memory, 0, filled(self, name), 0, device_side.size))
  return memory
end

makers.origin = makers.memory
enders.memory, enders.origin = "deallocate", "deallocate"

function makers.source(self, name)
  return filled(self, name)
end

makers.target = makers.source

function makers.pinned(self)
  return must(self.device:host_memory_allocate(device_side.size))
end

enders.pinned = "host_memory_deallocate"

function makers.callback()
  return runner.call {}
end

function device_side.new(device, number)
  return setmetatable({ device = device, number = number, objects = {}, order = {} }, device_side)
end

local bytes = { memory = 1, origin = 2, source = 3, target = 4 }

-- What an object holds at first: bytes that no other object has.
function device_side:content(name)
  return string.char(self.number * 16 + bytes[name]):rep(device_side.size)
end

function device_side:get(name)
  if not self.objects[name] then
    self.objects[name] = makers[name](self, name)
    table.insert(self.order, name)
  end
  return self.objects[name]
end

function device_side:spare(name)
  return makers[name](self, name)
end

function device_side:finish()
  for i = #self.order, 1, -1 do
    local slot = enders[self.order[i]]
    if slot then
      self.device[slot](self.device, self.objects[self.order[i]])
    end
  end
end

-- Describing -----------------------------------------------------------------------------------

local function word_of(content)
  for name, byte in pairs(bytes) do
    for number = 1, 2 do
      if content == string.char(number * 16 + byte):rep(#content) then
        return ("%s %d"):format(name, number)
      end
    end
  end
  local first = content:sub(1, 4)
  return content == first:rep(#content / 4) and ("%d %d %d %d"):format(first:byte(1, 4))
    or "a mixture"
end

-- The content of a memory.
function device_side.read(device, memory, n)
  local host = runner.host(n)
  must(device:sync_memcpy_dtoh(host, 0, memory, 0, n))
  return host:bytes()
end

local describers = {}

function describers.memory(self, memory)
  return word_of(device_side.read(self.device, memory, device_side.size))
end

describers.origin = describers.memory

function describers.target(_, host)
  return word_of(host:bytes())
end

function describers.event(self, event)
  return self.device:get_event_status(event)
end

function describers.stream(self, stream)
  local fine, message = self.device:get_stream_status(stream)
  return fine and "fine" or message
end

describers.second = describers.stream

function describers.callback(_, call)
  return ("has run %d times"):format(call:state().ended)
end

function device_side:describe()
  local words = {}
  for _, name in ipairs(self.order) do
    local describe = describers[name]
    if describe then
      words[#words + 1] = ("%s: %s"):format(name, describe(self, self.objects[name]))
    end
  end
  table.sort(words)
  return table.concat(words, ", ")
end

return device_side
