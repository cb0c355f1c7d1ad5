-- Every observer after each step of writing.
local observe = require "modfs.check.observe"

local far = { seconds = 60 }
local content = observe.content

-- Lets the clock of the storage go on.
local function wait(t)
  t.runner.rest(0.02)
end

local function mtime(t, path)
  return t:code("OK", t.p:stat(t:at(path))).mtime_nsec
end

return function(case)
  case("append.shows_at_every_size", "append", function(t)
    local o = observe.new(t)
    for i, n in ipairs(o:sizes(70000)) do
      o:write("a_file", "new_writable_file", { content(n, i), "x", content(n, i + 1) })
    end
  end, far)

  case("append.shows_after_large_pieces", "append", function(t)
    local o = observe.new(t)
    for _, n in ipairs(o:sizes(2 ^ 22)) do
      if n > 70000 then
        o:write("a_file", "new_writable_file", { content(n, n) })
      end
    end
    o:write("a_file", "new_appendable_file", { content(2097153, 5) })
  end, far)

  case("append.goes_on_at_every_size", "new_appendable_file", function(t)
    local o = observe.new(t)
    for i, n in ipairs(o:sizes(140000)) do
      o:file("a_file", content(n, i))
      o:hold "a_file"
      o:write("a_file", "new_appendable_file", { "y", content(n, i + 2) })
      o:release()
    end
  end, far)

  case("append.follows_one_handle_that_was_opened_before", "append", function(t)
    local o = observe.new(t)
    o:file("a_file", "begin")
    for i, n in ipairs(o:sizes(70000)) do
      if i % 4 == 1 then
        o:hold "a_file"
      end
      o:write("a_file", "new_appendable_file", { content(n, i) })
    end
    o:release()
  end, far)

  case("replacement.shows_at_every_size", "new_writable_file", function(t)
    local o = observe.new(t)
    local sizes = { 0, 1, 100, 4096, 4097, 65536 }
    for i, old in ipairs(sizes) do
      for k, new in ipairs(sizes) do
        o:file("a_file", content(old, i))
        o:write("a_file", "new_writable_file", { content(new, i + k) })
      end
    end
  end, far)

  case("append.of_two_writers_goes_to_the_end", "new_appendable_file", function(t)
    t:wants_no "shown_at_close"
    local o, text, writers = observe.new(t), "begin", {}
    o:file("a_file", text)
    for i = 1, 2 do
      writers[i] = t:fine(t.p:new_appendable_file(t:at "a_file"))
    end
    for i, n in ipairs { 1, 10, 100, 4096, 1, 5000, 3, 70000 } do
      local writer = writers[i % 2 + 1]
      o:after("append of %d bytes by one of two writers", n)
      t:code("OK", writer:append(content(n, i)))
      t:code("OK", writer:flush())
      text = text .. content(n, i)
      o.tree:write("a_file", text)
      o:at "a_file"
    end
    for i = 1, 2 do
      o:after("close of one of two writers")
      t:code("OK", writers[i]:close())
      writers[i]:cleanup_writable()
      o:at "a_file"
    end
  end)

  -- By the storage's own clock: a file that is changed after another was made is not older than it.
  case("time.moves_with_each_change", "stat", function(t)
    local o = observe.new(t)
    o:file("first", "test")
    local writer = t:fine(t.p:new_appendable_file(t:at "first"))
    wait(t)
    o:file("second", "test")
    local old, new = mtime(t, "first"), mtime(t, "second")
    t:yes(new > old or old % 1e7 == 0, "second was made 20 milliseconds after first: " .. old)
    t:fine(writer:append("more"))
    t:fine(writer:close())
    writer:cleanup_writable()
    t:yes(mtime(t, "first") >= mtime(t, "second"), "appended to first, but second is newer")
    wait(t)
    o:file("third", "test")
    o:file("second", "again")
    t:yes(mtime(t, "second") >= mtime(t, "third"), "second was replaced, but third is newer")
    wait(t)
    t:fine(t.p:create_dir(t:at "a_dir"))
    o:file("fourth", "test")
    t:yes(mtime(t, "fourth") >= mtime(t, "first"), "fourth was made last, but first is newer")
    t:yes(mtime(t, "fourth") >= mtime(t, "a_dir"), "fourth was made last, but a_dir is newer")
  end)
end
