-- The ways to files of this machine: paths that begin in the working directory, hosts in URIs, and
-- ways around calls that the system refuses. Of other plugins the cases are refused.
local quote = require("modfs.inspect.shell").quote

local FILE, LINK = 1, 3

-- In the directory of the root: to its files lead paths without a directory, too.
local function from_within(t, work)
  local path = t:need_local()
  if t.scheme ~= "" then
    t:refuse "its paths begin at the top"
  end
  local here = assert(io.popen "pwd"):read "*l"
  t:yes(t.runner.enter(path), "setup failed: the directory cannot be entered")
  local fine, problem = pcall(work, path)
  t:yes(t.runner.enter(here), "setup failed: the working directory is lost")
  if not fine then
    error(problem, 0)
  end
end

local function naming(case)
  case("machine.paths_may_begin_here", "new_writable_file", function(t)
    from_within(t, function(path)
      local p = t.p
      t:code("OK", p:create_dir("a_dir"))
      t:code("OK", p:recursively_create_dir("deep/er/and/deeper"))
      t:code("OK", p:recursively_create_dir("flat"))
      t:append("a_file", "test")
      t:append("a_file", "more", "new_appendable_file")
      t:equal("testmore", t:look("a_file"))
      t:code("OK", p:copy_file("a_file", "copy"))
      t:code("OK", p:copy_file("a_file", "copy"))
      t:code("OK", p:copy_file("a_file", "a_dir/copy"))
      t:code("OK", p:rename_file("copy", "moved"))
      t:code("OK", p:rename_file("a_dir/copy", "a_file"))
      t:code("OK", p:path_exists("moved"))
      t:equal(8, t:code("OK", p:get_file_size("moved")).value)
      local names = t:code("OK", p:get_children(".")).names
      table.sort(names)
      t:equal({ "a_dir", "a_file", "deep", "flat", "moved", "probe" }, names)
      t:code("OK", p:delete_file("moved"))
      t:code("OK", p:delete_recursively("deep"))
      t:code("OK", p:delete_dir("a_dir"))
      t:code("OK", p:delete_recursively("flat"))
      t:code("OK", p:delete_recursively("a_file"))
      t:code("NOT_FOUND", p:delete_recursively("none"))
      t:equal(nil, t.runner.look(path .. "/deep"))
    end)
  end)

  case("machine.writers_may_begin_here", "open_writer", function(t)
    from_within(t, function()
      if not t.plugin:has("open_writer") then
        t:refuse "open_writer is an empty slot"
      end
      for _, how in ipairs { "", "atomic", "durable", "atomic durable", "atomic new" } do
        local name = "by " .. how
        for _ = 1, how:find "new" and 1 or 2 do
          local file = t:fine(t.p:open_writer(name, how))
          t:fine(file:append("test"))
          t:code("OK", file:close())
          file:cleanup_writable()
          t:equal("test", t:look(name))
        end
      end
    end)
  end)
end

-- Ways around ------------------------------------------------------------------------------

-- A copy while calls fail: to answer UNIMPLEMENTED says nothing about the slot then.
local function copy_bare(t, src, dst)
  local answer = t.plugin:copy_file(t:path(src), t:path(dst))
  t.runner.arm()
  return answer or t:refuse "copy_file is an empty slot"
end

