-- require "modfs.io": io, over every filesystem. Plain paths, pipes and the streams that every
-- program has are io's own files; for other schemes there are handles that behave as those do.
local core = require "modfs.core"
local errno = require "modfs.errno"
local handle = require "modfs.io.handle"
local place = require "modfs.place"
local refusal = require "modfs.refusal"

local real = io
local version = tonumber(_VERSION:match "%d+%.%d+")
local jit = rawget(_G, "jit")
local REFUSED = refusal.REFUSED
local CLOSED = "attempt to use a closed file"

local module = {
  popen = real.popen, tmpfile = real.tmpfile,
  stdin = real.stdin, stdout = real.stdout, stderr = real.stderr,
}

-- body returns results, or a refusal.
local function define(name, body)
  module[name] = refusal.entry(body)
end

local function fail(path, number)
  return nil, ("%s: %s"):format(path, errno.texts[number]), number
end

-- Opening ----------------------------------------------------------------------

-- What the mode asks for: "r", "w" or "a", and whether with "+"; nil for no mode at all.
local function parse_mode(mode)
  mode = mode:match "^[^%z]*"
  local kind, plus
  if version < 5.2 then -- the C library's words; what it does not know it passes over
    kind, plus = mode:match "^([rwa])([^,x]*)$"
    plus = plus and plus:match "%+"
  else
    kind, plus = mode:match(version < 5.3 and "^([rwa])(%+?)b?$" or "^([rwa])(%+?)b*$")
  end
  return kind, plus == "+"
end

-- The refusal of a mode by io, where it raises for one; a good path cannot change that.
local function check_mode(mode)
  local file, number, text = refusal.delegate(real.open, "/dev/null", mode)
  if file == REFUSED then
    return file, number, text
  elseif file then
    file:close()
  end
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

-- Returns the machine's own path, or nil and the URI; neither for what no file can be named.
local function find(path)
  if path:find("\0", 1, true) then
    return nil, nil
  end
  return place.find(path)
end

define("open", function(...)
  local path, mode = ...
  if type(path) ~= "string" and type(path) ~= "number" then
    return refusal.delegate(real.open, ...)
  end
  path, mode = tostring(path), mode == nil and "r" or mode
  local kind, plus = parse_mode(type(mode) == "string" and mode or "")
  if not kind then
    local answer, number, text = check_mode(mode)
    if answer then
      return answer, number, text
    end
  end
  local own, uri = find(path)
  if own then
    return refusal.delegate(real.open, own, mode)
  elseif not (uri and kind) then
    return fail(path, 22)
  end
  return open_elsewhere(path, uri, kind, plus)
end)

define("type", function(...)
  local value = ...
  if handle.is(value) then
    return handle.is_open(value) and "file" or "closed file"
  end
  return refusal.delegate(real.type, ...)
end)

-- A handle for a path that is not the machine's own, or a refusal in io's words.
local function open_or_refuse(path, uri, kind)
  local file, message
  if uri then
    file, message = open_elsewhere(path, uri, kind)
  else
    file, message = fail(path, 22)
  end
  if file then
    return file
  elseif version < 5.2 then
    return refusal.of_argument(1, message)
  end
  return refusal.because(("cannot open file '%s' (%s)"):format(path, message:sub(#path + 3)))
end

-- The default streams --------------------------------------------------------

local defaults = {} -- handles; where there is none, io's own default holds

-- Makes a file of io's, or the machine's own path, the default.
local function set_real(name, ...)
  local file, number, text = refusal.delegate(real[name], ...)
  if file == REFUSED then
    return file, number, text
  end
  defaults[name] = nil
  return file
end

local function set_handle(name, file)
  if not handle.is_open(file) then
    return refusal.because(CLOSED)
  end
  defaults[name] = file
  return file
end

local function set_path(name, path, kind)
  local own, uri = find(path)
  if own then
    return set_real(name, own)
  end
  local file, number, text = open_or_refuse(path, uri, kind)
  if file == REFUSED then
    return file, number, text
  end
  return set_handle(name, file)
end

local function define_default(name, kind)
  define(name, function(...)
    local file = ...
    if file == nil then
      return defaults[name] or real[name]()
    elseif type(file) == "string" or type(file) == "number" then
      return set_path(name, tostring(file), kind)
    elseif handle.is(file) then
      return set_handle(name, file)
    end
    return set_real(name, ...)
  end)
end
define_default("input", "r")
define_default("output", "w")

local function refuse_closed(name)
  local which = jit and "standard file" or (version < 5.4 and "standard " or "default ")
    .. name .. " file"
  return refusal.because(which .. " is closed")
end

-- What works on a default stream: on a handle of ours action, else io's own function.
local function define_on(name, stream, action)
  define(name, function(...)
    local file = defaults[stream]
    if not file then
      return refusal.delegate(real[name], ...)
    elseif not handle.is_open(file) then
      return refuse_closed(stream)
    end
    return action(file, 1, ...)
  end)
end
define_on("read", "input", handle.read)
define_on("write", "output", handle.write)
define_on("flush", "output", handle.flush)

-- Without an argument the default output; nil is an argument.
define("close", function(...)
  local file = (...)
  if select("#", ...) == 0 then
    file = defaults.output
  end
  if not handle.is(file) then
    return refusal.delegate(real.close, ...)
  elseif not handle.is_open(file) then
    return refusal.because(CLOSED)
  end
  return handle.close(file)
end)
if version < 5.2 then -- the method is that function
  handle.methods.close = module.close
end

-- The lines of the default input; LuaJIT looks at them only when they are read.
local function lines_of_input(...)
  local file = defaults.input
  if not file or version < 5.2 and not jit and select("#", ...) > 0 then -- 5.1 refuses a nil
    return refusal.delegate(real.lines, ...)
  elseif not handle.is_open(file) and not jit then
    return refusal.because(CLOSED)
  end
  return handle.iterate(file, select(2, ...))
end

define("lines", function(...)
  local path = ...
  if path == nil then
    return lines_of_input(...)
  elseif type(path) ~= "string" and type(path) ~= "number" then
    return refusal.delegate(real.lines, ...)
  end
  path = tostring(path)
  local own, uri = find(path)
  if own then
    return refusal.delegate(real.lines, own, select(2, ...))
  end
  local file, number, text = open_or_refuse(path, uri, "r")
  if file == REFUSED then
    return file, number, text
  end
  return handle.lines(file, select(2, ...))
end)

return module
