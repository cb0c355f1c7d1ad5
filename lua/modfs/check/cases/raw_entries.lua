-- The slots of the extension that work on an entry of an open directory. A plugin has all of them
-- or none.
local quote = require("modfs.inspect.shell").quote
local resources = require "modfs.check.resources"

local MODE, MTIME = 1, 8
local T1 = 1500000000512000000

local function names(t, uri)
  local list = t:fine(t.p:get_children(uri)).names
  table.sort(list)
  return list
end

local function is_harmless(t, answer)
  t:yes(answer.pointer == "untouched" or answer.pointer == "nothing", "the handle on failure: "
    .. answer.pointer)
end

-- The content of an entry; the reader is cleaned up.
local function read_entry(t, directory, name)
  local file = t:fine(directory:open_reader(name))
  local content = file:read(0, 100).bytes
  file:cleanup_file()
  return content
end

local function write_entry(t, directory, name, content, how)
  local file = t:fine(directory:open_writer(name, how))
  t:code("OK", file:append(content))
  t:code("OK", file:close())
  file:cleanup_writable()
end

local function opening(case)
  case("open_subdirectory.opens_the_entry", "open_subdirectory", function(t)
    local parent = t:directory("a_dir")
    t:directory("a_dir/below")
    t:file("a_dir/below/deep", "deep content")
    t:file("a_dir/top", "top content")
    t:within(parent, function(directory)
      for code, name in pairs { NOT_FOUND = "none", FAILED_PRECONDITION = "top" } do
        is_harmless(t, t:code(code, directory:open_subdirectory(name)))
      end
      local below = t:fine(directory:open_subdirectory("below"))
      t:equal("deep content", read_entry(t, below, "deep"))
      local above = t:fine(below:open_subdirectory(".."))
      t:equal("top content", read_entry(t, above, "top"))
      below:close_directory()
      t:equal("top content", read_entry(t, above, "top"))
      above:close_directory()
    end)
  end)

  case("open_reader.opens_the_entry", "open_reader", function(t)
    t:file("a_file", "test")
    t:directory("a_dir")
    local file
    t:within(t.root, function(directory)
      for code, name in pairs { NOT_FOUND = "none", FAILED_PRECONDITION = "a_dir" } do
        is_harmless(t, t:code(code, directory:open_reader(name)))
      end
      file = t:fine(directory:open_reader("a_file"))
    end)
    t:equal("test", t:code("OK", file:read(0, 4)).bytes)
    file:cleanup_file()
  end)

  case("open_writer.opens_the_entry", "open_writer", function(t)
    local dir, file = t:directory("a_dir"), nil
    t:directory("a_dir/below")
    t:within(dir, function(directory)
      write_entry(t, directory, "a_file", "test", "new")
      t:equal("test", t:look(dir .. "/a_file"))
      is_harmless(t, t:code("ALREADY_EXISTS", directory:open_writer("a_file", "new")))
      t:equal("test", t:look(dir .. "/a_file"))
      t:code("FAILED_PRECONDITION", directory:open_writer("below"))
      file = t:fine(directory:open_writer("a_file", "atomic"))
    end)
    t:code("OK", file:append("later"))
    t:equal("test", t:look(dir .. "/a_file"))
    t:code("OK", file:close())
    file:cleanup_writable()
    t:equal("later", t:look(dir .. "/a_file"))
    t:equal({ "a_file", "below" }, names(t, dir))
  end)
end

