-- One run of a command: how it fails, its output, and its exit status.
local task = {}
task.__index = task

-- What the core calls the work of a command; users know it by the command's name.
local operations = " chmod close copy copytree du exists glob hash isdir isfile islink listdir "
  .. "lstat makedirs mkdir open read readlink remove rename rmdir rmtree size space stat symlink "
  .. "sync utime walk write "

local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape(byte)
  return escapes[byte] or ("\\%03o"):format(byte:byte())
end

-- The message with the user's verb: NOT_FOUND: cat x: no such file.
local function in_user_words(self, message)
  return (message:gsub("^([%u_]+: )(%l+)%f[ ]", function(code, operation)
    local is_known = operations:find((" %s "):format(operation), 1, true)
    return is_known and self.name and code .. self.name or nil
  end))
end

-- One line on standard error; the command goes on, and ends with 1.
function task:fail(message)
  local name = self.name and self.name .. ": " or ""
  message = in_user_words(self, tostring(message):gsub("%s*\n%s*", " "))
  io.stderr:write("modfs: ", name, message, "\n")
  self.status = math.max(self.status, 1)
end

-- Passes results of modfs on, after a failure is reported.
function task:check(result, message, ...)
  if result == nil then
    self:fail(message)
  end
  return result, message, ...
end

-- A mistake in the words of the command: ends it with 2.
function task.refuse(_, message)
  error({ usage = message }, 0)
end

function task.write(_, ...)
  local done, message = io.write(...)
  if not done then
    error({ failure = "standard output: " .. message }, 0)
  end
  return true
end

function task.flush()
  local done, message = io.output():flush()
  if not done then
    error({ failure = "standard output: " .. tostring(message) }, 0)
  end
end

-- Whether standard output is a terminal; the system is asked once.
function task:is_terminal()
  if self.shows == nil then
    self.shows = require "modfs.cli.terminal"(1)
  end
  return self.shows
end

-- A name or path. Control bytes in it could move the cursor of a terminal or change its state, so a
-- terminal gets them as `ls -b` writes them; elsewhere every byte is written as it is.
function task:write_name(name)
  if name:find "%c" and self:is_terminal() then
    name = name:gsub("%c", escape)
  end
  return self:write(name)
end

function task:print_json(value)
  self:write(require("modfs.cli.json").encode(value), "\n")
end

local function matches(self, path)
  local found, message = require("modfs").glob(path)
  if found and #found == 0 then
    message = ("NOT_FOUND: %s %s: nothing matches"):format(self.name, path)
  end
  if not found or #found == 0 then
    self:fail(message)
  end
  return found or {}
end

-- Whether a path is no file with a slash behind its name, which means a directory; URLs alone may
-- end so.
function task:is_well_ended(path)
  local modfs = require "modfs"
  if not path:find "/%.?$" or path:find "^https?://" then
    return true
  end
  local info = modfs.stat(path)
  if info and not info.is_directory then
    self:fail(("FAILED_PRECONDITION: %s %s: it is not a directory"):format(self.name, path))
    return false
  end
  return true
end

-- Patterns become what they match, unless something of that very name is there, be it a link that
-- leads nowhere.
function task:expand(paths)
  local all, modfs = {}, require "modfs"
  for _, path in ipairs(paths) do
    if not path:find "[*?%[]" or modfs.lstat(path) or modfs.exists(path) then
      all[#all + 1] = self:is_well_ended(path) and path or nil
    else
      for _, match in ipairs(matches(self, path)) do
        all[#all + 1] = match
      end
    end
  end
  return all
end

-- What ended it early: a mistake in its words, SIGINT (which `lua` makes an error), or a failure.
local function explain(self, why)
  local told = type(why) == "table" and why or {}
  if told.usage then
    self:fail(told.usage)
    self.status = 2
  elseif tostring(why):find "interrupted!$" then
    self:fail "interrupted"
    self.status = 130
  else
    self:fail(told.failure or why)
  end
end

-- run(name, context, work) -> exit status, when work(task) has ended and its output is written.
local function run(name, context, work)
  local self = setmetatable({ name = name, status = 0, context = context or {} }, task)
  local fine, why = pcall(work, self)
  if not fine then
    explain(self, why)
  end
  local done, message = io.output():flush()
  if not done and fine then
    self:fail("standard output: " .. tostring(message))
  end
  return self.status
end

return { run = run }
