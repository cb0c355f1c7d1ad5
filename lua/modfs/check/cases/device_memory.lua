-- Having memory: pieces of their own, and the books about them.
local function stats_of(t)
  return t:ok(t.device:get_allocator_stats())
end

-- Statistics while n more bytes are held, and after; refused where nobody counts.
local function around(t, n)
  local before = stats_of(t)
  local piece = t:ok(t.device:allocate(n))
  local held = stats_of(t)
  t:yes(t.device:deallocate(piece))
  if held.bytes_in_use == 0 and held.num_allocs == 0 then
    t:refuse "the statistics are not kept"
  end
  return before, held, stats_of(t)
end

local function pieces(case)
  case("pieces_are_apart", "allocate", function(t)
    local list = {}
    for i = 1, 8 do
      list[i] = t:memory(100 * i)
      for j = 1, i - 1 do
        t:yes(list[i].apart(list[i], list[j]), ("pieces %d and %d"):format(j, i))
      end
    end
    for i, piece in ipairs(list) do
      t:put(piece, 0, t:bytes(100 * i, i))
    end
    for i, piece in ipairs(list) do
      t:equal(t:bytes(100 * i, i), t:get(piece, 0, 100 * i), "piece " .. i)
    end
  end)

  case("takes_what_was_freed_again", "deallocate", function(t)
    local usage = t.device.__raw:device_memory_usage()
    local size = usage and math.min(math.floor(usage.free / 3), 2 ^ 26) or 2 ^ 20
    for _ = 1, 8 do
      local piece = t:ok(t.device:allocate(math.floor(size)))
      t:put(piece, 0, "begin")
      t:yes(t.device:deallocate(piece))
    end
  end)

  case("takes_back_nothing", "deallocate", function(t)
    local piece, other = t:ok(t.device:allocate(64)), t:memory(64)
    t:put(other, 0, t:bytes(64))
    t:yes(t.device:deallocate(piece))
    t:yes(t.device:deallocate(piece), "an opaque that is NULL")
    t:equal(t:bytes(64), t:get(other, 0, 64))
  end)

  case("parts_are_memory", "allocate", function(t)
    local piece, stream, back = t:memory(300), t:stream(), t:host(100)
    t:put(piece, 0, t:bytes(300))
    local part = piece:part(100, 100)
    local inner = part:part(30, 40)
    t:put(part, 0, t:bytes(100, 2))
    t:must(t.device:memcpy_htod(stream, inner, 0, t:host(t:bytes(40, 3)), 0, 40))
    t:must(t.device:memcpy_dtoh(stream, back, 0, part, 0, 100))
    t:finish(stream)
    local expected = t:replaced(t:bytes(100, 2), 30, t:bytes(40, 3))
    t:equal(expected, back:bytes(), "the part")
    t:equal(t:replaced(t:bytes(300), 100, expected), t:get(piece, 0, 300), "the whole")
  end)

  case("host_pieces_are_apart", "host_memory_allocate", function(t)
    local list = {}
    for i = 1, 8 do
      list[i] = t:pinned(100 * i)
      list[i]:set(0, t:bytes(100 * i, i))
    end
    for i, piece in ipairs(list) do
      t:equal(t:bytes(100 * i, i), piece:bytes(), "piece " .. i)
    end
  end)

  case("host_memory_is_copied_from_and_to", "host_memory_allocate", function(t)
    local from, to, piece, stream = t:pinned(1000), t:pinned(1000), t:memory(1000), t:stream()
    from:set(0, t:bytes(1000))
    t:yes(t.device:memcpy_htod(stream, piece, 0, from, 0, 1000))
    t:yes(t.device:memcpy_dtoh(stream, to, 0, piece, 0, 1000))
    t:finish(stream)
    t:equal(t:bytes(1000), to:bytes())
  end)

  case("unified_is_one_memory", "unified_memory_allocate", function(t)
    t:needs "unified_memory_allocate"
    local host = t:ok(t.device:unified_memory_allocate(256))
    host:set(0, t:bytes(256))
    local piece, stream = t:memory(256), t:stream()
    t:yes(t.device:memcpy_htod(stream, piece, 0, host, 0, 256))
    t:finish(stream)
    t:equal(t:bytes(256), t:get(piece, 0, 256))
    t:put(piece, 0, t:bytes(256, 2))
    t:yes(t.device:sync_memcpy_dtoh(host, 0, piece, 0, 256))
    t:equal(t:bytes(256, 2), host:bytes())
    t:yes(t.device:unified_memory_deallocate(host))
  end)
end

local function books(case)
  case("counts_what_is_in_use", "get_allocator_stats", function(t)
    local before, held, after = around(t, 100000)
    t:yes(held.bytes_in_use >= before.bytes_in_use + 100000, "bytes_in_use while it is held")
    t:equal(before.bytes_in_use, after.bytes_in_use, "bytes_in_use afterwards")
  end)

  case("counts_allocations", "get_allocator_stats", function(t)
    local before, held, after = around(t, 1000)
    t:equal(before.num_allocs + 1, held.num_allocs, "num_allocs with one more")
    t:yes(after.num_allocs == held.num_allocs or after.num_allocs == before.num_allocs,
      "num_allocs afterwards")
  end)

  case("remembers_the_peak", "get_allocator_stats", function(t)
    local _, held, after = around(t, 100000)
    if held.peak_bytes_in_use == 0 then
      t:refuse "the peak is not kept"
    end
    t:yes(held.peak_bytes_in_use >= held.bytes_in_use, "the peak while it is held")
    t:yes(after.peak_bytes_in_use >= held.bytes_in_use, "the peak afterwards")
  end)

  case("remembers_the_largest", "get_allocator_stats", function(t)
    around(t, 200000)
    local _, _, after = around(t, 100)
    if after.largest_alloc_size == 0 then
      t:refuse "the largest is not kept"
    end
    t:yes(after.largest_alloc_size >= 200000, "largest_alloc_size")
  end)

  case("stays_within_the_limit", "get_allocator_stats", function(t)
    local _, held = around(t, 1000)
    if not held.bytes_limit then
      t:refuse "there is no limit"
    end
    t:yes(held.bytes_limit > 0 and held.bytes_in_use <= held.bytes_limit, "bytes_limit")
  end)

  case("usage_follows", "device_memory_usage", function(t)
    local before = t:ok(t.device:device_memory_usage())
    local size = math.floor(math.min(before.free / 4, 2 ^ 24))
    local piece = t:ok(t.device:allocate(size))
    local held = t:ok(t.device:device_memory_usage())
    t:equal(before.total, held.total, "the total")
    t:yes(held.free <= before.free - size / 2, "less is free while it is held")
    t:yes(t.device:deallocate(piece))
  end)
end

return function(case)
  pieces(case)
  books(case)
end
