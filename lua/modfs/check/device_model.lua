-- What may be read from a device's memory: a model of happens-before. Each operation has a clock, a
-- number for the host and for each stream; one comes before another when the other's clock has seen
-- it. A read may give any write that is not before it overwritten, and not after it.
local model = {}
model.__index = model

local host = 0

-- model.new(streams, memories): how many; memories begin with the value 0, from the host.
function model.new(streams, memories)
  local self = setmetatable({ clocks = {}, events = {}, writes = {}, calls = {} }, model)
  for i = host, streams do
    self.clocks[i] = {}
    for j = host, streams do
      self.clocks[i][j] = 0
    end
  end
  for i = 1, memories do
    self.writes[i] = {}
    self:write(host, i, 0)
  end
  return self
end

local function copied(clock)
  local copy = {}
  for i, n in pairs(clock) do
    copy[i] = n
  end
  return copy
end

local function merge(clock, other)
  for i, n in pairs(other) do
    clock[i] = math.max(clock[i], n)
  end
end

-- A new point in a stream (or the host): after all of it, and after what the host had seen.
local function point(self, where)
  local clock = self.clocks[where]
  merge(clock, self.clocks[host])
  clock[where] = clock[where] + 1
  return { where = where, number = clock[where], clock = copied(clock) }
end

local function is_before(a, b)
  return b.clock[a.where] >= a.number
end

function model:write(where, memory, value)
  local made = point(self, where)
  made.values = { [value] = true }
  table.insert(self.writes[memory], made)
end

-- Returns the read, for allowed.
function model:read(where, memory)
  local made = point(self, where)
  made.memory = memory
  return made
end

function model:copy(where, to, from)
  local made = self:read(where, from)
  made.values, made.source = {}, from
  table.insert(self.writes[to], made)
end

function model:call(where)
  local made = point(self, where)
  table.insert(self.calls, made)
  return made
end

function model:record(where, event)
  self.events[event] = copied(point(self, where).clock)
end

function model:wait(where, event)
  point(self, where)
  merge(self.clocks[where], self.events[event])
end

function model:follow(where, other)
  point(self, where)
  merge(self.clocks[where], self.clocks[other])
end

-- The host has seen a stream to its end, all of them, or an event.
function model:see_stream(where)
  merge(self.clocks[host], self.clocks[where])
end

function model:see_all()
  for where in pairs(self.clocks) do
    self:see_stream(where)
  end
end

function model:see_event(event)
  merge(self.clocks[host], self.events[event])
end

local function is_hidden(write, read, writes)
  for _, other in ipairs(writes) do
    if other ~= write and is_before(write, other) and is_before(other, read) and other ~= read then
      return true
    end
  end
  return false
end

-- The writes that a read may give.
local function candidates(self, read)
  local list, writes = {}, self.writes[read.memory]
  for _, write in ipairs(writes) do
    local later = is_before(read, write) and write ~= read
    if write ~= read and not later and not is_hidden(write, read, writes) then
      list[#list + 1] = write
    end
  end
  return list
end

-- Gives each copy the values that its source may have had, until nothing is new.
function model:settle()
  local changed
  repeat
    changed = false
    for _, writes in pairs(self.writes) do
      for _, write in ipairs(writes) do
        for value in pairs(write.source and self:allowed(write) or {}) do
          changed = changed or not write.values[value]
          write.values[value] = true
        end
      end
    end
  until not changed
end

-- The values that a read may give, after settle: a set.
function model:allowed(read)
  local values = {}
  for _, write in ipairs(candidates(self, read)) do
    for value in pairs(write.values) do
      values[value] = true
    end
  end
  return values
end

model.is_before = is_before

return model
