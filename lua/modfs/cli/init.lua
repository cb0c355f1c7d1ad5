-- The command `modfs COMMAND …`: main(arguments) -> exit status. 0 is success, 1 failure, 2 usage.
local task = require "modfs.cli.task"

local modules = {}
for _, name in ipairs { "cat", "check", "completion", "cp", "devices", "df", "diff", "doctor", "du",
  "find", "glob", "head", "inspect", "ln", "ls", "mkdir", "mv", "plugins", "readlink", "repl", "rm",
  "stat", "sum", "sync", "tail", "touch", "tree", "version" } do
  modules[name] = "modfs.cli." .. name
end

local usage = [[
usage: modfs COMMAND [ARGUMENT...]
  ls [PATH...]      lists directories
  cat [PATH...]     writes files to standard output
  head, tail        write the first or the last lines or bytes of files
  cp SRC... DST     copies files and, with -r, directories
  mv SRC... DST     moves files and directories
  rm PATH...        deletes files and, with -r, directories
  mkdir PATH...     makes directories
  touch PATH...     creates files, and sets modification times
  ln -s TARGET PATH creates a symbolic link
  readlink PATH...  prints where symbolic links lead
  stat PATH...      shows the attributes of files and directories
  find PATH...      lists directories recursively
  tree [PATH...]    draws directories and what is in them
  diff A B          compares two directories, or two files
  glob PATTERN...   lists the paths that match patterns
  du [PATH...]      counts bytes, files and directories
  df [PATH...]      shows how much room the storage has
  sum [PATH...]     prints the CRC-32C and the length of files, or a hash
  sync SRC DST      makes one directory like another
  devices           lists the devices of the device plugins
  completion SHELL  prints a completion script for bash, zsh or fish
  repl              starts an interactive Lua prompt with modfs loaded
  inspect FILE.so   shows what a plugin's file declares, and whether it would load
  check FILE.so     runs the conformance suite on one plugin
  doctor PATH       shows which plugin serves a path or a device, or why none does
  plugins           lists the loaded plugins and those in the plugin path
A PATH is plain or a URI (mem://a/b), and may be a pattern; - is standard input or output.
`modfs COMMAND --help` or `modfs help COMMAND` describes a command,
`modfs --version` and `modfs version` print the version.
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

local function unknown(name)
  local near = require "modfs.cli.nearest"(name, modules)
  return ("unknown command '%s'; %s`modfs --help` lists them"):format(name,
    near and ("did you mean '%s'? "):format(near) or "")
end

local function start(name, arguments, context)
  local whole, modfs = pcall(require, "modfs")
  if not whole then
    return fail(shorten(modfs))
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
    return say(help())
  end
  return start(name, tail_of(arguments), context)
end

return { main = main, modules = modules }
