-- The command `modfs COMMAND …`: main(arguments) -> exit status. 0 is success, 1 failure, 2 usage.
local task = require "modfs.cli.task"

local modules = {}
for _, name in ipairs { "cat", "check", "completion", "cp", "devices", "doctor", "du", "find",
  "glob", "head", "inspect", "ls", "mkdir", "mv", "plugins", "repl", "rm", "stat", "sum", "sync",
  "tail" } do
  modules[name] = "modfs.cli." .. name
end

local usage = [[
usage: modfs COMMAND [ARGUMENT...]
  ls [PATH...]      lists directories
  cat [PATH...]     writes files to standard output
  head, tail        the first, the last lines or bytes of files
  cp SRC... DST     copies files and, with -r, directories
  mv SRC... DST     moves files and directories
  rm PATH...        deletes files and, with -r, directories
  mkdir PATH...     makes directories
  stat PATH...      what is known of files and directories
  find PATH...      all that is in directories and below
  glob PATTERN...   what matches patterns
  du [PATH...]      counts bytes, files and directories
  sum [PATH...]     the CRC-32C and the length of files
  sync SRC DST      makes one directory like another
  devices           what device plugins bring
  completion SHELL  what bash or zsh needs to complete all this
  repl              a prompt for Lua with modfs at hand
  inspect FILE.so   what a plugin's file says about itself, and whether it would load
  check FILE.so     the conformance suite, on one plugin
  doctor PATH       which plugin would serve a path or a device, and why not
  plugins           what is loaded, and what the plugin path offers
A PATH is plain or a URI (mem://a/b), and may be a pattern; - is standard input or output.
`modfs COMMAND --help` or `modfs help COMMAND` tells more of one, `modfs --version` the version.
]]

local lacks_argparse = "the Lua module argparse is missing: install Debian's lua-argparse, "
  .. "or run `luarocks install argparse`"

-- The search paths of a module that is missing fill a screen, and the first place is enough.
local function shorten(problem)
  local name = tostring(problem):match "module '([^']+)' not found:"
  if name == "modfs.core" then
    return ("modfs/core.so is missing in %s; `make` builds it"):format(
      package.cpath:match "^[^;?]*")
  elseif name then
    return ("the module %s is missing in %s; `make install` copies all of them"):format(name,
      package.path:match "^[^;?]*")
  end
  return (tostring(problem):gsub("^modfs: ", ""))
end

-- The module of a command; what only the command line needs may not be installed.
local function find(name)
  if not pcall(require, "argparse") then
    return nil, lacks_argparse
  end
  local found, command = pcall(require, modules[name])
  if not found then
    return nil, shorten(command)
  end
  return command
end

-- The schemes whose plugins could not be built: each has NAME.missing in the place of NAME.so.
local function unbuilt()
  local whole, modfs = pcall(require, "modfs")
  if not whole then
    return {}
  end
  local search = require("modfs.plugin_path").find
  local there, missing = search(modfs.plugin_path), {}
  for name in pairs(search((modfs.plugin_path:gsub("%.so%f[;%z]", ".missing")))) do
    if not there[name] then
      missing[#missing + 1] = name .. "://"
    end
  end
  table.sort(missing)
  return missing
end

-- The usage, with what is missing here beside what needs it.
local function help()
  local text, missing = usage, unbuilt()
  if not pcall(require, "argparse") then
    text = text:gsub("\n", "\nNo command works here: " .. lacks_argparse .. ".\n", 1)
  end
  if not pcall(require, "readline") then
    text = text:gsub("\n  repl [^\n]*", "%0\n" .. (" "):rep(20)
      .. "(no completion and history: install Debian's lua-readline)")
  end
  if #missing > 0 then
    text = ("%sNot built here: %s. docs/install.md lists the packages that they need.\n")
      :format(text, table.concat(missing, ", "))
  end
  return text
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

local function start(name, arguments, context)
  local whole, modfs = pcall(require, "modfs")
  if not whole then
    return fail(shorten(modfs))
  elseif name == "--version" then
    return say(modfs._VERSION .. "\n")
  elseif not modules[name] then
    return fail(("unknown command '%s'; `modfs --help` lists them"):format(name), 2)
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
    return say(help())
  end
  return start(name, tail_of(arguments), context)
end

return { main = main, modules = modules }
