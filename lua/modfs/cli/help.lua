-- What `modfs --help` writes.
local argparse = require "modfs.cli.argparse"

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
  if not pcall(argparse.find) then
    local note = ("\nNo command works here: %s.\n"):format(argparse.lacking)
    text = text:gsub("\n", note, 1)
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

return help
