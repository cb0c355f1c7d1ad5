-- A plugin whose files are files of this machine, beside the system itself: what it tells of them,
-- what it sets, whom it lets in, and in which order it makes them durable. Of other plugins the
-- cases are refused.
local quote = require("modfs.inspect.shell").quote

local UNKNOWN = 0

-- Times of quarters of a second, which a double has exactly: before and after 1970, far, and around
-- whole seconds.
local times = { 1500000000250000000, -86400250000000, -250000000, 0, 250000000,
  4102444800500000000 }

local function run(command, ...)
  local words = { ... }
  for i, word in ipairs(words) do
    words[i] = quote(word)
  end
  local status = os.execute(command .. " " .. table.concat(words, " ") .. " 2>/dev/null")
  return status == true or status == 0
end

-- The attributes that both tell, of an answer or of the system.
local function told(answer, keys)
  local found = {}
  for _, key in ipairs(keys) do
    found[key] = answer[key]
  end
  return found
end

local all = { "kind", "mode", "owner", "group", "inode", "links", "length", "mtime_nsec",
  "atime_nsec" }

-- Entries of every kind; returns their names.
local function make_entries(t, path)
  t:file("a_file", "test")
  t:file("empty")
  t:directory("a_dir")
  run("ln", path .. "/a_file", path .. "/second")
  run("ln -s", "a_file", path .. "/link")
  run("mkfifo", path .. "/fifo")
  run("chmod 4751", path .. "/empty")
  run("chmod 1770", path .. "/a_dir")
  return { "a_file", "empty", "a_dir", "second", "link", "fifo" }
end

local function asking(case)
  case("machine.lstat_tells_what_the_system_tells", "get_attributes", function(t)
    local path = t:need_local()
    for _, name in ipairs(make_entries(t, path)) do
      local wanted = told(t.runner.look(path .. "/" .. name), all)
      t:equal(wanted, told(t:code("OK", t.p:lstat(t:at(name))), all), name)
    end
  end)

  case("machine.get_attributes_tells_what_the_system_tells", "get_attributes", function(t)
    local path = t:need_local()
    for _, name in ipairs(make_entries(t, path)) do
      local wanted = told(t.runner.look(path .. "/" .. name, true), all)
      t:equal(wanted, told(t:code("OK", t.p:get_attributes(t:at(name))), all), name)
    end
  end)

  case("machine.entry_attributes_tells_what_the_system_tells", "entry_attributes", function(t)
    local path = t:need_local()
    local list = make_entries(t, path)
    t:within(t.root, function(directory)
      for _, name in ipairs(list) do
        local wanted = told(t.runner.look(path .. "/" .. name), all)
        t:equal(wanted, told(t:code("OK", directory:entry_attributes(name)), all), name)
      end
    end)
  end)

  case("machine.stat_tells_what_the_system_tells", "stat", function(t)
    local path = t:need_local()
    local uri, dir = t:file("a_file", "test"), t:directory("a_dir")
    for _, time in ipairs(times) do
      for _, name in ipairs { "a_file", "a_dir" } do
        run(("touch -d @%.2f"):format(time / 1e9), path .. "/" .. name)
      end
      if t.runner.look(path .. "/a_file").mtime_nsec == time then
        t:equal(time, t:code("OK", t.p:stat(uri)).mtime_nsec)
        t:equal(time, t:code("OK", t.p:stat(dir)).mtime_nsec)
      end
    end
  end)

  case("machine.kinds_are_those_of_the_system", "get_children", function(t)
    local path = t:need_local()
    local wanted, found = {}, {}
    for _, name in ipairs(make_entries(t, path)) do
      wanted[name] = t.runner.look(path .. "/" .. name).kind
    end
    local answer = t:code("OK", t.p:open_directory(t.root))
    for _, name in ipairs(answer.names) do
      local kind = answer.kinds[name]
      if wanted[name] then
        found[name] = kind == UNKNOWN and wanted[name] or kind
      end
    end
    t:equal(wanted, found)
  end)
end

