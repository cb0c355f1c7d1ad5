-- One failing plugin for each way to fail: each gives its error, none a signal.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"

local shelf, binary

local function put(name)
  return shelf:put(binary, name)
end

-- What is loaded and registered, as text.
local function registered()
  local names = {}
  for _, plugin in ipairs(modfs.plugins()) do
    names[#names + 1] = plugin.path
  end
  return table.concat(modfs.schemes(), " ") .. "\n" .. table.concat(names, "\n")
end

setup(function()
  binary = build.compile("broken.so", "spec/fixtures/broken")
  shelf = build.shelf()
end)

teardown(function() shelf:remove() end)

describe("the plugin that the broken ones are made from", function()
  it("works without a fault", function()
    local plugin = assert(modfs.load(put "good"))
    assert.same({ "good" }, plugin.schemes)
    assert.equal("0123456789abcdef", assert(modfs.read "good://text"))
    assert.equal("", assert(modfs.read "good://empty"))
    assert.same({ "dir", "empty", "notes", "text" }, assert(modfs.listdir "good://"))
    assert.equal(16, modfs.stat("good://text").length)
    assert.equal(16, #assert(modfs.map "good://text"))
    local w = assert(modfs.open("good://new", "w"))
    w:write("four")
    assert.equal(4, w:tell())
    assert.is_true(w:close())
    fails("NOT_FOUND", modfs.open "good://missing")
  end)

  it("is refused under a name that is not a fault", function()
    fails("INVALID_ARGUMENT", modfs.load(put "misspelt.fault"))
  end)
end)

describe("a plugin is refused for", function()
  for _, row in ipairs(require "spec.fixtures.broken.refused") do
    local name, code, fragment = row[1], row[2], row[3]
    it(name, function()
      local path, before = put(name), registered()
      local message = fails(code, modfs.load(path))
      contains(message, "load " .. path)
      contains(message, fragment)
      assert.equal(before, registered())
      assert.equal(message, fails(code, modfs.load(path)), "another answer the second time")
    end)
  end

  it("a second scheme that does not start; the first is taken back, and loading again may work",
    function()
      local path, before = put "init.second", registered()
      contains(fails("UNAVAILABLE", modfs.load(path)), "not yet")
      assert.equal(before, registered())
      fails("UNIMPLEMENTED", modfs.read "init.second://notes")
      assert.same({ "init.second", "init.second.1" }, assert(modfs.load(path)).schemes)
      assert.equal("cleanups 1\n", assert(modfs.read "init.second.1://notes"))
    end)
end)

describe("a plugin is not refused for", function()
  for _, name in ipairs { "schemes.two", "scheme.page", "tables.unused", "size.16",
    "size.lies.over", "reader.read.null", "writer.slots.null" } do
    it(name, function()
      assert.equal(name, assert(modfs.load(put(name))).schemes[1])
    end)
  end

  it("operations that it leaves out: they are UNIMPLEMENTED", function()
    for _, name in ipairs { "tables.unused", "size.16", "reader.read.null", "writer.slots.null" } do
      assert(modfs.load(put(name)))
    end
    fails("UNIMPLEMENTED", modfs.read "tables.unused://text")
    fails("UNIMPLEMENTED", modfs.stat "size.16://text")
    fails("UNIMPLEMENTED", modfs.read "reader.read.null://text")
    local w = assert(modfs.open("writer.slots.null://new", "w"))
    fails("UNIMPLEMENTED", w:tell())
    fails("UNIMPLEMENTED", w:close())
  end)

  for name, tells in pairs {
    ["api.filesystem"] = "API 1",
    ["api.reader"] = "API 7",
    ["api.writer"] = "API 1",
    ["api.region"] = "API 1",
  } do
    it(name .. ", but it warns of it, once", function()
      local path = put(name)
      local status, out, err = child(([[
        if warn then warn("@on") end
        local modfs = require "modfs"
        local plugin = assert(modfs.load(%q))
        assert(modfs.load(%q) == plugin)
        io.write(assert(modfs.read("%s://text")))
      ]]):format(path, path, name))
      assert.equal(0, status, err)
      assert.equal("0123456789abcdef", out)
      contains(err, tells)
      contains(err, name)
      local _, count = err:gsub("API %d, ", "")
      assert.equal(1, count, err)
    end)
  end
end)

-- Each call gets the filesystem and the URI of a file that there is.
local calls = {
  pread = function(_, uri) return assert(modfs.open(uri)):pread(0, 4) end,
  read_all = function(_, uri) return modfs.read(uri) end,
  map = function(_, uri) return modfs.map(uri) end,
  tell = function(_, uri) return assert(modfs.open(uri, "w")):tell() end,
  write = function(_, uri)
    local writable = assert(modfs.open(uri, "w"))
    assert(writable:write "data")
    return writable:close()
  end,
  stat = function(_, uri) return modfs.stat(uri) end,
  size = function(_, uri) return modfs.size(uri) end,
  exist = function(fs, uri) return fs:paths_exist { uri } end,
  delete = function(fs, uri) return fs:delete_recursively(uri) end,
  rmtree = function(_, uri) return modfs.rmtree(uri) end,
  translate = function(fs, uri) return fs:translate_name(uri) end,
  list = function(fs) return fs:get_children "" end,
  listdir = function(fs) return modfs.listdir(fs.scheme .. "://") end,
  glob = function(fs, uri) return fs:get_matching_paths(uri .. "*") end,
  options = function(fs) return fs:get_filesystem_configuration() end,
  option = function(fs) return fs:get_filesystem_configuration_option "any" end,
  config = function(fs) return modfs.config(fs.scheme) end,
  start = function(fs) return fs:start_transaction() end,
  commit = function(fs) return assert(fs:start_transaction()):commit() end,
  decode = function(fs)
    local transaction = assert(fs:start_transaction())
    local results = { fs:decode_transaction_token(transaction) }
    assert.is_string(tostring(transaction))
    assert(transaction:commit())
    return (table.unpack or unpack)(results, 1, 3)
  end,
}

-- a family of faults, which of it, and the calls that meet them
local breaches = {
  { "read", "more huge minus none short end.more", "pread", "read_all" },
  { "read", "end.full", "pread" },
  { "tell", "minus", "tell" },
  { "region", "none wild absurd beyond", "map" },
  { "stat", "negative", "stat", "size" },
  { "size", "minus", "size" },
  { "exist", "lie", "exist" },
  { "left", "absurd", "delete", "rmtree" },
  { "translate", "null", "read_all", "stat", "translate", "list", "size" },
  { "children", "negative negative.filled null null.entry wild over wild.entry endless.entry huge",
    "list", "listdir" },
  { "matching", "negative null null.entry wild over wild.entry endless.entry huge", "glob" },
  { "configuration", "negative null tag name value values values.negative buffer buffer.negative "
    .. "short values.short buffer.short", "options", "config", "option" },
  { "configuration", "none", "option" },
  { "transaction", "start.minus", "start" },
  { "transaction", "end.minus", "commit" },
  { "transaction", "decode.null", "decode" },
}

local function load_fault(name)
  local path = put(name)
  assert(modfs.load(path))
  return assert(modfs.filesystem(name)), name .. "://text", path
end

describe("a breach is INTERNAL and names the plugin:", function()
  for _, row in ipairs(breaches) do
    for fault in row[2]:gmatch "%S+" do
      local name = row[1] .. "." .. fault
      it(name .. " in " .. table.concat(row, ", ", 3), function()
        local fs, uri, path = load_fault(name)
        for i = 3, #row do
          contains(fails("INTERNAL", calls[row[i]](fs, uri)), path)
        end
      end)
    end
  end
end)

describe("a plugin's message is shown in one line:", function()
  -- name of the fault, call, code, and what stays of the message
  for _, row in ipairs {
    { "read.escape", "pread", "DATA_LOSS", [[red \x1b[31m\x0d\x0asecond line\x09tab \x7f]] },
    { "read.shout", "pread", "DATA_LOSS", "xxxxxxxx" },
    { "read.error.bytes", "pread", "DATA_LOSS", "bad block" },
    { "read.code.99", "pread", "UNKNOWN", "99" },
    { "read.code.minus", "pread", "UNKNOWN", "-5" },
    { "append.code.99", "write", "UNKNOWN", "99" },
    { "append.full", "write", "RESOURCE_EXHAUSTED", "disk full" },
    { "open.escape", "read_all", "NOT_FOUND", [[gone\x0aNOT_FOUND: open forged: line]] },
    { "children.failing", "list", "UNAVAILABLE", "later" },
    { "children.failing.filled", "list", "UNAVAILABLE", "later" },
  } do
    it(row[1], function()
      local fs, uri = load_fault(row[1])
      contains(fails(row[3], calls[row[2]](fs, uri)), row[4])
    end)
  end
end)

describe("a read that fails halfway", function()
  it("leaves no half copy, and the old content where a file is replaced in one step", function()
    local _, uri = load_fault "read.error.bytes"
    fails("DATA_LOSS", modfs.copy(uri, "mem://broken.copy"))
    assert.is_false(modfs.exists "mem://broken.copy")
    assert(modfs.write("mem://broken.copy", "old"))
    fails("DATA_LOSS", modfs.copy(uri, "mem://broken.copy"))
    assert.equal("old", modfs.read "mem://broken.copy")
    fails("DATA_LOSS", modfs.rename(uri, "mem://broken.copy"))
    assert.equal("old", modfs.read "mem://broken.copy")
    assert(modfs.remove "mem://broken.copy")
  end)
end)

describe("legal, although it looks odd:", function()
  it("a handle that is NULL", function()
    local _, uri = load_fault "handle.null"
    assert.equal("nnnn", assert(modfs.read(uri)))
    assert.equal("0123456789abcdef", assert(modfs.map(uri)):sub(1))
    local w = assert(modfs.open(uri, "a"))
    assert(w:write "data")
    assert.is_true(w:flush())
    assert.equal(4, w:tell())
    assert.is_true(w:close())
  end)

  it("a region whose length grows: what was there at first counts", function()
    local _, uri = load_fault "region.growing"
    local region = assert(modfs.map(uri))
    assert.equal(16, #region)
    assert.equal("0123456789abcdef", region:sub(1))
    assert.equal(16, #region:slice(1))
  end)

  it("a bool that is neither 0 nor 1", function()
    local _, uri = load_fault "stat.bool"
    assert.is_true(assert(modfs.stat(uri)).is_directory)
  end)

  it("a directory of length -1", function()
    local _, uri = load_fault "stat.directory"
    local stat = assert(modfs.stat(uri))
    assert.same({ true, 0 }, { stat.is_directory, stat.length })
  end)

  it("is not asked to copy or rename onto a directory, or a file onto itself", function()
    local _, uri = load_fault "copy.any"
    for _, move in ipairs { modfs.copy, modfs.rename } do
      assert(move(uri, "copy.any://new"))
      fails("FAILED_PRECONDITION", move(uri, "copy.any://dir"))
      assert.is_true(move(uri, uri))
      fails("NOT_FOUND", move("copy.any://none", "copy.any://none"))
    end
  end)

  it("both ways to say that a file is no directory", function()
    for _, name in ipairs { "directory.no", "directory.no.coded" } do
      local fs, uri = load_fault(name)
      assert.is_false(modfs.isdir(uri))
      assert.is_false(fs:is_directory(uri))
    end
  end)

  it("no stat: is_directory tells what a directory is", function()
    load_fault "without.stat"
    assert.is_true(modfs.isdir "without.stat://dir")
    assert.is_true(modfs.isfile "without.stat://text")
    assert.is_false(modfs.isfile "without.stat://dir")
    assert.is_false(modfs.isfile "without.stat://none")
    local _, dirs, files = modfs.walk "without.stat://"()
    assert.same({ "dir" }, dirs)
    assert.same({ "empty", "notes", "text" }, files)
  end)

  it("neither path_exists nor is_directory: stat tells", function()
    local fs = load_fault "without.questions"
    assert.is_true(modfs.isdir "without.questions://dir")
    assert.is_false(fs:is_directory "without.questions://text")
    local counts = assert(modfs.du "without.questions://")
    assert.same({ 2, 3 }, { counts.dirs, counts.files })
    fs = load_fault "without.path.exists"
    assert.is_false(fs:is_directory "without.path.exists://text")
  end)

  it("names with paths, slashes and dots: they come bare, and the dots not at all", function()
    local fs = load_fault "children.odd"
    assert.same({ "plain", "slash", "b", "c", "..hidden" }, assert(fs:get_children ""))
    assert.same({ "..hidden", "b", "c", "plain", "slash" }, modfs.listdir "children.odd://")
  end)

  it("matches in the spelling of the plugin", function()
    local fs, uri = load_fault "matching.paths"
    assert.same({ "x/../../etc", "plain" }, assert(fs:get_matching_paths(uri)))
  end)

  it("invalid codes among the answers of paths_exist", function()
    local fs, uri = load_fault "exist.code.99"
    assert.same({ "UNKNOWN" }, select(2, fs:paths_exist { uri }))
  end)

  it("a transaction whose token is NULL", function()
    local fs = load_fault "transaction.null"
    local transaction = assert(fs:start_transaction())
    contains(tostring(transaction), "the only one")
    assert.is_true(transaction:commit())
  end)
end)
