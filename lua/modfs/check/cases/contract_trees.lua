-- Directories, counts and questions.
return function(case)
  -- The top holds the roots of all cases; and a name of one letter is not the top.
  case("top_is_a_directory", "stat", function(t)
    if t:departs "parents_implied" then
      t:refuse "its directories are implied by what is in them"
    end
    local top, there = t.scheme == "" and "/" or t.scheme .. ":///", {}
    t:yes(t:must(t.fs:stat(top)).is_directory)
    t:yes(t:must(t.fs:path_exists(top)))
    for _, name in ipairs(t:must(t.fs:get_children(top))) do
      there[name] = true
    end
    for letter in ("qzQ"):gmatch "." do
      if not there[letter] then
        t:fails("NOT_FOUND", t.fs:stat(top .. letter))
        t:fails("NOT_FOUND", t.fs:new_random_access_file(top .. letter))
      end
    end
  end)

  case("failing_makes_nothing", "create_dir", function(t)
    t:fails("NOT_FOUND", t.fs:create_dir(t:at("none/a_dir")))
    t:equal({}, t:children())
    local uri = t:file("a_file", "test")
    t:fails("ALREADY_EXISTS", t.fs:create_dir(uri))
    t:fails("FAILED_PRECONDITION", t.fs:create_dir(uri .. "/a_dir"))
    t:equal("test", t:content(uri))
    t:equal({ "a_file" }, t:children())
  end)

  case("recursively_keeps_what_is_there", "recursively_create_dir", function(t)
    t:yes(t.fs:recursively_create_dir(t:at("a/b/c")))
    local uri = t:file("a/b/a_file", "test")
    t:yes(t.fs:recursively_create_dir(t:at("a/b")))
    t:yes(t.fs:recursively_create_dir(t:at("a/b/c/d")))
    t:equal("test", t:content(uri))
    t:equal({ "d" }, t:children(t:at("a/b/c")))
    t:fails("FAILED_PRECONDITION", t.fs:recursively_create_dir(uri .. "/x/y"))
    t:equal({ "a_file", "c" }, t:children(t:at("a/b")))
  end)

  case("counts_nothing_after_success", "delete_recursively", function(t)
    t:must(t.fs:recursively_create_dir(t:at("top/a/b")))
    t:file("top/one", "x")
    t:file("top/a/two", "x")
    t:equal({ true, 0, 0 }, { t.fs:delete_recursively(t:at("top")) })
    t:equal({}, t:children())
  end)

  case("counts_what_could_not_start", "delete_recursively", function(t)
    local uri = t:file("a_file", "test")
    local results = { t.fs:delete_recursively(uri .. "/x") }
    t:fails("FAILED_PRECONDITION", results[1], results[2], results[3])
    t:equal({ 0, 1 }, { results[4], results[5] })
    t:equal("test", t:content(uri))
  end)

  case("leaves_what_is_beside", "delete_recursively", function(t)
    t:must(t.fs:recursively_create_dir(t:at("a/b")))
    t:file("ab", "beside")
    t:file("a.txt", "beside")
    t:yes((t.fs:delete_recursively(t:at("a"))))
    t:equal({ "a.txt", "ab" }, t:children())
    t:equal("beside", t:content(t:at("ab")))
  end)

  case("failing_deletes_nothing", "delete_dir", function(t)
    t:directory("a_dir")
    local uri = t:file("a_dir/a_file", "test")
    t:fails("FAILED_PRECONDITION", t.fs:delete_dir(t:at("a_dir")))
    t:fails("FAILED_PRECONDITION", t.fs:delete_dir(uri))
    t:fails("FAILED_PRECONDITION", t.fs:delete_file(t:at("a_dir")))
    t:equal("test", t:content(uri))
    t:yes(t.fs:delete_file(uri))
    t:yes(t.fs:delete_dir(t:at("a_dir")))
    t:equal({}, t:children())
  end)

  case("deletes_once", "delete_file", function(t)
    local uri = t:file("a_file", "test")
    t:yes(t.fs:delete_file(uri))
    t:fails("NOT_FOUND", t.fs:delete_file(uri))
    t:fails("NOT_FOUND", t.fs:delete_file(t:at("none/a_file")))
    t:fails("NOT_FOUND", t.fs:path_exists(uri))
  end)

  case("lists_bare_names_once_each", "get_children", function(t)
    t:directory("a_dir")
    t:file("a_dir/deeper")
    t:file("a_file")
    t:equal({ "a_dir", "a_file" }, t:children())
    t:equal({ "deeper" }, t:children(t:at("a_dir")))
    t:yes(t.fs:delete_file(t:at("a_file")))
    t:equal({ "a_dir" }, t:children())
  end)

  case("tells_files_from_directories", "stat", function(t)
    t:needs("path_exists")
    local file, dir = t:file("a_file", "0123456789"), t:directory("a_dir")
    t:equal(false, t:must(t.fs:stat(file)).is_directory)
    t:equal(true, t:must(t.fs:stat(dir)).is_directory)
    t:equal(10, t.fs:stat(file).length)
    t:equal(false, (t.fs:is_directory(file)))
    t:equal(true, (t.fs:is_directory(dir)))
    t:equal(10, t.fs:get_file_size(file))
  end)

  case("tells_times_in_nanoseconds", "stat", function(t)
    local before = os.time()
    local answer = t:must(t.fs:stat(t:file("a_file", "test")))
    local day = 24 * 60 * 60
    t:yes(answer.mtime_nsec > 1e9 * (before - day), "long ago: " .. answer.mtime_nsec)
    t:yes(answer.mtime_nsec < 1e9 * (os.time() + day), "in the future: " .. answer.mtime_nsec)
  end)

  case("follows_the_length", "get_file_size", function(t)
    for _, size in ipairs { 0, 1, 4095, 4096, 4097, 100000, 5, 0 } do
      local uri = t:file("a_file", ("x"):rep(size))
      t:equal(size, t.fs:get_file_size(uri))
      t:equal(size, t:must(t.fs:stat(uri)).length)
    end
  end)

  case("takes_a_slash_at_the_end", "create_dir", function(t)
    if t:echoes() then
      t:refuse("the plugin hands URIs on as they are")
    end
    t:yes(t.fs:create_dir(t:at("a_dir/")))
    t:yes(t.fs:is_directory(t:at("a_dir/")))
    t:yes(t.fs:recursively_create_dir(t:at("b/c/")))
    t:equal({ "c" }, t:children(t:at("b/")))
    t:yes(t.fs:delete_dir(t:at("b/c/")))
  end)

  case("answers_for_each", "paths_exist", function(t)
    local file, none = t:file("a_file"), t:at("none")
    t:equal({ true, { "OK", "OK" } }, { t.fs:paths_exist { file, t.root } })
    t:equal({ false, { "NOT_FOUND", "OK", "NOT_FOUND" } },
      { t.fs:paths_exist { none, file, none } })
  end)

  case("cleans_paths_by_their_text", "translate_name", function(t)
    if t:echoes() then
      t:refuse("the plugin hands URIs on as they are")
    end
    local name = t:ok(t.fs:translate_name(t:at("a/./b//../c/")))
    t:equal(nil, (name .. "/"):find("//", 1, true))
    t:equal(nil, (name .. "/"):find("/./", 1, true))
    t:equal(nil, (name .. "/"):find("/../", 1, true))
    t:equal(name, t.fs:translate_name(t:at("a/c")))
    local uri = t:file("a_file", "test")
    t:directory("a_dir")
    for _, other in ipairs { "./a_file", ".//a_file", "a_dir/../a_file", "none/../a_file" } do
      t:equal("test", t:content(t:at(other)), other)
    end
    t:equal(t.fs:translate_name(uri), t.fs:translate_name(uri))
  end)
end
