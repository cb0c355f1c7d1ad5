-- require, loadfile and dofile from any path, beside Lua's own of the same files on disk.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local searcher = require "modfs.searcher"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local setfenv = rawget(_G, "setfenv")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local searchers = package.searchers or package.loaders -- luacheck: ignore 143

-- Compiled, with a text that its constants keep legible.
local bytecode = string.dump(assert((loadstring or load) "return 'from bytecode'")) -- luacheck: ignore

describe("modfs.loadfile", function()
  local folder
  before_each(function()
    folder = tmpdir.new()
    assert(modfs.makedirs "mem://chunks")
  end)
  after_each(function()
    tmpdir.remove(folder)
    assert(modfs.rmtree "mem://chunks")
  end)

  -- The same content as a file on disk and in memory; returns both paths.
  local function store(content)
    tmpdir.write(folder .. "/f.lua", content)
    assert(modfs.write("mem://chunks/f.lua", content))
    return folder .. "/f.lua", "mem://chunks/f.lua"
  end

  for what, content in pairs {
    ["a plain chunk"] = "return 1, 'two', ...",
    ["an empty file"] = "",
    ["a first line with #"] = "#!/usr/bin/lua\nreturn debug.getinfo(1, 'l').currentline",
    ["nothing but a first line"] = "# only this",
    ["a comment, not a shebang, second"] = "return 5 --#\n",
    ["Windows newlines"] = "#!x\r\nreturn 1,\r\n2\r\n",
  } do
    it("runs " .. what .. " as Lua does", function()
      local disk, memory = store(content)
      local expected = { assert(loadfile(disk))("a", 7) }
      for _, path in ipairs { disk, memory } do
        assert.same(expected, { assert(modfs.loadfile(path))("a", 7) })
      end
    end)
  end

  it("skips a byte order mark, before a first line with #, too", function()
    for _, content in ipairs { "\239\187\191return 7", "\239\187\191#!lua\nreturn 7" } do
      local disk, memory = store(content)
      assert.equal(7, assert(modfs.loadfile(memory))())
      assert.equal(7, assert(modfs.loadfile(disk))())
    end
  end)

  it("names the chunk after its path", function()
    local _, memory = store "local info = debug.getinfo(1, 'S') return info"
    local info = assert(modfs.loadfile(memory))()
    assert.equal("@mem://chunks/f.lua", info.source)
    assert.equal("mem://chunks/f.lua", info.short_src)
    local _, broken = store "\n\nerror 'here'"
    local fine, why = pcall(assert(modfs.loadfile(broken)))
    assert.is_false(fine)
    assert.equal("mem://chunks/f.lua:3: here", why)
  end)

  it("accepts an environment", function()
    local _, memory = store "x = 1; return y"
    local sandbox = { y = 2 }
    assert.equal(2, assert(modfs.loadfile(memory, "t", sandbox))())
    assert.equal(1, sandbox.x)
    assert.is_nil(rawget(_G, "x"))
    sandbox = { y = 3 }
    assert.equal(3, assert(modfs.loadfile(memory, { env = sandbox }))())
    assert.equal(3, assert(modfs.loadfile(memory, nil, sandbox))())
    if not setfenv then
      assert.is_false(pcall(assert(modfs.loadfile(memory, "t", nil))))
    end
  end)

  it("refuses bytecode unless it is asked for", function()
    for _, head in ipairs { "", "#!/usr/bin/lua\n", "\239\187\191", "\239\187\191#!lua\n" } do
      local disk, memory = store(head .. bytecode)
      for _, path in ipairs { disk, memory } do
        local message = fails("PERMISSION_DENIED", modfs.loadfile(path))
        assert.truthy(message:find("attempt to load a binary chunk (mode is 't')", 1, true))
        fails("PERMISSION_DENIED", modfs.loadfile(path, "t"))
        fails("PERMISSION_DENIED", modfs.loadfile(path, { mode = "t" }))
        assert.is_false(pcall(modfs.dofile, path))
        for _, mode in ipairs { "b", "bt" } do
          assert.equal("from bytecode", assert(modfs.loadfile(path, mode))())
          assert.equal("from bytecode", assert(modfs.loadfile(path, { mode = mode }))())
          assert.equal("from bytecode", modfs.dofile(path, { mode = mode }))
        end
      end
    end
  end)

  it("refuses text where only bytecode is asked for", function()
    local _, memory = store "return 1"
    fails("PERMISSION_DENIED", modfs.loadfile(memory, "b"))
    fails("PERMISSION_DENIED", modfs.loadfile(memory, { mode = "b" }))
  end)

  it("fails with a code and with Lua's message", function()
    fails("NOT_FOUND", modfs.loadfile "mem://chunks/none.lua")
    fails("FAILED_PRECONDITION", modfs.loadfile "mem://chunks")
    fails("UNIMPLEMENTED", modfs.loadfile "nosuch://x")
    local disk, memory = store "return return"
    local _, why = loadfile(disk)
    local words = why:match ":1: .*"
    local message = fails("INVALID_ARGUMENT", modfs.loadfile(memory))
    assert.truthy(message:find(memory .. words, 1, true), message)
    _, memory = store "return 'a\nb"
    fails("INVALID_ARGUMENT", modfs.loadfile(memory))
  end)

  it("reads standard input without a path", function()
    tmpdir.write(folder .. "/run.lua", ("package.path, package.cpath = %q, %q\n"):format(
      package.path, package.cpath)
      .. "local chunk = assert(require('modfs').loadfile())\n"
      .. "print(chunk(), debug.getinfo(chunk, 'S').source)")
    local lua = os.getenv "LUA" or "lua5.4"
    assert.equal("42\t=stdin", shell.output("echo 'return 6 * 7' | " .. lua, folder .. "/run.lua"))
  end)
end)