local function changing(case)
  case("entry_attributes.are_those_of_the_entry", "entry_attributes", function(t)
    t:file("a_file", "test")
    t:directory("a_dir")
    t:within(t.root, function(directory)
      for size = 16, 64, 8 do
        t:equal(1, t:code("OK", directory:entry_attributes("a_file", size)).kind)
      end
      t:equal(4, t:code("OK", directory:entry_attributes("a_file")).length)
      t:equal(2, t:code("OK", directory:entry_attributes("a_dir")).kind)
      t:equal(2, t:code("OK", directory:entry_attributes("")).kind)
      t:code("NOT_FOUND", directory:entry_attributes("none"))
    end)
  end)

  case("create_subdirectory.creates_one_directory", "create_subdirectory", function(t)
    t:file("a_file", "test")
    t:within(t.root, function(directory)
      t:code("OK", directory:create_subdirectory("a_dir"))
      t:yes(t:code("OK", t.p:is_directory(t:at("a_dir"))).value)
      t:code("ALREADY_EXISTS", directory:create_subdirectory("a_dir"))
      t:code("ALREADY_EXISTS", directory:create_subdirectory("a_file"))
      t:equal("test", t:look(t:at("a_file")))
    end)
  end)

  case("delete_entry.deletes_what_it_is_told", "delete_entry", function(t)
    t:file("a_file", "test")
    t:directory("a_dir")
    t:file("a_dir/below")
    t:within(t.root, function(directory)
      t:code("FAILED_PRECONDITION", directory:delete_entry("a_file", true))
      t:code("FAILED_PRECONDITION", directory:delete_entry("a_dir", false))
      t:code("FAILED_PRECONDITION", directory:delete_entry("a_dir", true))
      t:equal({ "a_dir", "a_file" }, names(t, t.root))
      t:fine(t.p:delete_file(t:at("a_dir/below")))
      t:code("OK", directory:delete_entry("a_dir", true))
      t:code("OK", directory:delete_entry("a_file", false))
      t:code("NOT_FOUND", directory:delete_entry("a_file", false))
      t:equal({}, names(t, t.root))
    end)
  end)

  for _, verb in ipairs { "rename_entry", "copy_entry", "copy_entry_keeping" } do
    case(verb .. ".replaces_a_file", verb, function(t)
      t:file("src", "new content")
      local dir = t:directory("a_dir")
      t:file("a_dir/dst", "old")
      t:within(t.root, function(from)
        local to = t:fine(from:open_subdirectory("a_dir"))
        t:code("NOT_FOUND", from[verb](from, "none", to, "dst"))
        t:code("FAILED_PRECONDITION", from[verb](from, "a_dir", from, "other"))
        t:code("FAILED_PRECONDITION", from[verb](from, "src", from, "a_dir"))
        t:code("OK", from[verb](from, "src", from, "src"))
        t:equal({ "new content", "old" }, { t:look(t:at("src")), (t:look(dir .. "/dst")) })
        t:code("OK", from[verb](from, "src", to, "dst"))
        t:equal("new content", t:look(dir .. "/dst"))
        t:equal(verb == "rename_entry" and { "a_dir" } or { "a_dir", "src" }, names(t, t.root))
        t:equal({ "dst" }, names(t, dir))
        to:close_directory()
      end)
    end)
  end
end

-- Whether a set of bits has one of them.
local function has(bits, bit)
  return bits % (2 * bit) >= bit
end

local function keeping(case)
  -- The attributes of a copy that is made by copy_entry, to a name that is new or taken.
  local function plain(t, directory, name)
    t:code("OK", directory:copy_entry("src", directory, name))
    return t:code("OK", directory:entry_attributes(name))
  end

  local function copy(t, directory, name, which)
    local source = t:code("OK", directory:entry_attributes("src"))
    local like = plain(t, directory, name .. " plain")
    local answer = t:code("OK", directory:copy_entry_keeping("src", directory, name, which))
    local made = t:code("OK", directory:entry_attributes(name))
    for _, field in ipairs { "kind", "mode", "length", "mtime_nsec", "inode" } do
      t:equal(source[field], answer[field])
    end
    for _, bit in ipairs { MODE, MTIME } do
      t:yes(has(which, bit) or not has(answer.kept, bit), "kept what was not asked for")
    end
    local keeps_mode, keeps_time = has(answer.kept, MODE), has(answer.kept, MTIME)
    t:equal(keeps_mode and source.mode % 512 or like.mode, made.mode)
    t:equal(keeps_time, math.floor(made.mtime_nsec / 1e9) == math.floor(T1 / 1e9))
    t:equal("test", read_entry(t, directory, name))
  end

  case("copy_entry_keeping.keeps_what_it_is_told", "copy_entry_keeping", function(t)
    local uri = t:file("src", "test")
    t:code("OK", t.p:set_attributes(uri, { mode = 416, mtime_nsec = T1 }))
    t:within(t.root, function(directory)
      for which = 0, MODE + MTIME do
        if which % MTIME <= MODE then
          local name = "dst" .. which
          copy(t, directory, name, which)
          t:code("OK", t.p:set_attributes(t:at(name), { mode = 384 }))
          t:code("OK", t.p:set_attributes(t:at(name .. " plain"), { mode = 384 }))
          copy(t, directory, name, which)
        end
      end
      for size = 16, 88, 8 do
        local answer = directory:copy_entry_keeping("src", directory, "dst", MODE, size)
        t:equal(1, t:code("OK", answer).kind)
      end
    end)
  end)

  case("copy_entry_keeping.drops_set_id_bits", "copy_entry_keeping", function(t)
    local uri = t:file("src", "test")
    t:code("OK", t.p:set_attributes(uri, { mode = 2048 + 1024 + 493 }))
    t:within(t.root, function(directory)
      t:code("OK", directory:copy_entry_keeping("src", directory, "dst", MODE))
      local mode = t:code("OK", directory:entry_attributes("dst")).mode
      t:yes(not has(mode, 2048) and not has(mode, 1024), "a set-id bit was copied")
    end)
  end)
