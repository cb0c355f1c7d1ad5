-- Symbolic links and attributes: the slots of the extension, by path, in an open directory and of
-- files that are written.
local resources = require "modfs.check.resources"

local LINK, FILE, DIRECTORY = 3, 1, 2

-- Times that a double has exactly. Storage may keep whole seconds, or every second one.
local T1, T2 = 1500000000512000000, 1400000000256000000
local WHOLE = 1300000000000000000

local function seconds(nanoseconds)
  return math.floor(nanoseconds / 1e9)
end

local function names(t, uri)
  local list = t:code("OK", t.p:get_children(uri)).names
  table.sort(list)
  return list
end

local function kind(t, uri)
  return t:code("OK", t.p:lstat(uri)).kind
end

-- Makes a link at a place below the root and returns its URI.
local function link(t, target, relative)
  local uri = t:at(relative)
  t:code("OK", t.p:create_link(uri, target))
  return uri
end

local function creating(case)
  case("links.keep_their_target_as_it_is", "create_link", function(t)
    t:file("a_file", "test")
    for i, target in ipairs { "a_file", "./a_file", "../none//x/", "/", "a b\nc", "none",
      ("x"):rep(200) .. "/" .. ("y"):rep(200) } do
      if t:takes(target) then
        local uri = link(t, target, "link" .. i)
        t:equal(target, t:code("OK", t.p:read_link(uri)).value)
        t:equal(LINK, kind(t, uri))
      end
    end
    t:equal("test", t:look(t:at("a_file")))
  end)

  case("links.take_nobodys_place", "create_link", function(t)
    local dir = t:directory("a_dir")
    local file, other = t:file("a_file", "test"), link(t, "none", "link")
    for _, uri in ipairs { dir, file, other } do
      t:code("ALREADY_EXISTS", t.p:create_link(uri, "a_file"))
    end
    t:code("NOT_FOUND", t.p:create_link(t:at("no_dir/link"), "a_file"))
    t:equal("test", t:look(file))
    t:equal("none", t:code("OK", t.p:read_link(other)).value)
    t:equal(DIRECTORY, kind(t, dir))
  end)

  case("links.are_followed_by_readers", "create_link", function(t)
    t:directory("a_dir")
    t:file("a_dir/a_file", "test")
    link(t, "a_dir/a_file", "to_file")
    link(t, "a_dir", "to_dir")
    link(t, "../to_file", "a_dir/up")
    for _, path in ipairs { "to_file", "to_dir/a_file", "a_dir/up", "to_dir/up" } do
      t:equal("test", (t:look(t:at(path))), path)
    end
    t:yes(t:code("OK", t.p:is_directory(t:at("to_dir"))).value)
    t:equal(4, t:code("OK", t.p:get_file_size(t:at("to_file"))).value)
    t:equal({ "a_file", "up" }, names(t, t:at("to_dir")))
  end)

  case("links.may_lead_nowhere", "create_link", function(t)
    local none, itself = link(t, "none", "to_none"), link(t, "itself", "itself")
    t:code("NOT_FOUND", t.p:path_exists(none))
    t:code("NOT_FOUND", t.p:stat(none))
    t:code("FAILED_PRECONDITION", t.p:stat(itself))
    t:code("FAILED_PRECONDITION", t.p:new_random_access_file(itself))
    t:equal({ "itself", "to_none" }, names(t, t.root))
  end)

  case("links.lead_through_eight_others", "create_link", function(t)
    t:file("a_file", "test")
    local target = "a_file"
    for i = 1, 8 do
      link(t, target, "link" .. i)
      target = "link" .. i
    end
    t:equal("test", (t:look(t:at(target))))
    t:code("OK", t.p:path_exists(t:at(target)))
    t:equal(4, t:code("OK", t.p:stat(t:at(target))).length)
  end)

  -- To another file, another link, or the file that it leads to itself: that may stay.
  case("links.replace_what_has_their_new_name", "create_link", function(t)
    local file = t:file("a_file", "test")
    local dst = t:at("dst")
    for _, way in ipairs { "file", "link", "end" } do
      local src = link(t, "a_file", "src")
      if way == "file" then
        t:file("dst", "other")
      elseif way == "link" then
        t:fine(t.p:delete_file(dst))
        link(t, "none", "dst")
      end
      t:code("OK", t.p:rename_file(src, way == "end" and file or dst))
      if way ~= "end" then
        t:equal("a_file", t:code("OK", t.p:read_link(dst)).value)
        t:code("NOT_FOUND", t.p:lstat(src))
        t:equal("test", (t:look(dst)))
      end
    end
  end)

  case("links.that_get_the_name_of_their_end_lose_nothing", "create_link", function(t)
    t:need_shim()
    local file = t:file("a_file", "test")
    for k = 1, 20 do
      local src = t:at("src" .. k)
      link(t, "a_file", "src" .. k)
      t.runner.arm("all", "EIO", k, 1)
      local answer = t.plugin:rename_file(t:path(src), t:path(file))
      local _, met = t.runner.counts "all"
      t.runner.arm()
      t:equal("test", (t:look(file)), ("call %d fails, and it answers %s"):format(k, answer.code))
      if met == 0 then
        return
      end
    end
  end)

  case("links.are_deleted_and_renamed_themselves", "create_link", function(t)
    local dir, file = t:directory("a_dir"), t:file("a_file", "test")
    t:file("a_dir/below", "below")
    t:code("OK", t.p:rename_file(link(t, "a_file", "link"), t:at("moved")))
    t:equal("a_file", t:code("OK", t.p:read_link(t:at("moved"))).value)
    t:code("OK", t.p:delete_file(t:at("moved")))
    t:code("OK", t.p:delete_file(link(t, "a_dir", "to_dir")))
    t:directory("doomed")
    link(t, "../a_dir", "doomed/to_dir")
    t:code("OK", t.p:delete_recursively(t:at("doomed")))
    t:equal({ "a_dir", "a_file" }, names(t, t.root))
    t:equal({ "below" }, names(t, dir))
    t:equal("test", t:look(file))
  end)
