-- The prompt through a pipe, what it shows and would complete, and the programs that it runs.
local catalog = require "modfs.repl.catalog"
local complete = require "modfs.repl.complete"
local modfs = require "modfs"
local paint = require "modfs.repl.paint"
local shell = require "spec.support.shell"
local show = require "modfs.repl.show"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs repl"

-- What the prompt answers to lines, without the prompts and the greeting.
local function answers(...)
  local folder = tmpdir.new()
  tmpdir.write(folder .. "/lines", table.concat({ ... }, "\n") .. "\n")
  local out = shell.output(command .. " <" .. folder .. "/lines")
  tmpdir.remove(folder)
  local greeting, rest = out:match "^([^\n]*)\n(.*)$"
  assert.truthy(greeting:find("^modfs [%d.]+, .*help%(%)"), greeting)
  return (rest:gsub("%f[>]>+ ", ""):gsub("%s+$", ""))
end

describe("the prompt", function()
  it("shows the values of expressions", function()
    assert.equal("3", answers "1 + 2")
    assert.equal('"a\\n"\n2', answers [["a\n", 2]])
    assert.equal("7", answers "= 7")
    assert.equal("nil", answers "nil")
    assert.equal("", answers "x = 1")
    assert.equal("5", answers("x = 5", "x"))
  end)

  it("reads on until a statement is whole", function()
    assert.equal("1\n2", answers("for i = 1, 2 do", "print(i)", "end"))
    assert.equal('"ab"', answers('("a" ..', '"b")'))
    assert.equal("", answers "for i = 1, 2 do") -- the input ends in it
  end)

  it("shows errors and goes on", function()
    local out = answers("error 'oops'", "return return", "1")
    assert.truthy(out:find("error: [^\n]-oops\nerror: prompt:1: [^\n]+\n1$"), out)
    assert.equal("", answers("quit()", "1"))
  end)

  it("shows failures of modfs as their message", function()
    local out = answers [[modfs.open "mem://none"]]
    assert.equal("NOT_FOUND: open mem://none: no such file or directory", out)
  end)

  it("has all of Lua, and sets its globals beside it", function()
    assert.equal("true", answers("string.x = nil print = nil", "_G.print ~= nil"))
  end)

  it("helps with what the reference says", function()
    assert.truthy(answers "help()":find("help(modfs.open)", 1, true))
    for _, question in ipairs { "help(modfs.isdir)", "help 'modfs.isdir'", "help 'isdir'" } do
      assert.truthy(answers(question):find "^modfs%.isdir%(path%)\n.*`true` for a directory")
    end
    assert.truthy(answers "help 'file:size'":find "^`file:size%(%)`\nthe length in bytes")
    assert.truthy(answers "help 'job:await'":find "^`job:await%(%)`\nin a coroutine under a loop")
    for _, question in ipairs { "help 'async.go'", "help 'modfs.async.go'" } do
      assert.truthy(answers(question):find "^`async%.go%(fn, %.%.%.%)`\nstarts another coroutine")
    end
    assert.truthy(answers "help(modfs.async.exists 'mem://')":find "^modfs%.async\n")
    local out = answers("modfs.write('mem://x', 'a')", "help(modfs.open 'mem://x')")
    assert.truthy(out:find("^true\nFile\n"), out)
    assert.truthy(answers "help(1)":find("no section on that", 1, true))
  end)

  it("says what is near where the reference has no such name", function()
    local out = answers "help 'copytre'"
    assert.truthy(out:find('^nothing is called "copytre"; nearest: copytree\nin the titles of\n'),
      out)
    out = answers "help 'gitignore'"
    assert.equal('nothing is called "gitignore"\nin the text of\n  Choosing entries\n  '
      .. "The command", out)
    assert.equal('nothing is called "xyzzyxyzzy"', answers "help 'xyzzyxyzzy'")
    local _, listed = answers("help 'the'"):gsub("\n  [^…\n]", "")
    assert.is_true(listed > 0 and listed <= 24)
  end)

  it("keeps the last value as _", function()
    assert.equal("42\n43", answers("6 * 7", "_ + 1"))
    assert.equal("1\n2\n1", answers("1, 2", "_")) -- the first of several
    assert.equal("5\n5", answers("5", "x = 1", "_")) -- a statement has none
    assert.truthy(answers("5", "modfs.open 'mem://none'", "_"):find "\n5$")
    assert.equal("nil", answers "rawget(_G, '_')")
  end)

  it("shows what led to an error, from the user's line on", function()
    local out = answers("function f() error('oops') end", "function g() f() end", "g()")
    assert.equal("error: prompt:1: oops\n  prompt:1: in function 'f'\n"
      .. "  prompt:1: in function 'g'\n  prompt:1: in main chunk", out)
    assert.equal(out, answers("function f() error('oops') end", "function g() f() end", "(g())"))
    out = answers("function f() modfs.walk(1, {nosuch = 1}) end", "f()")
    assert.truthy(out:find "^error: [^\n]*nosuch[^\n]*\n  prompt:1: in function 'f'\n", out)
    out = answers "modfs.tempname({})"
    assert.truthy(out:find "^error: [^\n]+$", out)
    out = answers("modfs.makedirs 'mem://t' modfs.write('mem://t/f', '')",
      "modfs.copytree('mem://t', 'mem://u', { progress = function() error('oops') end })")
    assert.is_nil(out:find("repl", 1, true) or out:find("tree.lua:", 1, true), out)
  end)

  it("shows errors that are no strings, and few frames of many", function()
    assert.equal("error: { code = 1 }", answers "error({ code = 1 })")
    assert.equal("error: nil", answers "error()")
    local out = answers("function f() return 1 + f() end", "f()")
    local _, lines = out:gsub("\n", "")
    assert.truthy(out:find("stack overflow", 1, true) and lines < 40, out)
  end)
end)

