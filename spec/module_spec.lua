local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local tmpdir = require "spec.support.tmpdir"

local codes = {
  OK = 0, CANCELLED = 1, UNKNOWN = 2, INVALID_ARGUMENT = 3, DEADLINE_EXCEEDED = 4, NOT_FOUND = 5,
  ALREADY_EXISTS = 6, PERMISSION_DENIED = 7, RESOURCE_EXHAUSTED = 8, FAILED_PRECONDITION = 9,
  ABORTED = 10, OUT_OF_RANGE = 11, UNIMPLEMENTED = 12, INTERNAL = 13, UNAVAILABLE = 14,
  DATA_LOSS = 15, UNAUTHENTICATED = 16,
}

describe("require 'modfs'", function()
  it("sets no global and gives one table", function()
    local status, out, err = child "spec/children/globals.lua"
    assert.same({ 0, "", "" }, { status, out, err })
  end)

  it("loads no drop-in, which costs time at each start of the command", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      assert(modfs.with(assert(modfs.open("mem://a_file", "w")), function(file)
        return file:write "text"
      end))
      for name in pairs(package.loaded) do
        if name:find "^modfs%.io" or name:find "^modfs%.lfs" then print(name) end
      end
    ]]
    assert.same({ 0, "", "" }, { status, out, err })
  end)

  it("can be done again after its table was dropped", function()
    local status, out, err = child [[
      local first = require "modfs"
      local file = assert(first.open("mem://a_file", "w"))
      for name in pairs(package.loaded) do
        if name:find "^modfs" then package.loaded[name] = nil end
      end
      local second = require "modfs"
      print(second.type(file), second.exists "mem://a_file")
      print(second.write("mem://other", "test"), first.read "mem://other")
    ]]
    assert.same({ 0, "writable file\ttrue\ntrue\ttest\n", "" }, { status, out, err })
  end)

  it("can be done again for all that is said in Lua", function()
    local status, out, err = child [[
      for round = 1, 3 do
        local modfs = require "modfs"
        local calls, from, to = 0, "mem://from" .. round, "mem://to" .. round
        assert(modfs.makedirs(from) and modfs.write(from .. "/a", "text"))
        local progress = function() calls = calls + 1 end
        assert(modfs.copytree(from, to, { progress = progress }).files == 1)
        assert(modfs.sync(from, to, { progress = progress }).kept == 1)
        assert(modfs.du(to, {}).bytes == 4)
        assert(modfs.rmtree(to, { progress = progress }) and calls > 2)
        assert(modfs.load(modfs.plugin_path:match "^[^;]*/" .. "reference.so"))
        assert(#modfs.available() > 0 and #modfs.platforms() > 0 and #modfs.devices() > 0)
        for name in pairs(package.loaded) do
          if name:find "^modfs" then package.loaded[name] = nil end
        end
      end
    ]]
    assert.same({ 0, "", "" }, { status, out, err })
  end)

  it("has each function of the modules in Lua that it is made of", function()
    for topic, count in pairs { with = 1, plugins = 2, tree = 4, temporary = 2, chunk = 2,
      devices = 2 } do
      for name in pairs(require("modfs." .. topic)) do
        assert.equal("function", type(rawget(modfs, name)), name)
        count = count - 1
      end
      assert.equal(0, count, topic)
    end
  end)

  it("needs no file of its own again for what is said in Lua", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      package.path = ""
      assert(modfs.makedirs "mem://a" and modfs.write("mem://a/b", "return 7"))
      assert(modfs.copytree("mem://a", "mem://c").files == 1)
      assert(modfs.tempname "mem://d/" and modfs.dofile "mem://c/b" == 7)
      assert(#modfs.available() > 0 and #modfs.platforms() > 0)
      assert(modfs.with(assert(modfs.open "mem://a/b"), function() return true end))
    ]]
    assert.same({ 0, "", "" }, { status, out, err })
  end)

  it("has the modules of the core in each Lua state, also after they were dropped", function()
    local status, out, err = child "spec/children/core_modules.lua"
    assert.same({ 0, "function\nfunction\n", "" }, { status, out, err })
  end)

  it("leaves locale, standard streams and string methods alone", function()
    local status, out, err = child [[
      local locale, methods = os.setlocale(), {}
      for name, value in pairs(string) do methods[name] = value end
      require "modfs"
      print(os.setlocale() == locale)
      for name, value in pairs(string) do assert(methods[name] == value, name) end
    ]]
    assert.same({ 0, "true\n", "" }, { status, out, err })
  end)

  it("has the modules beside it as fields, loaded when they are asked for", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      assert(package.loaded["modfs.lfs"] == nil)
      for _, name in ipairs { "check", "codec", "io", "lfs", "searcher" } do
        assert(modfs[name] == require("modfs." .. name), name)
      end
      assert(modfs.nothing == nil)
    ]]
    assert.same({ 0, "", "" }, { status, out, err })
  end)

  it("has the 17 codes", function()
    assert.same(codes, modfs.codes)
  end)
end)

