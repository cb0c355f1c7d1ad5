-- Several devices of a platform: each has memory, statistics and streams of its own.
local function two(t)
  if t:must(t.raw:get_device_count()) < 2 then
    t:refuse "there is one device"
  end
  return t.device, t:open_device(1)
end

return function(case)
  case("count_their_own_memory", "get_allocator_stats", function(t)
    local one, other = two(t)
    local pieces = { t:must(one:allocate(3000)), t:must(other:allocate(50000)) }
    local before = { t:ok(one:get_allocator_stats()), t:ok(other:get_allocator_stats()) }
    if before[1].bytes_in_use == 0 then
      t:refuse "the statistics are not kept"
    end
    local piece = t:must(other:allocate(7000))
    t:equal(before[1], one:get_allocator_stats(), "the statistics of the first device")
    t:yes(t:ok(other:get_allocator_stats()).bytes_in_use >= before[2].bytes_in_use + 7000,
      "bytes_in_use of the second")
    t:must(other:deallocate(piece))
    t:must(one:deallocate(pieces[1]))
    t:equal(before[2].bytes_in_use, t:ok(other:get_allocator_stats()).bytes_in_use)
    t:must(other:deallocate(pieces[2]))
  end)

  case("do_their_own_work", "create_device", function(t)
    local one, other = two(t)
    local content, pieces, streams, hosts = { t:bytes(100), t:bytes(100, 2) }, {}, {}, {}
    for i, device in ipairs { one, other } do
      pieces[i], streams[i] = t:must(device:allocate(100)), t:must(device:create_stream())
      hosts[i] = t:host(100)
      t:must(device:memcpy_htod(streams[i], pieces[i], 0, t:host(content[i]), 0, 100))
      t:must(device:memcpy_dtoh(streams[i], hosts[i], 0, pieces[i], 0, 100))
    end
    for i, device in ipairs { one, other } do
      t:yes(device:synchronize_all_activity())
      t:equal(content[i], hosts[i]:bytes(), "device " .. i - 1)
      t:must(device:destroy_stream(streams[i]))
      t:must(device:deallocate(pieces[i]))
    end
  end)
end
