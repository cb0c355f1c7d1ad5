-- What each slot gives back, called without a host: results on failure, counts, untouched outputs.
local quote = require("modfs.inspect.shell").quote

local opens = { "new_random_access_file", "new_writable_file", "new_appendable_file",
  "new_read_only_memory_region_from_file" }

-- A pointer that nobody may follow: left as it was, or NULL.
local function is_harmless(t, pointer, what)
  t:yes(pointer == "untouched" or pointer == "nothing", what .. ": " .. pointer)
end

local function missing_and_worse(t)
  return { NOT_FOUND = t:at("none"), FAILED_PRECONDITION = t:file("a_file", "test") .. "/below" }
end

local function lists(case)
  case("get_children.fails_with_minus_one", "get_children", function(t)
    local file = t:file("a_file", "test")
    for uri, code in pairs { [t:at("none")] = "NOT_FOUND", [file] = "FAILED_PRECONDITION" } do
      local answer = t:code(code, t.p:get_children(uri))
      t:equal(-1, answer.value)
      is_harmless(t, answer.entries, "entries")
    end
  end)

  case("get_children.counts_what_it_gives", "get_children", function(t)
    local dir = t:directory("a_dir")
    for count = 0, 20 do
      local answer = t:code("OK", t.p:get_children(dir))
      t:equal(count, answer.value)
      t:equal(count, #answer.names)
      t:file("a_dir/name" .. count)
    end
  end)

  case("get_matching_paths.counts_what_it_gives", "get_matching_paths", function(t)
    t:equal(0, t:code("OK", t.p:get_matching_paths(t:at("none*"))).value)
    for count = 1, 5 do
      t:file("name" .. count)
      local answer = t:code("OK", t.p:get_matching_paths(t:at("name*")))
      t:equal(count, answer.value)
      t:equal(count, #answer.names)
    end
  end)
end

local function asking(case)
  case("stat.leaves_stats_alone_on_failure", "stat", function(t)
    for code, uri in pairs(missing_and_worse(t)) do
      t:yes(t:code(code, t.p:stat(uri)).untouched, "the struct was written to")
    end
  end)

  case("stat.fills_every_field", "stat", function(t)
    local answer = t:code("OK", t.p:stat(t:file("a_file", "test")))
    t:equal(4, answer.length)
    t:equal(0, answer.is_directory)
    t:yes(answer.mtime_nsec > 0, "mtime_nsec")
    answer = t:code("OK", t.p:stat(t.root))
    t:equal(1, answer.is_directory)
    t:yes(answer.length >= 0, "length")
  end)

  case("get_file_size.fails_with_minus_one", "get_file_size", function(t)
    for code, uri in pairs(missing_and_worse(t)) do
      t:equal(-1, t:code(code, t.p:get_file_size(uri)).value)
    end
    t:equal(-1, t:code("FAILED_PRECONDITION", t.p:get_file_size(t.root)).value)
  end)

  case("is_directory.fails_with_false", "is_directory", function(t)
    for code, uri in pairs(missing_and_worse(t)) do
      t:no(t:code(code, t.p:is_directory(uri)).value)
    end
    t:yes(t:code("OK", t.p:is_directory(t.root)).value)
  end)

  case("paths_exist.takes_no_statuses", "paths_exist", function(t)
    local here, none = t:path(t:file("a_file")), t:path(t:at("none"))
    t:yes(t.p:paths_exist({ here, here }, true).value)
    t:no(t.p:paths_exist({ none, here }, true).value)
    t:no(t.p:paths_exist({ here, none }, true).value)
  end)

  case("paths_exist.takes_no_paths", "paths_exist", function(t)
    t:yes(t.p:paths_exist({}, true).value)
    t:yes(t.p:paths_exist({}, false).value)
  end)

  case("paths_exist.sets_every_status", "paths_exist", function(t)
    local here, none = t:path(t:file("a_file")), t:path(t:at("none"))
    local answer = t.p:paths_exist { none, here, none, here }
    t:no(answer.value)
    t:equal({ 5, 0, 5, 0 }, answer.codes)
  end)

  case("translate_name.is_never_null", "translate_name", function(t)
    for _, rest in ipairs { "", "/", "//", "/..", "/./a//b/../c/", "a", "/\255" } do
      local uri = (t.scheme == "" and "" or t.scheme .. "://") .. rest
      t:equal("something", t.p:translate_name(uri).pointer, uri)
    end
  end)
end

local function changing(case)
  case("delete_recursively.sets_both_counts", "delete_recursively", function(t)
    local answer = t:code("NOT_FOUND", t.p:delete_recursively(t:at("none")))
    t:equal({ 0, 1 }, { answer.files, answer.dirs })
    t:directory("a_dir")
    t:file("a_dir/a_file")
    answer = t:code("OK", t.p:delete_recursively(t:at("a_dir")))
    t:equal({ 0, 0 }, { answer.files, answer.dirs })
  end)

  for _, verb in ipairs { "rename_file", "copy_file" } do
    case(verb .. ".onto_itself_keeps_the_content", verb, function(t)
      local src = t:file("src", "test")
      t.p[verb](t.p, src, src)
      t:equal("test", t:look(src))
    end)

    case(verb .. ".refuses_directories", verb, function(t)
      local src, dir = t:file("src", "test"), t:directory("a_dir")
      t:code("FAILED_PRECONDITION", t.p[verb](t.p, src, dir))
      t:code("FAILED_PRECONDITION", t.p[verb](t.p, dir, src))
      t:code("FAILED_PRECONDITION", t.p[verb](t.p, dir, t:at("another")))
      t:equal("test", t:look(src))
      t:equal({}, t:fine(t.p:get_children(dir)).names)
    end)
  end
end

local function opening(case)
  for _, verb in ipairs(opens) do
    case(verb .. ".leaves_no_handle_on_failure", verb, function(t)
      local worse = missing_and_worse(t)
      worse.NOT_FOUND = not (t:departs "parents_implied" and verb:find "able_file$") and
        t:at("none/below") or nil
      for code, uri in pairs(worse) do
        is_harmless(t, t:code(code, t.p[verb](t.p, uri)).pointer, "the handle")
      end
      is_harmless(t, t:code("FAILED_PRECONDITION", t.p[verb](t.p, t.root)).pointer, "the handle")
    end)
  end
end

local function extras(case)
  case("configuration.is_counted", "get_filesystem_configuration", function(t)
    local answer = t:code("OK", t.p:get_filesystem_configuration())
    t:yes(answer.value >= 0, "the count was not set")
    t:equal(answer.value, #answer.names)
    for _, name in ipairs(answer.names) do
      t:equal("something",
        t:code("OK", t.p:get_filesystem_configuration_option(name)).option)
    end
  end)

  case("configuration.fails_without_an_option", "get_filesystem_configuration_option", function(t)
    local answer = t:code("NOT_FOUND", t.p:get_filesystem_configuration_option("no such option"))
    is_harmless(t, answer.option, "the option")
    t:code("NOT_FOUND", t.p:set_filesystem_configuration_option("no such option", 0))
  end)

  case("transactions.answer_0_or_minus_one", "start_transaction", function(t)
    local begun = t:code("OK", t.p:start_transaction())
    t:equal(0, begun.value)
    t:equal("something", begun.pointer)
    t:equal(0, t:code("OK", t.p:add_to_transaction(t:at("a_file"), begun.token)).value)
    t:equal("something", t.p:decode_transaction_token(begun.token).pointer)
    t:equal(begun.token, t:code("OK", t.p:get_transaction_for_path(t:at("a_file"))).token)
    local none = t:code("NOT_FOUND", t.p:get_transaction_for_path(t:at("another")))
    t:equal(-1, none.value)
    is_harmless(t, none.pointer, "the token")
    t:equal(0, t:code("OK", t.p:end_transaction(begun.token)).value)
  end)

  case("transactions.know_no_foreign_token", "end_transaction", function(t)
    local token, keep = t.plugin:foreign_token()
    t:equal(-1, t:code("NOT_FOUND", t.p:end_transaction(token)).value)
    t:equal(-1, t:code("NOT_FOUND", t.p:add_to_transaction(t:at("a_file"), token)).value)
    t:yes(keep ~= nil)
  end)

  case("transactions.begin_for_a_path", "get_or_start_transaction_for_path", function(t)
    local begun = t:code("OK", t.p:get_or_start_transaction_for_path(t:at("a_file")))
    t:equal(0, begun.value)
    local again = t:code("OK", t.p:get_or_start_transaction_for_path(t:at("a_file")))
    t:equal(begun.token, again.token)
    t:code("OK", t.p:end_transaction(begun.token))
    t:code("NOT_FOUND", t.p:get_transaction_for_path(t:at("a_file")))
  end)
end

local function iteration(case)
  case("iteration.gives_each_name_once", "get_children", function(t)
    local dir, expected = t:directory("a_dir"), {}
    t:equal({}, t:code("OK", t.p:open_directory(dir)).names)
    for i = 1, 30 do
      expected[i] = ("name%02d"):format(i)
      t:file("a_dir/" .. expected[i])
    end
    t:directory("a_dir/other")
    expected[31] = "other"
    local answer = t:code("OK", t.p:open_directory(dir))
    table.sort(answer.names)
    t:equal(expected, answer.names)
    t:yes(answer.kinds.other == 2 or answer.kinds.other == 0, "the kind of a directory")
    t:yes(answer.kinds.name01 == 1 or answer.kinds.name01 == 0, "the kind of a file")
    t:code("NOT_FOUND", t.p:open_directory(t:at("none")))
    t:code("FAILED_PRECONDITION", t.p:open_directory(dir .. "/name01"))
  end)

  case("lstat.fills_what_the_host_knows", "stat", function(t)
    local uri = t:file("a_file", "test")
    local answer = t:code("OK", t.p:lstat(uri))
    t:equal({ 1, 4 }, { answer.kind, answer.length })
    t:equal(2, t:code("OK", t.p:lstat(t.root)).kind)
    for size = 16, 64, 8 do
      t:equal(1, t:code("OK", t.p:lstat(uri, size)).kind)
    end
    t:code("NOT_FOUND", t.p:lstat(t:at("none")))
  end)
end

local function ends(case)
  case("recursively_create_dir.ends_at_the_root", "recursively_create_dir", function(t)
    local prefix = t.scheme == "" and "" or t.scheme .. "://"
    for _, rest in ipairs { "", "/", "//", "/." } do
      t:no(t.p:recursively_create_dir(prefix .. rest).code == "UNKNOWN")
    end
  end)

  case("stat.survives_far_times", "stat", function(t)
    local path, uri = t:need_local(), t:file("a_file", "test")
    for _, date in ipairs { "2200-01-01", "2400-01-01" } do
      os.execute(("touch -d %s %s"):format(date, quote(path .. "/a_file")))
      t:yes(t:code("OK", t.p:stat(uri)).mtime_nsec > 2 ^ 62, "the time of " .. date)
    end
  end)
end

-- Hosts give each call a status that is OK, so what leaves it alone is no failure: it is told.
-- Calls that fail for reasons of their own: slot, arguments below the root, more arguments.
local failing_calls = {
  { "stat", "none" }, { "path_exists", "none" }, { "get_file_size", "none" },
  { "get_file_size", "dir" }, { "is_directory", "a" }, { "is_directory", "none" },
  { "new_random_access_file", "none" }, { "new_random_access_file", "dir" },
  { "new_read_only_memory_region_from_file", "none" },
  { "new_read_only_memory_region_from_file", "dir" },
  { "new_read_only_memory_region_from_file", "empty" }, { "new_writable_file", "dir" },
  { "new_appendable_file", "dir" }, { "delete_file", "none" }, { "delete_file", "dir" },
  { "delete_dir", "none" }, { "delete_dir", "a" }, { "delete_dir", "dir" }, { "create_dir", "a" },
  { "create_dir", "dir" }, { "create_dir", "none/below" }, { "create_dir", "a/below" },
  { "recursively_create_dir", "a/below" }, { "recursively_create_dir", "a" },
  { "rename_file", "none", "new" }, { "rename_file", "dir", "new" }, { "rename_file", "a", "dir" },
  { "copy_file", "none", "new" }, { "copy_file", "dir", "new" }, { "copy_file", "a", "dir" },
  { "get_children", "none" }, { "get_children", "a" }, { "delete_recursively", "none" },
  { "lstat", "none" }, { "get_attributes", "none" }, { "create_private_dir", "dir" },
  { "open_writer", "dir", more = "atomic" }, { "open_writer", "a", more = "new" },
  { "set_attributes", "none", more = { mode = 384 } },
  { "set_attributes", "a", more = { owner = 2 ^ 40 } }, { "create_link", "a", more = "target" },
  { "read_link", "a" }, { "read_link", "none" }, { "get_xattrs", "none" }, { "get_space", "none" },
}

local function call_bare(t, row)
  local arguments = { t:path(t:at(row[2])), row[3] and t:path(t:at(row[3])) or row.more }
  return t.plugin[row[1]](t.plugin, (table.unpack or unpack)(arguments))
end

local function statuses(case)
  -- errno holds another value with each call.
  case("statuses.do_not_follow_errno", "stat", function(t)
    t:need_shim()
    t:file("a", "test")
    t:file("empty")
    t:directory("dir")
    t:file("dir/below")
    t.runner.arm("all", "EIO", 1, 0)
    t.p:stat(t:at("a"))
    if t.runner.counts "all" == 0 then
      t:refuse "no system call is seen"
    end
    t.runner.arm()
    for _, row in ipairs(failing_calls) do
      local first = call_bare(t, row)
      for _ = 1, first and first.code ~= "OK" and first.code ~= "UNIMPLEMENTED" and 7 or 0 do
        local answer = call_bare(t, row)
        t:equal({ first.code, first.message }, { answer.code, answer.message },
          ("%s(%s) with another value in errno"):format(row[1], row[2]))
      end
    end
  end)

  case("statuses.say_what_happened", "path_exists", function(t)
    local uri, dir, none = t:file("a_file", "test"), t:directory("a_dir"), t:at("none")
    local reader = t:fine(t.p:new_random_access_file(uri))
    local writer = t:fine(t.p:new_writable_file(t:at("written")))
    local function told(operation, answer)
      if answer.message == "as the call found it" then
        t.journal.tell("advice", operation)
      else
        t:code("OK", answer)
      end
    end
    t.runner.preset(true)
    for _, verb in ipairs { "path_exists", "stat", "get_file_size" } do
      t:code("NOT_FOUND", t.p[verb](t.p, none))
      told(verb, t.p[verb](t.p, uri))
    end
    t:code("NOT_FOUND", t.p:rename_file(none, uri))
    told("is_directory", t.p:is_directory(dir))
    told("get_children", t.p:get_children(dir))
    told("read", reader:read(0, 2))
    told("append", writer:append("test"))
    told("tell", writer:tell())
    told("close", writer:close())
    told("create_dir", t.p:create_dir(none))
    told("rename_file", t.p:rename_file(uri, t:at("other")))
    told("delete_dir", t.p:delete_dir(none))
    t.runner.preset(false)
    reader:cleanup_file()
    writer:cleanup_writable()
  end)
end

return function(case)
  for _, part in ipairs { lists, asking, changing, opening, extras, iteration, ends, statuses } do
    part(case)
  end
end
