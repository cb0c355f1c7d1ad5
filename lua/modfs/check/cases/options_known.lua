-- Options whose names say what they do: limit_bytes, file_mode, directory_mode, sync_on_close.

-- Sets an option of integers; refuses the case where the plugin has none of that name.
local function set(t, name, value)
  local answer = t.p:get_filesystem_configuration_option(name)
  if answer.code == "NOT_FOUND" then
    t:refuse("there is no option " .. name)
  end
  t:code("OK", t.p:set_filesystem_configuration_option(name, 0, value))
end

local function mode(t, uri)
  local answer = t:code("OK", t.p:lstat(uri))
  if answer.mode == 0 then
    t:refuse "the storage has no permissions"
  end
  return answer.mode
end

return function(case)
  local function known(name, run)
    case(name, "set_filesystem_configuration_option", run)
  end

  case("a_set_of_none_needs_no_array", "set_filesystem_configuration", function(t)
    local answer = t.plugin:set_no_options()
    if not answer or answer.code == "UNIMPLEMENTED" then
      t:refuse "set_filesystem_configuration is missing"
    end
    t:code("OK", answer)
  end)

  known("limit_bytes.is_kept", function(t)
    set(t, "limit_bytes", 1000)
    local file = t:fine(t.p:new_writable_file(t:at "a_file"))
    t:code("RESOURCE_EXHAUSTED", file:append(("x"):rep(1001)))
    t:yes(t:code("OK", t.p:get_file_size(t:at "a_file")).value <= 1000, "beyond the limit")
    t:fine(file:append(("x"):rep(600)))
    t:code("RESOURCE_EXHAUSTED", file:append(("x"):rep(401)))
    file:close()
    file:cleanup_writable()
    t:code("RESOURCE_EXHAUSTED", t.p:copy_file(t:at "a_file", t:at "copied"))
    set(t, "limit_bytes", 0)
    t:append(t:at "a_file", ("x"):rep(5000), "new_appendable_file")
    t:code("OK", t.p:copy_file(t:at "a_file", t:at "copied"))
  end)

  -- Whatever makes a file's bytes go gives them back.
  known("limit_bytes.counts_what_is_there", function(t)
    local full, uri = ("x"):rep(900), t:at "a_file"
    local ways = { function()
      t:code("OK", t.p:delete_file(uri))
    end, function()
      t:append(uri, "")
    end, function()
      t:append(t:at "small", "test")
      t:code("OK", t.p:rename_file(t:at "small", uri))
    end, function()
      t:append(t:at "small", "test")
      t:code("OK", t.p:copy_file(t:at "small", uri))
      t:fine(t.p:delete_file(t:at "small"))
    end, function()
      t:directory "a_dir"
      t:code("OK", t.p:rename_file(uri, t:at "a_dir/moved"))
      t:code("OK", t.p:delete_recursively(t:at "a_dir"))
    end }
    set(t, "limit_bytes", 1000)
    for _ = 1, 2 do
      for _, way in ipairs(ways) do
        t:append(uri, full)
        way()
        t:append(t:at "another", full)
        t:fine(t.p:delete_file(t:at "another"))
        t.p:delete_file(uri)
      end
    end
    t:append(uri, full)
    set(t, "limit_bytes", 0)
  end)

  known("file_mode.is_that_of_new_files", function(t)
    for i, value in ipairs { 384, 256 } do -- 0600, 0400
      set(t, "file_mode", value)
      for _, how in ipairs { "new_writable_file", "new_appendable_file" } do
        t:equal(value, mode(t, t:append(t:at(how .. i), "test", how)), how)
      end
    end
    set(t, "file_mode", 438) -- 0666
  end)

  known("directory_mode.is_that_of_new_directories", function(t)
    for i, value in ipairs { 448, 320 } do -- 0700, 0500
      set(t, "directory_mode", value)
      t:equal(value, mode(t, t:directory("a_dir" .. i)), "create_dir")
      local uri = t:at("another" .. i)
      t:code("OK", t.p:recursively_create_dir(uri))
      t:equal(value, mode(t, uri), "recursively_create_dir")
      t:fine(t.p:delete_dir(uri))
    end
    set(t, "directory_mode", 511) -- 0777
  end)

  known("sync_on_close.waits_for_the_storage", function(t)
    t:need_shim()
    local function syncs(value, by_flags)
      set(t, "sync_on_close", value)
      local file = t:fine(t.p[by_flags and "open_writer" or "new_writable_file"](t.p,
        t:at "a_file"))
      t:fine(file:append("test"))
      t.runner.arm("all", "EIO", 1, 0)
      t:code("OK", file:close())
      local calls = t.runner.counts "sync"
      t.runner.arm()
      file:cleanup_writable()
      return calls
    end
    for _, by_flags in ipairs(t.plugin:has "open_writer" and { false, true } or { false }) do
      t:equal(0, syncs(0, by_flags), "calls of fsync and the like")
      t:yes(syncs(1, by_flags) > 0, "neither fsync nor the like was called")
      t:equal(0, syncs(0, by_flags), "calls of fsync and the like")
    end
  end)
end
