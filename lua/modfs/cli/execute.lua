-- Runs a program: words[1], with the words behind it and the standard streams of this one. Returns
-- its exit status; 128 + n for signal n.
local shell = require "modfs.inspect.shell"

local SIGINT = 2

-- Lua 5.1 and LuaJIT return what wait(2) does.
local function status_of(result, how, code)
  if type(result) == "number" then
    return result % 128 > 0 and 128 + result % 128 or math.floor(result / 256)
  end
  return how == "signal" and 128 + code or code
end

local function execute(words)
  local quoted = {}
  for i, word in ipairs(words) do
    quoted[i] = shell.quote(word)
  end
  io.output():flush()
  local status = status_of(os.execute("exec " .. table.concat(quoted, " ")))
  if status == 128 + SIGINT then
    error("interrupted!", 0)
  end
  return status
end

return execute
