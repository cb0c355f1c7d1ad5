-- Two calls at a device that overlap in every order, as those of concurrency_overlaps do: the first
-- one is held at each of its allocations, system calls and locks in turn, while another thread
-- makes the second one. Codes, results, and what the device holds afterwards must be those of one
-- order of the two calls.
--
-- Each call has streams, events and memory of its own, its side. A third side has a stream and an
-- event for the slots that any number of threads may call: what "Threads: one per handle" forbids
-- is not done. The device is quiet before and after both calls.
local device_side = require "modfs.check.device_side"
local runner = require "modfs.runner"

local held = "%s, held at its point %d while %s runs"

-- How many points of a call are tried, and for how many seconds of CPU time in one case.
local most_points, most_seconds = 40, 3

-- What allocate gets.
local asked = 1000

-- What each slot is called with: its side, and the one that both calls share.
local calls = {
  allocate = function() return { size = asked } end,
  deallocate = function(own) return { memory = own:spare "memory" } end,
  host_memory_allocate = function() return { size = asked } end,
  host_memory_deallocate = function(own) return { host = own:spare "pinned" } end,
  create_stream = function() return {} end,
  destroy_stream = function(own) return { stream = own:spare "stream" } end,
  create_event = function() return {} end,
  destroy_event = function(own) return { event = own:spare "event" } end,
  create_timer = function() return {} end,
  destroy_timer = function(own) return { timer = own:spare "timer" } end,
  create_stream_dependency = function(own)
    return { stream = own:get "stream", other = own:get "second" }
  end,
  wait_for_event = function(own) return { stream = own:get "stream", event = own:get "event" } end,
  start_timer = function(own) return { stream = own:get "stream", timer = own:get "timer" } end,
  stop_timer = function(own) return { stream = own:get "stream", timer = own:get "timer" } end,
  host_callback = function(own)
    return { stream = own:get "stream", callback = own:get "callback" }
  end,
  record_event = function(_, shared)
    return { stream = shared:get "second", event = shared:get "event" }
  end,
  get_event_status = function(_, shared) return { event = shared:get "event" } end,
  get_stream_status = function(_, shared) return { stream = shared:get "second" } end,
  block_host_for_event = function(_, shared) return { event = shared:get "event" } end,
  block_host_until_done = function(_, shared) return { stream = shared:get "second" } end,
  synchronize_all_activity = function() return {} end,
  get_allocator_stats = function() return {} end,
  device_memory_usage = function() return {} end,
}

-- Copies and fills, with the names of what they take.
for slot, names in pairs { memcpy_htod = { "stream", "memory", host = "source" },
  memcpy_dtoh = { "stream", "memory", host = "target" },
  memcpy_dtod = { "stream", "memory", from = "origin" },
  sync_memcpy_htod = { "memory", host = "source" },
  sync_memcpy_dtoh = { "memory", host = "target" },
  sync_memcpy_dtod = { "memory", from = "origin" }, mem_zero = { "stream", "memory" },
  memset = { "stream", "memory" }, memset32 = { "stream", "memory" } } do
  calls[slot] = function(own)
    local call = { size = device_side.size }
    for key, name in pairs(names) do
      call[type(key) == "number" and name or key] = own:get(name)
    end
    return call
  end
end

local firsts = { "allocate", "deallocate", "host_memory_allocate", "host_memory_deallocate",
  "create_stream", "destroy_stream", "create_event", "destroy_event", "create_timer",
  "destroy_timer", "create_stream_dependency", "record_event", "wait_for_event",
  "get_event_status", "get_stream_status", "start_timer", "stop_timer", "memcpy_htod",
  "memcpy_dtoh", "memcpy_dtod", "mem_zero", "memset", "memset32", "sync_memcpy_htod",
  "sync_memcpy_dtoh", "sync_memcpy_dtod", "host_callback", "block_host_for_event",
  "block_host_until_done", "synchronize_all_activity", "get_allocator_stats",
  "device_memory_usage" }

-- Slots that are like others at another call's side are left out.
local seconds = { "allocate", "deallocate", "host_memory_allocate", "host_memory_deallocate",
  "create_stream", "destroy_stream", "create_event", "destroy_event", "create_timer",
  "destroy_timer", "create_stream_dependency", "record_event", "wait_for_event",
  "get_event_status", "memcpy_htod", "sync_memcpy_dtod", "host_callback", "block_host_for_event",
  "synchronize_all_activity", "get_allocator_stats", "device_memory_usage" }

-- What a call has made -----------------------------------------------------------------------

-- Gives what was made a use, before what another call has made is used.
local using, describing = {}, {}
local ends = { allocate = "deallocate", host_memory_allocate = "host_memory_deallocate",
  create_stream = "destroy_stream", create_event = "destroy_event",
  create_timer = "destroy_timer" }

function using.allocate(device, memory, side)
  local host = runner.host(asked)
  host:set(0, string.char(side.number):rep(asked))
  device_side.must(device:sync_memcpy_htod(memory, 0, host, 0, asked))
end

