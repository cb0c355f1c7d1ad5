-- Allocations and system calls that fail in the slots of the extension: each says so, or does the
-- whole of it.
local fixture = require "modfs.check.fixture"

-- A call of the plugin itself; a slot that it lacks is UNIMPLEMENTED.
local function bare(t, slot, ...)
  return t.plugin[slot](t.plugin, ...) or { code = "UNIMPLEMENTED" }
end

-- Steps on open handles: the first answer that is not OK, or the last one.
local function all_of(...)
  local answer
  for _, step in ipairs { ... } do
    answer = step()
    if answer.code ~= "OK" then
      break
    end
  end
  return answer
end

-- Runs a step in an open directory of the fixture.
local function within(t, relative, run)
  local path = fixture.path(t, relative)
  return function()
    local answer = bare(t, "directory", path)
    if answer.code == "OK" then
      local directory = answer.handle
      answer = run(directory)
      directory:close_directory()
    end
    answer.handle, answer.pointer = nil, nil
    return answer
  end
end

-- Writes and closes what a call has opened; set: attributes to set before.
local function written(t, opened, set)
  local file = opened.handle
  if not file then
    return opened
  end
  local answer = all_of(function()
    return set and bare(t, "set_writer_attributes", file, set) or { code = "OK" }
  end, function()
    return file:append("more")
  end, function()
    return file:close()
  end)
  file:cleanup_writable()
  return answer
end

local function read_whole(opened)
  local file = opened.handle
  if not file then
    return opened
  end
  local answer = file:read(0, 100)
  file:cleanup_file()
  return answer
end

-- The code alone: times differ, and what cannot be kept is no failure.
local function keeping(directory, name)
  local answer = directory:copy_entry_keeping("a", directory, name, 9)
  return { code = answer and answer.code or "OK", message = answer and answer.message }
end

-- Each: words, and what is done in an open directory.
local entries = {
  { "create_subdirectory(new)", function(d) return d:create_subdirectory("new") end },
  { "delete_entry(a)", function(d) return d:delete_entry("a", false) end },
  { "delete_entry(empty)", function(d) return d:delete_entry("empty", true) end },
  { "rename_entry(a, new)", function(d) return d:rename_entry("a", d, "new") end },
  { "rename_entry(a, a)", function(d) return d:rename_entry("a", d, "a") end },
  { "copy_entry(a, new)", function(d) return d:copy_entry("a", d, "new") end },
  { "copy_entry(a, a)", function(d) return d:copy_entry("a", d, "a") end },
  { "copy_entry(dir, new)", function(d) return d:copy_entry("dir", d, "new") end },
  { "copy_entry_keeping(a, new)", function(d) return keeping(d, "new") end },
  { "copy_entry_keeping(a, a)", function(d) return keeping(d, "a") end },
  { "entry_attributes(a)", function(d) return { code = d:entry_attributes("a").code } end },
  { "open_reader(a)", function(d) return read_whole(d:open_reader("a")) end },
  { "open_writer(new)", function(d) return written(nil, d:open_writer("new", "new")) end,
    steps = true },
  { "open_writer(a)", function(d) return written(nil, d:open_writer("a", "atomic")) end },
  { "open_writer()", function(d) return written(nil, d:open_writer("", "atomic")) end },
  { "open_subdirectory(dir)", function(d)
    local answer = d:open_subdirectory("dir")
    if answer.handle then
      answer.handle:close_directory()
    end
    return answer
  end },
  { "copy_entry(a, dir/b)", function(d)
    local below = d:open_subdirectory("dir")
    if below.code ~= "OK" then
      return below
    end
    local answer = d:copy_entry("a", below.handle, "b")
    below.handle:close_directory()
    return answer
  end },
}

local attributes = { mode = 384, mtime_nsec = 1500000000512000000 }
local flags = { "", "new", "atomic", "atomic new", "atomic durable" }

-- Files that are opened by flags, by paths.
local function writers(t, visit)
  for _, how in ipairs(flags) do
    for _, name in ipairs { "new", "a" } do
      for _, set in ipairs { false, attributes } do
        local path = fixture.path(t, name)
        visit({ words = ("open_writer(%s, %q)%s"):format(name, how,
          set and " and set_writer_attributes" or ""), changes = true,
          steps = not how:find "atomic", run = function()
            return written(t, bare(t, "open_writer", path, how), set)
          end })
      end
    end
  end
end

local function links(t, visit)
  local a, new = fixture.path(t, "a"), fixture.path(t, "new")
  local other = fixture.path(t, "empty/other")
  local function linked(target)
    return function()
      bare(t, "create_link", new, target)
    end
  end
  visit({ words = "create_link(new)", changes = true, run = function()
    return bare(t, "create_link", new, "a")
  end })
  visit({ words = "read_link(new)", changes = true, prepare = linked "a", run = function()
    return bare(t, "read_link", new)
  end })
  visit({ words = "set_attributes(a)", changes = true, steps = true, run = function()
    return bare(t, "set_attributes", a, attributes)
  end })
  visit({ words = "copy_file over a link", changes = true, prepare = linked "dir/b",
    run = function()
      return bare(t, "copy_file", a, new)
    end })
  for _, row in ipairs { { "its own target", a }, { "another name", other } } do
    local words, to = row[1], row[2]
    visit({ words = "rename_file of a link to " .. words, changes = true, prepare = linked "a",
      run = function()
        return bare(t, "rename_file", new, to)
      end })
  end
end

local groups = {
  { "entries", "open_subdirectory", function(t, visit)
    for _, each in ipairs(entries) do
      visit({ words = each[1], changes = true, steps = each.steps, run = within(t, "", each[2]) })
    end
  end },
  { "writing_by_flags", "open_writer", writers },
  { "links", "create_link", links },
}

return function(case)
  for _, group in ipairs(groups) do
    for _, way in ipairs(fixture.ways) do
      local how, survives = way[1], way[2]
      case(("resources.%s_in_%s"):format(how, group[1]), group[2], function(t)
        t:need_shim()
        if not t.plugin:has(group[2]) then
          t:refuse(group[2] .. " is an empty slot")
        end
        group[3](t, function(subject)
          survives(t, subject)
        end)
      end)
    end
  end
end