end

local function reading(case)
  case("read_link.reads_links_alone", "read_link", function(t)
    local uri = link(t, "a_file", "link")
    t:equal("a_file", t:code("OK", t.p:read_link(uri)).value)
    t:code("NOT_FOUND", t.p:read_link(t:at("none")))
    t:code("FAILED_PRECONDITION", t.p:read_link(t:file("a_file", "test")))
    t:code("FAILED_PRECONDITION", t.p:read_link(t:directory("a_dir")))
  end)

  case("links.lose_nothing", "read_link", function(t)
    resources.loses_nothing(t, function()
      local uri = link(t, "none", "link")
      t:code("OK", t.p:read_link(uri))
      t:code("ALREADY_EXISTS", t.p:create_link(uri, "other"))
      t:code("NOT_FOUND", t.p:read_link(t:at("none")))
      t:code("OK", t.p:delete_file(uri))
    end)
  end)
end

local function attributes(case)
  case("get_attributes.are_those_of_the_end", "get_attributes", function(t)
    local uri, dir = t:file("a_file", "test"), t:directory("a_dir")
    local answer = t:code("OK", t.p:get_attributes(uri))
    t:equal({ FILE, 4 }, { answer.kind, answer.length })
    t:equal(DIRECTORY, t:code("OK", t.p:get_attributes(dir)).kind)
    for size = 16, 88, 8 do
      t:equal(FILE, t:code("OK", t.p:get_attributes(uri, size)).kind)
    end
    t:code("NOT_FOUND", t.p:get_attributes(t:at("none")))
    t:code("FAILED_PRECONDITION", t.p:get_attributes(t:at("a_file/below")))
    answer = t:code("OK", t.p:get_attributes(link(t, "a_file", "link")))
    t:equal({ FILE, 4 }, { answer.kind, answer.length })
    t:code("NOT_FOUND", t.p:get_attributes(link(t, "none", "to_none")))
  end)

  case("set_attributes.sets_what_it_is_told", "set_attributes", function(t)
    local uri = t:file("a_file", "test")
    local function seen()
      local answer = t:code("OK", t.p:get_attributes(uri))
      return { answer.mode, seconds(answer.mtime_nsec), answer.length }
    end
    t:code("OK", t.p:set_attributes(uri, { mtime_nsec = T1, mode = 416 }))
    t:equal({ 416, seconds(T1), 4 }, seen())
    t:code("OK", t.p:set_attributes(uri, { mode = 384 }))
    t:equal({ 384, seconds(T1), 4 }, seen())
    t:code("OK", t.p:set_attributes(uri, { mtime_nsec = T2 }))
    t:equal({ 384, seconds(T2), 4 }, seen())
    t:code("OK", t.p:set_attributes(uri, { atime_nsec = T1 }))
    t:equal({ 384, seconds(T2), 4 }, seen())
    t:code("NOT_FOUND", t.p:set_attributes(t:at("none"), { mode = 384 }))
    t:code("FAILED_PRECONDITION", t.p:set_attributes(t:at("a_file/below"), { mode = 384 }))
    t:equal("test", t:look(uri))
  end)

  -- A file has another name, and is the same one.
  case("rename_file.keeps_the_attributes", "set_attributes", function(t)
    for _, over in ipairs { false, "test", "longer content" } do
      local src, dst = t:file("src", "test"), t:at("dst")
      t:code("OK", t.p:set_attributes(src, { mode = 416, mtime_nsec = WHOLE, atime_nsec = T1 }))
      if over then
        t:append(dst, over)
        t:code("OK", t.p:set_attributes(dst, { mode = 384, mtime_nsec = T2, atime_nsec = T2 }))
      end
      local wanted = t:code("OK", t.p:get_attributes(src))
      t:code("OK", t.p:rename_file(src, dst))
      local now = t:code("OK", t.p:get_attributes(dst))
      t:equal({ wanted.mode, seconds(wanted.mtime_nsec), 4 },
        { now.mode, seconds(now.mtime_nsec), now.length })
      t:equal("test", t:look(dst))
    end
  end)

  case("set_attributes.sets_each_alone", "set_attributes", function(t)
    local uri = t:file("a_file", "test")
    local function seen()
      local answer = t:code("OK", t.p:get_attributes(uri))
      return { mode = answer.mode, mtime_nsec = seconds(answer.mtime_nsec),
        atime_nsec = seconds(answer.atime_nsec) }
    end
    for _, key in ipairs { "atime_nsec", "mtime_nsec", "mode", "atime_nsec" } do
      for _, time in ipairs { T1, WHOLE, T2 } do
        local value = key == "mode" and (time == T1 and 416 or 384) or time
        local wanted = seen()
        wanted[key] = key == "mode" and value or seconds(value)
        t:code("OK", t.p:set_attributes(uri, { [key] = value }))
        t:equal(wanted, seen(), "after setting " .. key)
      end
    end
  end)

  case("create_private_dir.lets_nobody_else_in", "create_private_dir", function(t)
    local uri = t:at("private")
    t:code("OK", t.p:create_private_dir(uri))
    local answer = t:code("OK", t.p:lstat(uri))
    t:equal(DIRECTORY, answer.kind)
    t:yes(answer.mode % 64 == 0, ("others may access it: mode %o"):format(answer.mode))
    t:file("private/a_file", "test")
    t:code("ALREADY_EXISTS", t.p:create_private_dir(uri))
    t:code("NOT_FOUND", t.p:create_private_dir(t:at("none/below")))
    t:code("FAILED_PRECONDITION", t.p:create_private_dir(t:at("private/a_file/below")))
    t:equal({ "a_file" }, names(t, uri))
    t:equal({ "private" }, names(t, t.root))
  end)

  case("create_private_dir.loses_nothing", "create_private_dir", function(t)
    resources.loses_nothing(t, function()
      t:code("OK", t.p:create_private_dir(t:at("private")))
      t:code("ALREADY_EXISTS", t.p:create_private_dir(t:at("private")))
      t:code("OK", t.p:delete_dir(t:at("private")))
    end)
  end)

  case("set_attributes.follows_a_link", "set_attributes", function(t)
    local uri = t:file("a_file", "test")
    local to_file = link(t, "a_file", "link")
    t:code("OK", t.p:set_attributes(to_file, { mtime_nsec = T1, mode = 416 }))
    local answer = t:code("OK", t.p:lstat(uri))
    t:equal({ 416, seconds(T1) }, { answer.mode, seconds(answer.mtime_nsec) })
    t:no(seconds(t:code("OK", t.p:lstat(to_file)).mtime_nsec) == seconds(T1))
    t:code("NOT_FOUND", t.p:set_attributes(link(t, "none", "to_none"), { mode = 416 }))
  end)
