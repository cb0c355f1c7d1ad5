-- require "modfs.lfs": LuaFileSystem, over every filesystem. Where LuaFileSystem itself is there
-- plain paths are its own; without it modfs does what it can.
local core = require "modfs.core"
local errno = require "modfs.errno"
local handle = require "modfs.io.handle"
local place = require "modfs.place"

local attributes = require "modfs.lfs.attributes"
local open_directory = require "modfs.lfs.dir"
local lock_directory = require "modfs.lfs.lock"

-- LuaFileSystem sets a global, which is not ours to set.
local before = rawget(_G, "lfs")
local found, real = pcall(require, "lfs")
rawset(_G, "lfs", before)
real = found and type(real) == "table" and real or nil

local NEEDS_LFS = "Operation not supported: modfs has no such call; install LuaFileSystem "
  .. "(Debian: lua-filesystem) for plain paths"

local module = {
  _VERSION = real and real._VERSION or "LuaFileSystem 1.8.0",
  _DESCRIPTION = real and real._DESCRIPTION or "LuaFileSystem is a Lua library developed to "
    .. "complement the set of functions related to file systems offered by the standard Lua "
    .. "distribution",
  _COPYRIGHT = real and real._COPYRIGHT or "Copyright (C) 2003-2017 Kepler Project",
}

local function check_path(path, where, arg)
  if type(path) ~= "string" and type(path) ~= "number" then
    local got = path == nil and "no value" or type(path)
    error(("bad argument #%d to '%s' (string expected, got %s)"):format(arg or 1, where, got), 3)
  end
  return tostring(path)
end

local function check_number(where, arg, value)
  if value ~= nil and not tonumber(value) then
    error(("bad argument #%d to '%s' (number expected, got %s)"):format(arg, where, type(value)), 4)
  end
end

-- Both may be missing.
local function check_numbers(where, arg, one, two)
  check_number(where, arg, one)
  check_number(where, arg + 1, two)
end

-- LuaFileSystem's own function for a path of the machine's, or nil and the path for modfs.
local function lead(name, path)
  local own, uri = place.find(path)
  if own and real and not path:find("\0", 1, true) then
    return real[name], own
  end
  return nil, own or uri
end

local function reason_only(path, operation, done, message, code)
  if done then
    return true
  end
  return nil, errno.translate(message, code, path, operation)
end

for _, name in ipairs { "attributes", "symlinkattributes" } do
  module[name] = function(path, request)
    local own, where = lead(name, check_path(path, name))
    if own then
      return own(where, request)
    end
    return attributes[name](where, request, path)
  end
end

function module.dir(path)
  local own, where = lead("dir", check_path(path, "dir"))
  if own then
    return own(where)
  end
  return open_directory(where, path)
end

for _, name in ipairs { "mkdir", "rmdir" } do
  module[name] = function(path)
    local own, where = lead(name, check_path(path, name))
    if own then
      return own(where)
    end
    return reason_only(where, name, core[name](where))
  end
end

-- Where we are -----------------------------------------------------------------

local function no_directory(path, reason)
  return nil, ("Unable to change working directory to '%s'\n%s\n"):format(path, reason)
end

-- Into a directory of modfs: the process stays where it is, the drop-ins go there.
local function enter(path, uri)
  local stat, message, code = core.stat(uri)
  if not stat then
    return no_directory(path, (errno.translate(message, code, uri, "chdir")))
  elseif not stat.is_directory then
    return no_directory(path, errno.texts[20])
  end
  place.set_working(uri)
  return true
end

function module.chdir(path)
  path = check_path(path, "chdir")
  local own, uri = place.find(path)
  if uri then
    return enter(path, uri)
  elseif not real then
    return no_directory(path, NEEDS_LFS)
  end
  local done, message = real.chdir(own)
  if not done then
    return nil, message
  end
  place.set_working(nil)
  return true
end

local function ask_shell()
  local pipe = io.popen "pwd -P"
  local path = pipe:read "*a"
  pipe:close()
  return (path:gsub("\n$", ""))
end

function module.currentdir()
  return place.working() or (real and real.currentdir or ask_shell)()
end

-- What the plugins' interface does not have -----------------------------------------

local function refuse(reason)
  return nil, reason or errno.texts[95], 95
end

function module.touch(path, ...)
  local own, where = lead("touch", check_path(path, "touch"))
  check_numbers("touch", 2, ...)
  if own then
    return own(where, ...)
  end
  local there, message, code = core.stat(where)
  if not there then
    return reason_only(where, "touch", nil, message, code)
  end
  return refuse(place.find(path) and NEEDS_LFS)
end

-- A symbolic link's first path is text, and counts from the second.
function module.link(old, new, symbolic)
  old, new = check_path(old, "link"), check_path(new, "link", 2)
  local from, to = place.find(old), place.find(new)
  if not to or not (from or symbolic) then
    return refuse()
  elseif not real then
    return refuse(NEEDS_LFS)
  end
  return real.link(from, to, symbolic)
end

local function check_file(file, where)
  if not handle.is(file) and not io.type(file) then
    error(("bad argument #1 to '%s' (FILE* expected, got %s)"):format(where, type(file)), 3)
  elseif handle.is(file) and not handle.is_open(file) then
    error(where .. ": closed file", 3)
  end
end

local function check_choice(value, known, where)
  if type(value) ~= "string" then
    local got = value == nil and "no value" or type(value)
    error(("bad argument #2 to '%s' (string expected, got %s)"):format(where, got), 3)
  elseif not known[value] then
    error(("bad argument #2 to '%s' (invalid option '%s')"):format(where, value), 3)
  end
end

function module.setmode(file, mode)
  check_file(file, "setmode")
  check_choice(mode, { binary = true, text = true }, "setmode")
  if real and not handle.is(file) then
    return real.setmode(file, mode)
  end
  return true, "binary"
end

for _, name in ipairs { "lock", "unlock" } do
  module[name] = function(file, ...)
    check_file(file, name)
    if name == "lock" then
      check_choice((...), { r = true, w = true }, name)
      check_numbers(name, 3, select(2, ...))
    else
      check_numbers(name, 2, ...)
    end
    if handle.is(file) then
      return refuse()
    elseif not real then
      return refuse(NEEDS_LFS)
    end
    return real[name](file, ...)
  end
end

function module.lock_dir(path, seconds)
  local own, where = lead("lock_dir", check_path(path, "lock_dir"))
  return (own or lock_directory)(where, seconds)
end

return module
