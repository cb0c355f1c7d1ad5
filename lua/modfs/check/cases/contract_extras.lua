-- Options, caches and transactions, where a plugin has them.
local kinds = { int = "number", real = "number", buffer = "string" }

return function(case)
  case("says_what_is_wrong_in_plain_words", "new_random_access_file", function(t)
    local uri = t:at("none")
    local message = t:fails("NOT_FOUND", t.fs:new_random_access_file(uri))
    local words = message:gsub("^NOT_FOUND: %S+ ", ""):gsub("^" .. uri:gsub("%p", "%%%0"), "")
    t:yes(words:find("%a") ~= nil, "no words: " .. message)
    t:equal(nil, words:find("\\x%x%x"), "control characters")
    t:equal(nil, words:find("[\128-\255]"), "bytes that are no plain text")
    t:yes(#words < 1000, #words .. " bytes")
  end)

  -- The child of this case takes the state of the process before the first call (child.lua).
  case("changes_no_state_of_the_process", "path_exists", function(t)
    t:fails("NOT_FOUND", t.fs:path_exists(t:at("none")))
  end)

  case("keeps_the_content", "flush_caches", function(t)
    local uri = t:file("a_file", "test")
    t:yes(t.fs:flush_caches())
    t:equal("test", t:content(uri))
  end)

  case("lists_options_that_can_be_found", "get_filesystem_configuration", function(t)
    local options = t:ok(t.fs:get_filesystem_configuration())
    for _, option in ipairs(options) do
      t:equal("string", type(option.name))
      local value = type(option.value) == "table" and option.value[1] or option.value
      t:equal(kinds[option.type], type(value), option.name)
      t:equal(option, t.fs:get_filesystem_configuration_option(option.name))
    end
  end)

  case("keeps_options_set_as_they_are", "set_filesystem_configuration", function(t)
    local options = t:must(t.fs:get_filesystem_configuration())
    if #options == 0 then
      t:refuse("there are no options")
    end
    t:yes(t.fs:set_filesystem_configuration(options))
    t:equal(options, t.fs:get_filesystem_configuration())
    for _, option in ipairs(options) do
      t:yes(t.fs:set_filesystem_configuration_option(option))
    end
    t:equal(options, t.fs:get_filesystem_configuration())
  end)

  case("knows_no_foreign_option", "get_filesystem_configuration_option", function(t)
    t:fails("NOT_FOUND", t.fs:get_filesystem_configuration_option("no such option"))
  end)

  case("sets_no_foreign_option", "set_filesystem_configuration_option", function(t)
    local unknown = { name = "no such option", type = "int", value = 1 }
    t:fails("NOT_FOUND", t.fs:set_filesystem_configuration_option(unknown))
    unknown.value = -2 ^ 31
    t:fails("NOT_FOUND", t.fs:set_filesystem_configuration_option(unknown))
    t:fails("NOT_FOUND", t.fs:set_filesystem_configuration { unknown })
  end)

  case("begins_and_ends", "start_transaction", function(t)
    local transaction = t:ok(t.fs:start_transaction())
    t:yes(transaction:commit())
    local next_one = t:ok(t.fs:start_transaction())
    t:yes(next_one:commit())
  end)

  case("shows_all_at_the_end", "end_transaction", function(t)
    t:directory("a_dir")
    local transaction = t:ok(t.fs:start_transaction())
    t:yes(transaction:add(t:at("a_dir")))
    local uri = t:file("a_dir/a_file", "test")
    t:fails("NOT_FOUND", t.fs:new_random_access_file(uri))
    t:yes(transaction:commit())
    t:equal("test", t:content(uri))
  end)

  case("finds_the_transaction", "get_transaction_for_path", function(t)
    local uri = t:at("a_file")
    t:fails("NOT_FOUND", t.fs:get_transaction_for_path(uri))
    local transaction = t:ok(t.fs:start_transaction())
    t:yes(transaction:add(uri))
    t:ok(t.fs:get_transaction_for_path(uri))
    t:fails("NOT_FOUND", t.fs:get_transaction_for_path(t:at("another")))
    t:yes(transaction:commit())
    t:fails("NOT_FOUND", t.fs:get_transaction_for_path(uri))
  end)
end