function describing.allocate(device, memory, side)
  local content = device_side.read(device, memory, asked)
  return content == string.char(side.number):rep(asked) and "its own" or "another's, too"
end

function using.host_memory_allocate(_, host, side)
  host:set(0, string.char(side.number):rep(asked))
end

function describing.host_memory_allocate(_, host, side)
  return host:bytes() == string.char(side.number):rep(asked) and "its own" or "another's, too"
end

-- At work for a moment, the second one for longer, so that something has to wait for each.
function using.create_stream(device, stream, side)
  side.work = runner.call { seconds = 0.001 * side.number * side.number }
  device_side.must(device:host_callback(stream, side.work))
end

function describing.create_stream(_, _, side)
  return side.work:state().ended == 1 and "waited for" or "not waited for"
end

function using.create_event(device, event, side)
  side.first_status = device:get_event_status(event)
  device_side.must(device:record_event(side:get "stream", event))
end

function describing.create_event(device, event, side)
  return side.first_status .. ", " .. device:get_event_status(event)
end

function using.create_timer(device, timer, side)
  device_side.must(device:start_timer(side:get "stream", timer))
  device_side.must(device:stop_timer(side:get "stream", timer))
end

function describing.create_timer(device, timer)
  return device:nanoseconds(timer) < 1e9 and "it measures" or "it measures wrongly"
end

-- For each slot the one that makes objects of its kind: those that were made meanwhile and two new
-- ones are not the same.
local kinds = { deallocate = "allocate", destroy_stream = "create_stream",
  destroy_event = "create_event", destroy_timer = "create_timer" }
for _, slot in ipairs { "allocate", "create_stream", "create_event", "create_timer" } do
  kinds[slot] = slot
end

local function are_apart(slot, objects)
  for i, one in ipairs(objects) do
    for j = i + 1, #objects do
      local other = objects[j]
      if one == other or slot == "allocate" and not one:apart(other) then
        return false
      end
    end
  end
  return true
end

-- Whether new objects of the kind of a slot are others than those that were made.
local function gives_others(device, slot, slots, answers)
  local making, objects = kinds[slot], {}
  for i = 1, 2 do
    if slots[i] == making then
      objects[#objects + 1] = answers[i].made
    end
  end
  for _ = 1, 2 do
    objects[#objects + 1] = device_side.must(device[making](device,
      making == "allocate" and asked or nil))
  end
  local apart = are_apart(making, objects)
  for _ = 1, 2 do
    device[ends[making]](device, table.remove(objects))
  end
  return apart
end

-- Outcomes -------------------------------------------------------------------------------------

local states = { [0] = "unknown", "error", "recorded", "recorded" }

-- A result in words: sizes from those before the calls.
local function number_of(slot, number, before)
  if slot == "get_event_status" then
    return states[number] or tostring(number)
  elseif slot == "get_allocator_stats" then
    return ("%d more in use"):format(number - (before.in_use or 0))
  elseif slot == "device_memory_usage" then
    return ("%d less free"):format((before.free or 0) - number)
  end
end

local function sizes_of(device)
  local stats, usage = device:get_allocator_stats(), device:device_memory_usage()
  return { in_use = stats and stats.bytes_in_use, free = usage and usage.free }
end

-- The device, three sides, and the sizes before the calls.
local function scene_of(t)
  local device = t.device.__raw
  return { device = device, device_side.new(device, 1), device_side.new(device, 2),
    shared = device_side.new(device, 3) }
end

local function prepare(scene, slots)
  local prepared = {}
  for i = 1, 2 do
    prepared[i] = calls[slots[i]](scene[i], scene.shared)
    prepared[i].slot = slots[i]
  end
  scene.before = sizes_of(scene.device)
  local device = scene.device -- what was asked for above has changed, if it is remembered
  device:deallocate(device_side.must(device:allocate(1)))
  return prepared
end

local function each_made(scene, slots, answers, visit)
  for i = 1, 2 do
    local made = answers[i] and answers[i].made
    if made then
      visit(slots[i], made, scene[i])
    end
  end
end

