-- The cases of bench/device.lua, through memcpy, a bare Lua module, C threads, and modfs.
--   cases(sizes) -> array of cases for device_rounds; sizes: see bench/device.lua
local limit = require "device_limit"
local modfs = require "modfs"

local device = assert(modfs.device "REFERENCE:0")

local function bytes_name(size)
  for _, unit in ipairs { { 2 ^ 30, "GiB" }, { 2 ^ 20, "MiB" }, { 2 ^ 10, "KiB" } } do
    if size >= unit[1] then
      return ("%d %s"):format(size // unit[1], unit[2])
    end
  end
  return size .. " B"
end

local function pattern(size)
  local words = {}
  for i = 1, 256 do
    words[i] = ("%08x"):format(i * 2654435 % 2 ^ 32 // 1 | 0)
  end
  return table.concat(words):rep((size + 2047) // 2048):sub(1, size)
end

-- Both ends of a piece: what was written is what is read.
local function check_content(memory, data)
  local n = math.min(#data, 4096)
  assert(memory:read(1, n) == data:sub(1, n) and memory:read(-n) == data:sub(-n), "content")
end

-- Copies --------------------------------------------------------------------

local function write_case(key, size, n)
  local data, block, memory = pattern(size), limit.block(size), assert(device:allocate(size))
  return {
    key = "write " .. key,
    name = "write " .. bytes_name(size),
    bytes = size,
    n = n,
    who = {
      { "memcpy", function(count)
        limit.copy(block, data, count)
      end },
      { "bare", function(count)
        for _ = 1, count do
          block:write(data)
        end
      end },
      { "modfs", function(count)
        for _ = 1, count do
          memory:write(data)
        end
        return function()
          check_content(memory, data)
        end
      end },
    },
  }
end

local function read_case(key, size, n)
  local data, block, memory = pattern(size), limit.block(size), assert(device:allocate(size))
  assert(memory:write(data))
  return {
    key = "read " .. key,
    name = "read " .. bytes_name(size) .. " to a string",
    bytes = size,
    n = n,
    who = {
      { "memcpy", function(count)
        limit.copy(block, data, count)
      end },
      { "bare", function(count)
        for _ = 1, count do
          block:read(1, size)
        end
      end },
      { "modfs", function(count)
        local got
        for _ = 1, count do
          got = memory:read(1, size)
        end
        assert(#got == size)
      end },
    },
  }
end

local function stream_case(key, size, n)
  local data, block, memory = pattern(size), limit.block(size), assert(device:allocate(size))
  local buffer, stream = assert(device:host_allocate(size)), assert(device:stream())
  assert(buffer:set(1, data))
  return {
    key = "stream " .. key,
    name = "copy " .. bytes_name(size) .. " in a stream, synchronize",
    bytes = size,
    n = n,
    who = {
      { "memcpy", function(count)
        limit.copy(block, data, count)
      end },
      { "thread", function(count)
        local stop = limit.start()
        limit.hand_copy(block, data, count)
        return stop
      end },
      { "modfs", function(count)
        for _ = 1, count do
          stream:copy(memory, buffer)
          stream:synchronize()
        end
        return function()
          check_content(memory, data)
        end
      end },
    },
  }
end

-- Callbacks and events --------------------------------------------------------

-- The stream is busy meanwhile, so no enqueuing wakes anybody.
local function enqueue_case(sizes)
  local memory = assert(device:allocate(sizes.busy))
  local stream, event = assert(device:stream()), assert(device:event())
  return {
    key = "enqueue in Lua",
    name = "enqueue a callback",
    n = sizes.callbacks,
    clock = "thread",
    who = {
      { "ring", limit.ring },
      { "modfs", function(count)
        local ran = 0
        local function callback()
          ran = ran + 1
        end
        stream:fill(memory, 1):record(event)
        for _ = 1, count do
          stream:callback(callback)
        end
        return function()
          assert(sizes.short or event:status() == "pending", "the stream was idle too soon")
          assert(stream:synchronize())
          assert(ran == count, "lost callbacks")
        end
      end },
    },
  }
end

local function callback_case(sizes)
  local stream = assert(device:stream())
  return {
    key = "callback in Lua",
    name = "a callback, there and back",
    n = sizes.callbacks,
    who = {
      { "two rings", function(count)
        local stop = limit.start()
        limit.hand_all(count)
        return stop
      end },
      { "modfs", function(count)
        local ran = 0
        local function callback()
          ran = ran + 1
        end
        for _ = 1, count do
          stream:callback(callback)
        end
        assert(stream:synchronize())
        assert(ran == count, "lost callbacks")
      end },
    },
  }
end

local function event_case(sizes)
  local stream, event = assert(device:stream()), assert(device:event())
  return {
    key = "event",
    name = "an event: record, query",
    n = sizes.events,
    who = {
      { "flag", limit.event },
      { "modfs", function(count)
        local status
        for _ = 1, count do
          stream:record(event)
          status = event:status()
        end
        assert(status == "complete")
      end },
    },
  }
end

-- A thread starts, and stays, on the core where the one that starts it is pinned; the other side is
-- pinned to the same core or to the next one.
local function round_trip_case(sizes, cores)
  local stream, event = assert(device:stream()), assert(device:event())
  local memory = assert(device:allocate(1))
  limit.pin(1)
  assert(stream:fill(memory, 1):synchronize())
  limit.pin()
  return {
    key = "round trip, " .. cores,
    name = "fill, record, wait for the event, " .. cores,
    n = sizes.trips,
    clock = "wall",
    who = {
      { "condition", function(count)
        limit.pin(1)
        local stop = limit.start()
        limit.pin(cores == "one core" and 1 or 2)
        limit.hand(count)
        limit.pin()
        return stop
      end },
      { "modfs", function(count)
        limit.pin(cores == "one core" and 1 or 2)
        for _ = 1, count do
          stream:fill(memory, 1):record(event)
          event:wait()
        end
        limit.pin()
      end },
    },
  }
end

-- Files -------------------------------------------------------------------------

local function load_case(sizes)
  local size, path = sizes.load, sizes.path
  local piece, buffers = limit.block(sizes.piece), limit.block(3 * sizes.piece)
  local block = limit.block(size)
  return {
    key = "load",
    name = "a file of " .. bytes_name(size) .. " onto the device",
    bytes = size,
    n = 1,
    clock = "wall",
    who = {
      { "read", function()
        assert(limit.read_pieces(path, piece) == size)
      end },
      { "copy", function()
        limit.copy_pieces(block, piece)
      end },
      { "C", function()
        local stop = limit.start()
        assert(limit.load(path, block, buffers) == size)
        return stop
      end },
      { "modfs", function()
        local memory = assert(device:load(path))
        return function()
          assert(#memory == size and memory:read(-8) == "the end.")
          memory:close()
        end
      end },
    },
    -- Nobody can be faster than the slower of the two.
    derive = function(costs)
      costs.slower = {}
      for round, seconds in ipairs(costs.read) do
        costs.slower[round] = math.max(seconds, costs.copy[round])
      end
    end,
  }
end

-- Makers, so that only one case holds its memory at a time.
return function(sizes)
  local makers = {}
  for _, copy in ipairs { write_case, read_case, stream_case } do
    for _, key in ipairs { "small", "middle", "large" } do
      makers[#makers + 1] = function()
        return copy(key, sizes[key], sizes[key .. "_n"])
      end
    end
  end
  for _, make in ipairs { enqueue_case, callback_case, event_case } do
    makers[#makers + 1] = function()
      return make(sizes)
    end
  end
  for _, cores in ipairs { "one core", "two cores" } do
    makers[#makers + 1] = function()
      return round_trip_case(sizes, cores)
    end
  end
  makers[#makers + 1] = function()
    return load_case(sizes)
  end
  return makers
end
