-- What a stream that is held up keeps waiting: work of each kind and size behind it, in its own
-- stream and in those that wait for it. It is proved while the gate is closed, not by a race.

-- Each kind of work on n bytes: enqueue(stream); look() is before as long as it is not done, and
-- after when it is.
local works = {}

function works.memcpy_htod(t, n)
  local piece, host = t:memory(n), t:host(t:bytes(n, 2))
  t:put(piece, 0, t:bytes(n))
  return { before = t:bytes(n), after = t:bytes(n, 2),
    enqueue = function(stream) return t.device:memcpy_htod(stream, piece, 0, host, 0, n) end,
    look = function() return t:get(piece, 0, n) end }
end

function works.memcpy_dtoh(t, n)
  local piece, host = t:memory(n), t:host(t:bytes(n))
  t:put(piece, 0, t:bytes(n, 2))
  return { before = t:bytes(n), after = t:bytes(n, 2),
    enqueue = function(stream) return t.device:memcpy_dtoh(stream, host, 0, piece, 0, n) end,
    look = function() return host:bytes() end }
end

function works.memcpy_dtod(t, n)
  local from, to = t:memory(n), t:memory(n)
  t:put(from, 0, t:bytes(n, 2))
  t:put(to, 0, t:bytes(n))
  return { before = t:bytes(n), after = t:bytes(n, 2),
    enqueue = function(stream) return t.device:memcpy_dtod(stream, to, 0, from, 0, n) end,
    look = function() return t:get(to, 0, n) end }
end

local function fill(t, n, byte, enqueue)
  local piece = t:memory(n)
  t:put(piece, 0, t:bytes(n))
  return { before = t:bytes(n), after = byte:rep(n),
    enqueue = function(stream) return enqueue(t.device, stream, piece) end,
    look = function() return t:get(piece, 0, n) end }
end

function works.mem_zero(t, n)
  return fill(t, n, "\0", function(device, stream, piece)
    return device:mem_zero(stream, piece, 0, n)
  end)
end

function works.memset(t, n)
  return fill(t, n, "\77", function(device, stream, piece)
    return device:memset(stream, piece, 0, 77, n)
  end)
end

function works.memset32(t, n)
  local words = math.ceil(n / 4) * 4
  return fill(t, words, "\78", function(device, stream, piece)
    return device:memset32(stream, piece, 0, 0x4e4e4e4e, words)
  end)
end

function works.record_event(t)
  local event = t:event()
  return { before = "pending", after = "complete",
    enqueue = function(stream) return t.device:record_event(stream, event) end,
    look = function() return t.device:get_event_status(event) end }
end

function works.host_callback(t)
  local call
  return { before = 0, after = 1,
    enqueue = function(stream) call = t:callback(stream) return true end,
    look = function() return call:state().begun end }
end

local kinds = { "memcpy_dtoh", "memcpy_htod", "memcpy_dtod", "mem_zero", "memset", "memset32",
  "record_event", "host_callback" }
local sizes = { 2, 16, 64, 5000, 70000 }

