-- Plugins that were built against the tables of their time load and work: the three generations
-- that were shipped, and one that is still to come.
local build = require "spec.fixtures.build"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local shelved = require "spec.support.shelved"

local shelf = shelved()

local function load(generation)
  local binary = build.compile(generation .. ".so",
    ("spec/fixtures/abi/%s.c spec/fixtures/abi/%s.h"):format(generation, generation))
  local plugin = assert(modfs.load(shelf:put(binary, generation)))
  return plugin, assert(modfs.filesystem(generation))
end

-- Who fills which slots: the names with that origin, sorted.
local function filled(fs, origin)
  local names = {}
  for name, by in pairs(fs:operations()) do
    names[#names + 1] = by == origin and name or nil
  end
  table.sort(names)
  return names
end

describe("a table of 176 bytes (no transactions, no options)", function()
  local plugin, fs

  setup(function()
    plugin, fs = load "gen176"
  end)

  it("loads, and tells its sizes", function()
    assert.same({ "gen176" }, plugin.schemes)
    assert.equal(176, plugin.versions.filesystem.size)
  end)

  it("reads, maps, writes and asks", function()
    assert.equal("generation 176", assert(modfs.read "gen176:///note"))
    assert.equal("generation 176", assert(modfs.map "gen176:///note"):sub(1))
    assert.equal(14, modfs.size "gen176:///note")
    assert.is_true(modfs.exists "gen176:///note")
    assert.is_false(modfs.isdir "gen176:///note")
    assert.is_true(modfs.write("gen176:///note", "new"))
    assert.equal("new", assert(modfs.read "gen176:///note"))
    local w = assert(modfs.open("gen176:///note", "a"))
    assert(w:write "er")
    assert.equal(5, w:tell())
    assert.is_true(w:flush())
    assert.is_true(w:sync())
    assert.is_true(w:close())
    assert.equal("newer", assert(modfs.read "gen176:///note"))
  end)

  it("has what it was built with, and defaults for what it left out", function()
    assert.same({ "cleanup", "init", "new_appendable_file", "new_random_access_file",
      "new_read_only_memory_region_from_file", "new_writable_file", "path_exists", "stat" },
      filled(fs, "plugin"))
    assert.same({ "add_to_transaction", "create_dir", "delete_dir", "delete_file",
      "end_transaction", "get_children", "get_or_start_transaction_for_path",
      "get_transaction_for_path", "set_filesystem_configuration", "start_transaction" },
      filled(fs, "missing"))
  end)

  it("refuses transactions", function()
    fails("UNIMPLEMENTED", fs:start_transaction())
    fails("UNIMPLEMENTED", fs:get_transaction_for_path "gen176:///note")
    fails("UNIMPLEMENTED", fs:get_or_start_transaction_for_path "gen176:///note")
  end)

  it("has no options", function()
    assert.same({}, fs:get_filesystem_configuration())
    assert.same({}, fs:get_filesystem_configuration_keys())
    assert.same({}, modfs.config "gen176")
    fails("NOT_FOUND", fs:get_filesystem_configuration_option "speed")
    fails("NOT_FOUND", modfs.config("gen176", { speed = 1 }))
  end)

  it("refuses what it has not", function()
    fails("UNIMPLEMENTED", modfs.listdir "gen176:///")
    fails("UNIMPLEMENTED", modfs.mkdir "gen176:///dir")
    fails("UNIMPLEMENTED", modfs.remove "gen176:///note")
  end)
end)

describe("a table of 224 bytes (transactions, no options)", function()
  local plugin, fs

  setup(function()
    plugin, fs = load "gen224"
  end)

  it("loads, and tells its sizes", function()
    assert.equal(224, plugin.versions.filesystem.size)
    assert.is_nil(plugin.versions.writable_file)
  end)

  it("takes part in transactions", function()
    fails("NOT_FOUND", fs:get_transaction_for_path "gen224:///a")
    local transaction = assert(fs:start_transaction())
    assert.is_true(transaction:add "gen224:///a")
    assert.is_truthy(tostring(transaction):find("ticket of generation 224", 1, true))
    assert.equal(transaction, fs:get_transaction_for_path "gen224:///a")
    assert.equal(transaction, fs:get_or_start_transaction_for_path "gen224:///a")
    assert.equal("started 1 ended 0 added 1", assert(modfs.read "gen224:///report"))
    fails("UNIMPLEMENTED", transaction:abort())
    assert.is_true(transaction:commit())
    assert.equal("started 1 ended 1 added 1", assert(modfs.read "gen224:///report"))
    fails("NOT_FOUND", fs:get_transaction_for_path "gen224:///a")
  end)

  it("has no options", function()
    assert.same({}, modfs.config "gen224")
    local missing = filled(fs, "missing")
    assert.is_truthy(table.concat(missing, " "):find "set_filesystem_configuration")
  end)
end)

describe("a table of 264 bytes (transactions and options)", function()
  local plugin, fs

  setup(function()
    plugin, fs = load "gen264"
  end)

  it("loads, and tells its sizes", function()
    assert.equal(264, plugin.versions.filesystem.size)
  end)

  it("has options", function()
    local options = assert(fs:get_filesystem_configuration())
    assert.equal(2, #options)
    assert.same({ name = "speed", description = "an option", per_file = false, type = "int",
      value = 7 }, options[1])
    assert.same({ name = "label", description = "an option", per_file = false, type = "buffer",
      value = "plain" }, options[2])
    assert.same({ "speed", "label" }, fs:get_filesystem_configuration_keys())
    assert.equal(7, fs:get_filesystem_configuration_option("speed").value)
    fails("NOT_FOUND", fs:get_filesystem_configuration_option "weight")
  end)

  it("gets an array of structs to set, not one of pointers", function()
    assert.is_true(modfs.config("gen264", { speed = 12, label = "changed" }))
    assert.same({ speed = 12, label = "changed" }, modfs.config "gen264")
    assert.equal(12, modfs.size "gen264:///speed")
    assert.is_true(fs:set_filesystem_configuration {
      { name = "label", type = "buffer", value = "third" },
      { name = "speed", type = "int", value = 3 },
    })
    assert.same({ speed = 3, label = "third" }, modfs.config "gen264")
    assert.is_true(fs:set_filesystem_configuration_option { name = "speed", type = "int",
      value = 4 })
    assert.equal(4, modfs.size "gen264:///speed")
  end)

  it("sets none when one does not fit", function()
    fails("NOT_FOUND", modfs.config("gen264", { speed = 99, weight = 1 }))
    fails("INVALID_ARGUMENT", modfs.config("gen264", { speed = 99, label = ("x"):rep(100) }))
    assert.equal(4, modfs.config("gen264").speed)
  end)

  it("refuses the transactions that it left out", function()
    fails("UNIMPLEMENTED", fs:start_transaction())
  end)
end)

describe("a table of 288 bytes, from the future", function()
  local plugin, fs

  setup(function()
    plugin, fs = load "gen288"
  end)

  it("loads, and tells its sizes", function()
    assert.equal(288, plugin.versions.filesystem.size)
    assert.equal(24, plugin.versions.random_access_file.size)
    assert.equal(32, plugin.versions.read_only_memory_region.size)
  end)

  it("works as far as this host knows it; the rest is never called", function()
    assert.equal("from the future", assert(modfs.read "gen288:///any"))
    assert.equal("from the future", assert(modfs.map "gen288:///any"):sub(1))
    assert.is_true(fs:flush_caches())
    local count = 0
    for _ in pairs(fs:operations()) do
      count = count + 1
    end
    assert.equal(33, count)
  end)
end)
