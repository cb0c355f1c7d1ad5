-- Copies and fills of many sizes behind each other in a stream that is held up: nothing is seen
-- before it goes on, then every byte of them, and none of the guard bytes around.
local guard = 64

-- Sizes with tails of every length, in units: short ones, and around pages and 64 KiB.
local function lengths(unit)
  local list = {}
  for n = 0, 80 do
    list[#list + 1] = n * unit
  end
  for _, middle in ipairs { 4096, 8192, 65536 } do
    for d = -17, 17, middle == 4096 and 1 or 2 do
      list[#list + 1] = middle + d * unit
      list[#list + 1] = d % 16 == 1 and middle + (d - 1) * unit or nil
    end
  end
  list[#list + 1] = 131072 + unit
  list[#list + 1] = 262144 + 3 * unit
  return list
end

-- Pieces one behind the other, between guards: { at =, size =, from = } each; from is where their
-- source begins, at another alignment.
local function places(unit)
  local list, at = {}, guard
  for i, n in ipairs(lengths(unit)) do
    list[i] = { at = at + i * 5 % (16 / unit) * unit, size = n, from = at + i * 11 % 16 }
    at = at + n + 2 * guard
  end
  return list, at
end

-- What a memory holds after all pieces are in their places.
local function filled(content, list, part)
  local parts, last = {}, 0
  for i, place in ipairs(list) do
    parts[2 * i - 1] = content:sub(last + 1, place.at)
    parts[2 * i] = part(place)
    last = place.at + place.size
  end
  parts[#parts + 1] = content:sub(last + 1)
  return table.concat(parts)
end

-- Where two contents of the same length differ first.
local function difference(list, expected, got)
  if expected == got then
    return nil
  end
  for _, place in ipairs(list) do
    local from, to = place.at - guard + 17, place.at + place.size + 16
    if expected:sub(from, to) ~= got:sub(from, to) then
      local whole = expected:sub(place.at + 1, place.at + place.size)
        == got:sub(place.at + 1, place.at + place.size)
      return ("%d bytes at %d are %s"):format(place.size, place.at,
        whole and "right, those around them have changed" or "not what was written there")
    end
  end
  return "bytes far from all pieces have changed"
end

local function compare(t, list, expected, got)
  local what = difference(list, expected, got)
  t:yes(what == nil, what)
end

-- Enqueues all pieces while a stream is held up; look() is what there is to see of them.
local function play(t, list, before, after, look, enqueue)
  local stream = t:stream()
  local gate = t:hold(stream)
  for _, place in ipairs(list) do
    t:must(enqueue(stream, place))
  end
  t:meanwhile_all(gate, { before }, function() return look() == before end,
    function() return "nothing has changed yet" end)
  gate:open()
  t:finish(stream)
  compare(t, list, after, look())
end

local function copies(case)
  case("to_the_device", "memcpy_htod", function(t)
    local list, total = places(1)
    local before, source = t:bytes(total, 3), t:bytes(total, 5)
    local piece, host = t:memory(total), t:host(source)
    t:put(piece, 0, before)
    play(t, list, before, filled(before, list, function(place)
      return source:sub(place.from + 1, place.from + place.size)
    end), function() return t:get(piece, 0, total) end, function(stream, place)
      return t.device:memcpy_htod(stream, piece, place.at, host, place.from, place.size)
    end)
  end)

  case("to_the_host", "memcpy_dtoh", function(t)
    local list, total = places(1)
    local before, source = t:bytes(total, 3), t:bytes(total, 5)
    local piece, host = t:memory(total), t:host(before)
    t:put(piece, 0, source)
    play(t, list, before, filled(before, list, function(place)
      return source:sub(place.from + 1, place.from + place.size)
    end), function() return host:bytes() end, function(stream, place)
      return t.device:memcpy_dtoh(stream, host, place.at, piece, place.from, place.size)
    end)
  end)

  case("within_the_device", "memcpy_dtod", function(t)
    t:needs "memcpy_dtod"
    local list, total = places(1)
    local before, source = t:bytes(total, 3), t:bytes(total, 5)
    local from, to = t:memory(total), t:memory(total)
    t:put(from, 0, source)
    t:put(to, 0, before)
    play(t, list, before, filled(before, list, function(place)
      return source:sub(place.from + 1, place.from + place.size)
    end), function() return t:get(to, 0, total) end, function(stream, place)
      return t.device:memcpy_dtod(stream, to, place.at, from, place.from, place.size)
    end)
    t:yes(t:get(from, 0, total) == source, "the source is as it was")
  end)

  case("within_the_device_at_once", "sync_memcpy_dtod", function(t)
    t:needs "sync_memcpy_dtod"
    local list, total = places(1)
    local before, source = t:bytes(total, 3), t:bytes(total, 5)
    local from, to = t:memory(total), t:memory(total)
    t:put(from, 0, source)
    t:put(to, 0, before)
    for _, place in ipairs(list) do
      t:must(t.device:sync_memcpy_dtod(to, place.at, from, place.from, place.size))
    end
    compare(t, list, filled(before, list, function(place)
      return source:sub(place.from + 1, place.from + place.size)
    end), t:get(to, 0, total))
  end)

  case("from_each_to_the_next", "memcpy_dtoh", function(t)
    local list, total = places(1)
    local before, source = t:bytes(total, 3), t:bytes(total, 5)
    local one, two = t:memory(total), t:has "memcpy_dtod" and t:memory(total)
    local host, back = t:host(source), t:host(before)
    for _, piece in ipairs { one, two or nil } do
      t:put(piece, 0, before)
    end
    play(t, list, before, filled(before, list, function(place)
      return source:sub(place.from + 1, place.from + place.size)
    end), function() return back:bytes() end, function(stream, place)
      t:must(t.device:memcpy_htod(stream, one, place.from, host, place.from, place.size))
      if two then
        t:must(t.device:memcpy_dtod(stream, two, place.at, one, place.from, place.size))
      end
      return t.device:memcpy_dtoh(stream, back, place.at, two or one,
        two and place.at or place.from, place.size)
    end)
  end)
end

local function fills(case, name, slot, bytes, fill)
  case(name, slot, function(t)
    t:needs(slot)
    local list, total = places(#bytes)
    local before = t:bytes(total, 3)
    local piece = t:memory(total)
    t:put(piece, 0, before)
    play(t, list, before, filled(before, list, function(place)
      return bytes:rep(math.floor(place.size / #bytes))
    end), function() return t:get(piece, 0, total) end, function(stream, place)
      return fill(t.device, stream, piece, place.at, place.size)
    end)
  end)
end

return function(case)
  copies(case)
  fills(case, "of_zeros", "mem_zero", "\0", function(device, stream, piece, at, n)
    return device:mem_zero(stream, piece, at, n)
  end)
  fills(case, "of_bytes", "memset", "\201", function(device, stream, piece, at, n)
    return device:memset(stream, piece, at, 201, n)
  end)
  fills(case, "of_words", "memset32", require("modfs.runner").word(0x01020304),
    function(device, stream, piece, at, n)
      return device:memset32(stream, piece, at, 0x01020304, n)
    end)
end