local function going_around(case)
  -- A container or a mount refuses these calls for good; reading and writing works.
  case("machine.copies_where_the_system_cannot", "copy_file", function(t)
    t:need_local()
    t:need_shim()
    local content = ("0123456789"):rep(20000)
    local src, dst = t:file("src", content), t:at("dst")
    for _, error_name in ipairs { "EXDEV", "EINVAL", "ENOSYS", "EOPNOTSUPP", "EPERM" } do
      for _ = 1, 2 do
        t.runner.arm("copy", error_name, 1, 1000)
        t:code("OK", copy_bare(t, src, dst))
        t:equal(content, t:look(dst))
      end
      t:fine(t.p:delete_file(dst))
    end
  end)

  -- The same, and what is written in the copy's stead is interrupted, or taken in pieces.
  for _, each in ipairs { { 3, "few_bytes" }, { "EINTR", "signals" } } do
    local effect, word = each[1], each[2]
    case("machine.copies_by_writing_in_spite_of_" .. word, "copy_file", function(t)
      t:need_local()
      t:need_shim()
      local content = ("0123456789"):rep(20)
      local src, dst = t:file("src", content), t:at("dst")
      t.runner.arm("copy", "EXDEV", 1, 1000)
      if copy_bare(t, src, dst).code ~= "OK" then
        t:refuse "it does not copy by reading and writing"
      end
      for k = 1, 4 do
        t.runner.arm("copy", "EXDEV", 1, 1000)
        if effect == 3 then
          t.runner.arm_also("write", effect, 1, 1000)
        else
          t.runner.arm_also("read write", effect, k, 1)
        end
        t:code("OK", copy_bare(t, src, dst))
        t:equal(content, t:look(dst))
      end
    end)
  end

  case("machine.minds_that_nothing_is_copied", "copy_file", function(t)
    t:need_local()
    t:need_shim()
    local src, dst = t:file("src", "test"), t:at("dst")
    t.runner.arm("copy", "EXDEV", 1, 1000)
    t.runner.arm_also("write", 0, 1, 5000)
    local answer = copy_bare(t, src, dst)
    t:no(answer.code == "OK" and t:look(dst) ~= "test", "OK, and it has copied nothing")
  end)

  -- It may go on in another way, or say that it cannot.
  case("machine.copies_whole_files_where_the_system_stops", "copy_file", function(t)
    t:need_local()
    t:need_shim()
    local content = ("0123456789"):rep(100)
    local src, dst = t:file("src", content), t:at("dst")
    for _, error_name in ipairs { "EXDEV", "EINVAL", "ENOSYS", "EOPNOTSUPP", "EPERM", "EIO" } do
      for k = 1, 3 do
        t.runner.arm("copy", 100, 1, k)
        t.runner.arm_also("copy", error_name, 1, 1000)
        local answer = copy_bare(t, src, dst)
        t:no(answer.code == "OK" and t:look(dst) ~= content, ("OK, and a part is missing: %s "
          .. "after %d00 bytes"):format(error_name, k))
      end
    end
    -- Files that are made as they are read were copied like this by some kernels.
    t.runner.arm("copy", 0, 1, 1000)
    local answer = copy_bare(t, src, dst)
    t:no(answer.code == "OK" and t:look(dst) ~= content, "OK, and nothing is copied")
  end)

  case("machine.copies_by_writing_until_that_fails", "copy_file", function(t)
    t:need_local()
    t:need_shim()
    local src, dst = t:file("src", "test"), t:at("dst")
    for _, error_name in ipairs { "ENOSPC", "EDQUOT", "EIO" } do
      t.runner.arm("copy", "EXDEV", 1, 1000)
      t.runner.arm_also("write", error_name, 1, 5000)
      local answer = t.plugin:copy_file(t:path(src), t:path(dst))
      local met = select(2, t.runner.counts "write")
      t.runner.arm()
      t:yes(met < 5000, "it writes on and on while the answer is " .. error_name)
      t:no(answer.code == "OK" and t:look(dst) ~= "test", "OK, and it has copied nothing")
      t:equal(answer.code ~= "OK" and error_name ~= "EIO", answer.code == "RESOURCE_EXHAUSTED",
        ("each write fails with %s, and it answers %s"):format(error_name, answer.code))
    end
  end)

  -- As between two mounts that the plugin serves: it moves, or it says that it cannot.
  case("machine.moves_between_mounts_what_it_can", "rename_file", function(t)
    local path = t:need_local()
    t:need_shim()
    t:directory "a_dir"
    local src, dst = t:file("a_dir/src", "test"), t:at("dst")
    os.execute("touch -d @1500000000.25 " .. quote(path .. "/a_dir/src"))
    os.execute("chmod 640 " .. quote(path .. "/a_dir/src"))
    local before = t.runner.look(path .. "/a_dir/src")
    t.runner.arm("name", "EXDEV", 1, 1)
    local answer = t.plugin:rename_file(t:path(src), t:path(dst))
    t.runner.arm()
    if answer.code == "OK" then
      local now = t.runner.look(path .. "/dst")
      t:equal({ before.mode, before.mtime_nsec, FILE, nil }, { now.mode, now.mtime_nsec, now.kind,
        t.runner.look(path .. "/a_dir/src") and "is there" })
      t:equal("test", t:look(dst))
    else
      t:no(answer.code == "NOT_FOUND" or answer.code == "ALREADY_EXISTS",
        "both are on other mounts, and it answers " .. answer.code)
      t:equal("test", t:look(src))
      t:equal(nil, t.runner.look(path .. "/dst"))
    end
  end)

  -- The same, and each further call fails in turn: at no moment is there less than one of the two.
  for _, kind in ipairs { "file", "link" } do
    case(("machine.moves_a_%s_between_mounts_or_leaves_it"):format(kind), "rename_file",
      function(t)
        local path = t:need_local()
        t:need_shim()
        local src, dst = t:path(t:at "src"), t:path(t:at "dst")
        local function is_there(name)
          local found = t.runner.look(path .. "/" .. name)
          return found ~= nil and t:look(t:at(name)) == "test"
            and (kind == "file" or found.kind == LINK)
        end
        local function others()
          local left = {}
          for _, name in ipairs(t:code("OK", t.p:get_children(t.root)).names) do
            local known = name == "a_file" or name == "src" or name == "dst" or name == "probe"
            left[#left + 1] = not known and name or nil
          end
          return left
        end
        t:file("a_file", "test")
        for k = 1, 60 do
          if not t.runner.look(path .. "/src") then
            os.execute(("cd %s && %s a_file src"):format(quote(path), kind == "file" and "cp"
              or "ln -s"))
          end
          os.remove(path .. "/dst")
          t.runner.arm("name", "EXDEV", 1, 1)
          t.runner.arm_also("all", "EIO", k, 1)
          local answer = t.plugin:rename_file(src, dst)
          local _, met, _, _, name = t.runner.counts "all"
          t.runner.arm()
          local words = ("the plugin moves a %s, call %d (%s) fails with EIO, and it answers %s")
            :format(kind, k, tostring(name), answer.code)
          if answer.code == "OK" then
            t:yes(is_there "dst" and not t.runner.look(path .. "/src"), words)
          else
            t:yes(is_there "src", words)
          end
          if not tostring(name):find "^unlink" then
            t:equal({}, others(), "what is left, where " .. words)
          end
          if met == 0 or met == 1 and tostring(name):find "^rename" then
            return -- only the first call has failed
          end
        end
      end)
  end
end

-- A storage without such a call fails it with EINVAL or ENOSYS.
local function placing(case)
  for _, error_name in ipairs { "EINVAL", "ENOSYS" } do
    case("machine.takes_a_new_name_where_the_system_cannot_by_" .. error_name, "open_writer",
      function(t)
        local path = t:need_local()
        t:need_shim()
        local file = t:fine(t.p:open_writer(t:at("a_file"), "atomic new"))
        t:fine(file:append("test"))
        t.runner.arm("name", error_name, 1, 1)
        local answer = file:close()
        t.runner.arm()
        file:cleanup_writable()
        if answer.code == "OK" then
          t:equal("test", t:look(t:at("a_file")))
          t:fine(t.p:delete_file(t:at("a_file")))
        end
        t:no(answer.code == "INVALID_ARGUMENT" and error_name ~= "EINVAL",
          "the system lacks a call, and the argument is called invalid")
        t:equal({ "probe" }, t:code("OK", t.p:get_children(t.root)).names)
        t:equal(nil, t.runner.look(path .. "/a_file"))
      end)
  end
end

-- A host in a URI: "localhost" is this machine, another one is not.
local function hosts(case)
  case("machine.hosts_of_uris_are_this_machine", "new_random_access_file", function(t)
    local path = t:need_local()
    if t.scheme ~= "file" then
      t:refuse "its paths are no URIs of files"
    end
    t:file("a_file", "test")
    local before = t.runner.descriptors()
    t:equal("test", t:look("file://localhost" .. path .. "/a_file"))
    for _, host in ipairs { "elsewhere", "l", "localhos", "localhost.", "localhosts",
      "localhosa", "localhosz" } do
      local uri = ("file://%s%s/"):format(host, path)
      t:no(t.p:new_random_access_file(uri .. "a_file").code == "OK", host
        .. " is not this machine")
      for _, row in ipairs { { "stat" }, { "path_exists" }, { "get_file_size" }, { "lstat" },
        { "get_attributes" }, { "get_space" }, { "get_children" }, { "open_directory" },
        { "read_link" }, { "get_xattrs" }, { "delete_file" }, { "create_dir" },
        { "delete_recursively" }, { "new_writable_file" }, { "create_link", "a" },
        { "open_writer", "atomic" }, { "set_attributes", { mode = 0 } }, { "set_xattrs", {} },
        { "rename_file", t:path(t:at("b_file")) }, { "copy_file", t:path(t:at("b_file")) } } do
        local answer = t.plugin[row[1]](t.plugin, t:path(uri .. "a_file"), row[2])
        t:no(answer and answer.code == "OK", row[1] .. " takes the host " .. host)
        t:no(answer and answer.code == "NOT_FOUND", row[1] .. " has not looked at " .. host)
        if answer and (row[1] == "get_children" or row[1] == "get_file_size") then
          t:equal(-1, answer.value, row[1])
        end
      end
    end
    t:equal(before, (t.runner.descriptors()), "open descriptors")
    t:equal("test", t:look(t:at("a_file")))
  end)
end

return function(case)
  for _, part in ipairs { naming, going_around, placing, hosts } do
    part(case)
  end
end
