local modfs = require "modfs"
local build = require "spec.fixtures.build"
local contains = require "spec.support.contains"
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

    it("sets nothing when one of several is not an option", function()
      fails("NOT_FOUND", modfs.config(scheme, { [next(names)] = 1, no_such_option = 1 }))
      fails("INVALID_ARGUMENT", modfs.config(scheme, { [next(names)] = -2 ^ 52 }))
      assert.same(saved, modfs.config(scheme))
    end)

    it("raises for invalid options, naming what is wrong", function()
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

describe("failures of options", function()
  it("name the scheme", function()
    local message = fails("INVALID_ARGUMENT", modfs.config("mem", { limit_bytes = -1 }))
    contains(message, "INVALID_ARGUMENT: config mem: option limit_bytes")
  end)

  it("of an option outside of an array raise", function()
    local fs = modfs.filesystem "mem"
    local option = { name = "limit_bytes", type = "int", value = 0 }
    for _, wrong in ipairs { option, { [2] = option }, { option, name = "x" } } do
      assert.error_matches(function() fs:set_filesystem_configuration(wrong) end,
        "bad argument #1 to 'set_filesystem_configuration' %(array of options expected")
    end
    assert.is_true(fs:set_filesystem_configuration { option })
    assert.is_true(fs:set_filesystem_configuration {})
  end)
end)

for _, kind in ipairs { "silent", "refusing" } do
  describe("options of a filesystem that lists none, " .. kind .. ",", function()
    local shelf, scheme = nil, "settings." .. kind

    setup(function()
      shelf = build.shelf()
      local refuses = kind == "refusing" and "-DREFUSES" or ""
      local flags = ("'-DSCHEME=\"%s\"' %s"):format(scheme, refuses)
      local binary = build.compile(scheme .. ".so", "spec/fixtures/small/settings.c",
        { flags = flags })
      assert(modfs.load(shelf:put(binary, scheme)))
    end)
    teardown(function() shelf:remove() end)

    it("have the type of the value, and the plugin tests", function()
      for told, value in pairs { ["int 7"] = 7, ["real 2.5"] = 2.5, ["buffer text"] = "text",
        ["int 1 int 2"] = { 1, 2 }, ["real 1 real 2.5"] = { 1, 2.5 }, ["buffer a buffer b"] =
        { "a", "b" } } do
        local message = fails("INVALID_ARGUMENT", modfs.config(scheme, { depth = value }))
        assert.equal(("INVALID_ARGUMENT: config %s: depth %s"):format(scheme, told), message)
      end
      assert.is_true(modfs.config(scheme, {}))
    end)

    it("raise for what has no type", function()
      for _, wrong in ipairs { true, { 1, "a" }, { "a", 1 }, { {} } } do
        assert.error_matches(function() modfs.config(scheme, { depth = wrong }) end, "depth")
      end
    end)
  end)
end
