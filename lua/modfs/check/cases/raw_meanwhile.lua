-- What others do to names of this machine between two steps of one call: the call is held at each
-- of its allocations, system calls and locks in turn, and the names change without the plugin, as
-- if another program did it. Of plugins whose files are elsewhere the cases are refused.
local quote = require("modfs.inspect.shell").quote

local most_points = 400

local function write(path, content)
  local file = assert(io.open(path, "wb"))
  file:write(content)
  assert(file:close())
end

local function read(path)
  local file = io.open(path, "rb")
  local content = file and file:read "*a"
  if file then
    file:close()
  end
  return content
end

-- For each point: prepare(), then work() with change() at that point; change() returns whether
-- there was something to change. check(answer, changed, k) follows.
local function each_point(t, prepare, change, work, check)
  for k = 1, most_points do
    prepare()
    local changed = false
    local answer, called = t:between(k, function()
      changed = change() == true
    end, work)
    check(answer, changed, k)
    if not called then
      return
    end
  end
end

local function taking_names(case)
  case("machine.takes_no_name_that_comes_meanwhile", "open_writer", function(t)
    local path = t:need_local() .. "/a_file"
    local uri, file = t:at "a_file", nil
    local _, early = t.p:open_writer(t:at "probe", "atomic new")
    if early then
      early:cleanup_writable()
      t:refuse "the storage does not find out whether a name is taken"
    end
    each_point(t, function()
      os.remove(path)
      file = t:fine(t.p:open_writer(uri, "atomic new"))
      t:fine(file:append "test")
    end, function()
      if not t.runner.look(path) then
        write(path, "other")
        return true
      end
    end, function()
      return file:close()
    end, function(answer, changed, k)
      file:cleanup_writable()
      t:equal({ changed and "other" or "test", not changed }, { read(path), answer.code == "OK" },
        ("others take the name at point %d of close, which answers %s"):format(k, answer.code))
      local names = t:code("OK", t.p:get_children(t.root)).names
      table.sort(names)
      t:equal({ "a_file", "probe" }, names)
    end)
  end)
end

local function deleting(case)
  -- The tree a_dir, and nothing aside.
  local function prepare(path)
    os.execute(("cd %s && rm -rf a_dir aside && mkdir -p a_dir/below/deep kept")
      :format(quote(path)))
    for _, name in ipairs { "a_dir/a_file", "a_dir/below/a_file", "kept/a_file" } do
      write(path .. "/" .. name, "test")
    end
  end

  case("machine.deletes_a_file_that_comes_meanwhile_or_fails", "delete_recursively", function(t)
    local path = t:need_local()
    each_point(t, function()
      prepare(path)
    end, function()
      if os.rename(path .. "/a_dir", path .. "/aside") then
        write(path .. "/a_dir", "other")
        return true
      end
    end, function()
      return t.p:delete_recursively(t:at "a_dir")
    end, function(answer, changed, k)
      local is_left = t.runner.look(path .. "/a_dir") ~= nil
      t:no(answer.code == "OK" and is_left,
        ("a file takes the directory's place at point %d, and stays: OK"):format(k))
      t:yes(changed or answer.code == "OK", "nothing has changed, and it fails")
      os.remove(path .. "/a_dir")
    end)
  end)

  case("machine.deletes_nothing_behind_a_link_that_comes_meanwhile", "delete_recursively",
    function(t)
      local path = t:need_local()
      if not t.plugin:has "open_subdirectory" then
        t:refuse "open_subdirectory is an empty slot: it works by path"
      end
      each_point(t, function()
        prepare(path)
        os.execute(("cd %s && ln -sfn %s link"):format(quote(path), quote(path .. "/kept")))
      end, function()
        return os.rename(path .. "/a_dir/below", path .. "/aside")
          and os.rename(path .. "/link", path .. "/a_dir/below")
      end, function()
        return t.p:delete_recursively(t:at "a_dir")
      end, function(answer, _, k)
        t:equal("test", read(path .. "/kept/a_file"), ("a link to another directory comes at"
          .. " point %d, and it answers %s"):format(k, answer.code))
        t:no(answer.code == "OK" and t.runner.look(path .. "/a_dir") ~= nil,
          "OK, and the directory is there")
      end)
    end)
end

return function(case)
  taking_names(case)
  deleting(case)
end
