-- Where lines come from: GNU readline through Debian's lua-readline, or plain standard input.
local core = require "modfs.core" -- brings modfs.interrupt and modfs.jobs
local history = require "modfs.repl.history"
local input = require "modfs.cli.input"
local interrupt = require "modfs.interrupt"
local jobs = require "modfs.jobs"

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
  return { read = read_plain }
end

-- The library complains of a missing HOME, for a history of its own that nobody wants.
local function load_quietly(name)
  local stderr = io.stderr
  io.stderr = { write = function() end } -- luacheck: ignore 122
  local found, module = pcall(require, name)
  io.stderr = stderr -- luacheck: ignore 122
  return found and module
end

-- Runs what waits for jobs that are done, while a line is typed: what that prints begins a line of
-- its own. readline cannot be told to draw the line again: Ctrl-L does.
local function poll()
  local write = print
  function print(...) -- luacheck: ignore 121
    print = write -- luacheck: ignore 121
    write()
    write(...)
  end
  local unbroken, problem = interrupt.run(core.poll, 0)
  if not unbroken then
    print(tostring(problem))
  end
  print = write -- luacheck: ignore 121
  io.flush()
end

-- Waits for a key, and meanwhile runs what waits for jobs. False at Ctrl-C.
local function await_key()
  while true do
    local key = interrupt.await_input(jobs.pending() > 0 and core.pollfd() or nil)
    if key ~= nil then
      return key
    end
    poll()
  end
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
    if not await_key() then
      print "^C"
      return false
    end
    readline.read_char()
  end
  return line
end

-- The history of this session, after that of others.
local function start_history(readline)
  readline.set_options { histfile = "" } -- the library's own would be written only at the end
  local lines, add = history.open()
  for _, line in ipairs(lines) do
    readline.add_history(line)
  end
  return add, lines[#lines]
end

-- complete(line, start, stop) -> candidates. why says what is missing for more comfort.
return function(complete, on_terminal)
  if not on_terminal then
    return plain()
  end
  local readline = load_quietly "readline"
  if not readline then
    return plain(), "no completion and history: install Debian's lua-readline"
  end
  readline.set_readline_name "modfs"
  readline.set_complete_function(function(line, start, stop)
    readline.set_completion_append_character ""
    local fine, found = interrupt.run(complete, line, start, stop)
    return fine and found or {}
  end)
  local add, last = start_history(readline)
  return {
    read = function(prompt)
      local line = read_edited(readline, prompt)
      if line and #line > 1 and line ~= last then
        readline.add_history(line)
        add(line)
        last = line
      end
      return line
    end,
  }
end
