-- Streams of the reference device under latency and faults, which the environment says: scene.
local modfs = require "modfs"
local device = modfs.device "REFERENCE:0"
local scenes = {}

function scenes.close_waits()
  local stream = device:stream()
  local memory, event = device:allocate(4), device:event()
  stream:fill(memory, ("x"):byte()):record(event)
  assert(event:status() == "pending")
  assert(stream:status() == true)
  stream:close()
  assert(event:status() == "complete" and memory:read() == "xxxx")
end

function scenes.overlaps()
  local stream = device:stream()
  local other, event = device:stream(), device:event()
  local memory, buffer = device:allocate(4), modfs.buffer(4)
  stream:copy(memory, "work"):record(event)
  other:wait(event):copy(buffer, memory)
  assert(event:status() == "pending")
  assert(other:synchronize() and buffer:sub(1) == "work")
  buffer:fill(0)
  stream:copy(memory, "more")
  assert(other:wait(stream):copy(buffer, memory):synchronize() and buffer:sub(1) == "more")
  local timer = device:timer() -- 8 copies of 0.2 s: 0.8 s together, 1.6 s one after another
  timer:start(stream)
  for _ = 1, 4 do stream:fill(memory, 1) other:copy(buffer, memory) end
  stream:wait(other)
  timer:stop(stream)
  local elapsed = timer:nanoseconds()
  assert(elapsed >= 0.6e9 and elapsed < 1.55e9, elapsed)
end

function scenes.keeps()
  local stream = device:stream()
  local function collect() collectgarbage() collectgarbage() end
  assert(modfs.write("mem://flight", "region!"))
  local results = {}
  local to = {}
  for i, source in ipairs {
    function() return ("str"):rep(2) .. tostring(#results) end,
    function() return modfs.buffer "buffer!" end,
    function() return modfs.map "mem://flight" end,
    function() return modfs.buffer("_sliced!_"):slice(2, 8) end,
    function() local b = device:host_allocate(7) b:set(1, "pinned!") return b end,
    function() local m = device:allocate(7) m:write "memory!" return m end,
  } do
    to[i] = device:allocate(7)
    local from = source()
    stream:copy(to[i], from)
    if type(from) ~= "string" and i % 2 == 0 then from:close() end
    from = nil -- luacheck: ignore 311
    collect()
  end
  modfs.remove "mem://flight"
  assert(stream:synchronize())
  local wanted = { "strstr0", "buffer!", "region!", "sliced!", "pinned!", "memory!" }
  for i, text in ipairs(wanted) do
    assert(to[i]:read() == text, to[i]:read())
  end
  -- ends that go: the memory, the buffer, then the stream itself
  local buffer = modfs.buffer(7)
  local half = buffer:slice(1, 7)
  stream:copy(buffer, to[2])
  to[2]:close()
  buffer:close()
  stream:fill(to[1], 1)
  to = nil -- luacheck: ignore 311
  stream = nil -- luacheck: ignore 311
  collect() -- waits
  assert(half:sub(1) == "buffer!")
  assert(device:allocator_stats().bytes_in_use == 0)
  assert(device:close())
end

function scenes.fails()
  local stream, memory, buffer = device:stream(), device:allocate(4), modfs.buffer(4)
  local _, message, code = stream:copy(memory, "fine"):copy(memory, "lost"):synchronize()
  print(code, tostring(stream))
  assert(message and message:find("^" .. code .. ": "), message)
  for _, try in ipairs {
    function() return stream:status() end, function() return stream:synchronize() end,
    function() stream:copy(memory, "x") return stream:synchronize() end,
    function() stream:callback(function() end) return stream:synchronize() end,
  } do
    assert(select(3, try()) == code)
  end
  assert(memory:write "good" and memory:read() == "good")
  local other = device:stream()
  assert(other:copy(buffer, memory):synchronize() and buffer:sub(1) == "good")
  assert(stream:close())
  assert(other:status())
end

function scenes.survives()
  local function use()
    local s, o, e = device:stream(), device:stream(), device:event()
    local m, b = device:allocate(8), device:host_allocate(8)
    local u, t = device:unified_allocate(8), device:timer()
    if not (s and o and e and m and b and u and t) then return false end
    local good = t:start(s) and s:copy(m, "12345678") and s:copy(b, m) and s:fill(m, 1)
      and s:record(e) and o:wait(e) and o:copy(m, u) and t:stop(s) and s:callback(print)
    return good and s:synchronize() and o:synchronize() and e:wait()
  end
  local failures = 0
  for _ = 1, 4 do failures = failures + (use() and 0 or 1) end
  collectgarbage()
  assert(device:allocator_stats().bytes_in_use == 0)
  assert(device:close())
  io.write(failures > 0 and "failed" or "fine")
end

scenes[(...)]()
