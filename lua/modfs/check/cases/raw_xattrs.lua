-- Extended attributes, and the room of the storage: slots of the extension, by path and in an open
-- directory. Attributes are a list of names and values in turn, sorted by name.
local resources = require "modfs.check.resources"

local some = { "user.a", "one", "user.b", "", "user.c", "\0\255\n" }
local others = { "user.b", ("x"):rep(500), "user.d", "two" }

-- Without those that the storage itself has for an object.
local function of_users(xattrs)
  local found = {}
  for i = 1, #xattrs, 2 do
    if not xattrs[i]:find "^object%." then
      found[#found + 1] = xattrs[i]
      found[#found + 1] = xattrs[i + 1]
    end
  end
  return found
end

local function seen(t, uri)
  return of_users(t:code("OK", t.p:get_xattrs(uri)).xattrs)
end

local function by_path(case)
  case("set_xattrs.are_those_that_are_read", "set_xattrs", function(t)
    for _, uri in ipairs { t:file("a_file", "test"), t:directory("a_dir") } do
      t:equal({}, seen(t, uri))
      for _, wanted in ipairs { some, others, some, {}, others } do
        t:code("OK", t.p:set_xattrs(uri, wanted))
        t:equal(wanted, seen(t, uri))
      end
    end
    t:equal("test", (t:look(t:at("a_file"))))
    t:file("a_file", "another")
    t:equal({}, seen(t, t:file("new", "test")))
  end)

  case("set_xattrs.keeps_values_of_every_length", "set_xattrs", function(t)
    local uri = t:file("a_file", "test")
    for _, length in ipairs { 0, 1, 255, 256, 1023, 3000, 4096, 5000, 16384, 65000 } do
      local wanted = { "user.a", ("v"):rep(length), "user.b", "two" }
      local answer = t.plugin:set_xattrs(t:path(uri), wanted)
      if not answer or answer.code ~= "OK" then
        t:yes(length > 3000 or answer == nil or answer.code == "UNIMPLEMENTED",
          ("a value of %d bytes is refused"):format(length))
        break
      end
      t:equal(wanted, seen(t, uri))
    end
    seen(t, uri)
  end)

  case("set_xattrs.sets_nothing_else", "set_xattrs", function(t)
    local uri = t:file("a_file", "test")
    t:code("OK", t.p:set_attributes(uri, { mtime_nsec = 1500000000000000000, mode = 256 }))
    t:code("OK", t.p:set_xattrs(uri, some))
    t:equal(some, seen(t, uri))
    local answer = t:code("OK", t.p:get_attributes(uri))
    t:equal({ 1500000000000000000, 256 }, { answer.mtime_nsec, answer.mode })
    t:equal("test", (t:look(uri)))
  end)

  case("get_xattrs.fails_as_stat_does", "get_xattrs", function(t)
    t:file("a_file", "test")
    for _, name in ipairs { "none", "none/below" } do
      t:code("NOT_FOUND", t.p:get_xattrs(t:at(name)))
      t:code("NOT_FOUND", t.p:set_xattrs(t:at(name), some))
    end
    t:code("FAILED_PRECONDITION", t.p:get_xattrs(t:at("a_file/below")))
    t:code("FAILED_PRECONDITION", t.p:set_xattrs(t:at("a_file/below"), some))
  end)

  case("get_xattrs.are_those_of_the_end", "get_xattrs", function(t)
    local uri, link = t:file("a_file", "test"), t:at("link")
    t:code("OK", t.p:create_link(link, "a_file"))
    t:code("OK", t.p:set_xattrs(link, some))
    t:equal(some, seen(t, uri))
    t:equal(some, seen(t, link))
  end)

  -- What the system takes for permissions: user::rw-, user:0:r--, group::r--, mask::r--, other::---
  case("set_xattrs.keeps_lists_of_access", "set_xattrs", function(t)
    t:equal({}, seen(t, t.root))
    local function entry(tag, bits, id)
      return string.char(tag, 0, bits, 0) .. (id and string.char(id, 0, 0, 0) or ("\255"):rep(4))
    end
    local acl = "\2\0\0\0" .. entry(1, 6) .. entry(2, 4, 0) .. entry(4, 4) .. entry(16, 4)
      .. entry(32, 0)
    local uri, dir = t:file("a_file", "test"), t:directory("a_dir")
    for _, each in ipairs { { uri, "access" }, { dir, "access" }, { dir, "default" } } do
      local wanted = { "system.posix_acl_" .. each[2], acl }
      if t.plugin:set_xattrs(t:path(each[1]), wanted).code ~= "OK" then
        t:refuse "it keeps no lists of access"
      end
      t:equal(wanted, seen(t, each[1]))
      t:code("OK", t.p:set_xattrs(each[1], {}))
      t:equal({}, seen(t, each[1]))
    end
    t:equal("test", (t:look(uri)))
  end)

  case("xattrs.lose_nothing", "set_xattrs", function(t)
    local uri = t:file("a_file", "test")
    resources.loses_nothing(t, function()
      t:code("OK", t.p:set_xattrs(uri, some))
      t:code("OK", t.p:set_xattrs(uri, others))
      t:equal(others, seen(t, uri))
      t:code("NOT_FOUND", t.p:set_xattrs(t:at("none"), some))
      t:code("NOT_FOUND", t.p:get_xattrs(t:at("none")))
    end)
  end)

  case("xattrs.leave_no_descriptor", "set_xattrs", function(t)
    local uri = t:file("a_file", "test")
    resources.keeps_descriptors(t, function()
      t:code("OK", t.p:set_xattrs(uri, some))
      t:equal(some, seen(t, uri))
      t:code("NOT_FOUND", t.p:get_xattrs(t:at("none")))
    end)
  end)
end

local function in_directories(case)
  case("xattrs.in_an_open_directory", "set_xattrs", function(t)
    local dir = t:directory("a_dir")
    local uri = t:file("a_dir/a_file", "test")
    t:within(dir, function(directory)
      t:code("OK", directory:set_xattrs("a_file", some))
      t:equal(some, seen(t, uri))
      t:equal(some, t:code("OK", directory:get_xattrs("a_file")).xattrs)
      t:code("OK", directory:set_xattrs("", others))
      t:equal(others, seen(t, dir))
      t:equal(others, t:code("OK", directory:get_xattrs("")).xattrs)
      t:code("NOT_FOUND", directory:get_xattrs("none"))
      t:code("OK", t.p:create_link(t:at("a_dir/link"), "a_file"))
      t:code("FAILED_PRECONDITION", directory:get_xattrs("link"))
      t:code("FAILED_PRECONDITION", directory:set_xattrs("link", others))
      t:equal(some, seen(t, uri))
    end)
  end)
end

local function room(case)
  case("get_space.has_parts_of_the_whole", "get_space", function(t)
    local uri = t:file("a_file", "test")
    local answer = t:code("OK", t.p:get_space(uri))
    t:yes(answer.free <= answer.total and answer.available <= answer.total)
    t:yes(answer.total > 0)
    for size = 8, 32, 8 do
      t:code("OK", t.p:get_space(uri, size))
    end
    t:equal(answer.total, t:code("OK", t.p:get_space(t:directory("a_dir"))).total)
    t:code("NOT_FOUND", t.p:get_space(t:at("none")))
    t:code("FAILED_PRECONDITION", t.p:get_space(t:at("a_file/below")))
  end)
end

return function(case)
  for _, part in ipairs { by_path, in_directories, room } do
    part(case)
  end
end
