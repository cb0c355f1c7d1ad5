-- Several threads at one device: "Threads: any at once" is held to by slots, "one per handle" by
-- handles. The threads are C's; each checks its own work.
local function crowd(t, options)
  local steps = t:ok(t.device:crowd(options))
  t.assertions = t.assertions + steps - 1
end

return function(case)
  case("copy_at_once", "sync_memcpy_dtoh", function(t)
    crowd(t, { scene = "copy_at_once", threads = 4, rounds = 300 })
  end)

  case("work_in_streams_of_their_own", "memcpy_htod", function(t)
    crowd(t, { scene = "streams", threads = 4, rounds = 200 })
  end)

  case("wait_in_streams_of_their_own", "wait_for_event", function(t)
    crowd(t, { scene = "wait_for_each_other", threads = 4, rounds = 200 })
  end)

  case("measure_with_timers_of_their_own", "create_timer", function(t)
    t:needs "create_timer"
    crowd(t, { scene = "timers", threads = 4, rounds = 200 })
  end)

  case("allocate", "allocate", function(t)
    local before = t.device.__raw:get_allocator_stats()
    crowd(t, { scene = "allocate", threads = 4, rounds = 500 })
    local after = t.device.__raw:get_allocator_stats()
    t:equal(before and before.bytes_in_use, after and after.bytes_in_use, "bytes_in_use")
  end)

  case("allocate_host_memory", "host_memory_allocate", function(t)
    crowd(t, { scene = "allocate_host", threads = 4, rounds = 500 })
  end)

  case("make_and_end_streams_and_events", "create_event", function(t)
    crowd(t, { scene = "make_and_end", threads = 4, rounds = 100 })
  end)

  case("ask_while_another_records", "get_event_status", function(t)
    local stream, event = t:stream(), t:event()
    t:must(t.device:record_event(stream, event))
    crowd(t, { scene = "ask", threads = 4, rounds = 500, stream = stream, event = event })
    t:finish(stream)
  end)

  case("use_one_stream_by_turns", "host_callback", function(t)
    crowd(t, { scene = "take_turns", threads = 4, rounds = 200, stream = t:stream() })
  end)

  case("synchronize_while_others_work", "synchronize_all_activity", function(t)
    crowd(t, { scene = "synchronize", threads = 4, rounds = 100 })
  end)
end
