-- Prints the man page of the command, from what its commands say with --help: docs/modfs.1 is
--   lua5.4 scripts/man.lua >docs/modfs.1
local modules = require("modfs.cli").modules

local function words_of(command)
  local pipe = assert(io.popen((arg[-1] or "lua5.4") .. " bin/modfs " .. command .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  return text:match "[Uu]sage:.*" or text
end

local function escape(text)
  text = text:gsub("\\", "\\e"):gsub("%-", "\\-")
  return (("\n" .. text):gsub("\n([.'])", "\n\\&%1"):sub(2))
end

local function verbatim(text)
  print(".nf\n" .. escape(text:gsub("%s+$", "")) .. "\n.fi")
end

print [[
.\" Made by scripts/man.lua from what the commands say with --help.
.TH MODFS 1 "" modfs "User commands"
.SH NAME
modfs \- work with files of every filesystem, and with plugins
.SH SYNOPSIS
.B modfs
.I COMMAND
.RI [ ARGUMENT \&...]
.br
.B modfs
.BR \-\-help | \-\-version
.br
.B modfs help
.RI [ COMMAND ]
.SH DESCRIPTION
A path is plain (notes/a.txt) or a URI (mem://notes/a.txt), whose scheme names the filesystem; its
plugin is loaded when the scheme is first used. mem:// lives as long as the command. A path may
be a pattern with *, ?, [a\-z] and **, unless something of that very name is there; quote it from
the shell. Where a file is read or written, \- stands for a standard stream. What takes longer than
a second shows a bar where standard error is a terminal.
.SH COMMANDS]]

local names = {}
for name in pairs(modules) do
  names[#names + 1] = name
end
table.sort(names)
for _, name in ipairs(names) do
  print((".SS %s"):format(name))
  verbatim(words_of(name .. " --help"))
end

print [[
.SH EXIT STATUS
0: success. 1: something failed; each failure is one line on standard error, and the rest was done.
2: the words of the command were not understood, and nothing was done.
.SH ENVIRONMENT
.TP
TMPDIR
where temporary files are made; /tmp.
.SH SEE ALSO
docs/reference.md in the sources: the same for Lua programs.]]
