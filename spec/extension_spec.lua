-- Plugins with the whole extension, with half of it, with a broken one, and without any.
local build = require "spec.fixtures.build"
local fails = require "spec.support.fails"
local modfs = require "modfs"

local shelf, with, without

local function load(name)
  return assert(modfs.load(shelf:put(with, name)))
end

local function names_of(uri)
  local names = {}
  for name in modfs.dir(uri) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- next_entry gives the names as they are, get_children marks them.
local iterated = { "alpha", "beta", "gamma" }
local listed = { "alpha.listed", "beta.listed", "gamma.listed" }

setup(function()
  shelf = build.shelf()
  local source = "spec/fixtures/extension/extension.c"
  with = build.compile("extension.so", source)
  without = build.compile("extension.none.so", source, { flags = "-DWITHOUT_EXTENSION" })
end)

teardown(function()
  shelf:remove()
end)

describe("a plugin", function()
  it("with the whole extension tells who made it, and iterates", function()
    local plugin = load "extension.whole"
    assert.equal("A. Writer", plugin.author)
    assert.equal("1.2.3", plugin.version)
    assert.equal("https://example.invalid/", plugin.url)
    assert.same(iterated, names_of "extension.whole:///")
  end)

  it("without the symbol serves by TensorFlow's tables alone", function()
    local plugin = assert(modfs.load(shelf:put(without, "extension.none")))
    assert.is_nil(plugin.author)
    assert.is_nil(plugin.version)
    assert.is_nil(plugin.url)
    assert.same(listed, names_of "extension.none:///")
    assert.same(listed, modfs.listdir "extension.none:///")
    assert.is_true(modfs.isdir "extension.none:///")
  end)

  it("without a table for the scheme does the same", function()
    assert.is_nil(load("extension.null").author)
    assert.same(listed, names_of "extension.null:///")
  end)

  it("with half of it: what it has serves, the rest falls back", function()
    assert.equal("A. Writer", load("extension.half").author)
    assert.same(iterated, names_of "extension.half:///")
    fails("UNIMPLEMENTED", modfs.write("extension.half:///alpha", "x", { atomic = true }))
    fails("UNIMPLEMENTED",
      modfs.write("extension.half:///alpha", "x", { atomic = true, durable = false }))
    assert.equal(0, modfs.stat("extension.half:///alpha").length)
  end)

  it("tells by operations who fills each slot", function()
    local family = "open_subdirectory entry_attributes open_reader create_subdirectory"
      .. " delete_entry rename_entry copy_entry set_attributes create_link read_link"
      .. " set_writer_attributes stored_hash reader_attributes"
      .. " accept_interruption get_xattrs set_xattrs get_space accept_host presign"
      .. " next_entries copy_entry_keeping"
    local rows = {
      ["extension.whole"] = { default = "create_private_dir get_attributes", missing = family,
        plugin = "open_directory next_entry close_directory lstat abort_transaction open_writer" },
      ["extension.half"] = { plugin = "open_directory next_entry close_directory",
        default = "lstat create_private_dir open_writer get_attributes",
        missing = "abort_transaction " .. family },
      ["extension.short"] = { default = "open_directory next_entry close_directory lstat"
        .. " create_private_dir open_writer get_attributes",
        missing = "abort_transaction " .. family },
    }
    for name, origins in pairs(rows) do
      load(name)
      local expected = {}
      for origin, slots in pairs(origins) do
        for slot in slots:gmatch "%S+" do
          expected[slot] = origin
        end
      end
      local fs = modfs.filesystem(name .. ":///")
      assert.same(expected, fs:operations "extension")
      assert.same(fs:operations(), fs:operations "tables")
      assert.has_error(function()
        fs:operations "devices"
      end)
    end
  end)

  it("with a short table: slots behind its end are not there, whatever lies there", function()
    assert.equal("1.2.3", load("extension.short").version)
    assert.same(listed, names_of "extension.short:///")
  end)

  it("with a longer table than this host's: the rest is left alone", function()
    load "extension.long"
    assert.same(iterated, names_of "extension.long:///")
  end)
end)