end

-- Storage whose links have no times of their own may refuse it.
local function of_links(case)
  case("set_attributes.of_the_link_itself", "set_attributes", function(t)
    local uri = t:file("a_file", "test")
    local to_file = link(t, "a_file", "link")
    local before = t:code("OK", t.p:lstat(uri)).mtime_nsec
    local answer = t.p:set_attributes(to_file, { mtime_nsec = T1, of_link = true })
    t:equal(before, t:code("OK", t.p:lstat(uri)).mtime_nsec)
    t:yes(answer.code == "OK" or answer.code == "UNIMPLEMENTED", answer.code)
    local time = seconds(t:code("OK", t.p:lstat(to_file)).mtime_nsec)
    t:equal(answer.code == "OK", time == seconds(T1))
    t:equal("test", t:look(uri))
  end)
end

local function writing(case)
  local function opened(t, uri, how)
    local file = t:fine(t.p:open_writer(uri, how))
    t:code("OK", file:append("new"))
    return file
  end

  local function seen(t, uri)
    local answer = t:code("OK", t.p:get_attributes(uri))
    return { answer.mode, seconds(answer.mtime_nsec), (t:look(uri)) }
  end

  case("set_writer_attributes.hold_once_it_is_closed", "set_writer_attributes", function(t)
    for _, how in ipairs { "", "new", "atomic", "atomic new" } do
      local uri = t:at("a_file " .. how)
      local file = opened(t, uri, how)
      t:code("OK", t.p:set_writer_attributes(file, { mode = 416, mtime_nsec = T2 }))
      t:code("OK", t.p:set_writer_attributes(file, { mtime_nsec = T1 }))
      t:code("OK", file:append(" content"))
      t:code("OK", file:close())
      t:equal({ 416, seconds(T1), "new content" }, seen(t, uri))
      file:cleanup_writable()
      t:equal({ 416, seconds(T1), "new content" }, seen(t, uri))
    end
  end)

  case("set_writer_attributes.set_nothing_else", "set_writer_attributes", function(t)
    for _, how in ipairs { "", "atomic" } do
      local uri = t:file("a_file", "test")
      local mode = t:code("OK", t.p:get_attributes(uri)).mode
      local file = opened(t, uri, how)
      t:code("OK", t.p:set_writer_attributes(file, { mtime_nsec = T1 }))
      t:code("OK", file:close())
      file:cleanup_writable()
      t:equal({ mode, seconds(T1), "new" }, seen(t, uri))
    end
  end)

  case("set_writer_attributes.replace_those_of_the_old_file", "set_writer_attributes", function(t)
    local uri = t:file("a_file", "old content")
    t:code("OK", t.p:set_attributes(uri, { mode = 384, mtime_nsec = T2 }))
    local file = opened(t, uri, "atomic")
    t:code("OK", t.p:set_writer_attributes(file, { mode = 416, mtime_nsec = T1 }))
    t:equal({ 384, seconds(T2), "old content" }, seen(t, uri))
    t:code("OK", file:close())
    file:cleanup_writable()
    t:equal({ 416, seconds(T1), "new" }, seen(t, uri))
  end)

  case("set_writer_attributes.end_with_a_file_that_is_given_up", "set_writer_attributes",
    function(t)
      local uri = t:file("a_file", "old content")
      t:code("OK", t.p:set_attributes(uri, { mode = 384, mtime_nsec = T2 }))
      local file = opened(t, uri, "atomic")
      t:code("OK", t.p:set_writer_attributes(file, { mode = 416, mtime_nsec = T1 }))
      file:cleanup_writable()
      t:equal({ 384, seconds(T2), "old content" }, seen(t, uri))
    end)

  case("set_writer_attributes.concern_open_files", "set_writer_attributes", function(t)
    local uri = t:at("a_file")
    local file = opened(t, uri, "atomic")
    t:code("OK", file:close())
    t:code("FAILED_PRECONDITION", t.p:set_writer_attributes(file, { mode = 416 }))
    file:cleanup_writable()
  end)

  case("set_writer_attributes.lose_nothing", "set_writer_attributes", function(t)
    local uri = t:at("a_file")
    resources.loses_nothing(t, function()
      local file = opened(t, uri, "atomic")
      t:code("OK", t.p:set_writer_attributes(file, { mode = 416, mtime_nsec = T1 }))
      t:code("OK", file:close())
      file:cleanup_writable()
    end)
  end)
