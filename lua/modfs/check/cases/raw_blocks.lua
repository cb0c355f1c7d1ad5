-- Memory: who gave it, who frees it, what is left, and what happens when there is none.
local resources = require "modfs.check.resources"

local mapping = "new_read_only_memory_region_from_file"

local loses_nothing, without_memory = resources.loses_nothing, resources.without_memory

local function leaks(case)
  case("lists.lose_nothing", "get_children", function(t)
    t:file("a_file")
    t:directory("a_dir")
    loses_nothing(t, function()
      t:code("OK", t.p:get_children(t.root))
      t:code("NOT_FOUND", t.p:get_children(t:at("none")))
      t:code("FAILED_PRECONDITION", t.p:get_children(t:at("a_file")))
    end)
  end)

  case("globs.lose_nothing", "get_matching_paths", function(t)
    t:file("a_file")
    loses_nothing(t, function()
      t:code("OK", t.p:get_matching_paths(t:at("*")))
      t:code("OK", t.p:get_matching_paths(t:at("none/*")))
      t:code("OK", t.p:get_matching_paths(t:at("a_file/*")))
    end)
  end)

  case("reading.loses_nothing", "new_random_access_file", function(t)
    local uri, dir = t:file("a_file", "test"), t:directory("a_dir")
    loses_nothing(t, function()
      t:equal("test", t:look(uri))
      t:code("NOT_FOUND", t.p:new_random_access_file(t:at("none")))
      t:code("FAILED_PRECONDITION", t.p:new_random_access_file(dir))
    end)
  end)

  case("writing.loses_nothing", "new_writable_file", function(t)
    local dir = t:directory("a_dir")
    loses_nothing(t, function()
      t:file("a_file", "test")
      t:append(t:at("a_file"), "test", "new_appendable_file")
      t:code("FAILED_PRECONDITION", t.p:new_writable_file(dir))
      t:code("FAILED_PRECONDITION", t.p:new_appendable_file(dir))
      if not t:departs "parents_implied" then
        t:code("NOT_FOUND", t.p:new_writable_file(t:at("none/below")))
      end
    end)
  end)

  case("cleanup.without_close_loses_nothing", "new_writable_file", function(t)
    loses_nothing(t, function()
      local file = t:fine(t.p:new_writable_file(t:at("a_file")))
      t:fine(file:append("test"))
      file:cleanup_writable()
    end)
  end)

  case("regions.lose_nothing", mapping, function(t)
    local uri, empty = t:file("a_file", "test"), t:file("empty")
    loses_nothing(t, function()
      t:fine(t.p:new_read_only_memory_region_from_file(uri)):cleanup_region()
      t:code("INVALID_ARGUMENT", t.p:new_read_only_memory_region_from_file(empty))
      t:code("NOT_FOUND", t.p:new_read_only_memory_region_from_file(t:at("none")))
    end)
  end)

  case("changes.lose_nothing", "rename_file", function(t)
    loses_nothing(t, function()
      local src, dst = t:file("src", "test"), t:at("dst")
      t:code("OK", t.p:rename_file(src, dst))
      t:code("NOT_FOUND", t.p:rename_file(src, dst))
      t:code("OK", t.p:create_dir(t:at("a_dir")))
      t:code("ALREADY_EXISTS", t.p:create_dir(t:at("a_dir")))
      t:code("OK", t.p:delete_dir(t:at("a_dir")))
      t:code("OK", t.p:delete_file(dst))
      t:code("NOT_FOUND", t.p:delete_file(dst))
    end)
  end)

  case("copies.lose_nothing", "copy_file", function(t)
    local src, dst = t:file("src", "test"), t:at("dst")
    loses_nothing(t, function()
      t:code("OK", t.p:copy_file(src, dst))
      t:code("NOT_FOUND", t.p:copy_file(t:at("none"), dst))
      t:code("FAILED_PRECONDITION", t.p:copy_file(src, t.root))
    end)
  end)

  case("trees.lose_nothing", "delete_recursively", function(t)
    loses_nothing(t, function()
      t:directory("a_dir")
      t:file("a_dir/a_file", "test")
      t:code("OK", t.p:delete_recursively(t:at("a_dir")))
      t:code("NOT_FOUND", t.p:delete_recursively(t:at("a_dir")))
    end)
  end)

  case("options.lose_nothing", "get_filesystem_configuration", function(t)
    loses_nothing(t, function()
      local answer = t:code("OK", t.p:get_filesystem_configuration())
      if answer.names[1] then
        t:code("OK", t.p:get_filesystem_configuration_option(answer.names[1]))
        t:code("NOT_FOUND", t.p:get_filesystem_configuration_option("no such option"))
      end
    end)
  end)

  case("transactions.lose_nothing", "start_transaction", function(t)
    loses_nothing(t, function()
      local token = t:code("OK", t.p:start_transaction()).token
      t:fine(t.p:add_to_transaction(t:at("a_file"), token))
      t.p:decode_transaction_token(token)
      t:file("a_file", "test")
      t:code("OK", t.p:end_transaction(token))
    end)
  end)
