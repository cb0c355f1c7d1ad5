-- Trees that are deep or wide, offsets to the last, files of odd sizes.
local last = math.maxinteger or 2 ^ 53

-- Over a network a thousand names take their time.
local far = { seconds = 60 }

return function(case)
  case("200_levels", "recursively_create_dir", function(t)
    local step = t:departs "names_are_text" and "/l" or "/level"
    local relative = "level" .. step:rep(199)
    t:yes(t.fs:recursively_create_dir(t:at(relative)))
    t:equal("deep", t:content(t:file(relative .. "/a_file", "deep")))
    t:equal({ true, 0, 0 }, { t.fs:delete_recursively(t:at("level")) })
    t:equal({}, t:children())
  end)

  case("1000_names", "get_children", function(t)
    local expected = {}
    for i = 1, 1000 do
      expected[i] = ("file%04d"):format(i)
      t:file(expected[i])
    end
    t:equal(expected, t:children())
    t:equal({ true, 0, 0 }, { t.fs:delete_recursively(t.root) })
  end, far)

  case("a_wide_tree_of_odd_names", "delete_recursively", function(t)
    local odd = t:takes "\n" and "\n" or "\t"
    t:directory("top")
    for i = 1, 20 do
      t:directory("top/d" .. i)
      for j = 1, 10 do
        t:file(("top/d%d/f%s%d"):format(i, odd, j), "x")
      end
    end
    t:equal({ true, 0, 0 }, { t.fs:delete_recursively(t:at("top")) })
    t:equal({}, t:children())
  end, far)

  case("offsets_to_the_last", "read", function(t)
    local file = t:ok(t.fs:new_random_access_file(t:file("a_file", "test")))
    for _, offset in ipairs { 2 ^ 31 - 1, 2 ^ 31, 2 ^ 32 - 1, 2 ^ 32, 2 ^ 53, last - 1, last } do
      for _, n in ipairs { 1, 4096 } do
        t:equal({}, { file:pread(offset, n) })
      end
    end
    for _, n in ipairs { 2 ^ 31 - 1, 2 ^ 31, 2 ^ 31 + 1, 2 ^ 32, last } do
      t:equal("test", file:pread(0, n))
      t:equal("st", file:pread(2, n))
    end
    t:yes(file:close())
  end)

  case("every_small_size", "append", function(t)
    for size = 0, 70 do
      local content = ("0123456789"):rep(7):sub(1, size)
      local uri = t:file("a_file", content)
      t:equal(content, t:content(uri))
      t:equal(size, t.fs:get_file_size(uri))
    end
  end)

  case("sizes_around_powers_of_two", "append", function(t)
    for power = 7, 20 do
      for difference = -1, 1 do
        local content = ("x"):rep(2 ^ power + difference - 1) .. "y"
        t:yes(content == t:content(t:file("a_file", content)), "2^" .. power)
      end
    end
  end)

  case("nothing_appended", "append", function(t)
    local writable = t:ok(t.fs:new_writable_file(t:at("a_file")))
    for _ = 1, 10 do
      t:ok(writable:write(""))
      t:yes(writable:flush())
      t:equal(0, writable:tell())
    end
    t:yes(writable:close())
    t:equal("", t:content(t:at("a_file")))
  end)
end
