-- Hosts that wait: threads that call a slot while a stream is held up come back when it goes on,
-- and no sooner.
local hold_for = 0.15

-- Several threads wait in one slot; none is back while the stream is held up, then all are.
local function threads_wait(case, slot)
  case("all_threads." .. slot, slot, function(t)
    t:needs(slot)
    local stream, event, waiters = t:stream(), t:event(), {}
    local gate = t:hold(stream)
    t:must(t.device:record_event(stream, event))
    for i = 1, 3 do
      waiters[i] = t:wait_aside(slot, slot == "block_host_for_event" and event or stream)
    end
    local back = waiters[1]:returned(hold_for)
    for i = 1, 3 do
      t:meanwhile(gate, not (waiters[i]:returned() or back), ("thread %d waits"):format(i))
    end
    gate:open()
    for i = 1, 3 do
      t:back(waiters[i], "thread " .. i)
    end
  end)
end

local function points(case)
  case("for_one_point_of_several", "block_host_for_event", function(t)
    local stream, gates, events, waiters = t:stream(), {}, {}, {}
    for i = 1, 4 do
      gates[i], events[i] = t:hold_behind(stream), t:event()
      t:must(t.device:record_event(stream, events[i]))
    end
    for _, i in ipairs { 3, 1, 4, 2 } do
      waiters[i] = t:wait_aside("block_host_for_event", events[i])
    end
    for i = 1, 4 do
      t:meanwhile(gates[i], not waiters[i]:returned(0.02), "it waits for event " .. i)
      gates[i]:open()
      t:back(waiters[i], "who waits for event " .. i)
    end
  end)

  case("for_an_event_recorded_again", "block_host_for_event", function(t)
    local stream, event = t:stream(), t:event()
    for _ = 1, 3 do
      t:must(t.device:record_event(stream, event))
      t:must(t.device:block_host_for_event(event))
      local gate = t:hold(stream)
      t:must(t.device:record_event(stream, event))
      local waiter = t:wait_aside("block_host_for_event", event)
      t:meanwhile(gate, not waiter:returned(0.05), "it waits for the later record")
      gate:open()
      t:back(waiter, "who waits")
    end
  end)

  case("for_what_came_before", "block_host_until_done", function(t)
    t:needs "block_host_until_done"
    local stream = t:stream()
    local gate = t:hold(stream)
    local waiter = t:wait_aside("block_host_until_done", stream)
    t:meanwhile(gate, not waiter:returned(0.05), "it waits")
    local behind = t:hold_behind(stream)
    gate:open()
    if behind:meet(t.patience) then
      t:yes(waiter:returned(1) or not behind:closed(), "it does not wait for what came later")
    end
    behind:open()
    t:back(waiter, "who waits")
    t:finish(stream)
  end)
end

-- synchronize_all_activity with one stream of many that is held up.
local function waits_for(t, stream, what)
  local gate = t:hold(stream)
  local waiter = t:wait_aside "synchronize_all_activity"
  t:meanwhile(gate, not waiter:returned(0.03), "it waits for " .. what)
  gate:open()
  t:back(waiter, "who waits for " .. what)
end

local function all(case)
  case("for_each_of_many_streams", "synchronize_all_activity", function(t)
    local streams = {}
    for i = 1, 40 do
      streams[i] = t:stream()
      t:callback(streams[i])
    end
    for _, i in ipairs { 1, 2, 20, 33, 39, 40 } do
      waits_for(t, streams[i], ("stream %d of 40"):format(i))
    end
  end)

  case("for_the_streams_that_are_left", "synchronize_all_activity", function(t)
    local streams = {}
    for i = 1, 6 do
      streams[i] = t:stream()
      t:callback(streams[i])
    end
    t:must(t.device:synchronize_all_activity())
    for _, i in ipairs { 3, 1, 6 } do
      t:must(t:destroy("destroy_stream", streams[i]))
      streams[i] = nil
      for j = 1, 6 do
        if streams[j] then
          waits_for(t, streams[j], ("stream %d without stream %d"):format(j, i))
        end
      end
    end
  end)

  case("for_streams_that_wait_themselves", "synchronize_all_activity", function(t)
    local held, dependent, waiting = t:stream(), t:stream(), t:stream()
    local gate = t:hold(held)
    t:must(t.device:create_stream_dependency(dependent, held))
    local event = t:event()
    t:must(t.device:record_event(dependent, event))
    t:must(t.device:wait_for_event(waiting, event))
    local calls = { t:callback(dependent, { seconds = 0.03 }), t:callback(waiting),
      t:callback(dependent, { seconds = 0.03 }) }
    local waiter = t:wait_aside "synchronize_all_activity"
    t:meanwhile(gate, not waiter:returned(0.05), "it waits")
    gate:open()
    t:back(waiter, "who waits")
    for i, call in ipairs(calls) do
      t:equal(1, call:state().ended, "callback " .. i)
    end
  end)
end

return function(case)
  threads_wait(case, "block_host_for_event")
  threads_wait(case, "synchronize_all_activity")
  threads_wait(case, "block_host_until_done")
  points(case)
  all(case)
end
