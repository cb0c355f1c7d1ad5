-- Counts at and beyond the end of a file, and regions.
local mapping = "new_read_only_memory_region_from_file"

-- The results of a call as an array with their number.
local function pack(...)
  return { n = select("#", ...), ... }
end

local function opened(t, content)
  return t:ok(t.fs:new_random_access_file(t:file("a_file", content)))
end

local function mapped(t, uri)
  return t:ok(t.fs:new_read_only_memory_region_from_file(uri))
end

local function every_byte()
  local bytes = {}
  for value = 0, 255 do
    bytes[#bytes + 1] = string.char(value)
  end
  return table.concat(bytes)
end

return function(case)
  case("gives_what_is_left", "read", function(t)
    local file = opened(t, "0123456789")
    t:equal("6789", file:pread(6, 100))
    t:equal("9", file:pread(9, 1))
    t:equal("0123456789", file:pread(0, 2 ^ 40))
    t:yes(file:close())
  end)

  case("gives_every_part", "read", function(t)
    local content = "0123456789abcdef"
    local file = opened(t, content)
    for offset = 0, 15 do
      for n = 1, 18 do
        t:equal(content:sub(offset + 1, offset + n), file:pread(offset, n))
      end
    end
    file:close()
  end)

  case("gives_nothing_past_the_end", "read", function(t)
    local file = opened(t, "test")
    for _, offset in ipairs { 4, 5, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 31 + 1, 2 ^ 32 + 1, 2 ^ 53 } do
      t:equal({ n = 1 }, pack(file:pread(offset, 1)), "offset " .. offset)
    end
    t:equal("test", file:pread(0, 4))
    file:close()
  end)

  case("gives_nothing_of_an_empty_file", "read", function(t)
    local file = opened(t, "")
    t:equal({ n = 1 }, pack(file:pread(0, 10)))
    t:equal("", file:read("a"))
    file:close()
  end)

  case("reads_zero_bytes", "read", function(t)
    local file = opened(t, "test")
    t:equal("", file:pread(0, 0))
    t:equal("", file:pread(3, 0))
    file:close()
  end)

  case("keeps_every_byte", "read", function(t)
    local content = every_byte():rep(300)
    local file = opened(t, content)
    t:yes(content == file:read("a"), "the content differs")
    t:yes(content:sub(70001, 75000) == file:pread(70000, 5000), "a part differs")
    file:close()
  end)

  case("keeps_handles_apart", "read", function(t)
    local one = opened(t, "test")
    local two = t:ok(t.fs:new_random_access_file(t:file("another", "other")))
    t:equal("te", one:pread(0, 2))
    t:equal("other", two:pread(0, 5))
    t:equal("st", one:pread(2, 2))
    t:yes(one:close())
    t:equal("th", two:pread(1, 2))
    t:yes(two:close())
  end)

  case("keeps_handles_of_one_file_apart", "read", function(t)
    local one = opened(t, "test")
    local two = t:ok(t.fs:new_random_access_file(t:at("a_file")))
    t:equal("te", one:read(2))
    t:equal("test", two:read(4))
    t:equal("st", one:read(2))
    t:yes(one:close())
    t:equal("es", two:pread(1, 2))
    t:yes(two:close())
  end)

  case("sees_what_was_written_later", "new_random_access_file", function(t)
    opened(t, "old"):close()
    t:file("a_file", "new content")
    t:equal("new content", t:content(t:at("a_file")))
  end)

  case("maps_nul_and_all", mapping, function(t)
    local content = "\0a\0" .. ("x"):rep(10000) .. "\0"
    local region = mapped(t, t:file("a_file", content))
    t:equal(#content, region.length())
    t:yes(content == region:sub(1), "the content differs")
    t:yes(region:close())
  end)

  case("maps_whole_pages", mapping, function(t)
    for _, size in ipairs { 1, 4095, 4096, 4097, 65536 } do
      local content = ("p"):rep(size)
      local region = mapped(t, t:file("a_file", content))
      t:equal(size, region.length())
      t:yes(content == region:sub(1), "the content differs")
      region:close()
    end
  end)

  case("region_outlives_its_file", mapping, function(t)
    local region = mapped(t, t:file("a_file", "test"))
    t:yes(t.fs:delete_file(t:at("a_file")))
    t:equal("test", region:sub(1))
    region:close()
  end)

  case("region_outlives_replacement", mapping, function(t)
    local region = mapped(t, t:file("a_file", "old!"))
    t:yes(t.fs:rename_file(t:file("other", "new content"), t:at("a_file")))
    t:equal("old!", region:sub(1))
    region:close()
  end)

  case("region_keeps_its_length", mapping, function(t)
    local region = mapped(t, t:file("a_file", "test"))
    local writable = t:ok(t.fs:new_appendable_file(t:at("a_file")))
    for _ = 1, 100 do
      t:must(writable:write(("more"):rep(100)))
    end
    t:yes(writable:close())
    t:equal(4, region.length())
    t:equal("test", region:sub(1))
    region:close()
  end)

  case("maps_one_file_many_times", mapping, function(t)
    local uri, regions = t:file("a_file", "test"), {}
    for i = 1, 50 do
      regions[i] = mapped(t, uri)
    end
    for i = 1, 50, 2 do
      regions[i]:close()
    end
    for i = 2, 50, 2 do
      t:equal("test", regions[i]:sub(1))
      regions[i]:close()
    end
  end)
end
