-- What a device frees: the heap of the process does not grow with every round of the same work. It
-- may grow once, where something is kept for the next time.
local rounds, least = 200, 16

-- Work that a thread of the runner does, again and again.
local function frees(case, name, operation, scene)
  case(name, operation, function(t)
    t:needs(operation)
    local grown = {}
    for i = 1, 4 do
      local steps, bytes = t:ok(t.device:crowd { scene = scene, threads = 1, rounds = rounds })
      t.assertions, grown[i] = t.assertions + steps - 1, bytes
    end
    local always = math.min(grown[2], grown[3], grown[4])
    t:yes(always < rounds * least,
      ("the heap grows by %d bytes in %d rounds"):format(always, rounds))
  end)
end

return function(case)
  frees(case, "a_single_piece_is_freed", "allocate", "allocate_one")
  frees(case, "a_piece_with_work_is_freed", "memset", "work_on_one")
  frees(case, "memory_is_freed", "deallocate", "allocate")
  frees(case, "host_memory_is_freed", "host_memory_deallocate", "allocate_host")
  frees(case, "streams_and_events_are_freed", "destroy_stream", "make_and_end")
  frees(case, "streams_at_work_are_freed", "synchronize_all_activity", "synchronize_new")
  frees(case, "timers_are_freed", "destroy_timer", "timers")
  frees(case, "copies_are_freed", "memcpy_htod", "streams")
  frees(case, "waits_are_freed", "wait_for_event", "wait_for_each_other")
end