describe("modfs.dofile", function()
  it("runs a file and returns all that it returns", function()
    modfs.write("mem://do.lua", "return 1, nil, select('#', ...)")
    assert.same({ 1, nil, 0 }, { modfs.dofile "mem://do.lua" })
    modfs.write("mem://do.lua", "error({ code = 7 })")
    local fine, why = pcall(modfs.dofile, "mem://do.lua")
    assert.is_false(fine)
    assert.equal(7, why.code)
    modfs.remove "mem://do.lua"
    fine, why = pcall(modfs.dofile, "mem://do.lua")
    assert.is_false(fine)
    assert.truthy(why:find "^NOT_FOUND: ", why)
  end)

  it("yields where Lua lets a chunk yield", function()
    modfs.write("mem://do.lua", "return coroutine.yield(1) + 1")
    local run = coroutine.wrap(function() return modfs.dofile "mem://do.lua" end)
    assert.equal(1, run())
    assert.equal(42, run(41))
  end)
end)

describe("modfs.searcher", function()
  local installed
  local function install(...)
    installed[#installed + 1] = searcher.install(...)
    return installed[#installed]
  end
  before_each(function()
    installed = {}
    assert(modfs.makedirs "mem://mods/a/b")
    assert(modfs.write("mem://mods/hello.lua", "return { name = ..., path = select(2, ...) }"))
    assert(modfs.write("mem://mods/a/init.lua", "return 'a itself'"))
    assert(modfs.write("mem://mods/a/b/c.lua", "return 'c'"))
    assert(modfs.write("mem://mods/broken.lua", "return return"))
    assert(modfs.write("mem://mods/binary.lua", bytecode))
    assert(modfs.write("mem://mods/hidden.lua", "#!/usr/bin/lua\n" .. bytecode))
  end)
  after_each(function()
    for _, one in ipairs(installed) do
      searcher.uninstall(one)
    end
    for _, name in ipairs { "hello", "a", "a.b.c", "broken", "binary", "hidden", "string" } do
      package.loaded[name] = name == "string" and string or nil
    end
    assert(modfs.rmtree "mem://mods")
  end)

  it("lets require find modules in any filesystem", function()
    install("mem://mods/?.lua", "mem://mods/?/init.lua")
    local hello, path = require "hello"
    assert.equal("hello", hello.name)
    assert.equal(hello, require "hello")
    assert.equal("c", require "a.b.c")
    assert.equal("a itself", require "a")
    if _VERSION >= "Lua 5.2" then
      assert.equal("mem://mods/hello.lua", hello.path)
    end
    if _VERSION >= "Lua 5.4" then
      assert.equal("mem://mods/hello.lua", path)
    end
  end)

  it("finds plain paths, too, and takes several templates in one", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    tmpdir.write(folder .. "/hello.lua", "return 'plain'")
    install("mem://none/?.lua;" .. folder .. "/?.lua")
    assert.equal("plain", (require "hello"))
  end)

  it("comes after Lua's own searchers", function()
    modfs.write("mem://mods/string.lua", "return 'ours'")
    package.loaded.string = nil
    package.preload.string = function() return string end
    install "mem://mods/?.lua"
    assert.equal(string, (require "string"))
    package.preload.string = nil
  end)

  it("lists what it tried, as Lua does", function()
    install("mem://mods/?.lua", "mem://mods/?/init.lua")
    install "nosuch://?.lua"
    local fine, why = pcall(require, "none.such")
    assert.is_false(fine)
    assert.truthy(why:find("\n\tno file 'mem://mods/none/such.lua'"
      .. "\n\tno file 'mem://mods/none/such/init.lua'\n\tno file 'nosuch://none/such.lua' ("
      .. "UNIMPLEMENTED: ", 1, true), why)
    assert.truthy(why:find("^module 'none.such' not found:\n\tno field package.preload"), why)
    assert.is_nil(why:find("\n\n", 1, true))
    assert.is_nil(why:find("\n\t\n", 1, true))
  end)

  it("raises for a module that does not compile", function()
    install "mem://mods/?.lua"
    local fine, why = pcall(require, "broken")
    assert.is_false(fine)
    assert.truthy(why:find("error loading module 'broken' from file 'mem://mods/broken.lua':\n\t",
      1, true), why)
    assert.truthy(why:find("mem://mods/broken.lua:1: ", 1, true), why)
  end)

  it("raises Lua's own text for a module that does not compile", function()
    local folder = tmpdir.new()
    local before = package.path
    finally(function()
      tmpdir.remove(folder)
      package.path = before
    end)
    local function refusal_of(name, folder_of)
      local fine, why = pcall(require, name)
      assert.is_false(fine)
      return (why:gsub(folder_of:gsub("%p", "%%%0"), "FOLDER"))
    end
    for i, content in ipairs { "return return", "x = = 1", "#!lua\nlocal x = 'a\1\nb'", "for",
      "x = 'a\nb'", "\n\nend", "goto nowhere", "break", "x = 0x", "return ...,", "(" } do
      local name = "wrong" .. i
      tmpdir.write(("%s/%s.lua"):format(folder, name), content)
      assert(modfs.write(("mem://mods/%s.lua"):format(name), content))
      package.path = folder .. "/?.lua"
      local expected = refusal_of(name, folder)
      package.path = ""
      for _, place in ipairs { "mem://mods", folder } do
        local one = searcher.install(place .. "/?.lua")
        assert.equal(expected, refusal_of(name, place))
        searcher.uninstall(one)
      end
      package.path = before
    end
  end)

  it("refuses bytecode, also behind a first line with #, unless it is asked for", function()
    local strict = install "mem://mods/?.lua"
    for _, name in ipairs { "binary", "hidden" } do
      local fine, why = pcall(require, name)
      assert.is_false(fine)
      assert.truthy(why:find("attempt to load a binary chunk", 1, true), why)
      assert.is_nil(package.loaded[name])
    end
    assert.is_true(searcher.uninstall(strict))
    install("mem://mods/?.lua", { mode = "bt" })
    assert.equal("from bytecode", (require "binary"))
    assert.equal("from bytecode", (require "hidden"))
  end)

  it("runs modules in an environment", function()
    modfs.write("mem://mods/hello.lua", "return os")
    install("mem://mods/?.lua", { env = {} })
    assert.is_true((require "hello")) -- no os there
  end)

  it("cannot be led out of its folder by a name", function()
    modfs.write("mem://secret.lua", "return 'secret'")
    install "mem://mods/?.lua"
    for _, name in ipairs { "..secret", "../secret", "/secret", "a/../../secret" } do
      assert.is_false(pcall(require, name), name)
    end
    modfs.remove "mem://secret.lua"
  end)

  it("can be uninstalled", function()
    local before = #searchers
    local one = install "mem://mods/?.lua"
    assert.equal(before + 1, #searchers)
    assert.is_true(searcher.uninstall(one))
    assert.is_false(searcher.uninstall(one))
    assert.equal(before, #searchers)
    assert.is_false(pcall(require, "hello"))
  end)

  it("raises for wrong arguments", function()
    for _, arguments in ipairs { {}, { 1 }, { "mem://?", 2 }, { {} }, { "mem://?", { nosuch = 1 } },
      { "mem://?", { mode = 1 } }, { "mem://?", { mode = "q" } }, { "mem://?", { mode = "" } } } do
      local fine, why = pcall(searcher.install, unpack(arguments))
      assert.is_false(fine)
      assert.truthy(why:find("to 'install'", 1, true), why)
    end
  end)

  it("raises at the caller's place", function()
    local here = "^[^:]*searcher_spec%.lua:%d+: bad argument"
    for _, case in ipairs {
      function() searcher.install(1) end, function() searcher.install() end,
      function() searcher.install("x", { nosuch = 1 }) end,
      function() searcher.install("x", { mode = 1 }) end,
      function() searcher.install("x", { mode = "q" }) end,
      function() searcher.uninstall(1) end, function() searcher.searchpath() end,
      function() searcher.searchpath({}, "x") end, function() searcher.searchpath("x") end,
      function() searcher.searchpath("x", "y", {}) end,
      function() searcher.searchpath("x", "y", nil, true) end,
      function() modfs.loadfile(1) end, function() modfs.loadfile("x", 1) end,
      function() modfs.loadfile("x", "q") end, function() modfs.loadfile("x", { nosuch = 1 }) end,
      function() modfs.loadfile("x", { mode = "q" }) end, function() modfs.dofile({}) end,
      function() modfs.dofile("x", { nosuch = 1 }) end, function() modfs.dofile("x", 1) end,
    } do
      local fine, why = pcall(case)
      assert.is_false(fine)
      assert.truthy(why:find(here), why)
    end
  end)

  it("has package.searchpath for every filesystem", function()
    local path = "mem://none/?;mem://mods/?.lua"
    assert.equal("mem://mods/a/b/c.lua", searcher.searchpath("a.b.c", path))
    assert.equal("mem://mods/a/b/c.lua", searcher.searchpath("a-b-c", path, "-"))
    assert.equal("mem://mods/a/b/c.lua", searcher.searchpath("a%b%c", path, "%"))
    assert.equal("mem://mods/hello.lua", searcher.searchpath("hello", path, ""))
    local found, tried = searcher.searchpath("x.y", "mem://none/?;mem://mods/?.lua", ".", "%1")
    assert.is_nil(found)
    assert.equal("no file 'mem://none/x%1y'\n\tno file 'mem://mods/x%1y.lua'", tried)
    if package.searchpath and _VERSION >= "Lua 5.4" then
      local _, expected = package.searchpath("x.y", "/none/?;/none/?.lua")
      local _, ours = searcher.searchpath("x.y", "/none/?;/none/?.lua")
      assert.equal(expected, ours)
    end
  end)
end)
