-- Existing files read through the host: whichever way, the bytes are those that one sequential read
-- from start to end gave.
local function open(t, file)
  return t:ok(t.fs:new_random_access_file(file.uri))
end

-- The results of pread at one place; what is not known of a long file is left out.
local function compare(t, handle, file, offset, n)
  local expected = t:expected(file, offset, n)
  if not expected then
    return
  end
  local got, message, code = handle:pread(offset, n)
  t:equal(nil, code, message)
  t:yes((got or "") == expected, ("%d bytes at %d of %s differ: %d came"):format(n, offset,
    file.uri, #(got or "")))
  t:equal(file.whole and offset >= #file.text, got == nil, ("nil at %d of %s"):format(offset,
    file.uri))
end

local function with_each(t, visit)
  t:each_file(function(file, content)
    local handle = open(t, file)
    visit(handle, file, content)
    t:yes(handle:close())
  end)
end

-- All of a file, or its beginning, in pieces of n bytes; no more than 400 of them.
local function in_pieces(n)
  return function(t)
    with_each(t, function(handle, file, content)
      local least = math.max(0, #content - 200 * n)
      for offset = 0, math.min(#content, 200 * n), n do
        compare(t, handle, file, offset, n)
      end
      for offset = least - least % n, #content, n do
        compare(t, handle, file, offset, n)
      end
    end)
  end
end

local function at_offset(offset)
  return function(t)
    with_each(t, function(handle, file)
      for _, n in ipairs { 1, 2, 17, 511, 512, 4096, 5000 } do
        compare(t, handle, file, offset, n)
      end
    end)
  end
end

local function around_size(size)
  return function(t)
    with_each(t, function(handle, file)
      for n = math.max(1, size - 1), size + 1 do
        for _, offset in ipairs { 0, 1, 7, 511 } do
          compare(t, handle, file, offset, n)
        end
      end
    end)
  end
end

local function series(case)
  for _, n in ipairs { 1, 2, 3, 7, 64, 512, 1000, 4096, 65536 } do
    case("read.in_pieces_of_" .. n, "read", in_pieces(n))
  end
  for _, offset in ipairs { 0, 1, 511, 512, 513, 4095, 4096, 4097, 65535, 65536 } do
    case("read.from_byte_" .. offset, "read", at_offset(offset))
  end
  for _, size in ipairs { 1, 512, 1024, 4096, 16384, 65536 } do
    case("read.sizes_around_" .. size, "read", around_size(size))
  end
end

local function whole(case)
  case("read.all_at_once", "read", function(t)
    with_each(t, function(handle, file, content)
      compare(t, handle, file, 0, #content)
    end)
  end)

  case("read.more_than_there_is", "read", function(t)
    with_each(t, function(handle, file, content)
      for _, more in ipairs { 1, 2, 4096, 2 ^ 20, 2 ^ 40 } do
        compare(t, handle, file, 0, #content + more)
      end
    end)
  end)

  case("read.to_the_end", "read", function(t)
    t:each_whole_file(function(file, content)
      local handle = open(t, file)
      t:yes(handle:read "a" == content, file.uri .. " differs")
      t:yes(handle:close())
    end)
  end)

  case("read.the_same_again", "read", function(t)
    with_each(t, function(handle, file, content)
      for _ = 1, 3 do
        compare(t, handle, file, 0, #content)
      end
    end)
  end)

  case("read.every_part_of_the_beginning", "read", function(t)
    with_each(t, function(handle, file)
      for offset = 0, 20 do
        for n = 1, 20 do
          compare(t, handle, file, offset, n)
        end
      end
    end)
  end)

  case("read.nothing", "read", function(t)
    with_each(t, function(handle, file, content)
      for _, offset in ipairs { 0, math.floor(#content / 2), #content - 1 } do
        if offset >= 0 and offset < #content then
          compare(t, handle, file, offset, 0)
        end
      end
    end)
  end)
end

local function ends(case)
  case("read.around_the_end", "read", function(t)
    with_each(t, function(handle, file, content)
      for offset = math.max(0, #content - 6), #content + 3 do
        for n = 1, 8 do
          compare(t, handle, file, offset, n)
        end
      end
    end)
  end)

  case("read.the_last_byte", "read", function(t)
    t:each_full_file(function(file, content)
      local handle = open(t, file)
      compare(t, handle, file, #content - 1, 1)
      compare(t, handle, file, #content - 1, 2)
      compare(t, handle, file, #content - 1, 65536)
      t:yes(handle:close())
    end)
  end)

  case("read.past_the_end", "read", function(t)
    t:each_whole_file(function(file, content)
      local handle = open(t, file)
      for _, more in ipairs { 0, 1, 2, 511, 512, 4096, 65536, 2 ^ 31, 2 ^ 32, 2 ^ 53 - 2 ^ 32 } do
        compare(t, handle, file, #content + more, 1)
        compare(t, handle, file, #content + more, 4096)
      end
      compare(t, handle, file, 0, 1)
      t:yes(handle:close())
    end)
  end)

  case("read.on_after_the_end", "read", function(t)
    t:each_whole_file(function(file, content)
      local handle = open(t, file)
      compare(t, handle, file, #content, 10)
      compare(t, handle, file, 0, #content)
      compare(t, handle, file, #content + 1, 10)
      compare(t, handle, file, math.floor(#content / 2), #content)
      t:yes(handle:close())
    end)
  end)
end

local function orders(case)
  case("read.backwards", "read", function(t)
    with_each(t, function(handle, file, content)
      local last = #content
      for i = 1, 300 do
        compare(t, handle, file, math.max(0, last - i * 61), 61)
      end
    end)
  end)

  case("read.at_random", "read", function(t)
    local state = t.seed or 1
    local function random(below)
      state = (state * 1103515245 + 12345) % 2 ^ 31
      return math.floor(state / 256) % below
    end
    with_each(t, function(handle, file, content)
      for _ = 1, 300 do
        compare(t, handle, file, random(#content + 10), random(6000) + 1)
      end
    end)
  end)

  case("read.here_and_there_in_turns", "read", function(t)
    with_each(t, function(handle, file, content)
      for i = 0, 100 do
        compare(t, handle, file, i, 3)
        compare(t, handle, file, math.max(0, #content - i), 3)
      end
    end)
  end)
end

local function handles(case)
  case("open.twice", "new_random_access_file", function(t)
    t:each_file(function(file)
      local one, two = open(t, file), open(t, file)
      compare(t, one, file, 0, 5)
      compare(t, two, file, 2, 5)
      compare(t, one, file, 5, 5)
      t:yes(one:close())
      compare(t, two, file, 0, 5)
      t:yes(two:close())
    end)
  end)

  case("open.all_at_once", "new_random_access_file", function(t)
    local opened = {}
    t:each_file(function(file)
      opened[#opened + 1] = { open(t, file), file }
    end)
    for round = 0, 20 do
      for _, pair in ipairs(opened) do
        compare(t, pair[1], pair[2], round * 3, 10)
      end
    end
    for _, pair in ipairs(opened) do
      t:yes(pair[1]:close())
    end
  end)

  case("open.many_times_at_once", "new_random_access_file", function(t)
    local file = t:any_file()
    local opened = {}
    for i = 1, 40 do
      opened[i] = open(t, file)
    end
    for i = 1, 40, 2 do
      t:yes(opened[i]:close())
    end
    for i = 2, 40, 2 do
      compare(t, opened[i], file, i, 20)
      t:yes(opened[i]:close())
    end
  end)

  case("open.again_and_again", "new_random_access_file", function(t)
    for round = 1, 20 do
      with_each(t, function(handle, file)
        compare(t, handle, file, round, 7)
      end)
    end
  end)

  case("open.after_flush_caches", "flush_caches", function(t)
    with_each(t, function(handle, file, content)
      compare(t, handle, file, 0, 10)
      t:yes(t.fs:flush_caches())
      compare(t, handle, file, 5, #content)
      local other = open(t, file)
      compare(t, other, file, 0, #content)
      t:yes(other:close())
    end)
  end)

  case("open.by_other_spellings", "translate_name", function(t)
    if t:echoes() or t.scheme == "" then
      t:refuse "URIs are taken as they are written"
    end
    t:each_file(function(file)
      local prefix, rest = file.uri:match "^(%a[%w.+]*://[^/]*)(/.+)$"
      for _, other in ipairs(prefix and { "/." .. rest, "/modfs.check.none/.." .. rest,
        "/" .. rest } or {}) do
        local handle = t:ok(t.fs:new_random_access_file(prefix .. other))
        compare(t, handle, file, 0, 20)
        t:yes(handle:close())
      end
    end)
  end)
end

return function(case)
  for _, part in ipairs { whole, series, ends, orders, handles } do
    part(case)
  end
end