describe("a program at the prompt's side", function()
  local folder
  before_each(function()
    folder = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(folder)
  end)

  -- Exit status, output and error output of `modfs repl` with shell words.
  local function run(words, ...)
    return shell.run(command .. " " .. words, ...)
  end

  local function script(text)
    tmpdir.write(folder .. "/script.lua", text)
    return folder .. "/script.lua"
  end

  it("is a chunk, or several, after modules", function()
    assert.same({ 0, "true\n", "" }, { run "-e 'x = 1' -e 'print(x == 1)'" })
    assert.same({ 0, "nil\n", "" }, { run "-l modfs.lfs -e 'print(lfs)'" })
    assert.same({ 0, "function\n", "" }, { run "-l lfs=modfs.lfs -e 'print(type(lfs.dir))'" })
    assert.same({ 0, "function\n", "" }, { run "-llfs=modfs.lfs '-eprint(type(lfs.dir))'" })
  end)

  it("is a script with its arguments, as lua has them", function()
    local path = script "print(arg[0], arg[1], #arg, select('#', ...), ..., arg[-1])"
    local _, out = run("", path, "-x", "b")
    assert.equal(path .. "\t-x\t2\t2\t-x\trepl\n", out)
    _, out = run("--", path, "-x", "b")
    assert.equal(path .. "\t-x\t2\t2\t-x\t--\n", out)
    local status = run("", script "#!/usr/bin/env lua\nassert(modfs.exists(arg[0]))")
    assert.equal(0, status)
    assert.same({ 0, "5\n", "" }, { shell.run("echo 'print(...)' | " .. command .. " - 5") })
  end)

  it("ends as lua does", function()
    local status, out, err = run("",
      script "local function f()\n  error 'oops'\nend\nf()\nprint(1)")
    assert.same({ 1, "" }, { status, out })
    assert.truthy(err:find("^modfs: repl: [^\n]*script.lua:2: oops\n  [^\n]*:2: in function 'f'\n"
      .. "  [^\n]*:4: in main chunk\n$"), err)
    assert.equal(3, (run "-e 'os.exit(3)' -e 'print(1)'"))
    assert.equal(0, (run "-e 'quit()'"))
    status, out, err = run "-e 'error(\"first\")' -e 'print(1)'"
    assert.same({ 1, "", "modfs: repl: (command line):1: first\n" }, { status, out, err })
    status, out, err = run "-e '1 +'"
    assert.same({ 1, "" }, { status, out })
    assert.truthy(err:find "^modfs: repl: %(command line%):1: [^\n]+\n$", err)
    status, out, err = run("", folder .. "/missing.lua")
    assert.same({ 1, "" }, { status, out })
    assert.truthy(err:find "^modfs: repl: NOT_FOUND: [^\n]+\n$", err)
    assert.equal(1, (run "-l nosuch.module"))
  end)

  it("leaves the prompt to what it set, with -i", function()
    local status, out = shell.run("echo 'x + 1' | " .. command .. " -i -e 'x = 41'")
    assert.equal(0, status)
    assert.truthy(out:find "\n> 42\n", out)
    status, out = shell.run("echo 'type(lfs.dir)' | " .. command .. " -l lfs=modfs.lfs")
    assert.equal(0, status)
    assert.truthy(out:find('> "function"\n', 1, true), out)
    assert.equal(1, (shell.run("echo 1 | " .. command .. " -i -e 'error(1)'")))
  end)

  it("is ended by SIGINT with one line and 130", function()
    local words = "timeout --foreground --preserve-status -s INT 1 " .. command
    for _, chunk in ipairs { "while true do end", "modfs.read '/dev/zero'" } do
      if chunk:find "read" or not rawget(_G, "jit") then -- a compiled loop asks for no signal
        assert.same({ 130, "", "modfs: repl: interrupted\n" },
          { shell.run(words .. " -e", chunk) })
      end
    end
  end)

  it("is refused with words that are not understood", function()
    for _, words in ipairs { "-e", "-l", "-x", "-ix", "--nosuch" } do
      local status, out, err = run(words)
      assert.same({ 2, "" }, { status, out }, words)
      assert.truthy(err:find "^modfs: repl: [^\n]+\n$", err)
    end
  end)
end)

