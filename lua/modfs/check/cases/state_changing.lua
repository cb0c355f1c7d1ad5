-- Every observer after each change of names.
local observe = require "modfs.check.observe"
local random = require "modfs.check.random"

local far = { seconds = 60 }
local content = observe.content

local function pairs_of_files(case, verb)
  case(verb .. ".shows_at_every_size", verb, function(t)
    local o = observe.new(t)
    o:directory "a_dir"
    for i, n in ipairs(o:sizes(3145729)) do
      o:file("src", content(n, i))
      o:change(verb, "src", "a_dir/dst")
      if verb == "rename_file" then
        o:change(verb, "a_dir/dst", "back")
      end
    end
  end, far)

  case(verb .. ".shows_over_a_file_of_every_size", verb, function(t)
    local o = observe.new(t)
    local sizes = { 0, 1, 100, 4096, 65537 }
    for i, old in ipairs(sizes) do
      for k, new in ipairs(sizes) do
        o:file("src", content(new, i + k))
        o:file("dst", content(old, k))
        o:at("src", "dst")
        o:hold "src"
        o:change(verb, "src", "dst")
        o:release()
      end
    end
  end, far)

  -- What was asked before is not kept.
  case(verb .. ".shows_at_names_that_were_asked_for", verb, function(t)
    local o = observe.new(t)
    o:file("src", "test")
    o:at("none", "src", "none")
    o:change(verb, "src", "none")
    o:at("src", "none", "none")
  end)
end

local function removal(case)
  case("delete_file.shows_everywhere", "delete_file", function(t)
    local o = observe.new(t)
    for _, n in ipairs { 0, 1, 5000 } do
      o:file("a_file", content(n))
      o:file("a_filex", "beside")
      o:at("a_file", "a_filex")
      o:hold "a_file"
      o:change("delete_file", "a_file")
      o:at("a_file", "a_filex")
      o:release()
    end
  end)

  case("names.serve_a_file_and_a_directory_by_turns", "create_dir", function(t)
    local o = observe.new(t)
    for i = 1, 3 do
      o:file("name", content(i * 100))
      o:at "name"
      o:change("delete_file", "name")
      o:change("create_dir", "name")
      o:file("name/below", "test")
      o:at("name", "name/below")
      o:change("delete_file", "name/below")
      o:change("delete_dir", "name")
    end
  end)

  case("delete_recursively.shows_everywhere", "delete_recursively", function(t)
    local o = observe.new(t)
    for _ = 1, 2 do
      o:change("create_dir", "top")
      o:change("create_dir", "top/a")
      o:change("create_dir", "top/a/b")
      o:change("create_dir", "topmost")
      for _, path in ipairs { "top/one", "top/a/two", "top/a/b/three", "topmost/four" } do
        o:file(path, path)
      end
      o:at("top/one", "top/a/two", "top/a/b/three", "topmost/four")
      o:change("delete_recursively", "top/a")
      o:at("top/one", "topmost", "topmost/four")
      o:change("delete_recursively", "top")
      o:at("", "topmost", "topmost/four")
      o:change("delete_recursively", "topmost")
    end
  end)

  case("recursively_create_dir.shows_everywhere", "recursively_create_dir", function(t)
    local o = observe.new(t)
    for _, path in ipairs { "a", "a/b/c", "a/b/c/d/e/f/g/h/i/j", "ab/c", "a/b/x" } do
      o:change("recursively_create_dir", path)
      local at = path
      while at ~= "" do
        o:at(at)
        at = at:match "^(.*)/[^/]*$" or ""
      end
    end
  end)
end

-- One step of modfs.check.random on the plugin and on the model, with a look at what it is about.
local function step(o, operation)
  local verb, path, second = operation[1], operation[2], operation[3]
  local how = ({ write = "new_writable_file", append = "new_appendable_file" })[verb]
  if verb == "read" or verb:find "^get_" then
    o:at(path)
  elseif not how then
    o:change(verb, path, second)
  else
    local nodes = o.tree.nodes
    if nodes[path] == true or nodes[path:match "^(.*)/" or ""] ~= true then
      o:call(how, path, nil, o.tree:write(path, second))
    else
      o:write(path, how, { second })
    end
  end
end

local function sequences(case)
  for number = 1, 2 do
    case("any.order_of_changes_shows_" .. number, "new_writable_file", function(t)
      t:wants_no "parents_implied"
      local o = observe.new(t)
      for _, operation in ipairs(random.sequence(t.seed * 2003 + number, 60)) do
        step(o, operation)
      end
      o:at("a", "b", "c")
    end)
  end
end

return function(case)
  pairs_of_files(case, "rename_file")
  pairs_of_files(case, "copy_file")

  case("copy_file.leaves_two_files_that_grow_apart", "copy_file", function(t)
    local o = observe.new(t)
    for i, n in ipairs { 1, 64, 100, 4096, 65537, 200000 } do
      o:file("src", content(n, i))
      o:change("copy_file", "src", "dst")
      o:write("src", "new_appendable_file", { content(n, i + 1) })
      o:at "dst"
      o:write("dst", "new_appendable_file", { content(30, i + 2), content(n, i + 3) })
      o:at("src", "dst")
      o:change("copy_file", "dst", "src")
      o:write("dst", "new_appendable_file", { "y" })
      o:at("src", "dst")
    end
  end, far)

  case("copy_file.leaves_two_files_that_grow_unseen", "copy_file", function(t)
    local o = observe.new(t)
    for i, n in ipairs { 1, 64, 100, 4096, 65537 } do
      o:file("src", content(n, i))
      t:fine(t.p:copy_file(t:at "src", t:at "dst"))
      o:note("copy_file", "src", "dst")
      for k, path in ipairs { "src", "dst", "src", "dst" } do
        local piece = content(7 * k, i + k)
        t:append(t:at(path), piece, "new_appendable_file")
        o:note("append", path, piece)
      end
      o:after("two appends to each of two copies of %d bytes", n)
      o:at("src", "dst")
    end
  end)

  removal(case)
  sequences(case)
end
