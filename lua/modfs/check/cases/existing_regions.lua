-- Existing files as regions.
local mapping = "new_read_only_memory_region_from_file"

local function map(t, file)
  return t:ok(t.fs:new_read_only_memory_region_from_file(file.uri))
end

local function agrees(t, region, file, content)
  if file.whole then
    t:equal(#content, region.length(), "the length of " .. file.uri)
  end
  t:yes(region:sub(1, #content) == content, "the content of " .. file.uri)
end

return function(case)
  local function regions(name, run)
    case("map." .. name, mapping, run)
  end

  regions("what_is_read", function(t)
    t:each_full_file(function(file, content)
      local region = map(t, file)
      agrees(t, region, file, content)
      t:yes(region:close())
    end)
  end)

  regions("what_stat_tells", function(t)
    t:each_full_file(function(file)
      local length, region = t:length("stat", file.uri), map(t, file)
      t:yes(length == nil or length == region.length(), "the length of " .. file.uri)
      t:yes(region:close())
    end)
  end)

  regions("no_empty_file", function(t)
    t:each_file(function(file)
      t:answers({ "INVALID_ARGUMENT" }, mapping, file.uri)
    end, function(file)
      return file.whole and #file.text == 0
    end, "that is empty")
  end)

  regions("many_at_once", function(t)
    local list = {}
    for _ = 1, 10 do
      t:each_full_file(function(file, content)
        list[#list + 1] = { map(t, file), file, content }
      end)
    end
    for i = 1, #list, 2 do
      t:yes(list[i][1]:close())
    end
    for i = 2, #list, 2 do
      agrees(t, (table.unpack or unpack)(list[i]))
      t:yes(list[i][1]:close())
    end
  end)

  regions("every_part", function(t)
    t:each_full_file(function(file, content)
      local region = map(t, file)
      for offset = 1, math.min(#content, 40) do
        t:yes(region:sub(offset, offset + 9) == content:sub(offset, offset + 9), file.uri)
      end
      t:yes(region:sub(#content, #content) == content:sub(-1), "the last byte of " .. file.uri)
      t:yes(region:close())
    end)
  end)

  regions("beside_open_files", function(t)
    t:each_full_file(function(file, content)
      local handle = t:ok(t.fs:new_random_access_file(file.uri))
      local region = map(t, file)
      t:equal(content:sub(1, 10), handle:pread(0, 10))
      t:yes(handle:close())
      agrees(t, region, file, content)
      t:yes(region:close())
    end)
  end)

  regions("that_keep_after_flush_caches", function(t)
    t:each_full_file(function(file, content)
      local region = map(t, file)
      t:yes(t.fs:flush_caches())
      agrees(t, region, file, content)
      t:yes(region:close())
    end)
  end)
end
