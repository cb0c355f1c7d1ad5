local modfs = require "modfs"
local fails = require "spec.support.fails"

-- The options of the shipped filesystems: name -> type.
local known = {
  [""] = { file_mode = "int", directory_mode = "int", sync_on_close = "int" },
  file = { file_mode = "int", directory_mode = "int", sync_on_close = "int" },
  mem = { limit_bytes = "int" },
}

for scheme, names in pairs(known) do
  describe(("the configuration of %q"):format(scheme), function()
    local fs, saved

    before_each(function()
      fs = modfs.filesystem(scheme)
      saved = assert(modfs.config(scheme))
    end)
    after_each(function()
      assert.is_true(modfs.config(scheme, saved))
    end)

    it("is a table of values", function()
      for name in pairs(names) do
        assert.is_number(saved[name], name)
      end
    end)

    it("lists options with name, description, type and value", function()
      local found = {}
      for _, option in ipairs(fs:get_filesystem_configuration()) do
        found[option.name] = option.type
        assert.is_string(option.description)
        assert.is_true(#option.description > 0)
        assert.is_false(option.per_file)
        assert.equal(saved[option.name], option.value)
      end
      assert.same(names, found)
    end)

    it("sets one, several and none", function()
      for name in pairs(names) do
        local value = name:find "mode" and 448 or name:find "sync" and 1 or 2 ^ 30
        assert.is_true(modfs.config(scheme, { [name] = value }))
        assert.equal(value, modfs.config(scheme)[name])
        local option = fs:get_filesystem_configuration_option(name)
        assert.equal(value, option.value)
      end
      assert.is_true(modfs.config(scheme, {}))
      assert.is_true(modfs.config(scheme, saved))
      assert.same(saved, modfs.config(scheme))
    end)

    it("sets through the operations of the ABI", function()
      for name in pairs(names) do
        local option = assert(fs:get_filesystem_configuration_option(name))
        option.value = name:find "mode" and 384 or name:find "sync" and 1 or 2 ^ 31
        assert.is_true(fs:set_filesystem_configuration_option(option))
        assert.equal(option.value, modfs.config(scheme)[name])
        assert.is_true(fs:set_filesystem_configuration {
          { name = name, type = "int", value = saved[name] },
        })
        assert.equal(saved[name], modfs.config(scheme)[name])
      end
    end)

    it("names its keys", function()
      local keys = fs:get_filesystem_configuration_keys()
      for _, key in ipairs(keys) do
        assert.is_string(names[key], key)
      end
      local count = 0
      for _ in pairs(names) do
        count = count + 1
      end
      assert.equal(count, #keys)
    end)

    it("sets nothing when one of several is wrong", function()
      local name = next(names)
      local other = name:find "mode" and 448 or name:find "sync" and 1 or 2 ^ 30
      fails("NOT_FOUND", modfs.config(scheme, { [name] = other, no_such_option = 1 }))
      assert.same(saved, modfs.config(scheme))
      fails("NOT_FOUND", fs:set_filesystem_configuration {
        { name = name, type = "int", value = other },
        { name = "no_such_option", type = "int", value = 1 },
      })
      fails("INVALID_ARGUMENT", fs:set_filesystem_configuration {
        { name = name, type = "int", value = other },
        { name = name, type = "real", value = 1.5 },
      })
      assert.same(saved, modfs.config(scheme))
    end)

    it("refuses values of another type or number", function()
      for name in pairs(names) do
        for _, option in ipairs {
          { name = name, type = "real", value = 1.5 },
          { name = name, type = "buffer", value = "1" },
          { name = name, type = "int", value = { 1, 2 } },
          { name = name, type = "int", value = {} },
          { name = name, type = "int", value = -2 ^ 52 },
        } do
          fails("INVALID_ARGUMENT", fs:set_filesystem_configuration_option(option))
        end
      end
      assert.same(saved, modfs.config(scheme))
    end)

    it("raises for what is no option, naming what is wrong", function()
      local name = next(names)
      local function raises(text, option)
        assert.error_matches(function() fs:set_filesystem_configuration_option(option) end, text)
        assert.error_matches(function() fs:set_filesystem_configuration { option } end, text)
      end
      raises("name", { type = "int", value = 1 })
      raises("type", { name = name, type = "integer", value = 1 })
      raises("value", { name = name, type = "int", value = "x" })
      raises("value", { name = name, type = "int", value = 1.5 })
      raises("value", { name = name, type = "int", value = 0 / 0 })
      raises("value", { name = name, type = "int", value = 2 ^ 63 })
      raises("value", { name = name, type = "int" })
      raises("no_such_field", { name = name, type = "int", value = 1, no_such_field = 1 })
      assert.same(saved, modfs.config(scheme))
    end)
  end)
end

describe("modfs.config", function()
  it("fails for an unknown scheme", function()
    fails("UNIMPLEMENTED", modfs.config "nosuch")
    fails("UNIMPLEMENTED", modfs.config("nosuch", { a = 1 }))
  end)

  it("shows each scheme's own settings", function()
    local saved = modfs.config "mem"
    finally(function() modfs.config("mem", saved) end)
    assert.is_true(modfs.config("mem", { limit_bytes = 12345678 }))
    assert.equal(12345678, modfs.config("mem").limit_bytes)
    assert.is_nil(modfs.config("file").limit_bytes)
  end)
end)
