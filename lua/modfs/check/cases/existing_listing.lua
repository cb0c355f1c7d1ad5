-- Directories that are there: their lists agree with each other and with every question.
local function sorted(names)
  table.sort(names)
  return names
end

local function list(t, uri)
  return sorted(t:ok(t.fs:get_children(uri)))
end

return function(case)
  local function listing(name, run)
    case("list." .. name, "get_children", run)
  end

  listing("the_same_again", function(t)
    t:each_directory(function(directory, names)
      for _ = 1, 5 do
        t:equal(names, list(t, directory.uri), directory.uri)
      end
    end)
  end)

  listing("bare_names", function(t)
    t:each_directory(function(directory)
      for _, name in ipairs(list(t, directory.uri)) do
        t:equal(nil, name:find("/", 1, true), name)
        t:no(name == "" or name == "." or name == "..", "the name " .. name)
      end
    end)
  end)

  listing("each_name_once", function(t)
    t:each_directory(function(directory)
      local names = list(t, directory.uri)
      for i = 2, #names do
        t:no(names[i] == names[i - 1], names[i] .. " is there twice")
      end
    end)
  end)

  listing("names_that_exist", function(t)
    t:each_name(function(uri)
      t:answers({ "OK" }, "path_exists", uri)
    end)
  end)

  listing("names_that_have_attributes", function(t)
    t:each_name(function(uri)
      t:answers({ "OK" }, "stat", uri)
    end)
  end)

  listing("names_that_open_or_list", function(t)
    t:each_name(function(uri)
      local listed = t:ask("get_children", uri)
      if listed.code ~= "OK" then
        t:answers({ "OK", "PERMISSION_DENIED", "UNAUTHENTICATED", "UNAVAILABLE" },
          "new_random_access_file", uri)
      end
      t:answers({ "OK" }, "path_exists", uri)
    end)
  end)

  for _, way in ipairs { { "stat", "is_directory" }, { "is_directory", "value" } } do
    local slot, field = way[1], way[2]
    listing(("directories_as_%s_sees_them"):format(slot), function(t)
      t:each_name(function(uri)
        local listed = t:answer("get_children", uri)
        t:equal(t:answers({ "OK" }, slot, uri)[field], listed.code == "OK", uri)
      end)
    end)
  end

  listing("every_file_that_was_found", function(t)
    t:each_file(function(file)
      local found = false
      for _, name in ipairs(list(t, file.parent)) do
        found = found or name == file.name
      end
      t:yes(found, file.uri)
    end, function(file)
      return file.parent ~= nil
    end, "that was listed")
  end)

  listing("with_a_slash_at_the_end", function(t)
    if t:echoes() then
      t:refuse "URIs are taken as they are written"
    end
    t:each_directory(function(directory, names)
      if not directory.uri:find "/$" then
        t:equal(names, list(t, directory.uri .. "/"), directory.uri .. "/")
      end
      t:equal(names, list(t, directory.uri), directory.uri)
    end)
  end)

  listing("by_other_spellings", function(t)
    if t:echoes() then
      t:refuse "URIs are taken as they are written"
    end
    t:each_directory(function(directory, names)
      local slash = directory.uri:find "/$" and "" or "/"
      for _, tail in ipairs { ".", "modfs.check.none/..", "./." } do
        t:equal(names, list(t, directory.uri .. slash .. tail), tail)
      end
    end)
  end)

  listing("the_same_between_other_calls", function(t)
    t:each_directory(function(directory, names)
      t:ask("path_exists", directory.uri)
      t:ask("get_children", t:at "none")
      t:equal(names, list(t, directory.uri))
      t:ask("stat", directory.uri)
      t:equal(names, list(t, directory.uri))
    end)
  end)

  listing("the_same_after_flush_caches", function(t)
    t:each_directory(function(directory, names)
      t:yes(t.fs:flush_caches())
      t:equal(names, list(t, directory.uri))
    end)
  end)
end