end

-- What needs files of this machine.
local function machine(case)
  case("entries.links_are_not_followed", "open_reader", function(t)
    local path = t:need_local()
    t:file("kept", "test")
    t:file("other", "other")
    t:directory("a_dir")
    for link, target in pairs { link = "kept", directory_link = "a_dir" } do
      os.execute(("ln -s %s %s"):format(target, quote(path .. "/" .. link)))
    end
    t:within(t.root, function(directory)
      t:equal(3, t:code("OK", directory:entry_attributes("link")).kind)
      t:code("FAILED_PRECONDITION", directory:open_subdirectory("directory_link"))
      t:code("FAILED_PRECONDITION", directory:open_reader("link"))
      t:code("FAILED_PRECONDITION", directory:copy_entry("link", directory, "copied"))
      t:code("FAILED_PRECONDITION", directory:copy_entry("other", directory, "link"))
      if t.plugin:has "copy_entry_keeping" then
        for _, two in ipairs { { "link", "copied" }, { "other", "link" } } do
          t:code("FAILED_PRECONDITION",
            directory:copy_entry_keeping(two[1], directory, two[2], MODE + MTIME))
        end
      end
      t:code("OK", directory:rename_entry("link", directory, "moved"))
      t:equal(3, t:code("OK", directory:entry_attributes("moved")).kind)
      t:code("OK", directory:delete_entry("moved", false))
      t:equal("test", t:look(t:at("kept")))
    end)
  end)

  case("entries.stay_in_the_directory_that_was_opened", "create_subdirectory", function(t)
    local path, dir = t:need_local(), t:directory("a_dir")
    t:file("a_dir/a_file", "test")
    t:within(dir, function(directory)
      t:yes(os.rename(path .. "/a_dir", path .. "/moved"), "rename")
      t:directory("a_dir")
      t:code("OK", directory:create_subdirectory("below"))
      write_entry(t, directory, "written", "test")
      t:equal("test", read_entry(t, directory, "a_file"))
      t:equal({ "a_file", "below", "written" }, names(t, t:at("moved")))
      t:equal({}, names(t, dir))
    end)
  end)
end

local function resources_of(case)
  -- Every slot once, and each failure that opens nothing.
  local function round(t)
    t:within(t.root, function(directory)
      local below = t:fine(directory:open_subdirectory("a_dir"))
      write_entry(t, below, "a_file", "test", "atomic")
      t:equal("test", read_entry(t, below, "a_file"))
      t:code("OK", below:copy_entry("a_file", below, "copied"))
      if t.plugin:has "copy_entry_keeping" then
        t:code("OK", below:copy_entry_keeping("a_file", below, "copied", MODE + MTIME))
        t:code("NOT_FOUND", below:copy_entry_keeping("none", below, "other", MODE + MTIME))
      end
      t:code("OK", below:rename_entry("copied", below, "moved"))
      t:code("OK", below:delete_entry("moved", false))
      t:code("NOT_FOUND", below:open_reader("none"))
      t:code("NOT_FOUND", below:open_subdirectory("none"))
      t:code("FAILED_PRECONDITION", directory:open_reader("a_dir"))
      below:close_directory()
    end)
  end

  case("entries.lose_nothing", "open_subdirectory", function(t)
    t:directory("a_dir")
    resources.loses_nothing(t, function() round(t) end)
  end)

  case("entries.leave_no_descriptor", "open_subdirectory", function(t)
    t:directory("a_dir")
    resources.keeps_descriptors(t, function() round(t) end)
  end)
end

return function(case)
  for _, part in ipairs { opening, changing, keeping, machine, resources_of } do
    part(case)
  end
end
