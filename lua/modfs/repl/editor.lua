-- Where lines come from: GNU readline through Debian's lua-readline, or plain standard input.
require "modfs.core" -- brings modfs.interrupt
local input = require "modfs.cli.input"
local interrupt = require "modfs.interrupt"

local function read_plain(prompt)
  io.write(prompt)
  local done, message = io.flush()
  if not done then
    error({ failure = "standard output: " .. message }, 0)
  end
  local line, why = input:read "*l"
  if why then
    error({ failure = why }, 0)
  end
  return line
end

local function plain()
  return { read = read_plain, close = function() end }
end

local function is_terminal()
  local result = os.execute "test -t 0 -a -t 1"
  return result == true or result == 0
end

-- Where lines are kept; "" (nowhere) without a home that can be written to.
local function history_file()
  local path = (os.getenv "HOME" or "") .. "/.modfs_history"
  local file = os.getenv "HOME" and io.open(path, "a")
  if not file then
    return ""
  end
  file:close()
  return path
end

-- The library complains of a missing HOME, for a history of its own that nobody wants.
local function load_quietly(name)
  local stderr = io.stderr
  io.stderr = { write = function() end } -- luacheck: ignore 122
  local found, module = pcall(require, name)
  io.stderr = stderr -- luacheck: ignore 122
  return found and module
end

-- One line; nil at the end of the input, and false where Ctrl-C drops it. handler_remove reads what
-- it has freed unless a line has ended; to install another handler drops the line as well.
local function read_edited(readline, prompt)
  local line, ended
  readline.handler_install(prompt, function(text)
    line, ended = text, true
    readline.handler_remove()
  end)
  while not ended do
    if not interrupt.await_input() then
      print "^C"
      return false
    end
    readline.read_char()
  end
  return line
end

-- Lines that are told from each other, and say something.
local function remember(readline, line, last)
  if not line or #line < 2 or line == last then
    return last
  end
  readline.add_history(line)
  return line
end

-- complete(line, start, stop) -> candidates. why says what is missing for more comfort.
return function(complete)
  if not is_terminal() then
    return plain()
  end
  local readline = load_quietly "readline"
  if not readline then
    return plain(), "no completion and history: install Debian's lua-readline"
  end
  readline.set_readline_name "modfs"
  readline.set_options { histfile = history_file(), keeplines = 1000 }
  readline.set_complete_function(function(line, start, stop)
    readline.set_completion_append_character ""
    return complete(line, start, stop)
  end)
  local last
  return {
    read = function(prompt)
      local line = read_edited(readline, prompt)
      last = remember(readline, line, last)
      return line
    end,
    close = function() readline.save_history() end,
  }
end
