-- modfs.loadfile and modfs.dofile: Lua's own, from any path, and text alone unless asked.
local core = require "modfs.core"
local options = require "modfs.options"

local setfenv = rawget(_G, "setfenv") -- 5.1 and LuaJIT
local compile_text = setfenv and loadstring or load -- luacheck: ignore 113

local function printable(text)
  return (text:gsub("%c", function(byte) return ("\\x%02x"):format(byte:byte()) end))
end

local function failure(code, path, why)
  return nil, ("%s: loadfile %s: %s"):format(code, printable(path), printable(why)), code
end

-- Without a byte order mark and a first line that starts with "#"; its newline stays before text,
-- so that lines keep their numbers.
local function strip(content)
  content = content:gsub("^\239\187\191", "")
  if content:find "^#" then
    content = content:gsub("^[^\n]*", "")
    return content:find "^\n\27" and content:sub(2) or content
  end
  return content
end

-- mode and env are those of Lua's loadfile; has_env tells a nil from no env.
local function compile(content, path, mode, has_env, env)
  local name = path and "@" .. path or "=stdin"
  path, content = path or "stdin", strip(content)
  local kind = content:find "^\27" and "binary" or "text"
  if not mode:find(kind:sub(1, 1), 1, true) then
    return failure("PERMISSION_DENIED", path,
      ("attempt to load a %s chunk (mode is '%s')"):format(kind, mode))
  end
  local chunk, why
  if setfenv then
    chunk, why = compile_text(content, name)
  elseif has_env then
    chunk, why = load(content, name, mode, env)
  else
    chunk, why = load(content, name, mode)
  end
  if not chunk then
    return failure("INVALID_ARGUMENT", path, why)
  end
  return setfenv and env ~= nil and setfenv(chunk, env) or chunk
end

-- The second argument is a mode, or a table { mode =, env = }; a given env is the third.
local function settings(where, mode, ...)
  local has_env, env = select("#", ...) > 0, (...)
  if type(mode) == "table" then
    local given = options.check(mode, { mode = "string", env = "table" }, where, 2)
    mode, has_env, env = given.mode, has_env or given.env ~= nil, given.env or env
  end
  return options.check_mode(mode, where, 2), has_env, env
end

local function content_of(path)
  if path == nil then
    return io.stdin:read "*a", nil, nil
  end
  return core.read(path)
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
