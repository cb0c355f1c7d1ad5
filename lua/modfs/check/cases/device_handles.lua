-- Handles and memory that are made again after others have ended, perhaps at the same address,
-- while the device works: they are as new, and what is left is as it was.
local rounds = 20

-- Makes a handle of a kind again and again; use() is given each, which then ends.
local function each_new(t, kind, use)
  for i = 1, rounds do
    local object = t:must(t.device["create_" .. kind](t.device))
    use(object, i)
    t:must(t.device["destroy_" .. kind](t.device, object))
  end
end

-- Keeps a stream at work during a case, and asserts in the end that it was not disturbed.
local function beside_another(t, run)
  local stream, event, back = t:stream(), t:event(), t:host(100)
  local piece = t:memory(100)
  t:put(piece, 0, t:bytes(100))
  local gate = t:hold(stream)
  t:must(t.device:memcpy_dtoh(stream, back, 0, piece, 0, 100))
  t:must(t.device:record_event(stream, event))
  local call = t:callback(stream)
  run()
  t:meanwhile(gate, t.device:get_event_status(event) == "pending", "another stream's event")
  gate:open()
  t:must(t.device:block_host_for_event(event))
  t:finish(stream)
  t:equal(t:bytes(100), back:bytes(), "another stream's copy")
  t:equal(1, call:state().ended, "another stream's callback")
end

local function handles(case)
  case("streams_are_as_new", "create_stream", function(t)
    beside_another(t, function()
      each_new(t, "stream", function(stream, i)
        t:yes(t.device:get_stream_status(stream))
        local call = t:callback(stream, { code = i % 2 == 1 and "DATA_LOSS" or nil })
        t:yes(call:await(1, t.patience), "its callback runs")
        local event = t:event()
        t:must(t.device:record_event(stream, event))
        t.device:block_host_for_event(event)
      end)
    end)
  end)

  case("events_are_as_new", "create_event", function(t)
    local stream = t:stream()
    beside_another(t, function()
      each_new(t, "event", function(event)
        t:equal("unknown", t.device:get_event_status(event))
        local gate = t:hold(stream)
        t:must(t.device:record_event(stream, event))
        t:meanwhile(gate, t.device:get_event_status(event) == "pending", "it is pending")
        gate:open()
        t:must(t.device:block_host_for_event(event))
        t:equal("complete", t.device:get_event_status(event))
      end)
    end)
  end)

  case("events_keep_their_state_without_their_stream", "destroy_stream", function(t)
    local event, other = t:event(), t:stream()
    for _ = 1, 4 do
      local stream = t:must(t.device:create_stream())
      t:must(t.device:record_event(stream, event))
      t:must(t.device:block_host_for_event(event))
      t:finish(stream)
      t:must(t.device:destroy_stream(stream))
      local next_one = t:stream()
      local gate = t:hold(next_one)
      t:equal("complete", t.device:get_event_status(event))
      t:must(t.device:wait_for_event(other, event))
      gate:open()
      t:finish(other)
      t:must(t:destroy("destroy_stream", next_one))
    end
  end)

  case("timers_are_as_new", "create_timer", function(t)
    t:needs "create_timer"
    local stream = t:stream()
    each_new(t, "timer", function(timer, i)
      local before = t:callback(stream)
      t:must(t.device:start_timer(stream, timer))
      t:callback(stream, { seconds = i == 1 and 0.1 or nil })
      t:must(t.device:stop_timer(stream, timer))
      local after = t:callback(stream)
      t:finish(stream)
      local most = (after:state().began_at - before:state().ended_at) * 1e9
      local time = t:ok(t.device:nanoseconds(timer))
      t:yes(time <= most * 1.05 + 1e5, ("%.0f ns, where %.0f ns passed"):format(time, most))
    end)
  end)
end

local function memory(case)
  case("memory_is_given_once", "deallocate", function(t)
    local kept = t:memory(1000)
    t:put(kept, 0, t:bytes(1000, 99))
    for round = 1, rounds do
      local first, second = t:must(t.device:allocate(1000)), t:must(t.device:allocate(1000))
      t:must(t.device:deallocate(first))
      first = t:must(t.device:allocate(1000))
      local third = t:must(t.device:allocate(1000))
      t:yes(first:apart(second) and second:apart(third) and first:apart(third), "they are apart")
      for i, piece in ipairs { first, second, third } do
        t:put(piece, 0, t:bytes(1000, round + i))
      end
      for i, piece in ipairs { first, second, third } do
        t:yes(t:get(piece, 0, 1000) == t:bytes(1000, round + i), "piece " .. i)
        t:must(t.device:deallocate(piece))
      end
    end
    t:yes(t:get(kept, 0, 1000) == t:bytes(1000, 99), "the piece that was there all along")
  end)

  case("host_memory_is_given_once", "host_memory_deallocate", function(t)
    local device, kept = t.device, t:pinned(1000)
    kept:set(0, t:bytes(1000, 99))
    for round = 1, rounds do
      local first = t:must(device:host_memory_allocate(1000))
      local second = t:must(device:host_memory_allocate(1000))
      t:must(device:host_memory_deallocate(first))
      first = t:must(device:host_memory_allocate(1000))
      first:set(0, t:bytes(1000, round))
      second:set(0, t:bytes(1000, round + 1))
      t:yes(first:bytes() == t:bytes(1000, round), "the bytes of the one")
      t:must(device:host_memory_deallocate(first))
      t:yes(second:bytes() == t:bytes(1000, round + 1), "the bytes of the other")
      t:must(device:host_memory_deallocate(second))
    end
    t:yes(kept:bytes() == t:bytes(1000, 99), "the piece that was there all along")
  end)
end

return function(case)
  handles(case)
  memory(case)
end
