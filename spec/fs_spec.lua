local modfs = require "modfs"
local fails = require "spec.support.fails"
local tmpdir = require "spec.support.tmpdir"

-- The slots of TF_FilesystemOps, in their order.
local slots = {
  "init", "cleanup", "new_random_access_file", "new_writable_file", "new_appendable_file",
  "new_read_only_memory_region_from_file", "create_dir", "recursively_create_dir", "delete_file",
  "delete_dir", "delete_recursively", "rename_file", "copy_file", "path_exists", "paths_exist",
  "stat", "is_directory", "get_file_size", "translate_name", "get_children", "get_matching_paths",
  "flush_caches", "start_transaction", "end_transaction", "add_to_transaction",
  "get_transaction_for_path", "get_or_start_transaction_for_path", "decode_transaction_token",
  "get_filesystem_configuration", "set_filesystem_configuration",
  "get_filesystem_configuration_option", "set_filesystem_configuration_option",
  "get_filesystem_configuration_keys",
}

-- Methods whose first argument is a path.
local of_path = { "translate_name", "get_matching_paths", "get_transaction_for_path",
  "get_or_start_transaction_for_path", (table.unpack or unpack)((require "spec.support.of_path")) }

describe("a Filesystem", function()
  for _, scheme in ipairs { "", "file", "mem" } do
    describe(("of scheme %q"):format(scheme), function()
      local fs = modfs.filesystem(scheme)

      it("has a method for each of the 31 operations", function()
        local count = 0
        for _, slot in ipairs(slots) do
          if slot ~= "init" and slot ~= "cleanup" then
            assert.is_function(fs[slot], slot)
            count = count + 1
          end
        end
        assert.equal(31, count)
        assert.is_nil(fs.init)
        assert.is_nil(fs.cleanup)
        assert.is_nil(fs.no_such_method)
      end)

      it("reports who fills each of the 33 slots", function()
        local operations, count = fs:operations(), 0
        for name, who in pairs(operations) do
          assert.is_truthy(({ plugin = 1, default = 1, missing = 1 })[who], name)
          count = count + 1
        end
        assert.equal(33, count)
        for _, slot in ipairs(slots) do
          assert.is_string(operations[slot], slot)
        end
      end)

      it("knows its scheme and says what it is", function()
        assert.equal(scheme, fs.scheme)
        assert.equal("filesystem", modfs.type(fs))
        assert.is_truthy(tostring(fs):find "^modfs%.Filesystem %(")
        assert.is_truthy(tostring(fs):find(scheme, 1, true))
        assert.is_nil(tostring(fs):find "0x")
      end)

      it("refuses another scheme's URI in every method that takes a path", function()
        local other = scheme == "mem" and "file:///nowhere" or "mem://nowhere"
        for _, method in ipairs(of_path) do
          local message = fails("INVALID_ARGUMENT", fs[method](fs, other))
          assert.is_truthy(message:find(other, 1, true), message)
        end
        for _, method in ipairs { "rename_file", "copy_file" } do
          fails("INVALID_ARGUMENT", fs[method](fs, other, "/nowhere"))
          fails("INVALID_ARGUMENT", fs[method](fs, "/nowhere", other))
        end
        fails("INVALID_ARGUMENT", fs:paths_exist { "/", other })
      end)
    end)
  end

  it("fills every slot of memory natively", function()
    for name, who in pairs(modfs.filesystem("mem"):operations()) do
      if name ~= "get_filesystem_configuration_keys" then -- which no host can call
        assert.equal("plugin", who, name)
      end
    end
  end)

  it("fills the slots of posix natively but transactions", function()
    local operations = modfs.filesystem(""):operations()
    for _, slot in ipairs { "start_transaction", "end_transaction", "add_to_transaction",
      "get_transaction_for_path", "get_or_start_transaction_for_path" } do
      assert.equal("missing", operations[slot], slot)
    end
    for _, slot in ipairs { "init", "cleanup", "new_random_access_file", "new_writable_file",
      "new_appendable_file", "new_read_only_memory_region_from_file", "create_dir", "delete_file",
      "delete_dir", "delete_recursively", "rename_file", "copy_file", "path_exists", "stat",
      "is_directory", "get_file_size", "get_children" } do
      assert.equal("plugin", operations[slot], slot)
    end
  end)

  it("is found by scheme, by path and by URI", function()
    assert.equal("mem", modfs.filesystem("mem").scheme)
    assert.equal("mem", modfs.filesystem("mem://a/b").scheme)
    assert.equal("file", modfs.filesystem("file:///a").scheme)
    assert.equal("", modfs.filesystem("/a/b").scheme)
    assert.equal("", modfs.filesystem("").scheme)
  end)

  it("takes and gives the forms of each result", function()
    local root = tmpdir.new()
    local fs = modfs.filesystem "file"
    local uri = "file://" .. root
    assert.is_true(fs:create_dir(uri .. "/dir"))
    assert.is_true(fs:recursively_create_dir(uri .. "/a/b"))
    assert.equal("writable file", modfs.type(fs:new_writable_file(uri .. "/f")))
    assert.equal("writable file", modfs.type(fs:new_appendable_file(uri .. "/f")))
    assert.is_true(modfs.write(uri .. "/f", "test"))
    assert.equal("file", modfs.type(fs:new_random_access_file(uri .. "/f")))
    assert.equal("region", modfs.type(fs:new_read_only_memory_region_from_file(uri .. "/f")))
    assert.equal(4, fs:get_file_size(uri .. "/f"))
    assert.equal(4, fs:stat(uri .. "/f").length)
    assert.is_true(fs:rename_file(uri .. "/f", uri .. "/g"))
    assert.is_true(fs:copy_file(uri .. "/g", uri .. "/h"))
    assert.is_true(fs:delete_file(uri .. "/g"))
    assert.is_true(fs:delete_dir(uri .. "/dir"))
    assert.equal(root .. "/h", fs:translate_name(uri .. "//x/../h"))
    assert.is_true(fs:flush_caches())
    assert.same({ true, { "OK" } }, { fs:paths_exist { uri .. "/h" } })
    assert.same({ true, 0, 0 }, { fs:delete_recursively(uri) })
    assert.is_nil(tmpdir.content(root))
  end)

  it("can be closed, and the next one is open", function()
    local fs = modfs.filesystem "mem"
    assert.is_true(fs:close())
    assert.error_matches(function() fs:path_exists "/" end, "closed filesystem")
    assert.error_matches(function() fs:close() end, "closed filesystem")
    assert.equal("modfs.Filesystem (closed)", tostring(fs))
    assert.is_true(modfs.filesystem("mem"):path_exists "/")
  end)
end)
