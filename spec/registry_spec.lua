-- Which plugins and schemes there are, how a scheme is found, and whose status functions serve.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local modfs = require "modfs"

local shelf, binary

local function has(list, wanted)
  for _, value in ipairs(list) do
    if value == wanted then
      return true
    end
  end
  return false
end

setup(function()
  shelf = build.shelf()
  binary = build.compile("broken.so", "spec/fixtures/broken")
end)

teardown(function()
  shelf:remove()
end)

describe("from the start", function()
  it("there are plain paths, file and mem, and no more", function()
    local status, out, err = child [[
      local schemes = require "modfs".schemes()
      table.sort(schemes)
      for i, scheme in ipairs(schemes) do
        schemes[i] = ("%q"):format(scheme)
      end
      print(table.concat(schemes, " "))
    ]]
    assert.equal(0, status, err)
    assert.equal('"" "file" "mem"\n', out)
  end)
end)

describe("one file is one plugin", function()
  local path, plugin

  setup(function()
    path = shelf:put(binary, "good.one")
    plugin = assert(modfs.load(path))
  end)

  it("by the same name", function()
    local count = #modfs.plugins()
    assert.equal(plugin, modfs.load(path))
    assert.equal(count, #modfs.plugins())
  end)

  for how, link in pairs { ["a hard link"] = "ln", ["a symbolic link"] = "ln -s" } do
    it("by " .. how, function()
      shell.output(link, path, shelf.folder .. "/linked.so")
      assert.equal(plugin, modfs.load(shelf.folder .. "/linked.so"))
      os.remove(shelf.folder .. "/linked.so")
    end)
  end

  it("by a path with detours", function()
    local folder = shelf.folder:match "[^/]*$"
    assert.equal(plugin, modfs.load(shelf.folder .. "/./../" .. folder .. "//good.one.so"))
  end)

  it("by an open descriptor", function()
    local status, out, err = child(([[
      local modfs = require "modfs"
      local plugin = assert(modfs.load(%q))
      io.write(tostring(plugin == assert(modfs.load "/proc/self/fd/9")), " ", plugin.path)
    ]]):format(path), { before = "exec 9<" .. shell.quote(path) })
    assert.equal(0, status, err)
    assert.equal("true " .. path, out)
  end)

  it("but not by a copy: that is another file, and its scheme is taken", function()
    local place = build.shelf()
    local message = fails("ALREADY_EXISTS", modfs.load(place:put(binary, "good.one")))
    contains(message, '"good.one"')
    contains(message, path)
    place:remove()
  end)

  it("and not by another entry symbol", function()
    local plain = build.compile("plain.registry.so", "spec/fixtures/small/plain.c",
      { free = true, flags = [['-DHELPER_ANSWER="plain.registry"']] })
    local both = shelf:put(plain, "both")
    local first = assert(modfs.load(both))
    local second = assert(modfs.load(both, { symbol = "Other_InitPlugin" }))
    assert.are_not.equal(first, second)
    assert.same({ "plain.registry" }, first.schemes)
    assert.same({ "other.plain.registry" }, second.schemes)
    assert.equal(second, modfs.load(both, { symbol = "Other_InitPlugin" }))
  end)

  it("also when its file has gone in the meantime", function()
    local gone = shelf:put(binary, "good.gone")
    assert(modfs.load(gone))
    os.remove(gone)
    fails("NOT_FOUND", modfs.load(gone))
    assert.equal("0123456789abcdef", assert(modfs.read "good.gone://text"))
  end)
end)

describe("modfs.plugin_path", function()
  local before

  before_each(function()
    before = modfs.plugin_path
    modfs.plugin_path = shelf.folder .. "/?.so;" .. before
  end)

  after_each(function()
    modfs.plugin_path = before
  end)

  it("has the shipped folder from the start", function()
    contains(before, "/plugins/?.so")
  end)

  it("is looked through when a scheme is first used, not before", function()
    shelf:put(binary, "good.search")
    assert.is_false(has(modfs.schemes(), "good.search"))
    assert.equal("0123456789abcdef", assert(modfs.read "good.search://text"))
    assert.is_true(has(modfs.schemes(), "good.search"))
    assert.equal("good.search", assert(modfs.filesystem "good.search").scheme)
  end)

  it("serves modfs.filesystem, too", function()
    shelf:put(binary, "good.search.fs")
    assert.equal("good.search.fs", assert(modfs.filesystem "good.search.fs").scheme)
    shelf:put(binary, "good.search.uri")
    assert.equal("good.search.uri", assert(modfs.filesystem "good.search.uri://x").scheme)
  end)

  it("finds a plugin of several schemes under each, by a link", function()
    shelf:put(binary, "good.unrelated")
    local place = build.shelf()
    local path = place:put(binary, "schemes.two")
    shell.output("ln -s schemes.two.so", place:path "schemes.two.1")
    local status, out, err = child(([[
      local modfs = require "modfs"
      modfs.plugin_path = %q
      assert(modfs.read "schemes.two.1://text")
      assert(modfs.read "schemes.two://text")
      local plugins = modfs.plugins()
      io.write(plugins[#plugins].path, " ", #plugins)
    ]]):format(place.folder .. "/?.so"))
    assert.equal(0, status, err)
    assert.equal(path .. " 3", out)
    place:remove()
  end)

  it("may have several templates; the first file counts", function()
    local first, second = build.shelf(), build.shelf()
    second:put(binary, "good.templates")
    modfs.plugin_path = first.folder .. "/?.so;" .. second.folder .. "/?.so"
    assert(modfs.read "good.templates://text")
    first:put(binary, "memory.free")
    second:put(binary, "memory.free")
    contains(fails("FAILED_PRECONDITION", modfs.read "memory.free://text"), first.folder)
    first:remove()
    second:remove()
  end)

  it("with a plugin of another scheme: the message says so", function()
    local plain = build.compile("plain.mismatch.so", "spec/fixtures/small/plain.c",
      { free = true, flags = [['-DHELPER_ANSWER="plain.mismatch"']] })
    shelf:put(plain, "expected")
    local message = fails("UNIMPLEMENTED", modfs.read "expected://x")
    contains(message, "expected.so")
    contains(message, '"expected"')
  end)

  it("with a file that is distrusted: the message says so", function()
    shell.output("chmod 666", shelf:put(binary, "good.loose"))
    contains(fails("PERMISSION_DENIED", modfs.read "good.loose://text"), "good.loose.so")
  end)

  it("is listed by modfs.available", function()
    shelf:put(binary, "good.listed")
    local found
    for _, item in ipairs(modfs.available()) do
      if item.name == "good.listed" then
        found = item.path
      end
    end
    assert.equal(shelf:path "good.listed", found)
    assert.is_false(has(modfs.schemes(), "good.listed"))
  end)
end)

describe("an unknown scheme", function()
  it("is UNIMPLEMENTED; the message lists schemes, the nearest, and where it looked", function()
    local message = fails("UNIMPLEMENTED", modfs.open "men://a")
    local looked_for = modfs.plugin_path:match "[^;]*/plugins/" .. "men.so"
    for _, words in ipairs { "men://a", "mem", "file", "mem://?", looked_for } do
      contains(message, words)
    end
  end)

  it("is not likened to one that has little in common with it", function()
    for _, scheme in ipairs { "ftp", "smb", "xyz", "gopher" } do
      local message = fails("UNIMPLEMENTED", modfs.open(scheme .. "://a"))
      assert.is_nil(message:find("did you mean", 1, true), message)
    end
  end)

  it("in capital letters is said to need small ones", function()
    for scheme, small in pairs { MEM = "mem", File = "file", Men = "mem", FTP = "ftp" } do
      contains(fails("UNIMPLEMENTED", modfs.open(scheme .. "://a")),
        ("(schemes are lower case: %s://)"):format(small))
    end
  end)

  it("is no reason to look at names that are no scheme", function()
    fails("NOT_FOUND", modfs.open "a-b://c")
    fails("NOT_FOUND", modfs.open "../x://c")
  end)

  it("may be absurdly long", function()
    fails("UNIMPLEMENTED", modfs.open(("a"):rep(100000) .. "://x"))
    fails("UNIMPLEMENTED", modfs.open(("a"):rep(64) .. "://x"))
    fails("UNIMPLEMENTED", modfs.open(("a"):rep(63) .. "://x"))
  end)
end)

describe("the status functions", function()
  local standin, path

  setup(function()
    local source = "spec/fixtures/standin/standin"
    standin = build.compile("standin.so", source .. ".c " .. source .. ".map", { free = true,
      flags = "-Wl,-soname,libtensorflow_framework.so.2,--version-script=" .. source .. ".map" })
    path = shelf:put(binary, "good.standin")
  end)

  local function run(before)
    return child(([[
      local modfs = require "modfs"
      assert(modfs.load(%q))
      assert(modfs.write("mem://a", "text"))
      assert(modfs.read "mem://a" == "text")
      assert(modfs.read "good.standin://text" == "0123456789abcdef")
      local _, message, code = modfs.open "good.standin://missing"
      io.write(code, "|", message)
    ]]):format(path), { before = before })
  end

  local expected = "NOT_FOUND|NOT_FOUND: open good.standin://missing: no such file"

  it("are ours in a process without another library of that soname", function()
    local status, out, err = run()
    assert.equal(0, status, err)
    assert.equal(expected, out)
    assert.equal("", err)
  end)

  it("are those of the library that the process already holds, old as it may be", function()
    local status, out, err = run("export LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}"
      .. shell.quote(shell.output("realpath", standin)))
    assert.equal(0, status, err)
    assert.equal(expected, out)
    contains(err, "standin: made by core yes, set by core yes, set by plugins yes")
  end)

  it("are not those of a foreign library in LD_LIBRARY_PATH", function()
    local place = build.shelf()
    shell.output("cp", standin, place.folder .. "/libtensorflow_framework.so.2")
    local status, out, err = run("export LD_LIBRARY_PATH=" .. shell.quote(place.folder))
    place:remove()
    assert.equal(0, status, err)
    assert.equal(expected, out)
    assert.is_nil(err:find("standin", 1, true))
  end)
end)
