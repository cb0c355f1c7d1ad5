-- What the tables say of themselves, and the devices that there are.
return function(case)
  case("writes_nothing_beyond_its_sizes", "create_stream_executor", function(t)
    t:ok(t.platform:get_device_count())
    t:equal(nil, t.facts.overrun, "a table that is longer than its struct_size")
  end)

  case("counts_the_same_each_time", "get_device_count", function(t)
    local count = t:ok(t.platform:get_device_count())
    for _ = 1, 3 do
      t:equal(count, t.platform:get_device_count())
    end
  end)

  case("makes_a_device_again", "destroy_device", function(t)
    local kept = t:memory(64)
    t:put(kept, 0, t:bytes(64))
    for _ = 1, 3 do
      local device = t:ok(t.platform:create_device(0))
      local piece = t:ok(device:allocate(64))
      t:yes(device:deallocate(piece))
      t:yes(t.platform:destroy_device(device))
      t:equal(t:bytes(64), t:get(kept, 0, 64), "the memory of the device that is open")
    end
  end)

  case("tells_the_same_each_time", "get_memory_bandwidth", function(t)
    t:needs "get_memory_bandwidth"
    local first = t:ok(t.device:get_memory_bandwidth())
    t:yes(first >= -1 and first % 1 == 0, "bytes a second, or -1")
    t:equal(first, t.device:get_memory_bandwidth())
  end)

  case("tells_a_number", "get_gflops", function(t)
    t:needs "get_gflops"
    local speed = t:ok(t.device:get_gflops())
    t:yes(speed == speed and speed < 1e12, "a number")
  end)
end
