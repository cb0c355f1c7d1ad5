-- Callbacks: once each, in their order, with a status of the plugin's.
return function(case)
  case("run_once", "host_callback", function(t)
    local stream, calls = t:stream(), {}
    for i = 1, 50 do
      calls[i] = t:callback(stream)
    end
    t:finish(stream)
    t:callback(t:stream(), { seconds = 0.01 }):await(1, t.patience)
    for i = 1, 50 do
      t:equal(1, calls[i]:state().begun, "callback " .. i)
    end
  end)

  case("run_in_order", "host_callback", function(t)
    local stream, calls = t:stream(), {}
    for i = 1, 50 do
      calls[i] = t:callback(stream)
    end
    t:finish(stream)
    for i = 2, 50 do
      t:yes(calls[i - 1]:state().order < calls[i]:state().order, "callback " .. i)
    end
  end)

  case("run_by_themselves", "host_callback", function(t)
    local call = t:callback(t:stream())
    t:yes(call:await(1, t.patience), "without anybody waiting for the stream")
  end)

  case("come_with_a_status", "host_callback", function(t)
    local stream = t:stream()
    local calls = { t:callback(stream), t:callback(stream, { code = "ABORTED" }),
      t:callback(stream) }
    t.device:synchronize_all_activity()
    for i, call in ipairs(calls) do
      t:no(call:state().without_status, "no status for callback " .. i)
      t:no(call:state().status_not_ok, "a status that is not OK for callback " .. i)
    end
  end)

  case("wait_for_the_work_before", "host_callback", function(t)
    local stream, piece = t:stream(), t:memory(64)
    local gate = t:hold(stream)
    local call = t:callback(stream)
    t:meanwhile(gate, not call:await(1, 0.05), "not while the stream is held up")
    gate:open()
    t:finish(stream)
    t:equal(1, call:state().ended)
    t:put(piece, 0, t:bytes(64))
  end)

  case("come_after_the_copies", "host_callback", function(t)
    local n = 2 ^ 20
    local stream, before, last, event = t:stream(), t:memory(n), t:memory(n), t:event()
    t:put(before, 0, t:bytes(n, 2))
    t:put(last, 0, t:bytes(n))
    local round, copies = 1, 32 -- so many that a callback out of turn is far too early
    while round <= 8 and copies <= 256 do
      local back = t:host(n)
      for _ = 1, copies do
        t:must(t.device:memcpy_dtoh(stream, back, 0, before, 0, n))
      end
      t:must(t.device:memcpy_dtoh(stream, back, 0, last, 0, n))
      t:must(t.device:record_event(stream, event))
      if t.device:get_event_status(event) == "pending" then
        round = round + 1
      else
        copies = copies * 2 -- they are done by now
      end
      local call = t:callback(stream)
      t:yes(call:await(1, t.patience), "it runs")
      t:yes(back:bytes() == t:bytes(n), "the copy before it is done")
    end
  end)

  case("hold_up_the_work_behind", "host_callback", function(t)
    local stream, event = t:stream(), t:event()
    local call = t:callback(stream, { seconds = 0.02 })
    t:must(t.device:record_event(stream, event))
    t:must(t.device:block_host_for_event(event))
    t:equal(1, call:state().ended, "it has ended")
  end)

  case("run_in_a_failed_stream", "host_callback", function(t)
    local stream = t:stream()
    t:callback(stream, { code = "DATA_LOSS" }):await(1, t.patience)
    t.device:synchronize_all_activity()
    local call = t:ok(t:callback(stream))
    t:yes(call:await(1, t.patience), "it runs")
  end)

  case("run_once_behind_a_gate", "host_callback", function(t)
    local stream, calls = t:stream(), {}
    local gate = t:hold(stream)
    for i = 1, 300 do
      calls[i] = t:callback(stream)
    end
    t:meanwhile_all(gate, calls, function(call) return call:state().begun == 0 end,
      function(_, i) return ("callback %d has not begun yet"):format(i) end)
    gate:open()
    t:finish(stream)
    for i = 1, 300 do
      local state = calls[i]:state()
      t:equal(1, state.begun, "callback " .. i)
      t:yes(i == 1 or state.order > calls[i - 1]:state().order, "the order of callback " .. i)
    end
  end)

  case("run_once_if_they_fail", "host_callback", function(t)
    local stream, calls = t:stream(), {}
    local gate = t:hold(stream)
    for i = 1, 20 do
      calls[i] = t:callback(stream, { code = i % 4 == 2 and "DATA_LOSS" or i % 4 == 3 and "ABORTED"
        or nil })
    end
    gate:open()
    t:yes(calls[20]:await(1, t.patience), "the last one runs")
    t.device:synchronize_all_activity()
    t:callback(t:stream(), { seconds = 0.01 }):await(1, t.patience)
    for i = 1, 20 do
      local state = calls[i]:state()
      t:equal(1, state.begun, "callback " .. i)
      t:yes(i == 1 or state.order > calls[i - 1]:state().order, "the order of callback " .. i)
      t:no(state.status_not_ok, "a status that is not OK for callback " .. i)
    end
    t:fails("DATA_LOSS", t.device:get_stream_status(stream))
  end)

  case("fail_with_words", "host_callback", function(t)
    local stream = t:stream()
    t:callback(stream, { code = "UNAVAILABLE" }):await(1, t.patience)
    t.device:synchronize_all_activity()
    local message = t:fails("UNAVAILABLE", t.device:get_stream_status(stream))
    t:yes(message:find(t.words, 1, true) ~= nil, "what the callback said: " .. message)
  end)

  case("fail_with_every_code", "host_callback", function(t)
    for _, code in ipairs { "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
      "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
      "UNAUTHENTICATED" } do
      local stream = t:stream()
      t:callback(stream, { code = code }):await(1, t.patience)
      t.device:synchronize_all_activity()
      t:fails(code, t.device:get_stream_status(stream))
    end
  end)
end
