-- The cases about devices, through memcpy, a bare Lua module, C threads, and modfs: cases(context)
-- -> array of functions that make a case, finish; context.results has those that were measured in a
-- process of their own.
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
  local through = limit.block(size)
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
      { "bare, two copies", function(count)
        for _ = 1, count do
          block:read_through(1, size, through)
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
  local block = limit.block(1)
  limit.start()() -- makes the rings
  return {
    key = "enqueue in Lua",
    name = "enqueue a callback",
    n = sizes.callbacks,
    clock = "thread",
    who = {
      { "ring", limit.ring },
      { "bare", function(count)
        local ran = 0
        local function callback()
          ran = ran + 1
        end
        for _ = 1, count do
          block:callback(callback)
        end
        return function()
          local stop = limit.start()
          limit.run(count)
          stop()
          assert(ran == count, "lost callbacks")
        end
      end },
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
  local stream, block = assert(device:stream()), limit.block(1)
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
      { "bare", function(count)
        local ran = 0
        local function callback()
          ran = ran + 1
        end
        local stop = limit.start()
        for _ = 1, count do
          block:callback(callback)
        end
        limit.run(count)
        assert(ran == count, "lost callbacks")
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
  local memory, block = assert(device:allocate(1)), limit.block(1)
  limit.pin(1)
  assert(stream:fill(memory, 1):synchronize())
  limit.pin()
  return {
    key = "round trip, " .. cores,
    name = "fill, record, wait for the event, " .. cores,
    n = sizes.trips,
    clock = cores == "one core" and "cpu" or "wall",
    who = {
      { "condition", function(count)
        limit.pin(1)
        local stop = limit.start()
        limit.pin(cores == "one core" and 1 or 2)
        limit.hand(count)
        limit.pin()
        return stop
      end },
      { "bare", function(count)
        limit.pin(1)
        local stop = limit.start()
        limit.pin(cores == "one core" and 1 or 2)
        for _ = 1, count do
          block:hand(1):mark(block)
          block:wait()
        end
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
      { "one thread", function()
        assert(limit.load_shared(path, block, buffers, 1) == size)
      end },
      { "two readers", function()
        assert(limit.load_shared(path, block, buffers, 2) == size)
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
local function makers_of(sizes)
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

-- The file, and where it lies -------------------------------------------------------

local MiB = 2 ^ 20 | 0

local function ask(command)
  local pipe = assert(io.popen(command))
  local line = pipe:read("l")
  pipe:close()
  return line or ""
end

local function sizes_of(short)
  if short then
    return {
      small = 4096, small_n = 50, middle = 65536, middle_n = 5, large = MiB, large_n = 1,
      callbacks = 200, busy = MiB, events = 100, trips = 20,
      load = 8 * MiB, piece = MiB, short = true,
    }
  end
  return {
    small = 4096, small_n = 100000, middle = MiB, middle_n = 1000, large = 256 * MiB, large_n = 1,
    callbacks = 10000, busy = 512 * MiB, events = 100000, trips = 5000,
    load = 1024 * MiB, piece = MiB,
  }
end

local function make_file(path, size)
  local file = assert(io.open(path, "wb"))
  local piece = ("%08x"):format(size):rep(MiB // 8)
  for _ = 1, size // MiB - 1 do
    assert(file:write(piece))
  end
  assert(file:write(piece:sub(1, -9), "the end."))
  assert(file:close())
end

-- The file lies in memory; a smaller one has to do where there is no room for three times its size.
local function place_file(sizes)
  local folder = ask "test -w /dev/shm && echo /dev/shm || echo /tmp"
  local room = 1024 * math.min(
    tonumber(ask("df --output=avail " .. folder .. " | tail -n 1")) or 0,
    tonumber(ask "sed -n 's/^MemAvailable: *\\([0-9]*\\).*/\\1/p' /proc/meminfo") or 0)
  if sizes.load * 4 > room then
    sizes.load = math.min(sizes.load, 256 * MiB)
  end
  sizes.path = ask("mktemp " .. folder .. "/modfs-bench-device.XXXXXX")
  make_file(sizes.path, sizes.load)
end

-- A core of its own needs a process of its own.
local function core_results(context, sizes)
  local command = "lua5.4 '%s/bench/device_core.lua' '%s/modfs/plugins/?.so' %d %d %d"
  local pipe = assert(io.popen(command:format(context.here, context.build, context.rounds,
    sizes.callbacks, sizes.busy)))
  local text = pipe:read "a"
  assert(pipe:close(), "device_core.lua failed")
  return assert(load(text))()
end

return function(context)
  local sizes = sizes_of(context.short)
  context.results = core_results(context, sizes)
  place_file(sizes)
  return makers_of(sizes), function()
    os.remove(sizes.path)
  end
end