end

local function opened(case)
  case("reader_attributes.are_those_of_the_open_file", "reader_attributes", function(t)
    local uri = t:file("a_file", "test")
    local before = t:code("OK", t.p:lstat(uri))
    local file = t:fine(t.p:new_random_access_file(uri))
    for size = 16, 88, 8 do
      t:equal(FILE, t:code("OK", t.p:reader_attributes(file, size)).kind)
    end
    local answer = t:code("OK", t.p:reader_attributes(file))
    t:equal({ FILE, 4 }, { answer.kind, answer.length })
    t:equal({ before.mode, before.mtime_nsec }, { answer.mode, answer.mtime_nsec })
    file:cleanup_file()
  end)
end

local function hashing(case)
  case("stored_hash.is_of_the_content", "stored_hash", function(t)
    local uri = t:file("a_file", "test")
    local first = t:code("OK", t.p:stored_hash(uri, "etag")).value
    t:equal(first, t:code("OK", t.p:stored_hash(uri, "etag")).value)
    t:file("a_file", "other")
    t:no(first == t:code("OK", t.p:stored_hash(uri, "etag")).value)
    t:code("NOT_FOUND", t.p:stored_hash(t:at("none"), "etag"))
    t:code("FAILED_PRECONDITION", t.p:stored_hash(t:directory("a_dir"), "etag"))
  end)
