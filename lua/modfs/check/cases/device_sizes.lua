-- No bytes, one, odd numbers of them, many; every alignment; more than there is; many objects.
local room, last = 4224, 4096

-- More than any machine has, as far as numbers of this Lua go.
local huge = math.maxinteger and 2 ^ 62 or 2 ^ 53

-- How much can be had at once for a trial.
local function plenty(t)
  local usage = t.device.__raw:device_memory_usage()
  return math.floor(math.min(usage and usage.free / 4 or 2 ^ 22, 2 ^ 24)), usage
end

-- Copies size bytes at every size, at alignments that change; what lies around stays.
local function every_size(case, name, operation, copy)
  case("every_size." .. name, operation, function(t)
    t:needs(operation)
    local piece, host, stream = t:memory(room), t:host(t:bytes(room, 3)), t:stream()
    local content = t:bytes(room, 5)
    local whole = t:host(content)
    for size = 0, last do
      local offset, from = size * 7 % 64, size * 11 % 64
      t:must(t.device:sync_memcpy_htod(piece, 0, whole, 0, room))
      local part, at = copy(t, stream, piece, offset, host, from, size)
      t:finish(stream)
      local expected = t:replaced(content, at or offset, part)
      t:yes(t:get(piece, 0, room) == expected, ("%d bytes at %d"):format(size, offset))
    end
  end)
end

-- The same towards the host.
local function every_size_back(case, name, operation, copy)
  case("every_size." .. name, operation, function(t)
    local piece, stream = t:memory(room), t:stream()
    local content = t:bytes(room, 5)
    t:put(piece, 0, content)
    local host, around = t:host(room), ("."):rep(room)
    for size = 0, last do
      local offset, to = size * 7 % 64, size * 11 % 64
      host:set(0, around)
      t:must(copy(t.device, stream, host, to, piece, offset, size))
      t:finish(stream)
      local expected = t:replaced(around, to, content:sub(offset + 1, offset + size))
      t:yes(host:bytes() == expected, ("%d bytes from %d"):format(size, offset))
    end
  end)
end

-- Memory of the device with what a host memory holds, made once for each case.
local function source_of(t, host)
  if not t.source then
    t.source = t:memory(room)
    t:put(t.source, 0, host:bytes())
  end
  return t.source
end

local function sizes(case)
  every_size(case, "htod", "memcpy_htod", function(t, stream, piece, offset, host, from, size)
    t:must(t.device:memcpy_htod(stream, piece, offset, host, from, size))
    return host:bytes(from, size)
  end)
  every_size(case, "sync_htod", "sync_memcpy_htod", function(t, _, piece, offset, host, from, size)
    t:must(t.device:sync_memcpy_htod(piece, offset, host, from, size))
    return host:bytes(from, size)
  end)
  every_size(case, "memset", "memset", function(t, stream, piece, offset, _, _, size)
    t:must(t.device:memset(stream, piece, offset, size % 256, size))
    return string.char(size % 256):rep(size)
  end)
  every_size(case, "mem_zero", "mem_zero", function(t, stream, piece, offset, _, _, size)
    t:must(t.device:mem_zero(stream, piece, offset, size))
    return ("\0"):rep(size)
  end)
  every_size(case, "memset32", "memset32", function(t, stream, piece, offset, _, _, size)
    size = size - size % 4
    t:must(t.device:memset32(stream, piece, offset - offset % 4, 0x4f4f4f4f, size))
    return ("\79"):rep(size), offset - offset % 4
  end)
  every_size(case, "dtod", "memcpy_dtod", function(t, stream, piece, offset, host, from, size)
    t:must(t.device:memcpy_dtod(stream, piece, offset, source_of(t, host), from, size))
    return host:bytes(from, size)
  end)
  every_size(case, "sync_dtod", "sync_memcpy_dtod", function(t, _, piece, offset, host, from, size)
    t:must(t.device:sync_memcpy_dtod(piece, offset, source_of(t, host), from, size))
    return host:bytes(from, size)
  end)
  every_size_back(case, "dtoh", "memcpy_dtoh", function(device, stream, ...)
    return device:memcpy_dtoh(stream, ...)
  end)
  every_size_back(case, "sync_dtoh", "sync_memcpy_dtoh", function(device, _, ...)
    return device:sync_memcpy_dtoh(...)
  end)
end

