-- A chunk from the content of a file, as Lua's own loadfile makes it.
local setfenv = rawget(_G, "setfenv") -- 5.1 and LuaJIT
local compile_text = setfenv and loadstring or load -- luacheck: ignore 113

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

-- mode and env are those of Lua's loadfile; has_env tells a nil from no env. Without a path it is
-- standard input's. Returns the chunk, or nil, Lua's own text and a code.
return function(content, path, mode, has_env, env)
  local name = path and "@" .. path or "=stdin"
  content = strip(content)
  local kind = content:find "^\27" and "binary" or "text"
  if not mode:find(kind:sub(1, 1), 1, true) then
    return nil, ("attempt to load a %s chunk (mode is '%s')"):format(kind, mode),
      "PERMISSION_DENIED"
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
    return nil, why, "INVALID_ARGUMENT"
  end
  return setfenv and env ~= nil and setfenv(chunk, env) or chunk
end
