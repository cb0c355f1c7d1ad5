-- What the command and the prompt know of their terminal: whether there is one, its size, a pager.
local child = require "spec.support.child"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local tmux = require "spec.support.tmux"

-- Runs Lua text with shell redirections; returns what it writes to the file whose name it gets.
local function result_of(text, redirected)
  local folder = tmpdir.new()
  tmpdir.write(folder .. "/text", text)
  local status, out, err = child(([[os.execute(%q)]]):format(
    ("%s %s/text %s/result %s"):format(os.getenv "LUA" or "lua5.4", folder, folder, redirected)))
  local result = tmpdir.content(folder .. "/result")
  tmpdir.remove(folder)
  assert.equal(0, status, out .. err)
  return result
end

local WRITES = [[
  local function answer(...)
    local file = assert(io.open(arg[1], "w"))
    file:write(table.concat({ ... }, " "))
    file:close()
  end
]]

describe("the terminal of a command", function()
  local ASKS = WRITES .. [[
    local is_terminal = require "modfs.cli.terminal"
    answer(tostring(is_terminal(0)), tostring(is_terminal(1)), tostring(is_terminal(2)))
  ]]

  it("is no file, directory, pipe, device or closed descriptor", function()
    assert.equal("false false false", result_of(ASKS, "</dev/null >/dev/null 2>/dev/zero"))
    assert.equal("false false false", result_of(ASKS, "</ >/dev/full 2>&1"))
    assert.equal("false false false", result_of(ASKS, "<&- 2>&- | cat"))
  end)

  it("is not looked for by a program where there is certainly none", function()
    assert.equal("false false", result_of(WRITES .. [[
      os.execute = function() error "a program is started" end
      local is_terminal = require "modfs.cli.terminal"
      answer(tostring(is_terminal(0)), tostring(is_terminal(1)))
    ]], "</dev/null | cat"))
  end)
end)

describe("the terminal of the prompt", function()
  it("is missing where input or output is none, and has a usual size", function()
    assert.equal("false 24 80", result_of(WRITES .. [[
      local terminal = require "modfs.repl.terminal"
      answer(tostring(terminal.is_there()), terminal.size())
    ]], "</dev/null >/dev/null"))
  end)

  -- Runs the words for a text on a screen of 100 columns and 30 rows, and returns the screen.
  local function on_screen(text, environment)
    local folder = tmpdir.new()
    tmpdir.write(folder .. "/text", text)
    local screen = tmux.start("terminal-" .. folder:match "[^.]*$", ("%s %s %s/text"):format(
      environment or "", os.getenv "LUA" or "lua5.4", folder))
    local fine, seen = pcall(screen.wait, screen, "ended 0")
    screen:stop()
    tmpdir.remove(folder)
    return assert(fine and seen, seen)
  end

  local function on_terminal(title, run)
    it(title, function()
      if tmux.missing() then
        return pending(tmux.missing())
      end
      run()
    end)
  end

  on_terminal("is there, for commands, too, and has a size", function()
    local screen = on_screen [[
      local terminal, is_terminal = require "modfs.repl.terminal", require "modfs.cli.terminal"
      print("there", terminal.is_there(), terminal.size())
      print("command", is_terminal(0), is_terminal(1), is_terminal(2))
    ]]
    assert.truthy(screen:find("there%s+true%s+30%s+100\n"), screen)
    assert.truthy(screen:find("command%s+true%s+true%s+true\n"), screen)
  end)

  -- Prints lines of a width; the pager tells how many lines it gets.
  local function shows(lines, width)
    return on_screen(([[
      local terminal = require "modfs.repl.terminal"
      local line = ("x"):rep(%d)
      terminal.print((line .. "\n"):rep(%d) .. line, function(text) return #text end)
    ]]):format(width, lines - 1), "PAGER='echo paged; wc -l'")
  end

  on_terminal("shows by the pager what is longer than the screen", function()
    assert.falsy(shows(29, 1):find("paged", 1, true))
    assert.truthy(shows(30, 1):find("paged\n30\n", 1, true))
  end)

  on_terminal("counts lines that are wider than the screen as several", function()
    assert.falsy(shows(14, 200):find("paged", 1, true))
    assert.truthy(shows(15, 200):find("paged\n15\n", 1, true))
  end)

  on_terminal("leaves no file of the text behind", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    local screen = on_screen(([[
      local name = %q
      os.tmpname = function() return name end
      require("modfs.repl.terminal").print(("x\n"):rep(99), function(text) return #text end)
    ]]):format(folder .. "/shown"), "PAGER='wc -l'")
    assert.truthy(screen:find("100\n", 1, true), screen)
    assert.equal("", shell.output("ls", folder))
  end)
end)
