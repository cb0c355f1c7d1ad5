-- Copies and fills: all bytes, those bytes, and no others.
local runner = require "modfs.runner"

local size = 1000

-- A piece of memory with known bytes, and what it holds.
local function known(t, salt)
  local piece, content = t:memory(size), t:bytes(size, salt or 1)
  t:put(piece, 0, content)
  return piece, content
end

-- What each way of copying does to a part of a larger piece.
local function parts(case, name, operation, copy)
  case(name .. ".parts", operation, function(t)
    local stream = t:stream()
    for i, range in ipairs { { 0, 10 }, { 1, 10 }, { 990, 10 }, { 333, 334 }, { 999, 1 } } do
      copy(t, stream, range[1], range[2], i)
    end
  end)
end

local function ways(case)
  parts(case, "htod", "memcpy_htod", function(t, stream, offset, n, salt)
    local piece, content = known(t, salt)
    local host = t:host(t:bytes(size, salt + 10))
    t:yes(t.device:memcpy_htod(stream, piece, offset, host, 7, n))
    t:finish(stream)
    local part = t:bytes(size, salt + 10):sub(8, 7 + n)
    t:equal(t:replaced(content, offset, part), t:get(piece, 0, size))
  end)

  parts(case, "dtoh", "memcpy_dtoh", function(t, stream, offset, n, salt)
    local piece, content = known(t, salt)
    local host = t:host(("."):rep(size + 20))
    t:yes(t.device:memcpy_dtoh(stream, host, 10, piece, offset, n))
    t:finish(stream)
    t:equal(t:replaced(("."):rep(size + 20), 10, content:sub(offset + 1, offset + n)), host:bytes())
  end)

  parts(case, "dtod", "memcpy_dtod", function(t, stream, offset, n, salt)
    t:needs "memcpy_dtod"
    local from, source = known(t, salt)
    local to, target = known(t, salt + 10)
    t:yes(t.device:memcpy_dtod(stream, to, size - n, from, offset, n))
    t:finish(stream)
    t:equal(t:replaced(target, size - n, source:sub(offset + 1, offset + n)), t:get(to, 0, size))
    t:equal(source, t:get(from, 0, size), "the source")
  end)

  parts(case, "sync_htod", "sync_memcpy_htod", function(t, _, offset, n, salt)
    local piece, content = known(t, salt)
    local host = t:host(t:bytes(size, salt + 10))
    t:yes(t.device:sync_memcpy_htod(piece, offset, host, 7, n))
    local part = t:bytes(size, salt + 10):sub(8, 7 + n)
    t:equal(t:replaced(content, offset, part), t:get(piece, 0, size))
  end)

  parts(case, "sync_dtoh", "sync_memcpy_dtoh", function(t, _, offset, n, salt)
    local piece, content = known(t, salt)
    local host = t:host(("."):rep(size + 20))
    t:yes(t.device:sync_memcpy_dtoh(host, 10, piece, offset, n))
    t:equal(t:replaced(("."):rep(size + 20), 10, content:sub(offset + 1, offset + n)), host:bytes())
  end)

  parts(case, "sync_dtod", "sync_memcpy_dtod", function(t, _, offset, n, salt)
    t:needs "sync_memcpy_dtod"
    local from, source = known(t, salt)
    local to, target = known(t, salt + 10)
    t:yes(t.device:sync_memcpy_dtod(to, size - n, from, offset, n))
    t:equal(t:replaced(target, size - n, source:sub(offset + 1, offset + n)), t:get(to, 0, size))
  end)
end

local function at_once(case)
  case("sync_htod.is_done_when_it_returns", "sync_memcpy_htod", function(t)
    local n = 2 ^ 20
    local piece, host = t:memory(n), t:host(n)
    local dots = ("."):rep(n) -- made before, as all is that has to come soon after the copy
    for i = 1, 8 do
      local bytes = t:bytes(n, i)
      host:set(0, bytes)
      t:yes(t.device:sync_memcpy_htod(piece, 0, host, 0, n))
      host:set(0, dots)
      t:yes(t:get(piece, 0, n) == bytes, "the bytes that were there at the call")
    end
  end)

  case("sync_dtoh.is_done_when_it_returns", "sync_memcpy_dtoh", function(t)
    local n = 2 ^ 20
    local piece, host = t:memory(n), t:host(n)
    for i = 1, 8 do
      local bytes = t:bytes(n, i)
      t:put(piece, 0, bytes)
      t:yes(t.device:sync_memcpy_dtoh(host, 0, piece, 0, n))
      t:yes(host:bytes() == bytes, "the bytes when it returns")
    end
  end)

  case("sync_dtod.is_done_when_it_returns", "sync_memcpy_dtod", function(t)
    t:needs "sync_memcpy_dtod"
    local n = 2 ^ 20
    local from, to = t:memory(n), t:memory(n)
    for i = 1, 8 do
      local bytes = t:bytes(n, i)
      t:put(from, 0, bytes)
      t:yes(t.device:sync_memcpy_dtod(to, 0, from, 0, n))
      t:yes(t:get(to, 0, n) == bytes, "the bytes when it returns")
    end
  end)
end

-- fill(t, stream, piece, offset, n) enqueues it; bytes is what n of them are.
local function fills(case, operation, bytes, fill)
  case(operation .. ".parts", operation, function(t)
    t:needs(operation)
    local stream = t:stream()
    for i, range in ipairs { { 0, 12 }, { 4, 12 }, { 988, 12 }, { 400, 200 }, { 0, 1000 } } do
      local piece, content = known(t, i)
      t:yes(fill(t.device, stream, piece, range[1], range[2]))
      t:finish(stream)
      t:equal(t:replaced(content, range[1], bytes:rep(range[2]):sub(1, range[2])),
        t:get(piece, 0, size))
    end
  end)
end

return function(case)
  ways(case)
  at_once(case)
  fills(case, "mem_zero", "\0", function(device, stream, piece, offset, n)
    return device:mem_zero(stream, piece, offset, n)
  end)
  fills(case, "memset", "\200", function(device, stream, piece, offset, n)
    return device:memset(stream, piece, offset, 200, n)
  end)
  fills(case, "memset32", runner.word(0x01020304), function(device, stream, piece, offset, n)
    return device:memset32(stream, piece, offset, 0x01020304, n)
  end)
end
