-- System calls that fail, do part of their work, or are interrupted. A plugin that is seen to make
-- no such call (one in memory, one that works through stdio or a network) is refused.
local failing = require "modfs.check.failing"
local quote = require("modfs.inspect.shell").quote

local mapping = "new_read_only_memory_region_from_file"
local many = 5000

local each_fails, all_meet, read_all = failing.each_call, failing.all_calls, failing.read_all

local function nothing() end

local function write_all(t, uri, content)
  local opened, file = t.p:new_writable_file(uri)
  if not file then
    return opened
  end
  local answer = file:append(content)
  local closed = file:close()
  file:cleanup_writable()
  return answer.code == "OK" and closed or answer
end

local function reading(case)
  case("read.fails_with_minus_one", "read", function(t)
    local uri = t:file("a_file", "testing")
    each_fails(t, "read", "EIO", function()
      return read_all(t, uri, 7)
    end, nothing, function(answer)
      t:equal("testing", answer.bytes)
    end, nothing)
  end)

  case("read.goes_on_after_few_bytes", "read", function(t)
    local uri = t:file("a_file", "testing")
    local answer = all_meet(t, "read", 1, many, function()
      return read_all(t, uri, 7)
    end)
    t:equal({ "OK", "testing" }, { answer.code, answer.bytes })
  end)

  case("read.does_not_ask_for_ever", "read", function(t)
    local uri = t:file("a_file", "testing")
    local answer, met = all_meet(t, "read", "EAGAIN", many, function()
      return read_all(t, uri, 7)
    end)
    t:yes(met < many, "it asks on and on while the answer is EAGAIN")
    t:no(answer.code == "OK" and answer.bytes ~= "testing")
  end)

  case("map.minds_what_fails", mapping, function(t)
    local uri = t:file("a_file", "testing")
    each_fails(t, "open read stat map", "EIO", function()
      local answer, region = t.p:new_read_only_memory_region_from_file(uri)
      if region then
        answer.bytes = region:bytes().bytes
        region:cleanup_region()
      end
      return answer
    end, nothing, function(answer)
      t:equal("testing", answer.bytes)
    end, nothing)
  end)
end

local function writing(case)
  case("append.fails_when_writing_fails", "append", function(t)
    local uri = t:at("a_file")
    each_fails(t, "open write close", "EIO", function()
      return write_all(t, uri, "testing")
    end, nothing, function()
      t:equal("testing", t:look(uri))
    end, nothing)
  end)

  for _, error_name in ipairs { "ENOSPC", "EDQUOT" } do
    case("append.knows_a_full_disk_by_" .. error_name, "append", function(t)
      local answer = all_meet(t, "write", error_name, many, function()
        return write_all(t, t:at("a_file"), "testing")
      end)
      t:code("RESOURCE_EXHAUSTED", answer)
    end)
  end

  case("append.goes_on_after_few_bytes", "append", function(t)
    local answer = all_meet(t, "write", 1, many, function()
      return write_all(t, t:at("a_file"), "testing")
    end)
    t:code("OK", answer)
    t:equal("testing", t:look(t:at("a_file")))
  end)

  case("append.minds_that_nothing_was_written", "append", function(t)
    local answer, met = all_meet(t, "write", 0, many, function()
      return write_all(t, t:at("a_file"), "testing")
    end)
    t:yes(met < many, "it writes on and on while nothing is taken")
    t:code("RESOURCE_EXHAUSTED", answer)
  end)

  case("append.does_not_ask_for_ever", "append", function(t)
    local answer, met = all_meet(t, "write", "EAGAIN", many, function()
      return write_all(t, t:at("a_file"), "testing")
    end)
    t:yes(met < many, "it asks on and on while the answer is EAGAIN")
    t:no(answer.code == "OK", "EAGAIN is lost")
  end)

  case("tell.tells_what_failed", "tell", function(t)
    t:need_shim()
    local file = t:fine(t.p:new_writable_file(t:at("a_file")))
    t:fine(file:append("test"))
    t.runner.arm("all", "EIO", 1, many)
    local answer = file:tell()
    local calls = t.runner.counts("all")
    t.runner.arm()
    file:close()
    file:cleanup_writable()
    t:equal(answer.code == "OK" and 4 or -1, answer.value, answer.code)
    if calls == 0 then
      t:refuse "no system call is seen that could fail"
    end
  end)

  case("close.tells_what_failed", "close", function(t)
    local answer = all_meet(t, "close", "ENOSPC", 1, function()
      return write_all(t, t:at("a_file"), "testing")
    end)
    t:no(answer.code == "OK", "a failing close is lost")
  end)
end

-- An open file whose descriptor is seen, and what the plugin did while opening it.
local function held(t)
  t:need_shim()
  local before = t.runner.descriptors()
  t.runner.arm("all", "EIO", 1, 0)
  local file = t:fine(t.p:new_writable_file(t:at("a_file")))
  local _, _, _, synchronous = t.runner.counts("all")
  if t.runner.descriptors() == before then
    t:refuse("no file of the system is held open")
  end
  t:fine(file:append("test"))
  return file, synchronous > 0