end

local function entries(case)
  case("links.in_an_open_directory", "create_link", function(t)
    local uri, dir = t:file("kept", "test"), t:directory("a_dir")
    t:file("a_dir/a_file", "test")
    t:within(dir, function(directory)
      t:code("OK", directory:create_link("link", "../kept"))
      t:equal("../kept", t:code("OK", directory:read_link("link")).value)
      t:equal("test", t:look(dir .. "/link"))
      t:code("ALREADY_EXISTS", directory:create_link("a_file", "../kept"))
      t:code("FAILED_PRECONDITION", directory:read_link("a_file"))
      t:code("NOT_FOUND", directory:read_link("none"))
      local before = t:code("OK", t.p:lstat(uri)).mtime_nsec
      t:code("OK", directory:set_attributes("link", { mtime_nsec = T1 }))
      t:equal(before, t:code("OK", t.p:lstat(uri)).mtime_nsec)
      t:code("OK", directory:set_attributes("a_file", { mtime_nsec = T1, mode = 416 }))
      local answer = t:code("OK", directory:entry_attributes("a_file"))
      t:equal({ 416, seconds(T1) }, { answer.mode, seconds(answer.mtime_nsec) })
      t:code("OK", directory:set_attributes("", { mtime_nsec = T2 }))
      t:equal(seconds(T2), seconds(t:code("OK", directory:entry_attributes("")).mtime_nsec))
    end)
  end)
end

return function(case)
  for _, part in ipairs { creating, reading, attributes, of_links, writing, opened, hashing,
    entries } do
    part(case)
  end
end
