-- modfs.loadfile and modfs.dofile: Lua's own, from any path, and text alone unless asked.
local compile_chunk = require "modfs.compile"
local core = require "modfs.core"
local options = require "modfs.options"
local step = require "modfs.step"

local function printable(text)
  return (text:gsub("%c", function(byte) return ("\\x%02x"):format(byte:byte()) end))
end

-- A failure in modfs's form, where Lua's own is a text alone.
local function compile(content, path, mode, has_env, env)
  local chunk, why, code = compile_chunk(content, path, mode, has_env, env)
  if chunk then
    return chunk
  end
  local shown = printable(path or "stdin")
  return nil, ("%s: loadfile %s: %s"):format(code, shown, printable(why)), code
end

-- The second argument is a mode, or a table { mode =, env = }; a given env is the third.
local function settings(where, mode, ...)
  local has_env, env = select("#", ...) > 0, (...)
  if type(mode) == "table" then
    local given = options.check(mode, { mode = "string", env = "table" }, where, 2, 1)
    mode, has_env, env = given.mode, has_env or given.env ~= nil, given.env or env
  end
  return options.check_mode(mode, where, 2), has_env, env
end

local function content_of(path)
  if path == nil then
    return io.stdin:read "*a", nil, nil
  end
  return step.call(core.read, path)
end

local function loadfile(path, ...)
  local mode, has_env, env = settings("loadfile", ...)
  if path ~= nil then
    options.check_path(path, "loadfile", 1)
  end
  local content, message, code = content_of(path)
  if not content then
    return nil, message, code
  end
  return compile(content, path, mode, has_env, env)
end

local function dofile(path, given)
  local mode, has_env, env = settings("dofile", given)
  if path ~= nil then
    options.check_path(path, "dofile", 1)
  end
  local content, message = content_of(path)
  local chunk
  if content then
    chunk, message = compile(content, path, mode, has_env, env)
  end
  if not chunk then
    error(message, 0)
  end
  return chunk()
end

return { loadfile = loadfile, dofile = dofile }
