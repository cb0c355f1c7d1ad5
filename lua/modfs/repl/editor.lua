-- Where lines come from: GNU readline through Debian's lua-readline, or plain standard input.
local input = require "modfs.cli.input"

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

-- complete(line, start, stop) -> candidates. why says what is missing for more comfort.
return function(complete)
  if not is_terminal() then
    return plain()
  end
  local found, readline = pcall(require, "readline")
  if not found then
    return plain(), "no completion and history: install Debian's lua-readline"
  end
  local home = os.getenv "HOME"
  readline.set_readline_name "modfs"
  readline.set_options { histfile = home and home .. "/.modfs_history" or "", keeplines = 1000 }
  readline.set_complete_function(function(line, start, stop)
    readline.set_completion_append_character ""
    return complete(line, start, stop)
  end)
  return { read = readline.readline, close = function() readline.save_history() end }
end