end

-- One call after the other is interrupted by a signal; work() returns an answer, fine() checks it.
local function each_interrupted(t, work, fine)
  t:need_shim()
  for k = 1, 50 do
    t.runner.arm("open read write sync", "EINTR", k, 1)
    local answer = work()
    local calls, met = t.runner.counts("open read write sync")
    t.runner.arm()
    if calls == 0 then
      t:refuse "no system call is seen that a signal could interrupt"
    end
    t:code("OK", answer)
    fine(answer)
    if met == 0 then
      return
    end
  end
end

local function signals(case)
  case("read.goes_on_after_signals", "read", function(t)
    local uri = t:file("a_file", "testing")
    each_interrupted(t, function()
      return read_all(t, uri, 7)
    end, function(answer)
      t:equal("testing", answer.bytes)
    end)
  end)

  for _, how in ipairs { "new_writable_file", "new_appendable_file" } do
    case("append.goes_on_after_signals_by_" .. how, "append", function(t)
      local uri = t:at("a_file")
      each_interrupted(t, function()
        t.p:delete_file(uri)
        local answer, file = t.p[how](t.p, uri)
        for _, step in ipairs(file and { "append", "sync", "append", "close" } or {}) do
          local now = file[step](file, step == "append" and "test" or nil)
          answer = answer.code == "OK" and now or answer
        end
        if file then
          file:cleanup_writable()
        end
        return answer
      end, function()
        t:equal("testtest", t:look(uri))
      end)
    end)
  end
end

local function syncing(case)
  case("sync.reaches_the_storage", "sync", function(t)
    local file, synchronous = held(t)
    t.runner.arm("all", "EIO", 1, 0)
    t:code("OK", file:sync())
    local calls = t.runner.counts("sync")
    file:close()
    file:cleanup_writable()
    t:yes(synchronous or calls > 0, "neither fsync nor the like was called")
  end)

  case("sync.tells_what_failed", "sync", function(t)
    for _, error_name in ipairs { "EIO", "ENOSPC", "EINVAL" } do
      local file, synchronous = held(t)
      if synchronous then
        t:refuse("the file is written synchronously")
      end
      t.runner.arm("sync", error_name, 1, many)
      local answer = file:sync()
      t.runner.arm()
      file:close()
      file:cleanup_writable()
      t:no(answer.code == "OK", "a failing fsync is lost: " .. error_name)
    end
  end)
end

