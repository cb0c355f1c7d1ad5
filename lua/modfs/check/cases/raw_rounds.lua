-- What slots leave behind that the cases of raw_blocks and raw_resources do not call: those of open
-- files and directories, of attributes, options, transactions and caches.
local resources = require "modfs.check.resources"

-- An open directory; the case is refused where the plugin has no slots for its entries.
local function directory_of(t, uri)
  if not t.plugin:has "open_subdirectory" then
    t:refuse("open_subdirectory is an empty slot")
  end
  return t:fine(t.p:directory(uri))
end

local function files(case)
  for _, method in ipairs { "append", "flush", "sync", "tell" } do
    case(method .. ".loses_nothing", method, function(t)
      local file = t:fine(t.p:new_writable_file(t:at("a_file")))
      t:fine(file:append("test"))
      resources.loses_nothing(t, function()
        t:code("OK", file[method](file, method == "append" and "" or nil))
      end)
      t:code("OK", file:close())
      file:cleanup_writable()
    end)
  end
end

local function queries(case)
  case("paths_exist.loses_nothing", "paths_exist", function(t)
    local here, none = t:path(t:file("a_file")), t:path(t:at("none"))
    resources.loses_nothing(t, function()
      t:yes(t.p:paths_exist({ here, here }).value)
      t:no(t.p:paths_exist({ here, none }).value)
      t:no(t.p:paths_exist({ none, here }, true).value)
    end)
  end)

  case("flush_caches.loses_nothing", "flush_caches", function(t)
    local uri = t:file("a_file", "test")
    resources.loses_nothing(t, function()
      t.p:flush_caches()
      t:equal("test", t:look(uri))
    end)
  end)

  case("get_attributes.loses_nothing", "get_attributes", function(t)
    local uri = t:file("a_file", "test")
    resources.loses_nothing(t, function()
      t:code("OK", t.p:get_attributes(uri))
      t:code("NOT_FOUND", t.p:get_attributes(t:at("none")))
    end)
  end)

  case("set_attributes.loses_nothing", "set_attributes", function(t)
    local uri = t:file("a_file", "test")
    resources.loses_nothing(t, function()
      t:code("OK", t.p:set_attributes(uri, { mode = 384 }))
      t:code("NOT_FOUND", t.p:set_attributes(t:at("none"), { mode = 384 }))
    end)
  end)
end

local function entries(case)
  case("create_subdirectory.loses_nothing", "create_subdirectory", function(t)
    local directory = directory_of(t, t:directory("a_dir"))
    resources.loses_nothing(t, function()
      t:code("OK", directory:create_subdirectory("below"))
      t:code("ALREADY_EXISTS", directory:create_subdirectory("below"))
      t:code("OK", directory:entry_attributes("below"))
      t:code("NOT_FOUND", directory:entry_attributes("none"))
      t:code("OK", directory:delete_entry("below", true))
    end)
    directory:close_directory()
  end)

  case("create_subdirectory.in_a_deleted_directory", "create_subdirectory", function(t)
    local uri = t:directory("a_dir")
    local directory = directory_of(t, uri)
    t:code("OK", t.p:delete_dir(uri))
    t:code("NOT_FOUND", directory:create_subdirectory("below"))
    directory:close_directory()
    t:code("NOT_FOUND", t.p:path_exists(uri))
  end)
end

local function others(case)
  case("lookups_of_transactions.lose_nothing", "get_transaction_for_path", function(t)
    local token = t:fine(t.p:start_transaction()).token
    t:code("OK", t.p:add_to_transaction(t:at("a_file"), token))
    resources.loses_nothing(t, function()
      t:code("OK", t.p:get_transaction_for_path(t:at("a_file")))
      t:code("NOT_FOUND", t.p:get_transaction_for_path(t:at("another")))
      t:code("OK", t.p:get_or_start_transaction_for_path(t:at("a_file")))
    end)
    t:code("OK", t.p:end_transaction(token))
  end)

  case("set_options.lose_nothing", "set_filesystem_configuration_option", function(t)
    resources.loses_nothing(t, function()
      t:code("NOT_FOUND", t.p:set_filesystem_configuration_option("no such option", 0))
    end)
  end)
end

return function(case)
  for _, part in ipairs { files, queries, entries, others } do
    part(case)
  end
end
