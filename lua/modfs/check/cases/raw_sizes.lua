-- Files around 2^31 and 2^32 bytes, where files can have holes; counts beyond 2^31 at a small one.
local boundary = 2 ^ 31
local limits = { file_megabytes = 8192, megabytes = 16384 }

-- A file of that size whose last bytes are "end."; refuses where the plugin's files are none of
-- this machine, or cannot have holes.
local function stretched(t, size)
  local path = t:need_local() .. "/large"
  local uri = t:file("large", "begin")
  if not t.runner.stretch(path, size - 4) then
    t:refuse("the storage takes no files of this size")
  end
  t:append(uri, "end.", "new_appendable_file")
  return uri
end

-- Past the buffers and pieces in which a plugin copies.
local function copies(case)
  case("copy.of_50_megabytes_is_whole", "copy_file", function(t)
    local src, dst, piece = t:at("src"), t:at("dst"), 2 ^ 20
    local file = t:fine(t.p:new_writable_file(src))
    for i = 1, 50 do
      t:fine(file:append(("%07d\n"):format(i):rep(piece / 8)))
    end
    t:fine(file:append("end"))
    t:code("OK", file:close())
    file:cleanup_writable()
    t:code("OK", t.p:copy_file(src, dst))
    local reader = t:fine(t.p:new_random_access_file(dst))
    for i = 1, 50 do
      local bytes = reader:read((i - 1) * piece, piece).bytes
      t:yes(bytes == ("%07d\n"):format(i):rep(piece / 8), "megabyte " .. i)
    end
    t:equal("end", t:code("OUT_OF_RANGE", reader:read(50 * piece, 10)).bytes)
    reader:cleanup_file()
    t:code("OK", t.p:delete_file(dst))
    t:code("OK", t.p:delete_file(src))
  end, { seconds = 60, file_megabytes = 8192, megabytes = 16384 })
end

local function sizes(case)
  for i, name in ipairs { "below", "at", "above" } do
    local size = boundary + i - 2
    case("size." .. name .. "_2_31", "get_file_size", function(t)
      local uri = stretched(t, size)
      t:equal(size, t:code("OK", t.p:get_file_size(uri)).value)
      t:equal(size, t:code("OK", t.p:stat(uri)).length)
      t:code("OK", t.p:delete_file(uri))
    end, limits)

    case("read." .. name .. "_2_31", "read", function(t)
      local uri = stretched(t, size + 4)
      local file = t:fine(t.p:new_random_access_file(uri))
      t:equal("end.", t:code("OK", file:read(size, 4)).bytes)
      t:equal("nd.", t:code("OUT_OF_RANGE", file:read(size + 1, 10)).bytes)
      t:equal("\0\0en", t:code("OK", file:read(size - 2, 4)).bytes)
      t:equal(0, t:code("OUT_OF_RANGE", file:read(size + 4, 1)).value)
      file:cleanup_file()
      t:code("OK", t.p:delete_file(uri))
    end, limits)
  end

  for _, bits in ipairs { 33, 36, 40 } do
    case("size.beyond_2_" .. bits, "stat", function(t)
      local size = 2 ^ bits + 3
      local uri = stretched(t, size)
      t:equal(size, t:code("OK", t.p:stat(uri)).length)
      local answer, file = t.p:new_random_access_file(uri)
      t:code("OK", answer)
      t:equal("end.", t:code("OK", file:read(size - 4, 4)).bytes)
      t:equal(0, t:code("OUT_OF_RANGE", file:read(size, 4)).value)
      file:cleanup_file()
      t:code("OK", t.p:delete_file(uri))
    end, { file_megabytes = 2 ^ 22, megabytes = 16384 })
  end

  case("tell.beyond_2_31", "tell", function(t)
    local uri = stretched(t, boundary + 1)
    local file = t:fine(t.p:new_appendable_file(uri))
    t:equal(boundary + 1, t:code("OK", file:tell()).value)
    t:code("OK", file:append("more"))
    t:equal(boundary + 5, t:code("OK", file:tell()).value)
    t:code("OK", file:close())
    file:cleanup_writable()
    t:code("OK", t.p:delete_file(uri))
  end, limits)

  case("map.beyond_2_31", "new_read_only_memory_region_from_file", function(t)
    local uri = stretched(t, boundary + 1)
    local region = t:fine(t.p:new_read_only_memory_region_from_file(uri))
    local answer = region:bytes(boundary - 3, 100)
    t:equal(boundary + 1, answer.length)
    t:equal("end.", answer.bytes)
    region:cleanup_region()
    t:code("OK", t.p:delete_file(uri))
  end, limits)

  case("size.around_2_32", "get_file_size", function(t)
    for _, size in ipairs { 2 ^ 32 - 1, 2 ^ 32, 2 ^ 32 + 5 } do
      local uri = stretched(t, size)
      t:equal(size, t:code("OK", t.p:get_file_size(uri)).value)
      t:equal(size, t:code("OK", t.p:stat(uri)).length)
      local file = t:fine(t.p:new_random_access_file(uri))
      t:equal("end.", t:code("OK", file:read(size - 4, 4)).bytes)
      t:equal("\0\0end.", t:code("OUT_OF_RANGE", file:read(size - 6, 10)).bytes)
      t:equal("begin", t:code("OK", file:read(0, 5)).bytes)
      file:cleanup_file()
      t:code("OK", t.p:delete_file(uri))
    end
  end, limits)

  case("tell.beyond_2_32", "tell", function(t)
    local uri = stretched(t, 2 ^ 32 + 1)
    local file = t:fine(t.p:new_appendable_file(uri))
    t:equal(2 ^ 32 + 1, t:code("OK", file:tell()).value)
    t:code("OK", file:append("more"))
    t:equal(2 ^ 32 + 5, t:code("OK", file:tell()).value)
    t:code("OK", file:close())
    file:cleanup_writable()
    t:equal(2 ^ 32 + 5, t:code("OK", t.p:stat(uri)).length)
    t:code("OK", t.p:delete_file(uri))
  end, limits)

  case("map.beyond_2_32", "new_read_only_memory_region_from_file", function(t)
    local uri = stretched(t, 2 ^ 32 + 1)
    local region = t:fine(t.p:new_read_only_memory_region_from_file(uri))
    local answer = region:bytes(2 ^ 32 - 3, 100)
    t:equal(2 ^ 32 + 1, answer.length)
    t:equal("end.", answer.bytes)
    region:cleanup_region()
    t:code("OK", t.p:delete_file(uri))
  end, limits)

  case("read.asks_for_more_than_2_31", "read", function(t)
    local file = t:fine(t.p:new_random_access_file(t:file("a_file", "test")))
    for _, n in ipairs { boundary - 1, boundary, boundary + 1 } do
      local answer = t:code("OUT_OF_RANGE", file:read(0, n))
      t:equal({ 4, "test" }, { answer.value, answer.bytes })
      t:equal("st", t:code("OUT_OF_RANGE", file:read(2, n)).bytes)
    end
    file:cleanup_file()
  end, limits)
end

return function(case)
  copies(case)
  sizes(case)
end
