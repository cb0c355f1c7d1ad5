-- The allocator's statistics after each single call. Numbers that stay 0 are not kept; an allocator
-- may round sizes up, so only what follows from the numbers themselves is exact.
local function stats_of(t)
  return t:ok(t.device:get_allocator_stats())
end

-- Refuses the case where the numbers of that name are not kept.
local function needs(t, ...)
  local piece = t:memory(1000)
  local stats = stats_of(t)
  for _, key in ipairs { ... } do
    if (stats[key] or 0) == 0 then
      t:refuse(key .. " is not kept")
    end
  end
  t:must(t:destroy("deallocate", piece))
end

-- Sizes to allocate, and negative indices to free, not in the order of either.
local schedule = { 100, 5000, 64, -2, 70000, 1, -1, 4096, 4095, -3, -5, 200000, 3000, -4, 8, -10,
  -6, -8, -7, -9, 150000, 250000, -11, -12 }

-- Calls look(before, after, size) after each call of the schedule; size is negative for a free.
local function each_call(t, look)
  local pieces, sizes, before = {}, {}, stats_of(t)
  for _, step in ipairs(schedule) do
    local size = step
    if step > 0 then
      pieces[#pieces + 1], sizes[#sizes + 1] = t:must(t.device:allocate(step)), step
    else
      size = -sizes[-step]
      t:must(t.device:deallocate(pieces[-step]))
    end
    local after = stats_of(t)
    look(before, after, size, -step)
    before = after
  end
end

-- One case for one number.
local function number(case, name, key, prepare)
  case(name, "get_allocator_stats", function(t)
    needs(t, key)
    each_call(t, prepare(t))
  end)
end

local function told(size)
  return size > 0 and ("after %d bytes were allocated"):format(size)
    or ("after %d bytes were freed"):format(-size)
end

return function(case)
  number(case, "bytes_in_use_rise_and_fall", "bytes_in_use", function(t)
    local grown, made = {}, 0
    return function(before, after, size, index)
      local change = after.bytes_in_use - before.bytes_in_use
      if size > 0 then
        made = made + 1
        grown[made] = change
        t:yes(change >= size, ("%d more %s"):format(change, told(size)))
      else
        t:equal(-grown[index], change, "bytes_in_use " .. told(size))
      end
    end
  end)

  number(case, "the_count_changes_by_one", "num_allocs", function(t)
    local falls
    return function(before, after, size)
      local change = after.num_allocs - before.num_allocs
      if size > 0 then
        t:equal(1, change, "num_allocs " .. told(size))
      else
        falls = falls or change
        t:yes(change == 0 or change == -1, ("num_allocs: %d %s"):format(change, told(size)))
        t:equal(falls, change, "num_allocs " .. told(size))
      end
    end
  end)

  number(case, "the_peak_is_the_most_in_use", "peak_bytes_in_use", function(t)
    return function(before, after, size)
      t:equal(math.max(before.peak_bytes_in_use, after.bytes_in_use), after.peak_bytes_in_use,
        "peak_bytes_in_use " .. told(size))
    end
  end)

  number(case, "the_largest_grows_with_larger_ones", "largest_alloc_size", function(t)
    return function(before, after, size)
      local was, is = before.largest_alloc_size, after.largest_alloc_size
      if size > was then
        local change = after.bytes_in_use - before.bytes_in_use
        t:yes(is >= size and is <= math.max(size, change), ("%d %s"):format(is, told(size)))
      else
        t:equal(was, is, "largest_alloc_size " .. told(size))
      end
    end
  end)

  number(case, "reserved_bytes_hold_those_in_use", "bytes_reserved", function(t)
    return function(_, after, size)
      t:yes(after.bytes_reserved >= after.bytes_in_use, "bytes_reserved " .. told(size))
      t:yes(after.peak_bytes_reserved == 0 or after.peak_bytes_reserved >= after.bytes_reserved,
        "peak_bytes_reserved " .. told(size))
    end
  end)

  number(case, "the_limits_stay", "bytes_limit", function(t)
    return function(before, after, size)
      t:equal(before.bytes_limit, after.bytes_limit, "bytes_limit " .. told(size))
      t:equal(before.bytes_reservable_limit, after.bytes_reservable_limit,
        "bytes_reservable_limit " .. told(size))
      t:yes(after.bytes_in_use <= after.bytes_limit, "bytes_in_use " .. told(size))
      t:yes(after.peak_bytes_in_use <= after.bytes_limit, "peak_bytes_in_use " .. told(size))
    end
  end)

  number(case, "a_free_block_is_in_what_is_free", "largest_free_block_bytes", function(t)
    needs(t, "bytes_limit")
    return function(_, after, size)
      t:yes(after.largest_free_block_bytes <= after.bytes_limit - after.bytes_in_use,
        "largest_free_block_bytes " .. told(size))
    end
  end)

  case("a_failed_call_changes_nothing", "get_allocator_stats", function(t)
    needs(t, "bytes_in_use")
    local piece = t:memory(1000)
    local before = stats_of(t)
    local most = before.bytes_limit or math.maxinteger and 2 ^ 62 or 2 ^ 53
    t:fails("RESOURCE_EXHAUSTED", t.device:allocate(math.floor(most) + 1))
    t:equal(before, stats_of(t), "the statistics after an allocation that failed")
    t:put(piece, 0, t:bytes(1000))
    t:equal(before, stats_of(t), "the statistics after a copy")
  end)

  case("the_total_of_the_memory_stays", "device_memory_usage", function(t)
    local first, pieces = t:ok(t.device:device_memory_usage()), {}
    for i = 1, 6 do
      pieces[i] = t:must(t.device:allocate(i * 10000))
      local usage = t:ok(t.device:device_memory_usage())
      t:equal(first.total, usage.total, "the total")
      t:yes(usage.free >= 0 and usage.free <= usage.total, "what is free is a part of it")
    end
    for i = 1, 6 do
      t:must(t.device:deallocate(pieces[i]))
      t:equal(first.total, t:ok(t.device:device_memory_usage()).total, "the total")
    end
  end)
end