describe("an unknown scheme", function()
  local calls = {
    open = {}, read = {}, write = { "x" }, map = {}, exists = {}, isdir = {}, isfile = {},
    append = { "x" }, stat = {}, size = {},
    mkdir = {}, makedirs = {}, remove = {}, rmdir = {}, rmtree = {}, rename = { "mem://x" },
    copy = { "mem://x" }, listdir = {}, glob = {}, filesystem = {},
  }

  it("is UNIMPLEMENTED for every function", function()
    for name, more in pairs(calls) do
      local message = fails("UNIMPLEMENTED", modfs[name]("nosuch://a/b", more[1]))
      assert.is_truthy(message:find("nosuch", 1, true), name .. ": " .. message)
    end
    for _, name in ipairs { "rename", "copy" } do
      assert.is_true(modfs.write("mem://src", "test"))
      fails("UNIMPLEMENTED", modfs[name]("mem://src", "nosuch://a"))
      assert.equal("test", modfs.read "mem://src")
    end
    assert.is_true(modfs.remove "mem://src")
    assert.error_matches(function() modfs.lines "nosuch://a" end, "UNIMPLEMENTED")
  end)

  it("says so where the plugin path is no string", function()
    local saved = modfs.plugin_path
    finally(function() modfs.plugin_path = saved end)
    for _, wrong in ipairs { 5, false, {} } do
      modfs.plugin_path = wrong
      for _, call in ipairs { modfs.available, function() modfs.read "nobody://x" end } do
        assert.error_matches(call, "modfs.plugin_path: string expected, got " .. type(wrong))
      end
    end
  end)
end)

describe("modfs.exists of a list", function()
  it("answers for each path, across filesystems", function()
    assert.is_true(modfs.write("mem://a_file", "test"))
    finally(function() modfs.remove "mem://a_file" end)
    assert.same({ true, { "OK", "OK", "OK" } },
      { modfs.exists { "mem://a_file", "/", "file:///" } })
    assert.same({ false, { "OK", "NOT_FOUND", "UNIMPLEMENTED", "FAILED_PRECONDITION", "OK" } },
      { modfs.exists { "/", "mem://none", "nosuch://x", "mem://a_file/x", "mem://a_file" } })
    assert.same({ true, {} }, { modfs.exists {} })
  end)

  it("answers INVALID_ARGUMENT for a path with NUL, and raises for what is none", function()
    local all, answers, code = modfs.exists { "/", "a\0b" }
    if all == nil then
      fails("INVALID_ARGUMENT", all, answers, code)
    else
      assert.same({ false, { "OK", "INVALID_ARGUMENT" } }, { all, answers })
    end
    for _, bad in ipairs { {}, true, print } do
      assert.has_error(function() modfs.exists { "/", bad } end)
    end
  end)
end)

describe("the registry", function()
  it("gives its plugins as objects", function()
    for _, plugin in ipairs(modfs.plugins()) do
      assert.equal("plugin", modfs.type(plugin))
    end
  end)

  it("flushes all caches", function()
    assert.is_true(modfs.flush_caches())
  end)
end)

describe("across filesystems", function()
  local root, other

  before_each(function()
    root, other = tmpdir.new(), "mem://across"
    assert.is_true(modfs.mkdir(other))
  end)
  after_each(function()
    tmpdir.remove(root)
    modfs.rmtree(other)
  end)

  it("a failure leaves both sides as they were", function()
    assert.is_true(modfs.write(root .. "/src", "test"))
    assert.is_true(modfs.mkdir(other .. "/dir"))
    assert.is_true(modfs.write(other .. "/dst", "old"))
    for _, name in ipairs { "copy", "rename" } do
      fails("FAILED_PRECONDITION", modfs[name](root .. "/src", other .. "/dir"))
      fails("NOT_FOUND", modfs[name](root .. "/src", other .. "/none/dst"))
      fails("FAILED_PRECONDITION", modfs[name](root .. "/src", other .. "/dst/x"))
      fails("NOT_FOUND", modfs[name](root .. "/none", other .. "/dst"))
      fails("FAILED_PRECONDITION", modfs[name](root, other .. "/dst"))
    end
    assert.equal("test", modfs.read(root .. "/src"))
    assert.equal("old", modfs.read(other .. "/dst"))
    assert.same({ "dir", "dst" }, modfs.listdir(other))
    assert.same({}, modfs.listdir(other .. "/dir"))
  end)

  it("onto itself by another scheme: nothing changes", function()
    local path = root .. "/a_file"
    assert.is_true(modfs.write(path, "test"))
    local before = modfs.stat(path)
    for _, name in ipairs { "copy", "rename" } do
      assert.is_true(modfs[name](path, "file://" .. path))
      assert.is_true(modfs[name]("file://localhost" .. path, root .. "/./a_file"))
      assert.equal("test", tmpdir.content(path))
      assert.same(before, modfs.stat(path))
    end
  end)

  it("copies what has no size", function()
    assert.is_true(modfs.copy("/proc/version", other .. "/version"))
    assert.equal(tmpdir.content "/proc/version", modfs.read(other .. "/version"))
    assert.is_true(modfs.copy("/proc/version", root .. "/version"))
    assert.equal(tmpdir.content "/proc/version", tmpdir.content(root .. "/version"))
  end)
end)

describe("modfs.type", function()
  it("is nil for everything else", function()
    local thread = coroutine.create(function() end)
    for _, value in ipairs { 1, "x", {}, print, true, io.stdout, thread } do
      assert.is_nil(modfs.type(value))
    end
    assert.is_nil(modfs.type(nil))
  end)
end)
