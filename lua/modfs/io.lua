-- require "modfs.io": io, over every filesystem. Plain paths, pipes and the streams that every
-- program has are io's own files; for other schemes there are handles that behave as those do.
local core = require "modfs.core"
local errno = require "modfs.errno"
local handle = require "modfs.io.handle"
local place = require "modfs.place"

local real = io
local reports_modes = tonumber(_VERSION:match "%d+%.%d+") < 5.2 -- 5.1 and LuaJIT do not raise

local module = {
  popen = real.popen, tmpfile = real.tmpfile,
  stdin = real.stdin, stdout = real.stdout, stderr = real.stderr,
}

local function check_path(path, where)
  if type(path) ~= "string" and type(path) ~= "number" then
    local got = path == nil and "nil" or type(path)
    error(("bad argument #1 to '%s' (string expected, got %s)"):format(where, got), 3)
  end
  return tostring(path)
end

-- What the mode asks for: "r", "w" or "a", and whether with "+"; nil for no mode at all.
local function parse_mode(mode)
  local kind, plus
  if reports_modes then -- the C library's words; what it does not know it passes over
    kind, plus = mode:match "^([rwa])([^,x]*)$"
    plus = plus and plus:match "%+"
  else
    kind, plus = mode:match "^([rwa])(%+?)b*$"
  end
  return kind, plus == "+"
end

local function fail(path, number)
  return nil, ("%s: %s"):format(path, errno.texts[number]), number
end

local function open_elsewhere(path, uri, kind, plus)
  if plus then
    return fail(path, 95)
  end
  local object, message, code = core.open(uri, kind)
  if not object then
    local reason, number = errno.translate(message, code, uri, kind == "r" and "read" or "open")
    return nil, path .. ": " .. reason, number
  elseif kind == "r" then
    return handle.new(path, object, nil)
  end
  return handle.new(path, nil, object)
end

local function open(path, mode)
  if path:find("\0", 1, true) then
    return fail(path, 22)
  end
  local own, uri = place.find(path)
  if own then
    return real.open(own, mode)
  end
  local kind, plus = parse_mode(mode)
  if not kind then
    return fail(path, 22)
  end
  return open_elsewhere(path, uri, kind, plus)
end

function module.open(path, mode)
  path, mode = check_path(path, "open"), mode == nil and "r" or mode
  if type(mode) ~= "string" then
    error(("bad argument #2 to 'open' (string expected, got %s)"):format(type(mode)), 2)
  elseif not reports_modes and not parse_mode(mode) then
    error("bad argument #2 to 'open' (invalid mode)", 2)
  end
  return open(path, mode)
end

function module.type(...)
  local value = ...
  if handle.is(value) then
    return handle.is_open(value) and "file" or "closed file"
  end
  return real.type(...)
end

-- The default streams --------------------------------------------------------

local defaults = {} -- handles; where there is none, io's own default holds

local function current(name)
  local file = defaults[name] or real[name]()
  if module.type(file) == "closed file" then
    error(("default %s file is closed"):format(name), 3)
  end
  return file
end

local function set(name, file)
  if handle.is(file) then
    defaults[name] = file
  else
    real[name](file)
    defaults[name] = nil
  end
end

local function opened(path, mode, level)
  local file, message = open(tostring(path), mode)
  if not file then
    local reason = message:sub(#tostring(path) + 3)
    error(("cannot open file '%s' (%s)"):format(path, reason), level + 1)
  end
  return file
end

local function default(name, mode)
  module[name] = function(file)
    if type(file) == "string" or type(file) == "number" then
      file = opened(file, mode, 2)
    elseif file ~= nil and not module.type(file) then
      error(("bad argument #1 to '%s' (FILE* expected, got %s)"):format(name, type(file)), 2)
    end
    if file ~= nil then
      set(name, file)
    end
    return defaults[name] or real[name]()
  end
end
default("input", "r")
default("output", "w")

function module.read(...)
  return current("input"):read(...)
end

function module.write(...)
  return current("output"):write(...)
end

function module.flush()
  return current("output"):flush()
end

function module.close(file)
  file = file == nil and current "output" or file
  if not module.type(file) then
    error(("bad argument #1 to 'close' (FILE* expected, got %s)"):format(type(file)), 2)
  end
  return file:close()
end

function module.lines(path, ...)
  if path == nil then
    return current("input"):lines(...)
  end
  path = check_path(path, "lines")
  local own = not path:find("\0", 1, true) and place.find(path)
  if own then
    return real.lines(own, ...)
  end
  return handle.lines(opened(path, "r", 2), ...)
end

return module