local function alignments(case)
  local few = { 1, 3, 8, 17, 64, 255 }

  local function every(t, copy)
    local from, to = t:memory(512), t:memory(512)
    local source, target = t:bytes(512, 2), t:bytes(512, 3)
    t:put(from, 0, source)
    t:put(to, 0, target)
    for i = 0, 63 do
      for j = 0, 63 do
        local size = few[(i * 5 + j) % #few + 1]
        t:must(copy(to, i, from, j, size))
        target = t:replaced(target, i, source:sub(j + 1, j + size))
        t:yes(t:get(to, 0, 512) == target, ("%d bytes from %d to %d"):format(size, j, i))
      end
    end
  end

  case("every_alignment.dtod", "memcpy_dtod", function(t)
    t:needs "memcpy_dtod"
    local stream = t:stream()
    every(t, function(...)
      t:must(t.device:memcpy_dtod(stream, ...))
      t:finish(stream)
      return true
    end)
  end)

  case("every_alignment.sync_dtod", "sync_memcpy_dtod", function(t)
    t:needs "sync_memcpy_dtod"
    every(t, function(...)
      return t.device:sync_memcpy_dtod(...)
    end)
  end)
end

local function extremes(case)
  case("nothing", "memcpy_htod", function(t)
    local piece, host, stream = t:memory(64), t:host(t:bytes(64, 2)), t:stream()
    t:put(piece, 0, t:bytes(64))
    t:yes(t.device:memcpy_htod(stream, piece, 0, host, 0, 0))
    t:yes(t.device:memcpy_dtoh(stream, host, 0, piece, 0, 0))
    t:yes(t.device:sync_memcpy_htod(piece, 0, host, 0, 0))
    t:yes(t.device:sync_memcpy_dtoh(host, 0, piece, 0, 0))
    t:finish(stream)
    t:equal(t:bytes(64), t:get(piece, 0, 64))
    t:equal(t:bytes(64, 2), host:bytes())
    t:yes(t.device:get_stream_status(stream))
  end)

  case("around_powers_of_two", "sync_memcpy_htod", function(t)
    local most = plenty(t)
    for power = 12, 24 do
      for difference = -1, 1 do
        local size = 2 ^ power + difference
        local piece = size <= most and t:ok(t.device:allocate(size))
        if piece then
          t:put(piece, 0, t:bytes(size, power))
          t:yes(t:get(piece, 0, size) == t:bytes(size, power), ("%d bytes"):format(size))
          t:must(t.device:deallocate(piece))
        end
      end
    end
  end)

  case("a_large_piece_in_a_stream", "memcpy_dtoh", function(t)
    local size = plenty(t)
    local piece, stream = t:memory(size), t:stream()
    local from, to = t:host(t:bytes(size)), t:host(size)
    t:yes(t.device:memcpy_htod(stream, piece, 0, from, 0, size))
    t:yes(t.device:memcpy_dtoh(stream, to, 0, piece, 0, size))
    t:finish(stream)
    t:yes(to:bytes() == t:bytes(size), "all bytes")
  end)

  case("more_memory_than_there_is", "allocate", function(t)
    local _, usage = plenty(t)
    for _, size in ipairs { usage and usage.total + 1 or huge, huge / 2, huge } do
      t:fails("RESOURCE_EXHAUSTED", t.device:allocate(size))
    end
    local piece = t:memory(64)
    t:put(piece, 0, t:bytes(64))
    t:equal(t:bytes(64), t:get(piece, 0, 64))
  end)

  case("more_host_memory_than_there_is", "host_memory_allocate", function(t)
    t:fails("RESOURCE_EXHAUSTED", t.device:host_memory_allocate(huge / 2))
    t:fails("RESOURCE_EXHAUSTED", t.device:host_memory_allocate(huge))
    local host = t:pinned(64)
    host:set(0, t:bytes(64))
    t:equal(t:bytes(64), host:bytes())
  end)

  case("until_the_memory_is_full", "allocate", function(t)
    local _, usage = plenty(t)
    if not usage then
      t:refuse "nobody knows how much there is"
    end
    local size, list = math.floor(usage.free / 8), {}
    repeat
      local piece = t.device:allocate(size)
      list[#list + 1] = piece
    until not piece or #list > 8
    t:yes(#list >= 1 and #list <= 8, ("%d pieces of an eighth"):format(#list))
    for _, piece in ipairs(list) do
      t:yes(t.device:deallocate(piece))
    end
    t:yes(t.device:deallocate(t:ok(t.device:allocate(size))))
  end)
end

-- Makes a thousand of a kind, or as many as the device has: no contract says how many that is. When
-- they have ended it has them again; half of them will do, where others take some.
local function many(t, kind, make, destroy, use)
  local most = 1000
  for round = 1, 2 do
    local list = {}
    while #list < most do
      local made = make(#list + 1)
      if not made then
        break
      end
      list[#list + 1] = made
    end
    t:yes(#list >= (round == 1 and 1 or most / 2), ("%d %s, of %d"):format(#list, kind, most))
    use(list)
    for _, made in ipairs(list) do
      t:yes(t.device[destroy](t.device, made))
    end
    most = #list
  end
end

local function numbers(case)
  case("many_pieces", "deallocate", function(t)
    many(t, "pieces", function(i) return t.device:allocate(i) end, "deallocate", function(list)
      for i, piece in ipairs(list) do
        t:put(piece, 0, t:bytes(i, i))
      end
      for i, piece in ipairs(list) do
        t:yes(t:get(piece, 0, i) == t:bytes(i, i), "piece " .. i)
      end
    end)
  end)

  case("many_streams", "create_stream", function(t)
    many(t, "streams", function() return t.device:create_stream() end, "destroy_stream",
      function(list)
        for i = 1, #list, math.ceil(#list / 10) do
          local call = t:callback(list[i])
          t:finish(list[i])
          t:equal(1, call:state().ended, "stream " .. i)
        end
      end)
  end)

  case("many_events", "record_event", function(t)
    local stream = t:stream()
    many(t, "events", function() return t.device:create_event() end, "destroy_event",
      function(list)
        for _, event in ipairs(list) do
          t:must(t.device:record_event(stream, event))
        end
        t:must(t.device:block_host_for_event(list[#list]))
        for i, event in ipairs(list) do
          t:equal("complete", t.device:get_event_status(event), "event " .. i)
        end
      end)
  end)

  case("a_long_queue", "memcpy_htod", function(t)
    local stream, piece, back = t:stream(), t:memory(64), t:host(64)
    local gate, list = t:hold(stream), {}
    for i = 1, 4000 do
      list[i % 47] = list[i % 47] or t:host(t:bytes(64, i % 47))
      t:must(t.device:memcpy_htod(stream, piece, 0, list[i % 47], 0, 64))
    end
    t:yes(t.device:memcpy_dtoh(stream, back, 0, piece, 0, 64))
    gate:open()
    t:finish(stream)
    t:equal(t:bytes(64, 4000 % 47), back:bytes())
  end)
end

return function(case)
  sizes(case)
  alignments(case)
  extremes(case)
  numbers(case)
end
