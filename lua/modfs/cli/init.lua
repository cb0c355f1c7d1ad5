-- The command `modfs COMMAND …`: main(arguments) -> exit status. 0 is success, 1 failure, 2 usage.
local task = require "modfs.cli.task"

local modules = {}
for _, name in ipairs { "cat", "check", "completion", "cp", "devices", "df", "diff", "doctor", "du",
  "find", "glob", "head", "inspect", "ln", "ls", "mkdir", "mv", "plugins", "readlink", "repl", "rm",
  "stat", "sum", "sync", "tail", "touch", "tree", "version" } do
  modules[name] = "modfs.cli." .. name
end

-- The module of a command; what only the command line needs may not be installed.
local function find(name)
  local found, command = pcall(require, modules[name])
  if not found then
    return nil, require "modfs.cli.missing"(command)
  end
  return command
end

local function say(text)
  return task.run(nil, nil, function(self) self:write(text) end)
end

-- fail(message [, status]): what ends the command before it has begun.
local function fail(message, status)
  task.run(nil, nil, function(self) self:fail(message) end)
  return status or 1
end

local function tail_of(arguments)
  local rest = {}
  for i = 2, #arguments do
    rest[i - 1] = arguments[i]
  end
  return rest
end

local function unknown(name)
  local near = require "modfs.cli.nearest"(name, modules)
  return ("unknown command '%s'; %s`modfs --help` lists them"):format(name,
    near and ("did you mean '%s'? "):format(near) or "")
end

local function start(name, arguments, context)
  local whole, modfs = pcall(require, "modfs")
  if not whole then
    return fail(require "modfs.cli.missing"(modfs))
  elseif name == "--version" then
    return say(modfs._VERSION .. "\n")
  elseif not modules[name] then
    return fail(unknown(name), 2)
  end
  if context and context.ends then
    require("modfs.interrupt").ends_reads()
  end
  local command, why = find(name)
  return command and command.main(arguments, context) or fail(why)
end

local function main(arguments, context)
  local name, topic = arguments[1], arguments[2]
  if name == nil then
    return fail("no command; `modfs --help` lists them", 2)
  elseif name == "help" and topic then
    return start(topic, { "--help" }, context)
  elseif name == "--help" or name == "-h" or name == "help" then
    return say(require "modfs.cli.help"())
  end
  return start(name, tail_of(arguments), context)
end

return { main = main, modules = modules }
