-- Positions, order and replacement.
return function(case)
  case("replaces_what_stood_there", "new_writable_file", function(t)
    local uri = t:file("a_file", "long old content")
    t:yes(t:ok(t.fs:new_writable_file(uri)):close())
    t:equal("", t:content(uri))
    t:file("a_file", "new")
    t:equal("new", t:content(uri))
  end)

  case("keeps_what_is_there_when_appending", "new_appendable_file", function(t)
    local uri = t:file("a_file", "0123456789")
    t:yes(t:ok(t.fs:new_appendable_file(uri)):close())
    t:equal("0123456789", t:content(uri))
  end)

  case("tells_from_the_start_of_the_file", "tell", function(t)
    local writable = t:ok(t.fs:new_appendable_file(t:file("a_file", "0123456789")))
    t:equal(10, writable:tell())
    t:must(writable:write("ab"))
    t:equal(12, writable:tell())
    t:yes(writable:close())
    t:equal("0123456789ab", t:content(t:at("a_file")))
  end)

  case("shows_what_was_flushed", "flush", function(t)
    t:wants_no "shown_at_close"
    local writable = t:ok(t.fs:new_writable_file(t:at("a_file")))
    t:must(writable:write("test"))
    t:yes(writable:flush())
    t:equal("test", t:content(t:at("a_file")))
    t:equal(4, t.fs:get_file_size(t:at("a_file")))
    t:yes(writable:close())
  end)

  case("shows_what_was_synced", "sync", function(t)
    local writable = t:ok(t.fs:new_writable_file(t:at("a_file")))
    t:must(writable:write("test"))
    t:yes(writable:sync())
    t:equal("test", t:content(t:at("a_file")))
    t:must(writable:write("more"))
    t:yes(writable:sync())
    t:yes(writable:close())
    t:equal("testmore", t:content(t:at("a_file")))
  end)

  case("keeps_the_order", "append", function(t)
    local pieces = { "", "a", ("b"):rep(65535), "", ("c"):rep(65537), ("d"):rep(200000), "e" }
    local writable = t:ok(t.fs:new_writable_file(t:at("a_file")))
    local position = 0
    for _, piece in ipairs(pieces) do
      t:ok(writable:write(piece))
      position = position + #piece
      t:equal(position, writable:tell())
    end
    t:yes(writable:close())
    t:yes(table.concat(pieces) == t:content(t:at("a_file")), "the content differs")
  end)

  case("appends_again_and_again", "new_appendable_file", function(t)
    local uri = t:at("a_file")
    for i = 1, 20 do
      local writable = t:ok(t.fs:new_appendable_file(uri))
      t:equal(2 * (i - 1), writable:tell())
      t:must(writable:write(("%02d"):format(i)))
      t:yes(writable:close())
    end
    t:equal("0102030405060708091011121314151617181920", t:content(uri))
  end)

  case("leaves_no_descriptor_behind", "close", function(t)
    local uri = t:file("a_file", "test")
    for _ = 1, 40 do
      t:yes(t:ok(t.fs:new_random_access_file(uri)):close())
      t:yes(t:ok(t.fs:new_appendable_file(uri)):close())
      t:fails("FAILED_PRECONDITION", t.fs:new_writable_file(t.root))
      t:fails("NOT_FOUND", t.fs:new_random_access_file(t:at("none")))
    end
  end)

  case("leaves_no_descriptor_of_regions", "new_read_only_memory_region_from_file", function(t)
    local uri = t:file("a_file", "test")
    for _ = 1, 40 do
      t:yes(t:ok(t.fs:new_read_only_memory_region_from_file(uri)):close())
    end
  end)

  case("leaves_no_descriptor_of_lists", "get_children", function(t)
    local uri = t:file("a_file", "test")
    for _ = 1, 40 do
      t:equal({ "a_file" }, t.fs:get_children(t.root))
      t:fails("FAILED_PRECONDITION", t.fs:get_children(uri))
    end
  end)

  case("cleans_up_what_was_not_closed", "new_writable_file", function(t)
    for i = 1, 20 do
      t:ok(t.fs:new_writable_file(t:at("file" .. i)))
    end
    collectgarbage()
    t:ok(t.fs:new_writable_file(t:at("one more"))):close()
  end)
end