describe("the values that the prompt shows", function()
  for text, value in pairs {
    ["{}"] = {}, ["{ 1, 2 }"] = { 1, 2 }, ["{ a = 1, b = \"x\" }"] = { b = "x", a = 1 },
    ["{ 1, x = { y = {} } }"] = { 1, x = { y = {} } }, ["true"] = true,
    [ [["\x00\"\\"]] ] = "\0\"\\", ["{ [\"a b\"] = 1 }"] = { ["a b"] = 1 },
    ["{ length = 1234567 (1.2 MB) }"] = { length = 1234567 },
    ["{ length = 12 }"] = { length = 12 }, ["{ { { { { … } } } } }"] = { { { { { {} } } } } },
  } do
    it("are laid out: " .. text, function()
      assert.equal(text, show(value))
    end)
  end

  it("end where a table holds itself", function()
    local value = {}
    value.x = value
    assert.equal("{ x = { … itself } }", show(value))
    local shared = { 1 }
    assert.equal("{ { 1 }, { 1 } }", show { shared, shared })
  end)

  it("have times for people, and several lines when they are long", function()
    assert.truthy(show { mtime = 0 }:find "^{ mtime = 0 %(19[67]%d%-%d%d%-%d%d %d%d:%d%d:%d%d%) }$")
    assert.truthy(show { mtime_nsec = 1000000000000000000 }:find
      "^{ mtime_nsec = 10+ %(2001%-09%-%d%d [%d:]+%) }$")
    local long = ("x"):rep(50)
    assert.equal(('{\n  "%s",\n  "%s"\n}'):format(long, long), show { long, long })
    assert.truthy(#show(("x"):rep(1e6)) < 3000)
  end)

  it("have units where their names have some", function()
    assert.equal("{ mode = 420 (0644) }", show { mode = 420 })
    assert.equal("{ mode = 2541 (04755) }", show { mode = 2541 })
    assert.equal('{ mode = "r" }', show { mode = "r" })
    assert.equal("{ bytes = 1000 (1.0 kB), lost_bytes = 2500000 (2.5 MB) }",
      show { bytes = 1000, lost_bytes = 2500000 })
    local odd = show { mode = -1, mtime = 0 / 0, length = 1 / 0, mtime_nsec = 1e300 }
    assert.is_nil(odd:find("(", 1, true), odd)
  end)

  it("are cut, with the number of those that are left out", function()
    local many = {}
    for i = 1, 1000 do
      many[i] = i
    end
    local text = show(many)
    assert.truthy(text:find "\n  50,\n  … 950 more\n}$", text)
    assert.equal("{ a = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 990 more } }", show { a = many })
    local named = {}
    for i = 1, 60 do
      named["k" .. i] = i
    end
    assert.truthy(show(named):find "… 10 more\n}$")
    assert.truthy(show { 1, nil, 3 }:find "3 }$") -- its length may be 1 or 3
  end)

  it("ask no metamethods of tables", function()
    local strict = setmetatable({ a = 1 }, { __index = error, __len = error, __pairs = error })
    assert.equal("{ a = 1 }", show(strict))
  end)

  it("are painted where colors are wanted, and laid out as without", function()
    local value = { 1, "two", x = true, length = 5000, y = { z = print and nil } }
    local colored = show(value, paint.colored)
    assert.truthy(colored:find("\27[32m\"two\"\27[0m", 1, true), colored)
    assert.equal(show(value), (colored:gsub("\27%[%d*m", "")))
    assert.equal(paint.plain, paint.choose(false))
    local out = shell.output("env NO_COLOR=1 TERM=xterm " .. lua .. " -e",
      "local p = require 'modfs.repl.paint' print(p.choose(true) == p.plain)")
    assert.equal("true", out)
    out = shell.output("env -u NO_COLOR TERM=dumb " .. lua .. " -e",
      "local p = require 'modfs.repl.paint' print(p.choose(true) == p.plain)")
    assert.equal("true", out)
    out = shell.output("env -u NO_COLOR TERM=xterm " .. lua .. " -e",
      "local p = require 'modfs.repl.paint' print(p.choose(true) == p.colored)")
    assert.equal("true", out)
  end)
end)

describe("completion at the prompt", function()
  local environment
  before_each(function()
    modfs.makedirs "mem://repl/deep"
    modfs.write("mem://repl/a b", "")
    modfs.write("mem://repl/alone", "")
    environment = setmetatable({ modfs = modfs, f = modfs.open "mem://repl/alone" },
      { __index = _G })
  end)
  after_each(function()
    modfs.rmtree "mem://repl"
  end)

  -- As readline asks: the word starts behind the last of its break characters.
  local function offers(line)
    local start = #line - #line:match "[^ \t\n\"\\'`@$><=;|&{(]*$" + 1
    return table.concat(complete(environment, line, start, #line), "|")
  end

  it("knows functions, fields and methods", function()
    assert.equal("modfs.open", offers "modfs.op")
    assert.equal("modfs.path.basename", offers "x = modfs.path.ba")
    assert.equal("f:read|f:readinto", offers "f:re")
    assert.equal("modfs", offers "print(modf")
    assert.equal("string.rep|string.reverse", offers "string.re")
    assert.equal("", offers "nosuch.x")
    assert.equal("", offers "x():re")
  end)

  it("knows schemes, and paths of any filesystem", function()
    assert.truthy(offers 'modfs.open("me':find "^mem://|")
    assert.equal("mem://repl/|mem://repl/a b|mem://repl/alone|mem://repl/deep/",
      offers 'modfs.open("mem://rep') -- what is in the only one, too
    assert.equal("mem://repl/a b|mem://repl/alone|mem://repl/deep/",
      offers "modfs.open('mem://repl/")
    assert.equal("b", offers 'modfs.open "mem://repl/a ')
    assert.equal("/etc/hostname", offers 'modfs.open "/etc/hostn')
    assert.equal("", offers 'modfs.open "nosuch://')
    assert.equal("modfs.open", offers 'print("closed", modfs.op')
    assert.equal("mem://repl/alone", offers [[x = "a\"b" .. 'mem://repl/al]])
  end)

  it("knows schemes whose plugins are not loaded yet", function()
    local saved = modfs.plugin_path
    finally(function() modfs.plugin_path = saved end)
    local place = tmpdir.new()
    local folder = saved:match "^(.*)/%?%.so$"
    shell.output(("cp %s/mem.so %s/wire.so && cp %s/null.so %s/nothing.so && echo >%s/wild.so")
      :format(folder, place, folder, place, place))
    modfs.plugin_path = place .. "/?.so"
    assert.equal("wire://", offers 'modfs.open("wi')
    assert.equal("", offers 'modfs.open("noth') -- brings a device
    tmpdir.remove(place)
  end)

  it("knows devices where a device is named", function()
    local all = offers 'modfs.device("'
    assert.truthy(("|" .. all .. "|"):find("|REFERENCE:0|", 1, true), all)
    assert.equal("REFERENCE:1", offers 'x = modfs.device "REFERENCE:1')
    assert.equal("", offers 'modfs.device("/et')
  end)

  it("knows modules where one is required", function()
    assert.equal("modfs.tfrecord", offers 'require "modfs.tf')
    assert.equal("modfs.repl.complete", offers "local c = require('modfs.repl.comp")
    local all = "|" .. offers 'require("modfs.' .. "|"
    for _, name in ipairs { "lfs", "codec", "core", "check" } do
      assert.truthy(all:find("|modfs." .. name .. "|", 1, true), all)
    end
  end)

  it("knows the options of functions", function()
    assert.equal("progress = ", offers 'modfs.copytree("a", "b", { pro')
    assert.equal("atomic = |durable = ", offers 'modfs.open(path, "w", { ')
    assert.equal("checksum = ", offers "x = modfs.sync(a, f(b, {1}), { delete = true, che")
    assert.equal("compression = ", offers "modfs.tfrecord.reader('x', {comp")
    assert.equal("", offers "modfs.open(path, 'w', { atomic = tru")
    assert.equal("modfs", offers "modfs.open(path, 'w', { atomic = modf")
    assert.equal("modfs", offers "f({ modf")
  end)

  it("knows fields of objects", function()
    environment.d = modfs.device "REFERENCE:0"
    assert.equal("d.platform", offers "d.pla")
    assert.equal("d:load", offers "d:lo")
    environment.p = modfs.plugins()[1]
    assert.equal("p.path|p.platforms", offers "p.p")
  end)
end)

describe("the options that the types list", function()
  -- Calls of each function with one option, whose value is the wrong one on purpose.
  local calls = {
    ["modfs.open"] = function(o) return modfs.open("mem://x", "w", o) end,
    ["modfs.write"] = function(o) return modfs.write("mem://x", "", o) end,
    ["modfs.mkdir"] = function(o) return modfs.mkdir("mem://x", o) end,
    ["modfs.copy"] = function(o) return modfs.copy("mem://x", "mem://y", o) end,
    ["modfs.rmtree"] = function(o) return modfs.rmtree("mem://x", o) end,
    ["modfs.walk"] = function(o) return modfs.walk("mem://x", o) end,
    ["modfs.du"] = function(o) return modfs.du("mem://x", o) end,
    ["modfs.copytree"] = function(o) return modfs.copytree("mem://x", "mem://y", o) end,
    ["modfs.sync"] = function(o) return modfs.sync("mem://x", "mem://y", o) end,
    ["modfs.tree"] = function(o) return modfs.tree("sync", "mem://x", "mem://y", o) end,
    ["modfs.glob"] = function(o) return modfs.glob("mem://x", o) end,
    ["modfs.watch"] = function(o) return modfs.watch("/", o) end,
    ["modfs.dofile"] = function(o) return modfs.dofile("mem://x", o) end,
    ["modfs.load"] = function(o) return modfs.load("/none.so", o) end,
    ["modfs.codec.open"] = function(o) return modfs.codec.open("mem://x", "w", "gzip", o) end,
    ["modfs.codec.wrap"] = function(o)
      return modfs.codec.wrap(modfs.buffer "x", "gzip", o)
    end,
    ["modfs.tfrecord.reader"] = function(o) return modfs.tfrecord.reader("mem://x", o) end,
    ["modfs.tfrecord.writer"] = function(o) return modfs.tfrecord.writer("mem://x", o) end,
    ["modfs.tfrecord.verify"] = function(o) return modfs.tfrecord.verify("mem://x", o) end,
    ["modfs.tfrecord.salvage"] = function(o)
      return modfs.tfrecord.salvage("mem://x", "mem://y", o)
    end,
    ["modfs.tfrecord.shard_reader"] = function(o)
      return modfs.tfrecord.shard_reader("mem://x", o)
    end,
    ["modfs.tfrecord.shard_writer"] = function(o)
      return modfs.tfrecord.shard_writer("mem://x", 1, o)
    end,
  }

  for name, call in pairs(calls) do
    it("are those of " .. name, function()
      local names = catalog.options(name)
      assert.is_true(#names > 0)
      for _, option in ipairs(names) do
        local _, problem = pcall(call, { [option] = io.stdout })
        assert.is_nil(tostring(problem):find("unknown option", 1, true), tostring(problem))
      end
      local fine, problem = pcall(call, { nosuch = 1 })
      assert.is_false(fine)
      assert.truthy(problem:find("nosuch", 1, true), problem)
    end)
  end
end)
