-- Patterns over what was listed: exactly the names match that match one by one.
local survey = require "modfs.check.survey"

local function quoted(text)
  return (text:gsub("[%*%?%[%]\\]", "\\%0"))
end

-- The names of a directory that a pattern is meant to find.
local function model(names, matches)
  local found = {}
  for _, name in ipairs(names) do
    if matches(name) then
      found[#found + 1] = name
    end
  end
  return found
end

-- Asserts that a pattern below a directory finds these names; one of them is asked for, too, as the
-- list may come from the host.
local function finds(t, directory, pattern, names)
  local found = t:ok(t.fs:get_matching_paths(survey.below(quoted(directory.uri), pattern)))
  local expected = {}
  for i, name in ipairs(names) do
    expected[i] = survey.below(directory.uri, name)
  end
  table.sort(found)
  table.sort(expected)
  t:equal(expected, found, pattern)
  if expected[1] then
    t:answers({ "OK" }, "path_exists", expected[1])
  end
end

-- Directories that a pattern may list at once.
local function each_directory(t, visit)
  t:each_directory(function(directory, names)
    if #names > 0 and #names <= 200 then
      visit(directory, names)
    end
  end)
end

return function(case)
  local function glob(name, run)
    case("match." .. name, "get_matching_paths", function(t)
      each_directory(t, function(directory, names)
        run(t, directory, names)
      end)
    end)
  end

  glob("everything", function(t, directory, names)
    finds(t, directory, "*", names)
  end)

  glob("literal_names", function(t, directory, names)
    for i = 1, math.min(#names, 8) do
      finds(t, directory, quoted(names[i]), { names[i] })
    end
  end)

  glob("the_directory_itself", function(t, directory)
    if not directory.uri:find "/$" then
      t:equal({ directory.uri }, t.fs:get_matching_paths(quoted(directory.uri)))
    end
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("first_bytes", function(t, directory, names)
    for i = 1, math.min(#names, 8) do
      local first = names[i]:match "^[%w]"
      if first then
        finds(t, directory, first .. "*", model(names, function(name)
          return name:sub(1, 1) == first
        end))
      end
    end
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("last_bytes", function(t, directory, names)
    for i = 1, math.min(#names, 8) do
      local last = names[i]:match "%w$"
      if last then
        finds(t, directory, "*" .. last, model(names, function(name)
          return name:sub(-1) == last
        end))
      end
    end
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("one_byte_left_out", function(t, directory, names)
    for i = 1, math.min(#names, 8) do
      local name = names[i]
      if not name:find "[\128-\255]" then
        finds(t, directory, "?" .. quoted(name:sub(2)), model(names, function(other)
          return other:sub(2) == name:sub(2)
        end))
      end
    end
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("sets_of_bytes", function(t, directory, names)
    finds(t, directory, "[a-m]*", model(names, function(name) return name:find "^[a-m]" ~= nil end))
    finds(t, directory, "[A-Z0-9]*", model(names, function(name)
      return name:find "^[A-Z0-9]" ~= nil
    end))
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("sets_of_other_bytes", function(t, directory, names)
    local ascii = model(names, function(name) return name:find "^[\128-\255]" == nil end)
    if #ascii == #names then
      finds(t, directory, "[^a-m]*", model(names, function(name)
        return name:find "^[^a-m]" ~= nil
      end))
    end
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("names_with_a_dot", function(t, directory, names)
    finds(t, directory, "*.*", model(names, function(name)
      return name:find(".", 1, true) ~= nil
    end))
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("nothing_where_nothing_is", function(t, directory)
    finds(t, directory, "modfs.check.none*", {})
    finds(t, directory, "modfs.check.none/*", {})
    finds(t, directory, "?" .. ("x"):rep(300), {})
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  glob("never_a_slash", function(t, directory, names)
    for i = 1, math.min(#names, 4) do
      finds(t, directory, "*/" .. quoted(names[i]) .. "/modfs.check.none", {})
      finds(t, directory, "modfs.check*" .. quoted(names[i]), {})
    end
    t:answers({ "OK" }, "path_exists", directory.uri)
  end)

  -- The first directory below another one, and what is expected of a pattern that leads into it.
  local function inner_of(directory, directories)
    for _, inner in ipairs(directories) do
      for _, name in ipairs(directory.names) do
        if inner.uri == survey.below(directory.uri, name) then
          return name, model(inner.names, function() return true end)
        end
      end
    end
  end

  case("match.names_of_directories_below", "get_matching_paths", function(t)
    t:each_directory(function(directory)
      local name, names = inner_of(directory, t.found.directories)
      for i = 1, name and #names or 0 do
        names[i] = name .. "/" .. names[i]
      end
      if name then
        finds(t, directory, quoted(name) .. "/*", names)
      end
      t:answers({ "OK" }, "path_exists", directory.uri)
    end)
  end)
end
