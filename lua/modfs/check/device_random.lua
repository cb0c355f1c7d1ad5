-- Random schedules: streams, events, waits, copies, fills and callbacks, the same ones for the same
-- seed, on a device and on the model.
local runner = require "modfs.runner"
local model_of = require "modfs.check.device_model"
local random = require "modfs.check.random"

local schedule = {}

local streams, memories, events, size = 3, 4, 3, 256
local host = 0

-- Drawing ----------------------------------------------------------------------------------

local works = { "fill", "fill", "write", "write", "copy", "copy", "copy", "read", "read", "put",
  "get" }
local others = { "call", "call", "sync", "sync_event", "sync_all", "query" }

-- A work begins where another stream's ended, three times of four.
local function add_order(list, draw, stream, before)
  if not before or before == stream or draw(4) == 1 then
    return
  elseif before == host or stream == host then
    list[#list + 1] = before ~= host and { "sync", before } or nil
  elseif draw(2) == 1 then
    list[#list + 1] = { "follow", stream, before }
  else
    local event = draw(events)
    list[#list + 1] = { "record", before, event }
    list[#list + 1] = { "wait", stream, event }
  end
end

local function add_work(list, draw, last, tag)
  local kind, stream, memory = works[draw(#works)], draw(streams), draw(memories)
  local from = (memory + draw(memories - 1) - 1) % memories + 1
  if kind == "put" or kind == "get" then
    stream = host
  end
  if stream ~= host and draw(5) == 1 then
    list[#list + 1] = { "call", stream, 0.0005 }
  end
  add_order(list, draw, stream, last[memory])
  if kind == "copy" then
    add_order(list, draw, stream, last[from])
    last[from] = stream
  end
  last[memory] = stream
  list[#list + 1] = { kind, stream, memory, kind == "copy" and from or tag }
end

-- schedule.sequence(seed, length) -> array of { kind, … }
function schedule.sequence(seed, length)
  local draw, list, last = random.generator(seed), {}, {}
  while #list < length do
    if draw(4) > 1 then
      add_work(list, draw, last, #list % 250 + 1)
    else
      local kind = others[draw(#others)]
      list[#list + 1] = kind == "call" and { kind, draw(streams), draw(3) * 0.0003 }
        or (kind == "sync" and { kind, draw(streams) } or { kind, draw(events) })
    end
  end
  return list
end

-- Playing -----------------------------------------------------------------------------------

local plays = {}

local function content(run, tag)
  return run.t:host(string.char(tag):rep(size))
end

function plays.fill(run, stream, memory, tag)
  run.model:write(stream, memory, tag)
  if run.t:has "memset" then
    return run.device:memset(run.streams[stream], run.memories[memory], 0, tag, size)
  end
  return run.device:memcpy_htod(run.streams[stream], run.memories[memory], 0, content(run, tag), 0,
    size)
end

function plays.write(run, stream, memory, tag)
  run.model:write(stream, memory, tag)
  return run.device:memcpy_htod(run.streams[stream], run.memories[memory], 0, content(run, tag), 0,
    size)
end

local function note_read(run, stream, memory)
  local bytes = run.t:host(size)
  run.reads[#run.reads + 1] = { read = run.model:read(stream, memory), bytes = bytes,
    step = run.step }
  return bytes
end

function plays.read(run, stream, memory)
  local bytes = note_read(run, stream, memory)
  return run.device:memcpy_dtoh(run.streams[stream], bytes, 0, run.memories[memory], 0, size)
end

function plays.copy(run, stream, memory, from)
  if not run.t:has "memcpy_dtod" then
    return true
  end
  run.model:copy(stream, memory, from)
  return run.device:memcpy_dtod(run.streams[stream], run.memories[memory], 0, run.memories[from], 0,
    size)
end

function plays.put(run, _, memory, tag)
  run.model:write(host, memory, tag)
  return run.device:sync_memcpy_htod(run.memories[memory], 0, content(run, tag), 0, size)
end

function plays.get(run, _, memory)
  return run.device:sync_memcpy_dtoh(note_read(run, host, memory), 0, run.memories[memory], 0, size)
end

function plays.record(run, stream, event)
  run.model:record(stream, event)
  return run.device:record_event(run.streams[stream], run.events[event])
end

function plays.wait(run, stream, event)
  if not run.model.events[event] then
    return true
  end
  run.model:wait(stream, event)
  return run.device:wait_for_event(run.streams[stream], run.events[event])
end

function plays.follow(run, stream, other)
  run.model:follow(stream, other)
  return run.device:create_stream_dependency(run.streams[stream], run.streams[other])
end

function plays.call(run, stream, seconds)
  local call = runner.call { seconds = seconds }
  run.calls[#run.calls + 1] = { point = run.model:call(stream), call = call, step = run.step }
  return run.device:host_callback(run.streams[stream], call)
end

function plays.sync(run, stream)
  run.t:finish(run.streams[stream])
  run.model:see_stream(stream)
  return true
end

function plays.sync_event(run, event)
  if not run.model.events[event] then
    return true
  end
  run.model:see_event(event)
  return run.device:block_host_for_event(run.events[event])
end

function plays.sync_all(run)
  run.model:see_all()
  return run.device:synchronize_all_activity()
end

function plays.query(run, event)
  local answer = run.device:get_event_status(run.events[event])
  local known = run.model.events[event]
  if known and answer == "complete" then
    run.model:see_event(event)
  elseif known and answer ~= "pending" or not known and answer ~= "unknown" then
    return nil, "the event's status is " .. tostring(answer)
  end
  return true
end

-- Comparing ----------------------------------------------------------------------------------

local function list_of(values)
  local list = {}
  for value in pairs(values) do
    list[#list + 1] = value
  end
  table.sort(list)
  return table.concat(list, " or ")
end

local function compare_reads(run)
  for _, each in ipairs(run.reads) do
    local values = run.model:allowed(each.read)
    for i, byte in ipairs { each.bytes:bytes():byte(1, size) } do
      if not values[byte] then
        return each.step, ("byte %d is %d, where the order allows %s"):format(i, byte,
          list_of(values))
      end
    end
  end
end

local function compare_calls(run)
  for i, each in ipairs(run.calls) do
    local state = each.call:state()
    if state.ended ~= 1 then
      return each.step, ("the callback has run %d times"):format(state.ended)
    end
    for j = 1, i - 1 do
      local earlier = run.calls[j]
      if model_of.is_before(earlier.point, each.point)
        and earlier.call:state().order > state.order then
        return each.step, ("the callback has run before that of step %d"):format(earlier.step)
      end
    end
  end
end

local function new_run(t)
  local run = { t = t, device = t.device, model = model_of.new(streams, memories), reads = {},
    calls = {}, streams = {}, memories = {}, events = {} }
  for i = 1, streams do
    run.streams[i] = t:must(t.device:create_stream())
  end
  for i = 1, memories do
    run.memories[i] = t:must(t.device:allocate(size))
    t:put(run.memories[i], 0, ("\0"):rep(size))
  end
  for i = 1, events do
    run.events[i] = t:must(t.device:create_event())
  end
  return run
end

-- The next run begins with streams of its own: a failure in one is for good.
local function end_run(run)
  local device = run.device
  for _, stream in ipairs(run.streams) do
    run.t:finish(stream)
  end
  for _, event in ipairs(run.events) do
    device:destroy_event(event)
  end
  for _, stream in ipairs(run.streams) do
    device:destroy_stream(stream)
  end
  for _, memory in ipairs(run.memories) do
    device:deallocate(memory)
  end
end

local function play(run, sequence)
  for i, step in ipairs(sequence) do
    run.step = i
    local fine, message = plays[step[1]](run, step[2], step[3], step[4])
    if not fine then
      return i, message
    end
  end
  run.t:must(run.device:synchronize_all_activity())
  run.model:see_all()
  for i = 1, memories do
    plays.get(run, host, i)
  end
  run.model:settle()
  local step, why = compare_reads(run)
  if step then
    return step, why
  end
  return compare_calls(run)
end

-- schedule.run(t, sequence) -> nil when all is well, or the step that went wrong and how.
function schedule.run(t, sequence)
  local run = new_run(t)
  local step, why = play(run, sequence)
  run.device.__raw:synchronize_all_activity()
  end_run(run)
  return step, why
end

-- Telling ------------------------------------------------------------------------------------

local slots = { fill = "memset", write = "memcpy_htod", read = "memcpy_dtoh", copy = "memcpy_dtod",
  put = "sync_memcpy_htod", get = "sync_memcpy_dtoh", record = "record_event",
  wait = "wait_for_event", follow = "create_stream_dependency", call = "host_callback",
  sync = "block_host_until_done", sync_event = "block_host_for_event",
  sync_all = "synchronize_all_activity", query = "get_event_status" }

-- The slot that a step calls.
function schedule.operation(step)
  return slots[step[1]]
end

local words = {
  fill = "s[%d]:fill(m[%d], %d)",
  write = "s[%d]:copy(m[%d], string.char(%d):rep(256))",
  read = "b[#b + 1] = modfs.buffer(256); s[%d]:copy(b[#b], m[%d])",
  copy = "s[%d]:copy(m[%d], m[%d])",
  record = "s[%d]:record(e[%d])", wait = "s[%d]:wait(e[%d])", follow = "s[%d]:wait(s[%d])",
  call = "s[%d]:callback(function() end) -- it took %g seconds",
  sync = "s[%d]:synchronize()", sync_event = "e[%d]:wait()", sync_all = "d:synchronize()",
  query = "print(e[%d]:status())", put = "m[%d]:write(string.char(%d):rep(256))",
  get = "print(m[%d]:read():byte())",
}

local function line_of(step)
  local from = (step[1] == "put" or step[1] == "get") and 3 or 2
  return words[step[1]]:format(step[from], step[from + 1], step[from + 2])
end

local head = [[
local modfs = require "modfs"
assert(modfs.load(%q, { trust = true }))
local d = assert(modfs.device("%s:0"))
local s, m, e, b = {}, {}, {}, {}
for i = 1, 4 do s[i], e[i], m[i] = d:stream(), d:event(), d:allocate(256); m[i]:fill(0) end
]]

-- A Lua program that does the same.
function schedule.script(t, sequence)
  local lines = { (head:format(t.file, t.facts.name):gsub("\n$", "")) }
  for _, step in ipairs(sequence) do
    lines[#lines + 1] = line_of(step)
  end
  lines[#lines + 1] = "d:synchronize()"
  lines[#lines + 1] = 'for i = 1, #b do print("b", i, b[i]:byte()) end'
  lines[#lines + 1] = 'for i = 1, 4 do print("m", i, m[i]:read():byte()) end'
  return table.concat(lines, "\n")
end

return schedule