describe("an extension is refused, and the plugin with it,", function()
  for name, row in pairs {
    ["extension.wild"] = { "INVALID_ARGUMENT", "extension" },
    ["extension.tiny"] = { "INVALID_ARGUMENT", "extension" },
    ["extension.torn"] = { "FAILED_PRECONDITION", "open_directory, but not close_directory" },
    ["extension.stray"] = { "FAILED_PRECONDITION", "next_entry, but not open_directory" },
    ["extension.begun"] = { "FAILED_PRECONDITION", "open_subdirectory, but not entry_attributes" },
    ["extension.short.by.one"] = { "FAILED_PRECONDITION", "open_subdirectory, but not copy_entry" },
    ["extension.lone"] = { "FAILED_PRECONDITION", "open_subdirectory, but not open_directory" },
    ["extension.unread"] = { "FAILED_PRECONDITION",
      "open_reader, but no random access file table" },
    ["extension.unwritten"] = { "FAILED_PRECONDITION", "open_writer, but no writable file table" },
    ["extension.keeping.lone"] = { "FAILED_PRECONDITION",
      "copy_entry_keeping, but not copy_entry" },
    ["extension.blocks.lone"] = { "FAILED_PRECONDITION", "next_entries, but not open_directory" },
    ["extension.heap"] = { "FAILED_PRECONDITION", "lstat" },
    ["extension.last"] = { "FAILED_PRECONDITION", "copy_entry_keeping" },
    ["extension.unopened"] = { "FAILED_PRECONDITION",
      "set_writer_attributes, but not open_writer" },
    ["extension.words"] = { "INVALID_ARGUMENT", "author" },
  } do
    it("when it is " .. name, function()
      local message = fails(row[1], modfs.load(shelf:put(with, name)))
      assert.is_truthy(message:find(row[2], 1, true), message)
      assert.is_truthy(message:find(shelf:path(name), 1, true), message)
      fails("UNIMPLEMENTED", modfs.stat(name .. ":///alpha"))
    end)
  end
end)

