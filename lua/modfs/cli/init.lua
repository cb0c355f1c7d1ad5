-- The command `modfs COMMAND …`: main(arguments) -> exit status. 0 is success, 1 failure, 2 usage.
local modules = { check = "modfs.check" }
for _, name in ipairs { "cat", "completion", "cp", "devices", "doctor", "du", "find", "glob",
  "head", "inspect", "ls", "mkdir", "mv", "plugins", "repl", "rm", "stat", "sum", "sync",
  "tail" } do
  modules[name] = "modfs.cli." .. name
end

local function complain(text)
  io.stderr:write("modfs: ", (text:gsub("%s*\n%s*", " ")), "\n")
  return 2
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
`modfs COMMAND --help` tells more of one.
]]

local lacks_argparse = "the Lua module argparse is missing: install Debian's lua-argparse, "
  .. "or run `luarocks install argparse`"

-- The module of a command; what only the command line needs may not be installed.
local function find(name)
  local found, command = pcall(require, modules[name])
  if found then
    return command
  elseif tostring(command):find("module 'argparse'", 1, true) or not pcall(require, "argparse") then
    return nil, lacks_argparse
  end
  return nil, ("%s cannot be loaded: %s"):format(modules[name], command)
end

local function main(arguments, context)
  local name = arguments[1]
  if name == "--help" or name == "-h" or name == "help" then
    io.write(usage)
    return 0
  elseif name == nil then
    return complain("no command; `modfs --help` lists them")
  end
  local whole, modfs = pcall(require, "modfs")
  if not whole then
    return complain((tostring(modfs):gsub("^modfs: ", "")))
  elseif name == "--version" then
    print(modfs._VERSION)
    return 0
  elseif not modules[name] then
    return complain(("unknown command '%s'; `modfs --help` lists them"):format(name))
  end
  local command, why = find(name)
  if not command then
    return complain(why)
  end
  local rest = {}
  for i = 2, #arguments do
    rest[i - 1] = arguments[i]
  end
  return command.main(rest, context)
end

return { main = main, complain = complain, modules = modules }
