-- A terminal with one program in it, by tmux: what is typed there, and what its screen has.
local shell = require "spec.support.shell"

local terminal = {}
terminal.__index = terminal

function terminal:tmux(...)
  return shell.output("tmux -L " .. self.socket, ...)
end

-- The screen; with the escape sequences of colors where they are wanted.
function terminal:screen(colored)
  return self:tmux("capture-pane", colored and "-ep" or "-p", "-t", "r")
end

-- Waits until the screen has a text, as Lua's find has it; returns the captures, or the screen.
-- Fails with the screen when it never has.
function terminal:wait(text, is_pattern)
  local screen
  for _ = 1, 600 do
    screen = self:screen()
    local found = { screen:find(text, 1, not is_pattern) }
    if found[1] then
      return found[3] or screen, found[4]
    end
    os.execute "sleep 0.1"
  end
  error(("the screen never had %q:\n%s"):format(text, screen))
end

-- Types keys as tmux names them, and other text as it is.
function terminal:type(...)
  self:tmux("send-keys", "-t", "r", ...)
end

-- Types a line, and nothing in it is taken for a key.
function terminal:enter(line)
  self:tmux("send-keys", "-t", "r", "-l", line)
  self:tmux("send-keys", "-t", "r", "Enter")
end

function terminal:stop()
  shell.run("tmux -L", self.socket, "kill-server")
end

local tmux = {}

-- Why there is no terminal here; nil when there is.
function tmux.missing()
  return not shell.has "tmux" and "tmux is not installed" or nil
end

local count = 0

-- Starts shell words on a screen of 100 columns and 30 rows; when they end, "ended" and the exit
-- status follow. name: a word that no other process uses.
function tmux.start(name, words)
  count = count + 1
  local self = setmetatable({ socket = ("modfs-%s-%d"):format(name, count) }, terminal)
  local line = ("cd %s && %s; echo ended $?; sleep 60"):format(shell.quote(shell.output "pwd"),
    words)
  local fine, problem
  for _ = 1, 3 do -- on a busy machine tmux now and then loses the server that it has just started
    fine, problem = pcall(self.tmux, self, "-f", "/dev/null", "new-session", "-d", "-s", "r", "-x",
      "100", "-y", "30", line)
    if fine then
      return self
    end
  end
  error(problem, 0)
end

return tmux
