-- The prompt on a terminal: editing, Ctrl-C, colors, pages, history.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local tmux = require "spec.support.tmux"
local web = require "spec.support.web"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs repl"

describe("the prompt on a terminal", function()
  local folder, terminals
  before_each(function()
    folder, terminals = tmpdir.new(), {}
  end)
  after_each(function()
    for _, terminal in ipairs(terminals) do
      terminal:stop()
    end
    tmpdir.remove(folder)
  end)

  -- The prompt with the environment that shell words set. lua-readline loses a copy of each line,
  -- which a checker of leaks would tell.
  local function start(environment)
    local terminal = tmux.start("repl-" .. folder:match "[^.]*$",
      ("env -u XDG_STATE_HOME -u NO_COLOR %s ASAN_OPTIONS=detect_leaks=0 %s"):format(
        environment or "HOME=" .. folder, command))
    terminals[#terminals + 1] = terminal
    terminal:wait "help() helps"
    return terminal
  end

  local function lacks_terminal()
    return tmux.missing()
      or not pcall(require, "readline") and "lua-readline is not installed" or nil
  end

  local function on_terminal(title, run)
    it(title, function()
      if lacks_terminal() then
        return pending(lacks_terminal())
      end
      run()
    end)
  end

  local function history()
    return tmpdir.content(folder .. "/.local/state/modfs/history")
  end

  on_terminal("drops a line at Ctrl-C, and those before it", function()
    local terminal = start()
    terminal:type "half a line"
    terminal:wait "> half a line"
    terminal:type "C-c"
    terminal:wait "half a line^C\n>"
    terminal:type("for i = 1, 3 do", "Enter")
    terminal:wait ">>"
    terminal:type "C-c"
    terminal:wait ">> ^C\n>"
    terminal:type("C-c", "6 * 7", "Enter")
    terminal:wait "> ^C\n> 6 * 7\n42"
    terminal:type "C-d"
    terminal:wait "ended 0"
  end)

  -- Lets a line run for a while (0.4 seconds), ends it, and returns how long that took: seconds of
  -- the clock, and of CPU time.
  local number = 0
  local function interrupt(terminal, line, seconds)
    number = number + 1
    terminal:enter(("print('busy', %d) "):format(number) .. line)
    terminal:wait(("\nbusy    %d\n"):format(number))
    os.execute("sleep " .. (seconds or 0.4))
    terminal:type "C-c"
    terminal:wait(("busy    %d\n^Cinterrupted\n>"):format(number))
    terminal:enter(("print('took', %d, require('modfs.interrupt').delay())"):format(number))
    local wall, cpu = terminal:wait(("\ntook    %d +([%%d.e-]+) +([%%d.e-]+)\n>"):format(number),
      true)
    terminal:type "C-l"
    terminal:wait "\n\n\n\n\n\n"
    return tonumber(wall), tonumber(cpu)
  end

  -- A busy machine delays what runs: so it is the quickest of a few that has to be within 100 ms,
  -- and the usual CPU time.
  local function ends_quickly(terminal, line, seconds)
    local walls, cpus = {}, {}
    for i = 1, 9 do
      walls[i], cpus[i] = interrupt(terminal, line, seconds)
      table.sort(walls)
      if i >= 3 and walls[1] < 0.1 then
        break
      end
    end
    table.sort(cpus)
    local seen = ("%s: %s s, CPU %s s"):format(line, table.concat(walls, " "),
      table.concat(cpus, " "))
    assert.is_true(walls[1] < 0.1 and walls[#walls] < 2, seen)
    assert.is_true(cpus[math.ceil(#cpus / 2)] < 0.1, seen)
  end

  on_terminal("ends Lua code at Ctrl-C, more than once", function()
    local terminal = start()
    ends_quickly(terminal, "while true do end")
    ends_quickly(terminal, "coroutine.wrap(function() while true do end end)()")
    ends_quickly(terminal, "function f() return f() end f()")
  end)

  -- Pages of memory that are the process's own.
  local function resident(terminal, when)
    terminal:enter(("print('pages', %d, modfs.read '/proc/self/statm':match '%%d+ (%%d+)')")
      :format(when))
    return tonumber((terminal:wait(("\npages   %d +(%%d+)\n"):format(when), true)))
  end

  on_terminal("ends what runs in C at Ctrl-C, and frees what was read", function()
    local terminal = start()
    local before = resident(terminal, 1)
    ends_quickly(terminal, "modfs.read '/dev/zero'")
    ends_quickly(terminal, "modfs.open('/dev/zero'):read 'a'")
    ends_quickly(terminal, "modfs.open('/dev/zero'):pread(0, 2^40)")
    assert.is_true(resident(terminal, 2) - before < 16384, "more than 64 MiB are kept")
    ends_quickly(terminal, "modfs.copy('/dev/zero', 'mem://zeros')")
    terminal:enter "modfs.listdir 'mem://'"
    terminal:wait "\n{}\n>"
    ends_quickly(terminal, "modfs.hash('/dev/zero', 'crc32c')")
    ends_quickly(terminal, "for _ in modfs.watch '/' do end")
  end)

  on_terminal("ends copies of trees at Ctrl-C, and leaves no thread", function()
    shell.output(("mkdir %s/from && cd %s/from && seq 300 | xargs touch"):format(folder, folder))
    local terminal = start()
    terminal:enter(("from, to = '%s/from', '%s/to'"):format(folder, folder))
    ends_quickly(terminal, "while true do modfs.copytree(from, to) end")
    ends_quickly(terminal, "while true do modfs.copytree(from, to, { progress = type }) end")
    ends_quickly(terminal, "while true do modfs.sync(from, 'mem://to', { checksum = true }) end")
    terminal:enter "#modfs.listdir '/proc/self/task'"
    terminal:wait "\n1\n>"
  end)

  on_terminal("ends calls that one plugin takes long for, and leaves nothing half done", function()
    shell.output(("truncate -s 20G %s/large && mkdir %s/deep"):format(folder, folder))
    local terminal = start()
    terminal:enter(("from, to = '%s/large', '%s/copy'"):format(folder, folder))
    -- A copy in memory that runs for long takes long to be removed.
    ends_quickly(terminal, "while true do modfs.copy(from, to) end", 0)
    assert.equal("deep\nlarge", shell.output("ls", folder))
    terminal:enter(("deep = '%s/deep/'"):format(folder))
    ends_quickly(terminal, "while true do for i = 1, 200 do modfs.write(deep .. i, '') end "
      .. "modfs.rmtree(deep) modfs.mkdir(deep) end")
  end)

  on_terminal("ends requests that wait for a server, and pauses between them", function()
    if web.missing() then
      return pending(web.missing())
    end
    local server = web.chaos()
    finally(function() server.stop() end)
    local terminal = start()
    terminal:enter(("url = '%s'"):format(server.url))
    for _, path in ipairs { "/stall/0", "/stall/90" } do
      ends_quickly(terminal, ("modfs.read(url .. '%s')"):format(path))
    end
    ends_quickly(terminal, "while true do modfs.read(url .. '/status/503') end")
    terminal:enter "modfs.read(url .. '/good/x')"
    terminal:wait '\n"0123456789abcdef"\n>'
  end)

  -- The prompt, where url is the start of a URL behind which come milliseconds that the server
  -- takes; nil without one.
  local function start_with_server()
    if not web.can_launch() then
      return pending "luv for Lua 5.4, on which the server runs, is not installed"
    end
    local pid, port = web.launch("spec/fixtures/http/late.lua", folder .. "/port", folder)
    finally(function() shell.run("kill " .. pid) end)
    local terminal = start()
    terminal:enter(("async, url = modfs.async, 'http://127.0.0.1:%s/'"):format(port))
    return terminal
  end

  on_terminal("runs what waits for jobs while one types", function()
    local terminal = start_with_server()
    if not terminal then
      return
    end
    terminal:enter "async.read(url .. '1500/a'):on_done(function(j) print('told', j:wait()) end)"
    terminal:wait "on_done"
    terminal:type "6 * "
    terminal:wait "> 6 *\ntold    0123456789abcdef\n"
    terminal:type("7", "Enter")
    terminal:wait "\n42\n"
    terminal:enter "f = function() local t = async.read(url .. '900/b'):await() print('got', t) end"
    terminal:enter "async.go(f)"
    terminal:wait "\n>\ngot     0123456789abcdef\n"
    terminal:enter "async.exists('mem://'):on_done(function() error 'wrong' end)"
    terminal:wait "callback: prompt:1: wrong"
    terminal:enter "async.exists('mem://'):on_done(function() print 'busy' while true do end end)"
    terminal:wait "\nbusy"
    terminal:type "C-c"
    terminal:wait "interrupted"
    terminal:type("C-u", "7 * 7", "Enter")
    terminal:wait "\n49\n"
  end)

  on_terminal("cancels at Ctrl-C the jobs that it waits for", function()
    local terminal = start_with_server()
    if not terminal then
      return
    end
    terminal:enter "url = url .. '600000/c'"
    terminal:enter "job = async.read(url)"
    ends_quickly(terminal, "async.read(url):wait()")
    ends_quickly(terminal, "async.all({ async.read(url) }):await()")
    ends_quickly(terminal, "async.run(function() async.read(url):await() end)")
    ends_quickly(terminal, "async.run(function() while true do end end)")
    terminal:enter "job:progress().state" -- that one is not waited for
    terminal:wait '\n"running"\n'
    terminal:enter "job:cancel(), 'now', (select(3, job:wait()))"
    terminal:wait '\n"now"\n"CANCELLED"\n'
    terminal:enter "'left', require('modfs.jobs').pending()"
    terminal:wait '\n"left"\n0\n'
  end)

  on_terminal("needs no HOME", function()
    for _, home in ipairs { "-u HOME", "HOME=/nonexistent", "HOME=/proc" } do
      local terminal = start(home)
      terminal:type("6 * 7", "Enter", "C-d")
      local screen = terminal:wait "ended 0"
      assert.truthy(screen:find "^modfs [^\n]+ helps\n> 6 %* 7\n42\n>%s*ended 0\n", screen)
      assert.is_true(shell.run "test -e /nonexistent" ~= 0) -- nor makes one
    end
  end)

  on_terminal("completes, and remembers what was typed", function()
    local terminal = start()
    terminal:type("modfs.makedi", "Tab")
    terminal:wait "> modfs.makedirs"
    terminal:type('("mem://folder/sub")', "Enter")
    terminal:wait "true"
    terminal:type('modfs.listdir "me', "Tab", "fol", "Tab", '"', "Enter")
    terminal:wait '"mem://folder/"'
    terminal:wait '{ "sub" }'
    terminal:type('modfs.copytree("mem://folder", "mem://to", { thr', "Tab", "1 }).dirs", "Enter")
    terminal:wait "{ threads = 1 }).dirs\n2\n"
    terminal:type('modfs.device "NU', "Tab")
    terminal:wait '> modfs.device "NULL:0"'
    terminal:type("C-u", "C-d")
    terminal:wait "ended 0"
    assert.truthy(history():find("modfs.makedirs", 1, true), history())
  end)

  on_terminal("keeps the history for its user alone, also of two at once", function()
    local first, second = start(), start()
    for i = 1, 3 do
      first:enter(("'first', %d"):format(i))
      first:wait(("\n%d\n>"):format(i))
      second:enter(("'second', %d"):format(i))
      second:wait(("\n%d\n>"):format(i))
    end
    first:type "C-d"
    second:type "C-d"
    first:wait "ended 0"
    second:wait "ended 0"
    local lines = {}
    for line in history():gmatch "[^\n]+" do
      lines[#lines + 1] = line
    end
    assert.same({ "'first', 1", "'second', 1", "'first', 2", "'second', 2", "'first', 3",
      "'second', 3" }, lines)
    assert.equal("600 700", shell.output(("cd %s/.local/state/modfs && stat -c %%a history . | "
      .. "paste -sd ' '"):format(folder)))
    local third = start()
    third:type("Up", "Up", "Enter")
    third:wait "> 'first', 3\n\"first\"\n3\n>"
  end)

  on_terminal("limits the history, whose place XDG_STATE_HOME sets", function()
    local place = folder .. "/state/modfs"
    shell.output(("mkdir -p %s && seq 1 1500 >%s/history && chmod 644 %s/history"):format(place,
      place, place))
    local terminal = start(("HOME=/ XDG_STATE_HOME=%s/state"):format(folder))
    terminal:type("Up", "Enter")
    terminal:wait "> 1500\n1500\n>"
    terminal:type "C-d"
    terminal:wait "ended 0"
    assert.equal("600", shell.output("stat -c %a", place .. "/history"))
    assert.equal("", tmpdir.content(place .. "/history")) -- the line was the last one already
    assert.equal(1500, select(2, tmpdir.content(place .. "/history.old"):gsub("\n", "")))
    terminal = start(("HOME=/ XDG_STATE_HOME=%s/state"):format(folder))
    terminal:enter "7 * 7"
    terminal:wait "\n49\n>"
    terminal:type("Up", "Up", "Enter")
    terminal:wait "> 1500\n1500\n>"
    assert.equal("7 * 7\n1500\n", tmpdir.content(place .. "/history"))
  end)

  on_terminal("has colors, but not for NO_COLOR and dumb terminals", function()
    local terminal = start()
    terminal:enter "'text', 1"
    terminal:wait '\n"text"\n1\n>'
    assert.truthy(terminal:screen(true):find('\27[32m"text"', 1, true), terminal:screen(true))
    for _, without in ipairs { "NO_COLOR=1", "TERM=dumb" } do
      terminal = start("HOME=" .. folder .. " " .. without)
      terminal:enter "'text', 1"
      terminal:wait '\n"text"\n1\n>'
      assert.is_nil(terminal:screen(true):find("\27[32m", 1, true), without)
    end
  end)

  on_terminal("shows long help by pages, and lays it out", function()
    local pager = folder .. "/pager"
    tmpdir.write(pager, "#!/bin/sh\necho paged; head -n 3\n")
    shell.output("chmod +x", pager)
    local terminal = start(("HOME=%s PAGER=%s"):format(folder, pager))
    terminal:enter "help 'isdir'" -- fits the screen
    local screen = terminal:wait "modfs.isdir(path)\n"
    assert.is_nil(screen:find("paged", 1, true), screen)
    assert.is_nil(screen:find("`", 1, true), screen)
    assert.truthy(terminal:screen(true):find("\27[1mmodfs.isdir(path)", 1, true))
    terminal:enter "help 'copytree'"
    terminal:wait "paged\nmodfs.copytree(src, dst [, options])\n"
    terminal:enter "1 + 1"
    terminal:wait "\n2\n>"
  end)
end)
