-- require "modfs.lfs": LuaFileSystem, over every filesystem. Where LuaFileSystem itself is there
-- plain paths are its own; without it modfs does what it can.
local core = require "modfs.core"
local errno = require "modfs.errno"
local handle = require "modfs.io.handle"
local place = require "modfs.place"
local refusal = require "modfs.refusal"

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

-- body returns results, or a refusal.
local function define(name, body)
  module[name] = refusal.entry(body)
end

-- A function whose first argument is a path: LuaFileSystem's own where it is the machine's, else
-- body(where, path, ...) for modfs, with the path as the caller wrote it and what followed it.
local function define_on_path(name, body)
  define(name, function(...)
    local answer, number, text = refusal.no_string(1, ...)
    if answer then
      return answer, number, text
    end
    local path = tostring((...))
    local own, uri = place.find(path)
    if own and real and not path:find("\0", 1, true) then
      return refusal.delegate(real[name], own, select(2, ...))
    end
    return body(own or uri, path, select(2, ...))
  end)
end

-- The refusal of the first value that is no number, of those from that argument on; any may be nil.
local function refuse_numbers(first, ...)
  for i = 1, math.min(2, select("#", ...)) do
    local value = select(i, ...)
    if value ~= nil and not tonumber(value) then
      local _, _, text = refusal.delegate(os.difftime, value)
      return refusal.of_argument(first + i - 1, text)
    end
  end
end

local function reason_only(path, operation, done, message, code)
  if done then
    return true
  end
  return nil, errno.translate(message, code, path, operation)
end

for _, name in ipairs { "attributes", "symlinkattributes" } do
  define_on_path(name, function(where, path, request)
    return attributes[name](where, request, path)
  end)
end

define_on_path("dir", open_directory)

for _, name in ipairs { "mkdir", "rmdir" } do
  define_on_path(name, function(where)
    return reason_only(where, name, core[name](where))
  end)
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

define("chdir", function(...)
  local answer, number, text = refusal.no_string(1, ...)
  if answer then
    return answer, number, text
  end
  local path = tostring((...))
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
end)

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

-- Seconds as nanoseconds; nil where these are more than 64 bits have.
local function nanoseconds(seconds)
  seconds = math.floor(seconds)
  return math.abs(seconds) < 9223372036 and seconds * 1000000000 or nil
end

define_on_path("touch", function(where, _, ...)
  local answer, number, text = refuse_numbers(2, ...)
  if answer then
    return answer, number, text
  end
  local accessed, modified = ...
  accessed = tonumber(accessed) or (select("#", ...) > 0 and 0 or os.time())
  accessed, modified = nanoseconds(accessed), nanoseconds(tonumber(modified) or accessed)
  if not accessed or not modified then
    return nil, errno.texts[22], 22
  end
  return reason_only(where, "touch", core.utime(where, modified, accessed))
end)

-- A symbolic link's first path is text, and counts from the second.
define("link", function(...)
  local answer, number, text = refusal.no_strings(2, 0, ...)
  if answer then
    return answer, number, text
  end
  local old, new, symbolic = ...
  local from = place.find(tostring(old))
  local to, uri = place.find(tostring(new))
  if symbolic and not (real and to) then
    return reason_only(to or uri, "link", core.symlink(old, to or uri))
  elseif not to or not from then
    return refuse()
  elseif not real then
    return refuse(NEEDS_LFS)
  end
  return refusal.delegate(real.link, from or old, to, symbolic)
end)

-- Files ------------------------------------------------------------------------------

-- The refusal of what is no open file.
local function refuse_file(name, ...)
  local file = ...
  local closed = handle.is(file) and not handle.is_open(file) or io.type(file) == "closed file"
  if closed then
    return refusal.because(name .. ": closed file")
  elseif not handle.is(file) then
    local answer, number, text = refusal.delegate(io.stdout.flush, ...)
    if answer == refusal.REFUSED then
      return answer, number, text
    end
  end
end

-- A function of a file: LuaFileSystem's own for one of io's; else body, for any open file.
local function define_on_file(name, body)
  define(name, function(...)
    local file = ...
    if real and not handle.is(file) then
      return refusal.delegate(real[name], ...)
    end
    local answer, number, text = refuse_file(name, ...)
    if answer then
      return answer, number, text
    end
    return body(...)
  end)
end

local modes = { binary = true, text = true }

define_on_file("setmode", function(...)
  local answer, number, text = refusal.no_string(2, ...)
  if answer then
    return answer, number, text
  end
  local mode = tostring((select(2, ...)))
  if not modes[mode] then
    return refusal.of_argument(2, ("invalid option '%s'"):format(mode))
  end
  return true, "binary"
end)

define_on_file("lock", function(...)
  local answer, number, text = refusal.no_string(2, ...)
  if not answer then
    answer, number, text = refuse_numbers(3, select(3, ...))
  end
  if answer then
    return answer, number, text
  elseif not tostring((select(2, ...))):find "^[rw]" then
    return refusal.because "lock: invalid mode"
  end
  return refuse(not handle.is((...)) and NEEDS_LFS)
end)

define_on_file("unlock", function(...)
  local answer, number, text = refuse_numbers(2, select(2, ...))
  if answer then
    return answer, number, text
  end
  return refuse(not handle.is((...)) and NEEDS_LFS)
end)

define_on_path("lock_dir", function(where, _, seconds)
  return lock_directory(where, seconds)
end)

return module