end

local function owners(case)
  case("names.come_from_the_allocator", "translate_name", function(t)
    t:need_shim()
    t:equal("something", t.p:translate_name(t:at("a//b/../c")).pointer)
    t:equal(nil, t.runner.fault())
  end)

  case("registration.comes_from_the_allocator", "plugin_memory_allocate", function(t)
    t:need_shim()
    t:equal(nil, t.p:free_tables().fault)
  end)
end

-- Without memory -----------------------------------------------------------------------------

local function nothing() end

local function shortage(case)
  case("memory.is_short_when_a_file_is_opened", "new_random_access_file", function(t)
    local uri = t:file("a_file", "test")
    without_memory(t, nothing, function()
      local answer, file = t.p:new_random_access_file(uri)
      if file then
        t:equal("test", file:read(0, 4).bytes)
        file:cleanup_file()
      end
      return answer
    end, nothing, nothing)
  end)

  case("memory.is_short_when_a_file_is_written", "append", function(t)
    local uri = t:at("a_file")
    local function written(answer, file)
      if not file then
        return answer
      end
      for _ = 1, 3 do
        answer = answer.code == "OK" and file:append(("x"):rep(3000)) or answer
      end
      local closed = file:close()
      file:cleanup_writable()
      return answer.code == "OK" and closed or answer
    end
    without_memory(t, nothing, function()
      return written(t.p:new_writable_file(uri))
    end, function()
      t:equal(9000, #t:look(uri))
    end, nothing)
  end)

  case("memory.is_short_when_a_directory_is_listed", "get_children", function(t)
    for i = 1, 20 do
      t:file("name" .. i)
    end
    without_memory(t, nothing, function()
      return t.p:get_children(t.root)
    end, function(answer)
      t:equal(20, answer.value)
    end, function(answer)
      t:equal(-1, answer.value)
    end)
  end)

  case("memory.is_short_when_paths_are_matched", "get_matching_paths", function(t)
    for i = 1, 20 do
      t:file("name" .. i)
    end
    without_memory(t, nothing, function()
      return t.p:get_matching_paths(t:at("n*"))
    end, function(answer)
      t:equal(20, answer.value)
    end, function(answer)
      t:equal(-1, answer.value)
    end)
  end)

  case("memory.is_short_when_a_file_is_mapped", mapping, function(t)
    local uri = t:file("a_file", "test")
    without_memory(t, nothing, function()
      local answer, region = t.p:new_read_only_memory_region_from_file(uri)
      if region then
        t:equal("test", region:bytes().bytes)
        region:cleanup_region()
      end
      return answer
    end, nothing, nothing)
  end)

  case("memory.is_short_when_a_directory_is_made", "create_dir", function(t)
    local uri = t:at("a_dir")
    without_memory(t, function()
      t.p:delete_dir(uri)
    end, function()
      return t.p:create_dir(uri)
    end, function()
      t:equal("OK", t.p:path_exists(uri).code)
    end, function()
      t:equal("NOT_FOUND", t.p:path_exists(uri).code)
    end)
  end)

  for _, verb in ipairs { "rename_file", "copy_file" } do
    case("memory.is_short_in_" .. verb, verb, function(t)
      local src, dst
      without_memory(t, function()
        src, dst = t:file("src", "new"), t:file("dst", "old content")
      end, function()
        return t.p[verb](t.p, src, dst)
      end, function()
        t:equal("new", t:look(dst))
      end, function()
        t:equal("old content", t:look(dst))
        t:equal("new", t:look(src))
      end)
    end)
  end

  case("memory.is_short_when_a_tree_is_deleted", "delete_recursively", function(t)
    without_memory(t, function()
      t.p:delete_recursively(t:at("a_dir"))
      t:directory("a_dir")
      t:file("a_dir/a_file", "test")
    end, function()
      return t.p:delete_recursively(t:at("a_dir"))
    end, function()
      t:equal("NOT_FOUND", t.p:path_exists(t:at("a_dir")).code)
    end, nothing)
  end)

  case("memory.is_short_in_a_transaction", "start_transaction", function(t)
    local uri = t:at("a_file")
    without_memory(t, function()
      t.p:delete_file(uri)
    end, function()
      local begun = t.p:start_transaction()
      if begun.code ~= "OK" then
        return begun
      end
      local added = t.p:add_to_transaction(uri, begun.token)
      local ended = t.p:end_transaction(begun.token)
      return added.code == "OK" and ended or added
    end, nothing, nothing)
  end)
end

return function(case)
  for _, part in ipairs { leaks, owners, shortage } do
    part(case)
  end
end
