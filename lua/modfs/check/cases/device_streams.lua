-- Order: within a stream, between streams, and for the host that waits; whose a failure is.
-- A gate holds a stream up; devices that do all work at once cannot be held, and need not wait.
local function order(t, calls)
  for i = 2, #calls do
    local before, after = calls[i - 1]:state().order, calls[i]:state().order
    t:yes(before < after, ("call %d before %d"):format(i - 1, i))
  end
end

local function within(case)
  case("copies_wait_their_turn", "memcpy_dtoh", function(t)
    local stream, piece, host = t:stream(), t:memory(64), t:host(("."):rep(64))
    t:put(piece, 0, t:bytes(64))
    local gate = t:hold(stream)
    t:yes(t.device:memcpy_dtoh(stream, host, 0, piece, 0, 64))
    t:meanwhile(gate, host:bytes() == ("."):rep(64), "no bytes while the stream is held up")
    gate:open()
    t:finish(stream)
    t:equal(t:bytes(64), host:bytes())
  end)

  case("writes_wait_their_turn", "memcpy_htod", function(t)
    local stream, piece, host = t:stream(), t:memory(64), t:host(t:bytes(64, 2))
    t:put(piece, 0, t:bytes(64))
    local gate = t:hold(stream)
    t:yes(t.device:memcpy_htod(stream, piece, 0, host, 0, 64))
    t:meanwhile(gate, t:get(piece, 0, 64) == t:bytes(64), "no bytes while it is held up")
    gate:open()
    t:finish(stream)
    t:equal(t:bytes(64, 2), t:get(piece, 0, 64))
  end)

  case("does_one_after_the_other", "memcpy_dtod", function(t)
    t:needs "memcpy_dtod"
    local stream, pieces = t:stream(), {}
    for i = 1, 5 do
      pieces[i] = t:memory(4096)
    end
    for round = 1, 20 do
      local host, back = t:host(t:bytes(4096, round)), t:host(4096)
      local gate = round <= 5 and t:hold(stream)
      t:must(t.device:memcpy_htod(stream, pieces[1], 0, host, 0, 4096))
      for i = 2, 5 do
        t:must(t.device:memcpy_dtod(stream, pieces[i], 0, pieces[i - 1], 0, 4096))
      end
      t:must(t.device:memcpy_dtoh(stream, back, 0, pieces[5], 0, 4096))
      if gate then
        gate:open()
      end
      t:finish(stream)
      t:yes(back:bytes() == t:bytes(4096, round), "round " .. round)
    end
  end)

  case("fills_in_their_turn", "memset", function(t)
    t:needs "memset"
    local stream, piece, back = t:stream(), t:memory(512), {}
    for i = 1, 40 do
      back[i] = t:host(512)
      t:must(t.device:memset(stream, piece, 0, i, 512))
      t:must(t.device:memcpy_dtoh(stream, back[i], 0, piece, 0, 512))
    end
    t:finish(stream)
    for i = 1, 40 do
      t:equal(string.char(i):rep(512), back[i]:bytes(), "fill " .. i)
    end
  end)
end

local function between(case)
  case("waits_for_another", "create_stream_dependency", function(t)
    local one, other = t:stream(), t:stream()
    local gate, held = t:hold(other)
    local before = t:callback(other)
    t:yes(t.device:create_stream_dependency(one, other))
    t:equal(held, gate:closed(), "the call does not wait: the other is held up")
    local after = t:callback(one)
    t:meanwhile(gate, not after:await(1, 0.05), "nothing while the other is held up")
    gate:open()
    t:finish(one)
    order(t, { before, after })
  end)

  case("waits_for_what_the_other_got_so_far", "create_stream_dependency", function(t)
    local one, other = t:stream(), t:stream()
    t:callback(other)
    t:yes(t.device:create_stream_dependency(one, other))
    local call = t:callback(one)
    t:yes(call:await(1, t.patience), "it goes on")
    local gate = t:hold(other)
    gate:open()
    t:finish(other)
  end)

  case("does_not_hold_up_the_other", "create_stream_dependency", function(t)
    local one, other = t:stream(), t:stream()
    local gate = t:hold(other)
    t:yes(t.device:create_stream_dependency(one, other))
    local first, second = t:callback(one), t:callback(other)
    t:meanwhile(gate, not first:await(1, 0.05), "the dependent waits")
    gate:open()
    t:finish(other)
    t:equal(1, second:state().ended, "the other goes on")
    t:finish(one)
  end)
end

local function for_the_host(case)
  case("asks_without_waiting", "get_stream_status", function(t)
    local stream = t:stream()
    local gate, held = t:hold(stream)
    t:yes(t.device:get_stream_status(stream))
    t:equal(held, gate:closed(), "an answer while the stream is held up")
    gate:open()
    t:finish(stream)
    t:yes(t.device:get_stream_status(stream))
  end)

  case("nothing_to_wait_for", "synchronize_all_activity", function(t)
    t:yes(t.device:synchronize_all_activity())
    local stream = t:stream()
    t:yes(t.device:synchronize_all_activity())
    t:yes(t.device:get_stream_status(stream))
    t:equal(1, t:callback(stream):await(1, t.patience) and 1 or 0, "callbacks that ran")
  end)
end

-- A stream that has failed, by a callback that answers DATA_LOSS.
local function failed(t)
  local stream = t:stream()
  t:callback(stream, { code = "DATA_LOSS" }):await(1, t.patience)
  t.device:synchronize_all_activity()
  return stream
end

local function failures(case)
  case("failure_is_its_own", "get_stream_status", function(t)
    local before = t:stream()
    t:callback(before)
    local stream = failed(t)
    local after = t:stream()
    t:fails("DATA_LOSS", t.device:get_stream_status(stream))
    for _, other in ipairs { before, after } do
      t:yes(t.device:get_stream_status(other))
      t:callback(other)
      t:finish(other)
      t:yes(t.device:get_stream_status(other))
    end
  end)

  case("failure_is_for_good", "get_stream_status", function(t)
    local stream = failed(t)
    for _ = 1, 3 do
      t:fails("DATA_LOSS", t.device:get_stream_status(stream))
    end
    t:callback(stream):await(1, t.patience)
    t.device:synchronize_all_activity()
    t:fails("DATA_LOSS", t.device:get_stream_status(stream))
  end)

  case("failure_leaves_the_device", "synchronize_all_activity", function(t)
    failed(t)
    local stream, piece, host = t:stream(), t:memory(64), t:host(t:bytes(64))
    t:yes(t.device:memcpy_htod(stream, piece, 0, host, 0, 64))
    t:finish(stream)
    t:equal(t:bytes(64), t:get(piece, 0, 64))
  end)
end

return function(case)
  within(case)
  between(case)
  for_the_host(case)
  failures(case)
end