local function setting(case)
  case("machine.set_attributes_sets_what_the_system_tells", "set_attributes", function(t)
    local path = t:need_local()
    local uri = t:file("a_file", "test")
    for i, time in ipairs(times) do
      local other = times[i % #times + 1]
      t:code("OK", t.p:set_attributes(uri, { mtime_nsec = time, atime_nsec = other }))
      local now = t.runner.look(path .. "/a_file")
      t:equal({ time, other }, { now.mtime_nsec, now.atime_nsec })
    end
    for _, mode in ipairs { 0, 256, 128, 64, 511, 420, 384, 1 + 8 + 64 } do
      t:code("OK", t.p:set_attributes(uri, { mode = mode }))
      t:equal(mode, t.runner.look(path .. "/a_file").mode)
    end
  end)

  case("machine.set_attributes_gives_to_others", "set_attributes", function(t)
    local path = t:need_local()
    local uri = t:file("a_file", "test")
    if not run("chown 1:2", path .. "/a_file") then
      t:refuse "this user gives no files away"
    end
    for _, each in ipairs { { owner = 3 }, { group = 4 }, { owner = 5, group = 6 } } do
      local wanted = told(t.runner.look(path .. "/a_file"), { "owner", "group", "mode" })
      for key, value in pairs(each) do
        wanted[key] = value
      end
      t:code("OK", t.p:set_attributes(uri, each))
      t:equal(wanted, told(t.runner.look(path .. "/a_file"), { "owner", "group", "mode" }))
    end
    t:code("OK", t.p:set_attributes(uri, { owner = 1, group = 1, mode = 2541 })) -- 04755
    t:equal(2541, t.runner.look(path .. "/a_file").mode)
  end)

  -- A number that the system cannot keep is refused: what is left of it would be another owner.
  local ways = { { "path", "set_attributes", function(t, uri, wanted)
    return t.p:set_attributes(uri, wanted)
  end }, { "entry", "set_attributes", function(t, _, wanted)
    local answer
    t:within(t.root, function(directory)
      answer = directory:set_attributes("a_file", wanted)
    end)
    return answer
  end }, { "writer", "set_writer_attributes", function(t, uri, wanted)
    local file = t:fine(t.p:open_writer(uri, ""))
    local answer = t.p:set_writer_attributes(file, wanted)
    local closed = file:close()
    file:cleanup_writable()
    return answer.code == "OK" and closed or answer
  end } }
  for _, way in ipairs(ways) do
    local by, slot, set = (table.unpack or unpack)(way)
    case("machine.owners_that_do_not_fit_are_refused_by_" .. by, slot, function(t)
      local path = t:need_local()
      local uri = t:file("a_file", "test")
      for _, key in ipairs { "owner", "group" } do
        for _, value in ipairs { 2 ^ 32 - 1, 2 ^ 32 + 7, 2 ^ 40 + 7 } do
          local wanted = told(t.runner.look(path .. "/a_file"), { "owner", "group" })
          local answer = set(t, uri, { [key] = value })
          wanted[key] = answer.code == "OK" and value or wanted[key]
          t:equal(wanted, told(t.runner.look(path .. "/a_file"), { "owner", "group" }),
            ("after %s %.0f: %s"):format(key, value, answer.code))
        end
      end
    end)
  end
end

-- What replaces a file, by name: each leaves its owner and permissions.
local replacing = {
  copy_file = function(t, uri)
    t:code("OK", t.p:copy_file(t:file("src", "new"), uri))
  end,
  open_writer = function(t, uri)
    local file = t:fine(t.p:open_writer(uri, "atomic"))
    t:fine(file:append("new"))
    t:code("OK", file:close())
    file:cleanup_writable()
  end,
  new_writable_file = function(t, uri)
    t:append(uri, "new")
  end,
}

local function guarding(case)
  -- Nobody but the owner may read what replaces a private file, at no moment.
  for _, slot in ipairs { "copy_file", "open_writer", "new_writable_file" } do
    case("machine.what_replaces_a_private_file_is_private_in_" .. slot, slot, function(t)
      local path = t:need_local()
      local uri = t:file("a_file", "old")
      t:need_shim()
      t:file("src", "new")
      run("chmod 600", path .. "/a_file")
      run("chmod 600", path .. "/src")
      t.runner.note(true)
      replacing[slot](t, uri)
      for _, event in ipairs(t.runner.note() or {}) do
        t:yes(event.name ~= "create" or event.kind ~= "file" or event.mode % 64 == 0,
          ("a file is made that others may read: mode %o"):format(event.mode))
      end
      t:equal(384, t.runner.look(path .. "/a_file").mode)
      t:equal("new", t:look(uri))
    end)

    case("machine.the_owner_stays_the_owner_in_" .. slot, slot, function(t)
      local path = t:need_local()
      local uri = t:file("a_file", "old")
      if not run("chown 1:2", path .. "/a_file") then
        t:refuse "this user gives no files away"
      end
      run("chmod 640", path .. "/a_file")
      replacing[slot](t, uri)
      local now = t.runner.look(path .. "/a_file")
      t:equal({ 1, 2, 416 }, { now.owner, now.group, now.mode })
      t:equal("new", t:look(uri))
    end)
  end

  case("machine.new_entries_respect_the_umask", "new_writable_file", function(t)
    local path = t:need_local()
    local umask = 0
    for line in io.lines "/proc/self/status" do
      local digits = line:match "^Umask:%s*(%d+)"
      umask = digits and tonumber(digits, 8) or umask
    end
    local function check(name, most)
      local mode = t.runner.look(path .. "/" .. name).mode
      for bit = 0, 11 do
        local set = math.floor(mode / 2 ^ bit) % 2 == 1
        t:yes(not set or math.floor(umask / 2 ^ bit) % 2 == 0,
          ("the umask %o forbids the mode %o"):format(umask, mode))
        t:yes(not set or math.floor(most / 2 ^ bit) % 2 == 1,
          ("%s has the mode %o"):format(name, mode))
      end
      t:yes(mode >= 384, ("the owner may not use what is new: mode %o"):format(mode))
    end
    check((t:file("a_file") and "a_file"), 438) -- 0666
    check((t:append(t:at("appended"), "", "new_appendable_file") and "appended"), 438)
    t:directory("a_dir")
    check("a_dir", 511)
    if t.plugin:has("open_writer") then
      for _, how in ipairs { "", "atomic", "new", "atomic new" } do
        local name = "by " .. how
        local file = t:fine(t.p:open_writer(t:at(name), how))
        t:code("OK", file:close())
        file:cleanup_writable()
        check(name, 438)
      end
    end
  end)

  case("machine.no_handle_survives_exec", "new_random_access_file", function(t)
    t:need_local()
    local uri = t:file("a_file", "test")
    local _, before = t.runner.descriptors()
    local files = { t:fine(t.p:new_random_access_file(uri)) }
    local writers = { t:fine(t.p:new_writable_file(t:at("one"))),
      t:fine(t.p:new_appendable_file(t:at("two"))) }
    local directory
    if t.plugin:has("open_writer") and t.plugin:has("open_subdirectory") then
      for _, how in ipairs { "", "atomic", "durable", "atomic durable new" } do
        writers[#writers + 1] = t:fine(t.p:open_writer(t:at("by " .. how), how))
      end
      directory = t:fine(t.p:directory(t.root))
      files[#files + 1] = t:fine(directory:open_reader("a_file"))
      writers[#writers + 1] = t:fine(directory:open_writer("entry", "atomic"))
    end
    local _, now = t.runner.descriptors()
    t:equal(before, now, "descriptors that survive exec")
    for _, file in ipairs(files) do
      file:cleanup_file()
    end
    for _, file in ipairs(writers) do
      file:close()
      file:cleanup_writable()
    end
    if directory then
      directory:close_directory()
    end
  end)
end

return function(case)
  for _, part in ipairs { asking, setting, guarding } do
    part(case)
  end
end
