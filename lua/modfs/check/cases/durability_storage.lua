-- What a plugin promises of storage: what is seen by others, and when; what a crash leaves; what
-- stays after a failure. What cannot be judged of a plugin is refused, with the reason.
local kilobytes = 64

local function version(letter)
  return letter:rep(kilobytes * 1024)
end

local function atomicity(case)
  case("rename_is_one_step_for_readers", "rename_file", function(t)
    t:race("by_rename")
  end)

  case("replace_is_one_step_for_readers", "rename_file", function(t)
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

local function extension(case)
  case("replace_puts_the_whole_file_there", "rename_file", function(t)
    if not t.plugin:has("replace_file") then
      t:refuse("the plugin has no replace_file: it promises no atomic replacement")
    end
    local path, fresh = t:file("a_file", "old content"), t:file("fresh", "new")
    t:code("OK", t.p:replace_file(fresh, path))
    t:equal("new", t:look(path))
    t:code("NOT_FOUND", t.p:path_exists(fresh))
    t:code("NOT_FOUND", t.p:replace_file(t:at("none"), path))
    t:equal("new", t:look(path))
  end)

  case("names_can_be_made_durable", "sync", function(t)
    if not t.plugin:has("sync_directory") then
      t:refuse("the plugin has no sync_directory: it promises no durable names")
    end
    t:file("a_file", "test")
    t:code("OK", t.p:sync_directory(t.root))
    t:code("NOT_FOUND", t.p:sync_directory(t:at("none")))
    t:code("FAILED_PRECONDITION", t.p:sync_directory(t:at("a_file")))
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

  -- A writer is killed at times that follow the seed: what stands there is one version, whole.
  local function killed(t, verb)
    need_shared(t)
    local uri = t:append(t:at("a_file"), version("z"))
    for round = 1, 8 do
      t:killed_elsewhere(verb, uri, (t.seed * 7919 + round * 104729) % 40 / 1000)
      local content = t:content(uri)
      t:equal(kilobytes * 1024, #content, "bytes after a writer was killed")
      t:yes(content == version(content:sub(1, 1)), "a mix of two versions")
    end
  end

  case("a_killed_writer_leaves_old_or_new_by_rename", "rename_file", function(t)
    if not t.plugin:rename_file("", "") then
      t:refuse("rename_file is an empty slot")
    end
    killed(t, "rename_file")
  end)

  case("a_killed_writer_leaves_old_or_new_by_replace", "rename_file", function(t)
    if not t.plugin:has("replace_file") then
      t:refuse("the plugin has no replace_file: it promises no atomic replacement")
    end
    killed(t, "replace_file")
  end)
end

return function(case)
  for _, part in ipairs { atomicity, transactions, extension, processes } do
    part(case)
  end
end
