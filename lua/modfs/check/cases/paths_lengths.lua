-- Names beside names that are nearly the same, and paths up to the longest that the plugin takes.
local observe = require "modfs.check.observe"

local far = { seconds = 60 }

local families = {
  prefixes = { "a", "ab", "abc", "abcd", "a.", "a.b", "a-", "a-b", "a_", "a b", "a,", "b", "ba" },
  cases = { "name", "Name", "NAME", "namE", "nAme" },
  dots = { ".a", "..a", "...", ".a.", "a..", "a...", ".", "..b", ".-" },
  bytes = { "\1", "\127", "\128", "\255", "a\255", "\255a", "\195\164", "\195", "\164", "\n", " ",
    "\\",
    "*", "?", "[", "]", "\\*", "%", "%2f", "#", "~", ":", "|", "\"", "'", "&", "=", "+", "\r" },
}

-- Files of those names side by side, then in directories of these names.
local function beside(case, family, list)
  case("names.live_side_by_side_as_" .. family, "new_writable_file", function(t)
    local o, taken = observe.new(t), {}
    for _, name in ipairs(list) do
      if name ~= "." and t:takes(name) then
        taken[#taken + 1] = name
        o:file(name, "content of " .. name)
      end
    end
    for i, name in ipairs(taken) do
      o:at(name)
      if i % 2 == 0 then
        o:change("delete_file", name)
        o:change("create_dir", name)
        o:file(name .. "/" .. name, "below " .. name)
        o:at(name .. "/" .. name)
      end
    end
    o:at((table.unpack or unpack)(taken))
    for i, name in ipairs(taken) do
      if i % 4 == 0 then
        o:change("delete_recursively", name)
      elseif i % 2 == 1 and taken[i + 2] then
        o:change("rename_file", name, taken[i + 2])
      end
    end
    o:at((table.unpack or unpack)(taken))
  end, far)
end

-- Calls with paths far below the top: slot, name, other name or another argument; what ends a
-- handle.
local far_calls = {
  { "stat", "a" }, { "stat", "none" }, { "path_exists", "a" }, { "is_directory", "." },
  { "get_file_size", "a" }, { "lstat", "a" }, { "get_attributes", "a" }, { "get_space", "a" },
  { "get_space", "none" }, { "get_children", "." }, { "get_children", "none" },
  { "open_directory", "." }, { "directory", ".", ends = "close_directory" },
  { "new_random_access_file", "a", ends = "cleanup_file" }, { "new_random_access_file", "none" },
  { "new_read_only_memory_region_from_file", "a", ends = "cleanup_region" },
  { "new_writable_file", "new", ends = "cleanup_writable" },
  { "new_appendable_file", "a", ends = "cleanup_writable" },
  { "open_writer", "a", more = "atomic", ends = "cleanup_writable" },
  { "open_writer", "a", more = "new" }, { "open_writer", ".", more = "atomic" },
  { "open_writer", "b", more = "new", ends = "cleanup_writable" },
  { "set_attributes", "a", more = { mode = 384 } },
  { "set_attributes", "none", more = { mode = 384 } }, { "create_link", "link", more = "a" },
  { "create_link", "a", more = "a" }, { "read_link", "link" }, { "read_link", "a" },
  { "get_xattrs", "a" }, { "set_xattrs", "a", more = {} }, { "create_private_dir", "private" },
  { "create_dir", "dir" }, { "create_dir", "a" }, { "recursively_create_dir", "dir/deep" },
  { "recursively_create_dir", "a/deep" }, { "copy_file", "a", "copy" },
  { "copy_file", "a", "link" }, { "copy_file", "none", "copy" }, { "copy_file", "a", "dir" },
  { "rename_file", "copy", "moved" }, { "rename_file", "none", "moved" },
  { "rename_file", "dir", "moved" }, { "delete_file", "moved" }, { "delete_file", "dir" },
  { "delete_dir", "private" }, { "delete_dir", "a" }, { "delete_recursively", "dir" },
  { "delete_recursively", "none" },
}

return function(case)
  for _, family in ipairs { "prefixes", "cases", "dots", "bytes" } do
    beside(case, family, families[family])
  end

  case("names.of_255_bytes_are_copied_and_renamed", "rename_file", function(t)
    local o, one, two = observe.new(t), ("m"):rep(255), ("n"):rep(255)
    o:file(one, "one")
    for _ = 1, 2 do
      o:change("copy_file", one, two)
      o:change("copy_file", one, two)
      o:change("rename_file", two, one)
    end
    o:write(one, "new_writable_file", { "again" })
  end, far)

  -- Where a directory of that depth can be made, everything else works there, too.
  case("paths.work_up_to_the_longest", "recursively_create_dir", function(t)
    if t:departs "names_are_text" then
      t:refuse "paths have at most 1,024 bytes"
    end
    local o, step, depth = observe.new(t), ("d"):rep(200), 0
    for _, levels in ipairs { 1, 5, 17, 22, 41, 90 } do
      local directory = step .. ("/" .. step):rep(levels - 1)
      local answer = t.p:recursively_create_dir(o:uri(directory))
      if answer.code ~= "OK" then
        t:yes(t.p:path_exists(o:uri(directory)).code ~= "OK", "a path that was refused is there")
        break
      end
      o.tree:recursively_create_dir(directory)
      depth = levels
      o:at(directory)
      o:file(directory .. "/src", "test")
      o:change("copy_file", directory .. "/src", directory .. "/copied")
      o:change("rename_file", directory .. "/copied", directory .. "/moved")
      o:change("copy_file", directory .. "/src", directory .. "/moved")
      o:write(directory .. "/moved", "new_appendable_file", { "more" })
      o:change("create_dir", directory .. "/below")
      o:change("delete_dir", directory .. "/below")
      o:change("delete_file", directory .. "/src")
    end
    t:yes(depth >= 5, "no paths of 1,024 bytes")
    o:change("delete_recursively", step)
  end, far)

  -- What a plugin opens on the way to a file far below the top it closes again.
  case("paths.of_5000_bytes_leave_nothing_open", "recursively_create_dir", function(t)
    local path = ("d"):rep(200) .. ("/" .. ("d"):rep(200)):rep(24)
    local made = t.plugin:recursively_create_dir(t:path(t:at(path)))
    if not made or made.code ~= "OK" then
      t:refuse "it takes no paths of 5,000 bytes"
    end
    t:file(path .. "/a", "test")
    for _, row in ipairs(far_calls) do
      local arguments = { t:path(t:at(path .. "/" .. row[2])),
        row[3] and t:path(t:at(path .. "/" .. row[3])) or row.more }
      local before = t.runner.descriptors()
      local answer = t.plugin[row[1]](t.plugin, (table.unpack or unpack)(arguments)) or {}
      if answer.handle then
        answer.handle[row.ends](answer.handle)
      end
      t:equal(before, (t.runner.descriptors()), ("open descriptors after %s(%s): %s"):format(row[1],
        row[2], answer.code or "no slot"))
    end
    t:code("OK", t.p:delete_recursively(t:at(("d"):rep(200))))
  end, far)

  -- Names of one letter: as many levels as bytes allow.
  case("levels.work_up_to_2000", "recursively_create_dir", function(t)
    local o, most = observe.new(t), t:departs "names_are_text" and 200 or 2000
    for _, levels in ipairs { 8, 63, 200, 600, 2000 } do
      local directory = "l" .. ("/l"):rep(levels - 1)
      if levels <= most then
        local answer = t.p:recursively_create_dir(o:uri(directory))
        if answer.code ~= "OK" then
          break
        end
        o.tree:recursively_create_dir(directory)
        o:at(directory)
        o:file(directory .. "/a_file", "deep")
        o:at(directory .. "/a_file")
      end
    end
    o:change("delete_recursively", "l")
  end, far)
end
