-- Renaming and copying: what is replaced, and what is left alone on failure.
local function each_verb(case, verb)
  case(verb .. ".replaces_whole_files", verb, function(t)
    for _, old in ipairs { "", "short", ("long"):rep(50000) } do
      local src, dst = t:file("src", "middle length"), t:file("dst", old)
      t:yes(t.fs[verb](t.fs, src, dst))
      t:equal("middle length", t:content(dst))
    end
  end)

  case(verb .. ".keeps_large_content", verb, function(t)
    local content = ("0123456789abcde\n"):rep(40000)
    local src, dst = t:file("src", content), t:at("dst")
    t:yes(t.fs[verb](t.fs, src, dst))
    t:equal(#content, t.fs:get_file_size(dst))
    t:yes(content == t:content(dst), "the content differs")
  end)

  case(verb .. ".empty_file", verb, function(t)
    local src, dst = t:file("src"), t:file("dst", "old")
    t:yes(t.fs[verb](t.fs, src, dst))
    t:equal("", t:content(dst))
  end)

  case(verb .. ".onto_itself_keeps_the_content", verb, function(t)
    t:needs("path_exists")
    local src = t:file("src", "test")
    t:yes(t.fs[verb](t.fs, src, src))
    t:equal("test", t:content(src))
    if not t:echoes() then
      t:yes(t.fs[verb](t.fs, src, t:at(".//src")))
      t:equal("test", t:content(src))
    end
  end)

  case(verb .. ".failing_changes_nothing", verb, function(t)
    local dst, dir = t:file("dst", "old"), t:directory("a_dir")
    t:fails("NOT_FOUND", t.fs[verb](t.fs, t:at("none"), dst))
    t:equal("old", t:content(dst))
    t:fails("FAILED_PRECONDITION", t.fs[verb](t.fs, dir, dst))
    t:equal("old", t:content(dst))
    t:fails("FAILED_PRECONDITION", t.fs[verb](t.fs, dst, dir))
    if not t:departs "parents_implied" then
      t:fails("NOT_FOUND", t.fs[verb](t.fs, dst, t:at("none/dst")))
    end
    t:equal("old", t:content(dst))
    t:equal({ "a_dir", "dst" }, t:children())
    t:equal({}, t:children(dir))
  end)
end

return function(case)
  each_verb(case, "rename_file")
  each_verb(case, "copy_file")

  case("copy_file.into_a_missing_parent", "copy_file", function(t)
    t:wants_no "parents_implied"
    t:fails("NOT_FOUND", t.fs:copy_file(t:file("src", "test"), t:at("none/dst")))
    t:equal({ "src" }, t:children())
  end)

  case("copy_file.makes_copies_that_live_apart", "copy_file", function(t)
    local src, dst = t:file("src", "test"), t:at("dst")
    t:yes(t.fs:copy_file(src, dst))
    t:file("src", "changed")
    t:equal("test", t:content(dst))
    t:yes(t.fs:delete_file(src))
    t:equal("test", t:content(dst))
  end)

  case("rename_file.takes_the_source_away", "rename_file", function(t)
    local src, dst = t:file("src", "test"), t:file("dst", "old")
    t:yes(t.fs:rename_file(src, dst))
    t:equal({ "dst" }, t:children())
    t:no(t:exists(src))
  end)
end
