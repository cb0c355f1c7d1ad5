-- What every message begins with: the code, the operation as the caller knows it, and the path.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local modfs = require "modfs"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local none, other = "mem://messages/none", "mem://messages/other"

describe("operations on trees:", function()
  local calls = {
    du = function(path) return modfs.du(path) end,
    copytree = function(path) return modfs.copytree(path, other) end,
    sync = function(path) return modfs.sync(path, other) end,
    rmtree = function(path) return modfs.rmtree(path, { threads = 1 }) end,
  }

  it("a failure names the function that was called", function()
    for name, call in pairs(calls) do
      contains(fails("UNIMPLEMENTED", call "nobody://a"), ": " .. name .. " nobody://a: ")
      contains(fails("INVALID_ARGUMENT", call "a\0b"),
        (": %s a: embedded NUL after byte 1 of argument #1"):format(name))
    end
    contains(fails("INVALID_ARGUMENT", modfs.sync(none, "a\0b")),
      ": sync a: embedded NUL after byte 1 of argument #2")
  end)

  it("a mistake is told where it was made, and of which argument", function()
    local wrong = { threads = 0 }
    for message, call in pairs {
      ["bad argument #1 to 'du' (string"] = function() modfs.du({}) end,
      ["bad argument #2 to 'du' (option"] = function() modfs.du(none, wrong) end,
      ["bad argument #2 to 'sync' (string"] = function() modfs.sync(none) end,
      ["bad argument #3 to 'copytree' (option"] = function() modfs.copytree(none, other, wrong) end,
      ["bad argument #1 to 'rmtree' (string"] = function() modfs.rmtree(nil, {}) end,
      ["bad argument #2 to 'rmtree' (option"] = function() modfs.rmtree(none, wrong) end,
      ["bad argument #1 to 'rmtree' ("] = function() modfs.rmtree() end,
    } do
      local _, told = pcall(call)
      contains(told, "messages_spec.lua:")
      contains(told, ": " .. message)
    end
  end)

  it("rmtree gives five values for each failure", function()
    for path, expected in pairs { ["a\0b"] = "INVALID_ARGUMENT", ["nobody://a"] = "UNIMPLEMENTED",
      [none] = "NOT_FOUND" } do
      for _, options in ipairs { false, { threads = 1 } } do
        local result, message, code, files, dirs = modfs.rmtree(path, options or nil)
        fails(expected, result, message, code)
        assert.same({ 0, 1 }, { files, dirs })
      end
    end
    assert.same({ 0, 1 }, { select(4, modfs.filesystem("mem"):delete_recursively "x\0y") })
  end)
end)

it("an offset, a count or a position out of range is told with the file's name", function()
  local path = "mem://told"
  assert(modfs.write(path, "content"))
  local file, buffer = assert(modfs.open(path)), modfs.buffer(4)
  for _, call in ipairs {
    { "read", -1 }, { "read", "l", -1 }, { "lines", -1 }, { "pread", -1, 1 }, { "pread", 0, -1 },
    { "readinto", buffer, -1 }, { "readinto", buffer, 0, -1 }, { "readinto", buffer, 0, 5 },
    { "readinto", buffer, 0, 1, 9 }, { "seek", "set", -1 },
  } do
    local message = fails("INVALID_ARGUMENT",
      file[call[1]](file, call[2], call[3], call[4], call[5]))
    contains(message, ("INVALID_ARGUMENT: %s %s: "):format(call[1], path))
  end
  local _, message = pcall(modfs.lines, path, -1)
  contains(message, ("lines %s: count -1"):format(path))
  file:close()
end)

it("a listing and a name are told as the functions that were called", function()
  contains(fails("NOT_FOUND", modfs.dir(none)), "NOT_FOUND: dir " .. none .. ": ")
  contains(fails("UNIMPLEMENTED", modfs.tempname "nobody://a/"), ": tempname nobody://a/")
  contains(fails("INVALID_ARGUMENT", modfs.tempname("a\0", ".txt")), ": tempname ")
end)

it("an unknown scheme is told with those that are known, whatever was found for it", function()
  for _, path in ipairs { "nobody://x", "null://x", ("n"):rep(64) .. "://x" } do
    local message = fails("UNIMPLEMENTED", modfs.read(path))
    contains(message, ": read " .. path .. ": ")
    contains(message, '; registered: "", file, ')
  end
end)