describe("an iteration", function()
  setup(function()
    load "extension.whole"
  end)

  it("of a file fails", function()
    assert.has_error(function()
      names_of "extension.whole:///alpha"
    end)
  end)

  it("with invalid names is a breach: the message names the plugin", function()
    for _, kind in ipairs { "up", "slash", "empty", "null" } do
      local name = "extension.name." .. kind
      load(name)
      local step = assert(modfs.dir(name .. ":///"))
      local ok, message = pcall(step)
      assert.is_false(ok)
      assert.is_truthy(message:find("INTERNAL: ", 1, true) == 1, message)
      assert.is_truthy(message:find(shelf:path(name), 1, true), message)
      fails("INTERNAL", modfs.walk(name .. ":///"))
    end
  end)

  it("that lists in blocks is listed so, by dir and at once", function()
    load "extension.blocks"
    assert.same(iterated, names_of "extension.blocks:///")
    assert.same(iterated, modfs.listdir "extension.blocks:///")
    load "extension.blocks.kinds"
    assert.same({ "a" }, modfs.listdir "extension.blocks.kinds:///")
    for _, entry in modfs.dir "extension.blocks.kinds:///" do
      assert.is_nil(entry)
    end
  end)

  it("with a block that cannot be one breaks its contract", function()
    for what, words in pairs {
      open = "does not end",
      slash = "with a slash",
      up = '"%.%."',
      empty = 'name ""',
      alone = 'name ""',
      long = "stored %d+ bytes in a block of",
    } do
      local uri = "extension.blocks." .. what .. ":///"
      load("extension.blocks." .. what)
      local message = fails("INTERNAL", modfs.listdir(uri))
      assert.is_truthy(message:find("next_entries.*" .. words), message)
      local ok, raised = pcall(function()
        for _ in modfs.dir(uri) do
          assert.is_true(what == "alone")
        end
      end)
      assert.is_false(ok)
      assert.is_truthy(raised:find("INTERNAL.*next_entries.*" .. words), raised)
    end
  end)

  it("with an invalid kind reports no kind", function()
    load "extension.kinds"
    local kinds = 0
    for _, entry in modfs.dir "extension.kinds:///" do
      kinds = kinds + (entry and 1 or 0)
    end
    assert.equal(0, kinds)
  end)

  it("with an lstat that no file can have breaks its contract, whoever asks", function()
    for _, what in ipairs { "kind", "length", "mode", "size" } do
      load("extension.lstat." .. what)
      local uri = "extension.lstat." .. what .. ":///alpha"
      for name, call in pairs {
        lstat = modfs.lstat,
        rmtree = modfs.rmtree,
        ["rmtree by steps"] = function()
          return modfs.rmtree(uri, { threads = 1 })
        end,
        du = modfs.du,
      } do
        local done, message = call(uri)
        local text = tostring(message)
        assert.is_falsy(done, name)
        local verb = what == "size" and "changed" or "returned"
        assert.is_truthy(text:find("lstat " .. verb, 1, true),
          name .. " " .. what .. ": " .. text)
        assert.is_truthy(text:find(shelf:path("extension.lstat." .. what), 1, true), text)
      end
    end
  end)

  it("with numbers in lstat that Lua cannot represent omits them", function()
    load "extension.lstat.large"
    local info = assert(modfs.lstat "extension.lstat.large:///alpha")
    assert.equal("file", info.kind)
    assert.is_nil(info.inode)
    assert.is_nil(info.links)
  end)

  it("without lstat is asked by stat", function()
    load "extension.half"
    local info = assert(modfs.lstat "extension.half:///alpha")
    assert.same({ "file", 0, false }, { info.kind, info.length, info.is_directory })
    assert.is_nil(info.inode)
    assert.equal("directory", modfs.lstat("extension.half:///").kind)
    fails("NOT_FOUND", modfs.lstat "extension.half:///none")
  end)

  it("without links says so, and names its scheme", function()
    load "extension.whole"
    local uri = "extension.whole:///alpha"
    for name, call in pairs {
      symlink = function() return modfs.symlink("beta", uri) end,
      readlink = function() return modfs.readlink(uri) end,
      chmod = function() return modfs.chmod(uri, 420) end,
      utime = function() return modfs.utime(uri, 0) end,
    } do
      local message = fails("UNIMPLEMENTED", call())
      assert.is_truthy(message:find(name .. " " .. uri .. ": extension.whole:// ", 1, true),
        message)
    end
    assert.is_false(modfs.islink(uri))
  end)

  it("with an invalid target of a link breaks its contract", function()
    for _, what in ipairs { "null", "long" } do
      load("extension.link." .. what)
      local uri = "extension.link." .. what .. ":///alpha"
      local message = fails("INTERNAL", modfs.readlink(uri))
      assert.is_truthy(message:find("read_link returned", 1, true), message)
      assert.is_truthy(message:find(shelf:path("extension.link." .. what), 1, true), message)
      message = fails("INTERNAL", modfs.hash(uri, "etag"))
      assert.is_truthy(message:find("stored_hash returned", 1, true), message)
    end
    load "extension.link.good"
    assert.equal("xxxx", modfs.readlink "extension.link.good:///alpha")
    assert.equal("xxxx", modfs.hash("extension.link.good:///alpha", "etag"))
  end)

  it("with a link at the end of all links breaks its contract", function()
    load "extension.link.end"
    local message = fails("INTERNAL", modfs.stat "extension.link.end:///alpha")
    assert.is_truthy(message:find("get_attributes returned", 1, true), message)
  end)

  it("that fails on its way raises what the plugin says", function()
    load "extension.breaks"
    local step = assert(modfs.dir "extension.breaks:///")
    assert.equal("alpha", (step()))
    local ok, message = pcall(step)
    assert.is_false(ok)
    assert.is_truthy(message:find("UNAVAILABLE: dir extension.breaks:///: the rest", 1, true),
      message)
    assert.is_false((pcall(step)))
  end)

  it("may be left early", function()
    local seen = 0
    for _ in modfs.dir "extension.whole:///" do
      seen = seen + 1
      if seen == 2 then
        break
      end
    end
    assert.equal(2, seen)
    assert.same(iterated, names_of "extension.whole:///")
  end)
end)
