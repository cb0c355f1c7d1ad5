-- What a plugin promises of storage: what is seen by others, and when; what a crash leaves; what
-- stays after a failure. What cannot be tested of a plugin is refused, with the reason.
local kilobytes = 64

local function version(letter)
  return letter:rep(kilobytes * 1024)
end

local function atomicity(case)
  case("rename_is_one_step_for_readers", "rename_file", function(t)
    t:race("by_rename")
  end)

  case("replace_is_one_step_for_readers", "new_writable_file", function(t)
    t:race("by_replace")
  end)

  case("a_commit_is_one_step_for_readers", "end_transaction", function(t)
    t:wants_no "commits_in_steps"
    t:race("commits")
  end)
end

local function transactions(case)
  local function begun(t, path)
    local token = t:code("OK", t.p:start_transaction()).token
    t:code("OK", t.p:add_to_transaction(path, token))
    return token
  end

  case("nothing_shows_before_the_commit", "end_transaction", function(t)
    local dir, kept = t:directory("a_dir"), t:file("kept", "old")
    local token = begun(t, dir)
    t:code("OK", t.p:add_to_transaction(kept, token))
    t:file("a_dir/new", "test")
    t:append(kept, "changed")
    t:equal({}, t:fine(t.p:get_children(dir)).names)
    t:code("NOT_FOUND", t.p:path_exists(t:at("a_dir/new")))
    t:code("NOT_FOUND", t.p:stat(t:at("a_dir/new")))
    t:code("NOT_FOUND", t.p:new_random_access_file(t:at("a_dir/new")))
    t:equal("old", t:look(kept))
    t:code("OK", t.p:end_transaction(token))
    t:equal("test", t:look(t:at("a_dir/new")))
    t:equal("changed", t:look(kept))
  end)

  case("an_abort_leaves_no_trace", "end_transaction", function(t)
    if not t.plugin:has("abort_transaction") then
      t:refuse("the plugin has no abort_transaction: it promises no abort")
    end
    local dir, kept = t:directory("a_dir"), t:file("kept", "old")
    local token = begun(t, dir)
    t:code("OK", t.p:add_to_transaction(kept, token))
    t:file("a_dir/new", "test")
    t:append(kept, "changed")
    t:code("OK", t.p:abort_transaction(token))
    t:equal({}, t:fine(t.p:get_children(dir)).names)
    t:equal("old", t:look(kept))
    t:code("NOT_FOUND", t.p:get_transaction_for_path(kept))
  end)
end

local function replacing(case)
  local function opened(t, uri, how)
    if not t.plugin:has("open_writer") then
      t:refuse("the plugin has no open_writer: it promises no atomic replacement")
    end
    local file = t:fine(t.p:open_writer(uri, how))
    t:fine(file:append("new"))
    return file
  end

  local function names(t)
    local list = t:fine(t.p:get_children(t.root)).names
    table.sort(list)
    return list
  end

  case("replace_puts_the_whole_file_there", "new_writable_file", function(t)
    for _, how in ipairs { "atomic", "atomic durable", "atomic new" } do
      local path = t:at(how)
      if not how:find "new" then
        t:file(how, "old content")
      end
      local file = opened(t, path, how)
      if not how:find "new" then
        t:equal("old content", t:look(path))
      end
      t:code("OK", file:close())
      t:equal("new", t:look(path))
      file:cleanup_writable()
      t:equal("new", t:look(path))
    end
    t:equal({ "atomic", "atomic durable", "atomic new" }, names(t))
  end)

  case("a_file_that_is_given_up_leaves_the_old_one", "new_writable_file", function(t)
    local path = t:file("a_file", "old content")
    for _, how in ipairs { "atomic", "atomic durable" } do
      opened(t, path, how):cleanup_writable()
      t:equal("old content", t:look(path))
      opened(t, t:at("none"), how):cleanup_writable()
      t:code("NOT_FOUND", t.p:path_exists(t:at("none")))
    end
    t:equal({ "a_file" }, names(t))
  end)

  case("an_atomic_file_is_opened_where_a_file_can_be", "new_writable_file", function(t)
    local dir = t:directory("a_dir")
    for _, how in ipairs { "atomic", "atomic durable" } do
      opened(t, t:at("a_file"), how):cleanup_writable()
      t:code("FAILED_PRECONDITION", t.p:open_writer(dir, how))
      if not t:departs "parents_implied" then
        t:code("NOT_FOUND", t.p:open_writer(t:at("none/below"), how))
      end
    end
  end)

  -- Storage that would have to ask whether something is there need not.
  case("a_new_file_takes_nobodys_place", "new_writable_file", function(t)
    t:wants_no "parents_implied"
    local path = t:file("a_file", "old content")
    for _, how in ipairs { "new", "atomic new" } do
      local fresh = t:at("fresh " .. how)
      opened(t, fresh, how):cleanup_writable()
      t:code("ALREADY_EXISTS", t.p:open_writer(path, how))
      t:code("ALREADY_EXISTS", t.p:open_writer(t.root, how))
      t:equal("old content", t:look(path))
    end
  end)
end

-- Other processes --------------------------------------------------------------------------

local function need_shared(t)
  local uri = t:file("probe", "seen")
  if t:elsewhere("read", uri) ~= "seen" then
    t:refuse("its storage is private to a process")
  end
end