-- Work of every kind that the device has, of every size.
local function all_works(t)
  local list = {}
  for _, kind in ipairs(kinds) do
    for _, n in ipairs(t:has(kind) and sizes or {}) do
      local work = works[kind](t, n)
      work.what = ("%s of %d bytes"):format(kind, n)
      list[#list + 1] = work
    end
  end
  return list
end

-- Enqueues work of every kind behind what way(t, held, stream) makes the stream wait for.
local function waits(t, stream, way)
  local list, held = all_works(t), t:stream()
  local gate = t:hold(held)
  way(t, held, stream or held)
  for _, work in ipairs(list) do
    t:must(work.enqueue(stream or held))
  end
  t:meanwhile_all(gate, list, function(work) return work.look() == work.before end,
    function(work) return work.what .. " is not done yet" end)
  gate:open()
  t:finish(stream or held)
  for _, work in ipairs(list) do
    t:yes(work.look() == work.after, work.what .. " is done")
  end
end

local function wait_for_event(t, held, stream)
  local event = t:event()
  t:must(t.device:record_event(held, event))
  t:must(t.device:wait_for_event(stream, event))
end

local function depend(t, held, stream)
  t:must(t.device:create_stream_dependency(stream, held))
end

local function kept(case)
  case("work_in_the_stream", "host_callback", function(t)
    waits(t, nil, function() end)
  end)

  case("work_behind_its_event", "wait_for_event", function(t)
    waits(t, t:stream(), wait_for_event)
  end)

  case("work_of_a_dependent_stream", "create_stream_dependency", function(t)
    waits(t, t:stream(), depend)
  end)

  case("work_at_the_end_of_a_chain", "wait_for_event", function(t)
    waits(t, t:stream(), function(_, held, stream)
      local one, two = t:stream(), t:stream()
      depend(t, held, one)
      wait_for_event(t, one, two)
      depend(t, two, stream)
    end)
  end)
end

-- A stream that waits for two others, of which the one of that number is let go first.
local function waits_for_both(t, way, number)
  local held, gates, stream = { t:stream(), t:stream() }, {}, t:stream()
  for i = 1, 2 do
    gates[i] = t:hold(held[i])
  end
  for i = 1, 2 do
    way(t, held[i], stream)
  end
  local call = t:callback(stream)
  gates[number]:open()
  t:finish(held[number])
  t:meanwhile(gates[3 - number], not call:await(1, 0.05), "it waits for the other")
  gates[3 - number]:open()
  t:finish(stream)
  t:equal(1, call:state().ended, "callbacks that ran")
end

local function both(case)
  for _, kind in ipairs { { "wait_for_event", wait_for_event },
    { "create_stream_dependency", depend } } do
    local name, way = kind[1], kind[2]

    case("what_waits_for_two." .. name, name, function(t)
      waits_for_both(t, way, 1)
      waits_for_both(t, way, 2)
    end)

    case("what_waits_for_it_again." .. name, name, function(t)
      local held, stream = t:stream(), t:stream()
      for _ = 1, 3 do
        way(t, held, stream)
        t:callback(stream)
        t:finish(stream)
        local gate = t:hold(held)
        way(t, held, stream)
        local call = t:callback(stream)
        t:meanwhile(gate, not call:await(1, 0.02), "it waits")
        gate:open()
        t:finish(stream)
      end
    end)
  end
end

local function again(case)
  case("events_one_by_one", "get_event_status", function(t)
    local stream, gates, events = t:stream(), {}, {}
    for i = 1, 4 do
      gates[i], events[i] = t:hold_behind(stream), t:event()
      t:must(t.device:record_event(stream, events[i]))
    end
    for i = 1, 4 do
      gates[i]:meet(t.patience)
      for j = 1, 4 do
        local status = t.device:get_event_status(events[j])
        t:yes(j >= i or status == "complete", ("event %d before gate %d"):format(j, i))
        t:meanwhile(gates[i], j < i or status == "pending",
          ("event %d behind gate %d"):format(j, i))
      end
      gates[i]:open()
    end
    t:finish(stream)
  end)

  case("waits_for_an_event_recorded_again", "wait_for_event", function(t)
    local held, stream, event = t:stream(), t:stream(), t:event()
    t:must(t.device:record_event(t:stream(), event))
    t:must(t.device:block_host_for_event(event))
    t:must(t.device:wait_for_event(stream, event))
    local gate = t:hold(held)
    t:must(t.device:record_event(held, event))
    t:must(t.device:wait_for_event(stream, event))
    local call = t:callback(stream)
    t:meanwhile(gate, not call:await(1, 0.05), "it waits for the later record")
    gate:open()
    t:finish(stream)
    t:equal(1, call:state().ended, "callbacks that ran")
  end)

  case("waits_from_before_an_event_is_recorded_again", "record_event", function(t)
    local held, other, stream, event = t:stream(), t:stream(), t:stream(), t:event()
    local gate, first = t:hold(held), t:hold(stream)
    t:must(t.device:record_event(held, event))
    t:must(t.device:wait_for_event(stream, event))
    t:must(t.device:record_event(other, event))
    t:must(t.device:block_host_for_event(event))
    local call = t:callback(stream)
    first:open()
    t:meanwhile(gate, not call:await(1, 0.05), "it waits for the record of that time")
    gate:open()
    t:finish(stream)
    t:equal(1, call:state().ended, "callbacks that ran")
  end)
end

return function(case)
  kept(case)
  both(case)
  again(case)
end