local function asking(case)
  local works = {
    stat = function(answer) return answer.length == 4 end,
    get_file_size = function(answer) return answer.value == 4 end,
    path_exists = function() return true end,
  }
  for _, verb in ipairs { "stat", "get_file_size", "path_exists" } do
    case(verb .. ".tells_what_failed", verb, function(t)
      local uri = t:file("a_file", "test")
      each_fails(t, "open read stat", "EIO", function()
        return t.p[verb](t.p, uri)
      end, nothing, function(answer)
        t:yes(works[verb](answer), "the answer")
      end, nothing)
    end)
  end

  case("get_children.tells_what_failed", "get_children", function(t)
    for i = 1, 5 do
      t:file("name" .. i)
    end
    each_fails(t, "open list stat read", "EIO", function()
      return t.p:get_children(t.root)
    end, nothing, function(answer)
      t:equal(5, #answer.names)
    end, function(answer)
      t:equal(-1, answer.value)
    end)
  end)
end

local function changing(case)
  for _, verb in ipairs { "rename_file", "copy_file" } do
    for _, error_name in ipairs { "EIO", "ENOSPC" } do
      case(("%s.changes_nothing_on_%s"):format(verb, error_name), verb, function(t)
        local src, dst
        each_fails(t, "open read write copy map name stat", error_name, function()
          return t.p[verb](t.p, src, dst)
        end, function()
          src, dst = t:file("src", "new"), t:file("dst", "old content")
        end, function()
          t:equal("new", t:look(dst))
        end, function()
          t:equal("old content", t:look(dst))
          t:equal("new", t:look(src))
        end)
      end)
    end
  end

  case("copy_file.leaves_no_part_behind", "copy_file", function(t)
    local src, dst = t:file("src", ("x"):rep(100000)), t:at("dst")
    each_fails(t, "read write copy map close", "ENOSPC", function()
      return t.p:copy_file(src, dst)
    end, function()
      t.p:delete_file(dst)
    end, function()
      t:equal(100000, #t:look(dst))
    end, function()
      t:code("NOT_FOUND", t.p:path_exists(dst))
      t:equal({ "src" }, t:fine(t.p:get_children(t.root)).names)
    end)
  end)

  case("copy_file.goes_on_after_few_bytes", "copy_file", function(t)
    local content = ("0123456789"):rep(20)
    local src, dst = t:file("src", content), t:at("dst")
    local answer = all_meet(t, "write copy", 3, many, function()
      return t.p:copy_file(src, dst)
    end)
    t:code("OK", answer)
    t:equal(content, t:look(dst))
  end)

  case("delete_recursively.counts_what_failed", "delete_recursively", function(t)
    each_fails(t, "open list stat name", "EIO", function()
      return t.p:delete_recursively(t:at("a_dir"))
    end, function()
      t.p:delete_recursively(t:at("a_dir"))
      t:directory("a_dir")
      t:file("a_dir/a_file", "test")
    end, function(answer)
      t:equal({ 0, 0 }, { answer.files, answer.dirs })
      t:code("NOT_FOUND", t.p:path_exists(t:at("a_dir")))
    end, function(answer)
      t:yes(answer.files + answer.dirs > 0, "a failure, and nothing was left")
    end)
  end)
end

-- What fails is counted, and nothing that is gone.
local function counting(case)
  -- Deeper than a plugin may keep directories open.
  case("delete_recursively.counts_what_failed_in_deep_trees", "delete_recursively", function(t)
    local top, deepest = t:at("a_dir"), "a_dir" .. ("/x"):rep(10)
    t:file("a_file", "test")
    local before = t.runner.descriptors()
    each_fails(t, "open list stat name", "EIO", function()
      return t.p:delete_recursively(top)
    end, function()
      t.p:delete_recursively(top)
      t:code("OK", t.p:recursively_create_dir(t:at(deepest)))
      t:file(deepest .. "/a_file", "test")
    end, function(answer)
      t:equal({ 0, 0 }, { answer.files, answer.dirs })
      t:code("NOT_FOUND", t.p:path_exists(top))
    end, function(answer)
      t:yes(answer.files + answer.dirs > 0, "a failure, and nothing was left")
      t:code("OK", t.p:path_exists(top))
    end)
    t:equal(before, (t.runner.descriptors()), "open descriptors")
    t:equal("test", t:look(t:at("a_file")))
  end)

  -- The system deletes no directory by a name like these: that must not be found out at the end.
  case("delete_recursively.takes_all_or_nothing_by_way_of_dots", "delete_recursively", function(t)
    local files = { "top/a/one", "top/a/b/two", "top/three" }
    for _, path in ipairs { "top/a/b/..", "top/a/b/../", "top/a/.", "top/a/b/../.", "top/./a" } do
      t.p:recursively_create_dir(t:at("top/a/b"))
      for _, name in ipairs(files) do
        t:file(name, "test")
      end
      local answer = t.p:delete_recursively(t:at(path))
      if answer.code == "OK" then
        t:code("NOT_FOUND", t.p:path_exists(t:at("top/a")))
        t:equal("test", (t:look(t:at("top/three"))))
      end
      for _, name in ipairs(answer.code == "OK" and {} or files) do
        t:equal("test", (t:look(t:at(name))), ("%s, after %s answered %s"):format(name, path,
          answer.code))
      end
    end
  end)

  case("delete_recursively.counts_what_is_left", "delete_recursively", function(t)
    t:need_shim()
    local kept = { "a", "b", "c", "below/d" }
    for k = 1, 20 do
      t:directory("a_dir")
      t:directory("a_dir/below")
      for _, name in ipairs(kept) do
        t:file("a_dir/" .. name, "test")
      end
      t.runner.arm("name", "EIO", k, 1000)
      local answer = t.p:delete_recursively(t:at("a_dir"))
      local calls, met = t.runner.counts("name")
      t.runner.arm()
      if calls == 0 then
        t:refuse "no call is seen that deletes a name"
      end
      local files, dirs = 0, 0
      for _, name in ipairs(kept) do
        files = files + (t.p:path_exists(t:at("a_dir/" .. name)).code == "OK" and 1 or 0)
      end
      for _, name in ipairs { "a_dir", "a_dir/below" } do
        dirs = dirs + (t.p:path_exists(t:at(name)).code == "OK" and 1 or 0)
      end
      t:yes(answer.files <= files and answer.dirs <= dirs, ("%d files and %d directories are"
        .. " counted, %d and %d are left"):format(answer.files, answer.dirs, files, dirs))
      if met == 0 then
        break
      end
      t:remove("a_dir")
    end
  end)
end

-- Files of this machine --------------------------------------------------------------------

local function machine(case)
  case("fifo.is_not_waited_for", "new_random_access_file", function(t)
    local path = t:need_local()
    os.execute("mkfifo " .. quote(path .. "/fifo"))
    local verbs = { "new_random_access_file", "new_writable_file", "new_appendable_file" }
    for _, verb in ipairs(verbs) do
      t:no(t.p[verb](t.p, t:at("fifo")).code == "OK", "a FIFO is no file with offsets")
    end
  end)

  case("links.are_not_followed_by_delete_recursively", "delete_recursively", function(t)
    local path = t:need_local()
    t:directory("a_dir")
    t:directory("kept")
    t:file("kept/a_file", "test")
    os.execute(("ln -s %s %s"):format(quote(path .. "/kept"), quote(path .. "/a_dir/link")))
    t:code("OK", t.p:delete_recursively(t:at("a_dir")))
    t:equal("test", t:look(t:at("kept/a_file")))
  end)
end

return function(case)
  for _, part in ipairs { reading, writing, signals, syncing, asking, changing, counting,
    machine } do
    part(case)
  end
end
