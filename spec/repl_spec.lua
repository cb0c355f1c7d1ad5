-- The prompt: through a pipe, through a terminal, and what it would complete.
local complete = require "modfs.repl.complete"
local modfs = require "modfs"
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
    assert.truthy(answers "help 'file:size'":find "^`file:size%(%)`\n  the length in bytes")
    local out = answers("modfs.write('mem://x', 'a')", "help(modfs.open 'mem://x')")
    assert.truthy(out:find("^true\nFile\n"), out)
    assert.truthy(answers "help 'nosuch'":find("no section on that", 1, true))
    assert.truthy(answers "help(1)":find("no section on that", 1, true))
  end)

  it("takes no words", function()
    local status, _, err = shell.run(command .. " more")
    assert.equal(2, status)
    assert.truthy(err:find "^modfs: repl: [^\n]+\n$")
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
    local long = ("x"):rep(50)
    assert.equal(('{\n  "%s",\n  "%s"\n}'):format(long, long), show { long, long })
    assert.truthy(#show(("x"):rep(1e6)) < 3000)
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
end)

describe("the prompt on a terminal", function()
  local socket, folder
  before_each(function()
    folder = tmpdir.new()
    socket = "modfs-repl-" .. folder:match "[^.]*$"
  end)
  after_each(function()
    shell.run("tmux -L", socket, "kill-server")
    tmpdir.remove(folder)
  end)

  local function tmux(...)
    return shell.output("tmux -L " .. socket, ...)
  end

  -- Waits until the screen has a text; fails with the screen when it never does.
  local function wait_for(text)
    local screen
    for _ = 1, 100 do
      screen = tmux("capture-pane", "-p", "-t", "r")
      if screen:find(text, 1, true) then
        return screen
      end
      os.execute "sleep 0.1"
    end
    error(("the screen never had %q:\n%s"):format(text, screen))
  end

  -- The prompt with the HOME that shell words set. lua-readline loses a copy of each line, which a
  -- checker of leaks would tell.
  local function start(home)
    local line = ("cd %s && env %s ASAN_OPTIONS=detect_leaks=0 %s; echo ended $?; sleep 20"):format(
      shell.output "pwd", home, command)
    local fine, problem
    for _ = 1, 3 do -- on a busy machine tmux now and then loses the server that it has just started
      fine, problem = pcall(tmux, "-f", "/dev/null", "new-session", "-d", "-s", "r", "-x", "100",
        "-y", "30", line)
      if fine then
        break
      end
    end
    assert(fine, problem)
    wait_for "help() helps"
  end

  local function type_keys(...)
    tmux("send-keys", "-t", "r", ...)
  end

  local function lacks_terminal()
    if not shell.has "tmux" then
      return "tmux is not installed"
    elseif not pcall(require, "readline") then
      return "lua-readline is not installed"
    end
  end

  local function on_terminal(title, run)
    it(title, function()
      if lacks_terminal() then
        return pending(lacks_terminal())
      end
      run()
    end)
  end

  on_terminal("drops a line at Ctrl-C, and those before it", function()
    start("HOME=" .. folder)
    type_keys("half a line")
    wait_for "> half a line"
    type_keys "C-c"
    wait_for "half a line^C\n>"
    type_keys("for i = 1, 3 do", "Enter")
    wait_for ">>"
    type_keys "C-c"
    wait_for ">> ^C\n>"
    type_keys("C-c", "6 * 7", "Enter")
    wait_for "> ^C\n> 6 * 7\n42"
    type_keys "C-d"
    wait_for "ended 0"
  end)

  on_terminal("stops what runs at Ctrl-C, more than once", function()
    start("HOME=" .. folder)
    type_keys("if jit then jit.off() end", "Enter") -- what is compiled asks for no signal
    for i = 1, 2 do
      type_keys(("print('busy', %d) while true do end"):format(i), "Enter")
      wait_for(("\nbusy    %d\n"):format(i))
      type_keys "C-c"
      wait_for(("busy    %d\n^Cinterrupted\n>"):format(i))
    end
  end)

  on_terminal("needs no HOME", function()
    for _, home in ipairs { "-u HOME", "HOME=/nonexistent", "HOME=/proc" } do
      start(home)
      type_keys("6 * 7", "Enter", "C-d")
      local screen = wait_for "ended 0"
      assert.truthy(screen:find "^modfs [^\n]+ helps\n> 6 %* 7\n42\n>%s*ended 0\n", screen)
      tmux "kill-server"
    end
  end)

  on_terminal("completes, and remembers what was typed", function()
    start("HOME=" .. folder)
    type_keys("modfs.makedi", "Tab")
    wait_for "> modfs.makedirs"
    type_keys('("mem://folder/sub")', "Enter")
    wait_for "true"
    type_keys('modfs.listdir "me', "Tab", "fol", "Tab", '"', "Enter")
    wait_for '"mem://folder/"'
    wait_for '{ "sub" }'
    type_keys("C-d")
    wait_for "ended 0"
    local history = tmpdir.content(folder .. "/.modfs_history")
    assert.truthy(history and history:find("modfs.makedirs", 1, true), history)
  end)
end)
