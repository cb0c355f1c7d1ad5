-- Files that are opened for writing by flags: what else may happen to their names.
local function each_flags(run)
  for _, how in ipairs { "atomic", "new", "atomic new", "" } do
    run(how)
  end
end

-- Opens a file by flags; the case is refused where the storage cannot honour them.
local function opened(t, uri, how)
  local file = t:fine(t.p:open_writer(uri, how))
  t:code("OK", file:append("test"))
  return file
end

return function(case)
  case("open_writer.new_takes_no_name_that_came_later", "open_writer", function(t)
    local uri = t:at("a_file")
    local answer, early = t.p:open_writer(t:file("taken", "other"), "new")
    if early then
      early:cleanup_writable()
      t:refuse "the storage does not find out whether a name is taken"
    end
    t:code("ALREADY_EXISTS", answer)
    t:fine(t.p:delete_file(t:at("taken")))
    local file = opened(t, uri, "atomic new")
    t:append(uri, "other")
    t:no(file:close().code == "OK", "it takes the name of a file that was made meanwhile")
    file:cleanup_writable()
    t:equal("other", t:look(uri))
    t:equal({ "a_file" }, t:code("OK", t.p:get_children(t.root)).names)
  end)

  case("open_writer.atomic_keeps_the_permissions", "open_writer", function(t)
    local uri = t:file("a_file", "old")
    if t:code("OK", t.p:get_attributes(uri)).mode == 0 then
      t:refuse "the storage gives new files no permissions"
    end
    for _, mode in ipairs { 416, 384, 438 } do -- 0640, 0600, 0666
      t:code("OK", t.p:set_attributes(uri, { mode = mode }))
      local file = opened(t, uri, "atomic")
      t:code("OK", file:close())
      file:cleanup_writable()
      t:equal({ mode, "test" }, { t:code("OK", t.p:get_attributes(uri)).mode, (t:look(uri)) })
    end
  end)

  case("open_writer.takes_names_of_every_byte", "open_writer", function(t)
    each_flags(function(how)
      for byte = 1, 255 do
        local name = ("a%sb"):format(string.char(byte))
        if byte ~= 47 and t:takes(name) then
          local uri = t:at(name)
          local file = opened(t, uri, how)
          t:code("OK", file:close())
          file:cleanup_writable()
          t:equal("test", t:look(uri))
          t:fine(t.p:delete_file(uri))
        end
      end
      t:equal({}, t:code("OK", t.p:get_children(t.root)).names)
    end)
  end)

  case("copy_file.copies_what_tells_no_length", "copy_file", function(t)
    t:need_local()
    local system = io.open("/proc/version", "rb")
    local content = system and system:read "*a" or ""
    if system then
      system:close()
    end
    local src = (t.scheme == "" and "" or t.scheme .. "://") .. "/proc/version"
    if content == "" or t.p:path_exists(src).code ~= "OK" then
      t:refuse "there is no /proc/version"
    end
    t:code("OK", t.p:copy_file(src, t:at("copied")))
    t:equal(content, t:look(t:at("copied")))
  end)
end