describe("a path that a plugin says stands in the message once:", function()
  -- How often text has name.
  local function count(text, name)
    return select(2, text:gsub((name:gsub("%p", "%%%0")), ""))
  end

  local name = "nothing-here"

  -- Each function that fails where nothing is, by the paths it takes.
  local one = { "open", "read", "size", "stat", "remove", "rmdir", "rmtree", "listdir", "dir",
    "map", "du" }
  local two = { "copy", "rename", "copytree", "sync" }
  local slots = { "new_random_access_file", "new_read_only_memory_region_from_file", "delete_file",
    "delete_dir", "delete_recursively", "path_exists", "stat", "is_directory", "get_file_size",
    "get_children" }

  -- The same path in each way to write it.
  local ways = {
    mem = { "mem://messages/", "mem:///messages/", "mem://messages//", "mem://messages/./",
      "mem://messages/x/../" },
    file = { "/messages/", "//messages//", "/messages/x/../", "file:///messages/",
      "file://localhost/messages/", "messages/", "./messages/", "messages/.//", "../" },
  }

  local function check(path, wanted, ok, message)
    assert.is_falsy(ok)
    assert.equal("string", type(message))
    assert.equal(wanted, count(message, name), message)
    assert.truthy(message:find(path .. ": ", 1, true) or message:find(path .. " to ", 1, true),
      message)
  end

  for scheme, starts in pairs(ways) do
    it(scheme, function()
      for _, start in ipairs(starts) do
        local path = start .. name
        for _, verb in ipairs(one) do
          check(path, 1, modfs[verb](path))
        end
        for _, verb in ipairs(two) do
          local ok, message = modfs[verb](path, path .. "2")
          check(path, message:find(" to ", 1, true) and 2 or 1, ok, message)
        end
        local fs = modfs.filesystem(path:match "^(%a+)://" or "")
        for _, slot in ipairs(slots) do
          check(path, 1, fs[slot](fs, path))
        end
        local below = path .. "/below"
        check(below, 1, modfs.open(below, "w"))
        check(below, 1, modfs.write(below, "x", { atomic = true }))
      end
    end)
  end

  it("whatever form it has, and nothing else is taken away", function()
    local shelf = build.shelf()
    finally(function() shelf:remove() end)
    local binary = build.compile("talker.so", "spec/fixtures/small/talker.c")
    assert(modfs.load(shelf:put(binary, "talker")))
    local fs = modfs.filesystem "talker"
    for form, rest in pairs {
      whole = "gone", bare = "gone", cut = "gone", temporary = "gone",
      longer = "talker://longer/a: b?cer: gone", other = "talker://else/where: gone",
      alone = "talker://alone/a: b?c",
    } do
      local path = ("talker://%s/a: b?c"):format(form)
      assert.equal(("NOT_FOUND: path_exists %s: %s"):format(path, rest),
        (select(2, fs:path_exists(path))))
    end
  end)
end)

describe("a scheme or platform without a plugin", function()
  local place

  -- What the search says whose plugin path has the file NAME.missing with this text; nil: no file.
  local function searched(name, text)
    if text then
      tmpdir.write(place .. "/" .. name .. ".missing", text)
    end
    local status, out, err = child(([[
      local modfs = require "modfs"
      modfs.plugin_path = "/nowhere/?.so;%s/?.so"
      print((select(2, modfs.read "%s://bucket/key")))
      print((select(2, modfs.device "%s:0")))
    ]]):format(place, name, name))
    assert.equal(0, status, err)
    return out:match "^(.-)\n(.*)$"
  end

  before_each(function() place = tmpdir.new() end)
  after_each(function() tmpdir.remove(place) end)

  it("is explained by the file that stands for the plugin", function()
    for _, message in ipairs { searched("distant", "its plugin needs libdistant-dev\nmore\n") } do
      contains(message, "; its plugin needs libdistant-dev; searched for a plugin in ")
    end
  end)

  it("is not explained without one: the control", function()
    for _, message in ipairs { searched "distant" } do
      contains(message, "distant")
      assert.is_nil(message:find("its plugin", 1, true))
    end
  end)

  it("is explained in one short line of letters, whatever the file has", function()
    local line = searched("distant", "a\27[31m\255\0 b" .. ("x"):rep(10000))
    contains(line, "; a?[31m?; searched for a plugin in")
    line = searched("distant", ("x"):rep(10000))
    contains(line, "; " .. ("x"):rep(255) .. "; searched for a plugin in")
    contains(searched("distant", ""), "; searched for a plugin in")
    shell.output("rm -f " .. place .. "/distant.missing && mkfifo", place .. "/distant.missing")
    contains(searched "distant", "; searched for a plugin in")
    shell.output("rm -f " .. place .. "/distant.missing && mkdir", place .. "/distant.missing")
    contains(searched "distant", "; searched for a plugin in")
  end)
end)