-- Waits for all, and tells in words what is there; answers: of the sides.
local function outcome_of(scene, slots, answers)
  local device, words = scene.device, {}
  local now = sizes_of(device)
  each_made(scene, slots, answers, function(slot, made, side)
    using[slot](device, made, side)
  end)
  device_side.must(device:synchronize_all_activity())
  for i = 1, 2 do
    local number = number_of(slots[i], answers[i].number, scene.before)
    words[i] = answers[i].code .. (number and " " .. number or "")
  end
  each_made(scene, slots, answers, function(slot, made, side)
    words[#words + 1] = ("what %s made: %s"):format(slot, describing[slot](device, made, side))
  end)
  for i = 1, 2 do
    if kinds[slots[i]] and not gives_others(device, slots[i], slots, answers) then
      words[#words + 1] = "the same " .. kinds[slots[i]]:gsub("^create_", "") .. " twice"
    end
  end
  for _, side in ipairs { scene[1], scene[2], scene.shared } do
    words[#words + 1] = side:describe()
  end
  words[#words + 1] = number_of("get_allocator_stats", now.in_use or 0, scene.before)
  words[#words + 1] = number_of("device_memory_usage", now.free or 0, scene.before)
  return table.concat(words, "; ")
end

local function finish(scene, slots, answers)
  each_made(scene, slots, answers, function(slot, made)
    scene.device[ends[slot]](scene.device, made)
  end)
  for _, side in ipairs { scene[1], scene[2], scene.shared } do
    side:finish()
  end
end

-- Makes both calls, the first one held at point k, the second one first if k is "swapped". Returns
-- the outcome, or nothing if there is no such point; then the second call ends what it was for.
local function play(t, slots, k)
  local scene = scene_of(t)
  local prepared = prepare(scene, slots)
  local swapped = k == "swapped"
  local answer = scene.device:overlap(swapped and 0 or k, prepared[swapped and 2 or 1],
    prepared[swapped and 1 or 2])
  local answers = swapped and { answer.second, answer.first } or { answer.first, answer.second }
  t:equal(nil, answer.fault)
  local outcome = answer.second and outcome_of(scene, slots, answers)
  if outcome then
    t.journal:meet(slots[1], answers[1].code)
    t.journal:meet(slots[2], answers[2].code)
  else
    answers[2] = scene.device:overlap(0, prepared[2], { slot = "synchronize_all_activity" }).first
  end
  finish(scene, slots, answers)
  return outcome
end

-- Pairs ----------------------------------------------------------------------------------------

local function note(t, words)
  t.journal.call, t.journal.answer = words, "nothing: the calls did not return"
  t.journal.tell("call", words)
end

-- Whether there was a point k.
local function overlap(t, pair, k)
  local words = held:format(pair[1], k, pair[2])
  note(t, words)
  pair.allowed = pair.allowed or { play(t, pair, 0), play(t, pair, "swapped") }
  local outcome = play(t, pair, k)
  if not outcome then
    return false
  end
  t.assertions = t.assertions + 1
  if outcome ~= pair.allowed[1] and outcome ~= pair.allowed[2] then
    t.journal.answer = outcome
    error({ failed = ("%s: %s; one after the other: %s"):format(words, outcome,
      table.concat(pair.allowed, " or ")) }, 0)
  end
  return true
end

local function pairs_of(t, slot)
  local list = {}
  for _, second in ipairs(seconds) do
    local both_record = slot == "record_event" and second == "record_event"
    if not both_record and t.device.__raw:has_call(second) then
      list[#list + 1] = { slot, second }
    end
  end
  return list
end

-- Two slots may answer that the device has no such numbers.
local function needs(t, slot)
  t:need_shim()
  if not t.device.__raw:has_call(slot) then
    t:refuse(slot .. " is an empty slot")
  elseif slot == "get_allocator_stats" or slot == "device_memory_usage" then
    t:ok(t.device[slot](t.device))
  end
end

local function run(t, slot)
  needs(t, slot)
  local list, deadline = pairs_of(t, slot), os.clock() + most_seconds
  for k = 1, most_points do
    local left = {}
    for _, pair in ipairs(list) do
      if os.clock() < deadline and overlap(t, pair, k) then
        left[#left + 1] = pair
      end
    end
    list = left
  end
  t.journal:serve(slot)
end

-- Memory that cannot be had --------------------------------------------------------------------

-- Makes a call whose k-th allocation fails: it fails, or does what it always does; then another one
-- does that, too. Whether there was such an allocation.
local function run_short(t, slots, k, usual)
  local scene = scene_of(t)
  local prepared = prepare(scene, slots)
  note(t, ("%s, whose allocation %d fails"):format(slots[1], k))
  runner.fail_allocation(k)
  local answer = scene.device:overlap(0, prepared[1], prepared[2])
  local failed = runner.allocation_failed()
  runner.fail_allocation(0)
  local answers = { answer.first, answer.second }
  t:equal(nil, answer.fault)
  local outcome = answer.first.code == "OK" and outcome_of(scene, slots, answers)
  t.assertions = t.assertions + 1
  t.journal.answer = outcome or answer.first.code
  if outcome and outcome ~= usual then
    error({ failed = ("%s: %s; else: %s"):format(t.journal.call, outcome, usual) }, 0)
  end
  finish(scene, slots, answers)
  t:equal(usual, play(t, slots, 0), "the next such call")
  return failed
end

local function run_each_short(t, slot)
  needs(t, slot)
  local slots = { slot, "get_allocator_stats" }
  local usual = play(t, slots, 0)
  for k = 1, 20 do
    if not run_short(t, slots, k, usual) then
      break
    end
  end
  t.journal:serve(slot)
end

-- Slots that end something have nothing left to end when they fail.
local ends_something = { deallocate = true, host_memory_deallocate = true, destroy_stream = true,
  destroy_event = true, destroy_timer = true }

return function(case)
  for _, slot in ipairs(firsts) do
    case("of_" .. slot, slot, function(t)
      run(t, slot)
    end)
  end

  for _, slot in ipairs(firsts) do
    if not ends_something[slot] then
      case("short_of_memory_in_" .. slot, slot, function(t)
        run_each_short(t, slot)
      end)
    end
  end
end