local function processes(case)
  case("what_was_synced_is_seen_by_another_process", "sync", function(t)
    need_shared(t)
    local uri = t:at("a_file")
    local file = t:fine(t.p:new_writable_file(uri))
    for _, part in ipairs { "test", "ing" } do
      t:fine(file:append(part))
      t:code("OK", file:sync())
      t:equal(t:content(uri), t:elsewhere("read", uri))
    end
    t:equal("testing", t:elsewhere("read", uri))
    t:fine(file:close())
    file:cleanup_writable()
  end)

  case("what_was_flushed_is_seen_by_another_process", "flush", function(t)
    t:wants_no "shown_at_close"
    need_shared(t)
    local uri = t:at("a_file")
    local file = t:fine(t.p:new_writable_file(uri))
    t:fine(file:append("test"))
    t:code("OK", file:flush())
    t:equal("test", t:elsewhere("read", uri))
    t:fine(file:close())
    file:cleanup_writable()
  end)

  local function is_whole(t, uri)
    local content = t:content(uri)
    t:equal(kilobytes * 1024, #content, "bytes after a writer was killed")
    t:yes(content == version(content:sub(1, 1)), "a mix of two versions")
  end

  -- A writer is killed at its system calls: at each of the first ones, then at ever fewer. Where
  -- they are not seen, at times that follow the seed.
  local function killed(t, verb)
    need_shared(t)
    local uri = t:append(t:at("a_file"), version("z"))
    local call, most = 1, 1000
    while call < most and t.runner.has_shim() and t:killed_elsewhere_at(verb, uri, call) do
      is_whole(t, uri)
      call = call + 1 + math.floor(call / 4)
    end
    for round = 1, call == 1 and 8 or 0 do
      t:killed_elsewhere(verb, uri, (t.seed * 7919 + round * 104729) % 40 / 1000)
      is_whole(t, uri)
    end
  end

  case("a_killed_writer_leaves_old_or_new_by_rename", "rename_file", function(t)
    if not t.plugin:rename_file("", "") then
      t:refuse("rename_file is an empty slot")
    end
    killed(t, "rename_file")
  end)

  case("a_killed_writer_leaves_old_or_new_by_replace", "new_writable_file", function(t)
    if not t.plugin:has("open_writer") then
      t:refuse("the plugin has no open_writer: it promises no atomic replacement")
    end
    killed(t, "open_writer")
  end)
end

-- Unfinished files -------------------------------------------------------------------------

-- Whether a writer is alive can be told of a process of this machine.
local function need_writers(t)
  t:need_local()
  t:need_shim()
  need_shared(t)
  if not t.plugin:has("open_writer") then
    t:refuse("the plugin has no open_writer: it promises no atomic replacement")
  end
  t:directory("a_dir")
  return t:at("a_dir/a_file")
end

local function is_alone(t, what)
  t:equal({ "a_file" }, t:fine(t.p:get_children(t:at("a_dir"))).names, what)
end

local function unfinished(case)
  local function next_writer(t, uri, what)
    local file = t:fine(t.p:open_writer(uri, "atomic"))
    t:fine(file:append("test"))
    t:code("OK", file:close())
    file:cleanup_writable()
    t:equal("test", t:look(uri), what)
    is_alone(t, what)
  end

  case("killed_writers_leave_nothing_to_the_next_one", "open_writer", function(t)
    local uri = need_writers(t)
    local call, most = 1, 1000
    while call < most and t:killed_elsewhere_at("open_writer", uri, call) do
      next_writer(t, uri, ("after a writer was killed at its call %d"):format(call))
      call = call + 1 + math.floor(call / 4)
    end
    if call == 1 then
      t:refuse("no system call is seen at which a writer could be killed")
    end
    t:yes(t:killed_elsewhere_at("open_writers", uri, 1), "setup failed: it closes without a call")
    next_writer(t, uri, "after a process was killed that had many of them")
    t:code("OK", t.p:delete_file(uri))
    t:code("OK", t.p:delete_dir(t:at("a_dir")))
  end)

  case("a_writer_that_lives_is_not_swept_away", "open_writer", function(t)
    local uri = need_writers(t)
    for _, what in ipairs { "new", "old" } do
      local file = t:fine(t.p:open_writer(uri, "atomic"))
      t:fine(file:append(what))
      t:no(t:killed_elsewhere_at("open_writer", uri, 1000), "setup failed: it makes many calls")
      t:equal(kilobytes * 1024, #t:content(uri), "bytes of the other writer")
      t:code("OK", file:close())
      file:cleanup_writable()
      t:equal(what, t:look(uri))
      is_alone(t)
    end
  end)

  -- Opens a file while a second process closes one and begins another one, all at a point of
  -- open_writer, unless that process waits for this one. Returns whether there was this point.
  local function open_at(t, uri, marks, k)
    local turned
    marks.await "ready"
    local file, called = t:between(k, function()
      marks.set "turn"
      turned = marks.await("turned", 0.5)
    end, function()
      return t:fine(t.p:open_writer(uri, "atomic"))
    end)
    if not called then
      marks.set "turn"
    end
    t:yes(turned or marks.await "turned", "setup failed: the other process does not go on")
    return file, called
  end

  case("writers_of_one_name_leave_each_other_alone", "open_writer", function(t)
    local uri = need_writers(t)
    local marks, finished = t:marks(uri), t:beside("take_turns", uri)
    for k = 1, 200 do
      local what = ("held at point %d of open_writer"):format(k)
      local file, called = open_at(t, uri, marks, k)
      marks.set "go on"
      marks.await "done"
      t:fine(file:append("test"))
      t:code("OK", file:close())
      file:cleanup_writable()
      t:equal("test", t:look(uri), what)
      is_alone(t, what)
      if not called or k == 200 then
        marks.set "stop"
        marks.set "again"
        break
      end
      marks.set "again"
    end
    t:equal("OK", finished(), "how the files of the other process were closed")
  end)
end

return function(case)
  for _, part in ipairs { atomicity, transactions, replacing, processes, unfinished } do
    part(case)
  end
end
