-- Why the core cannot be loaded: one line where it was built for another Lua.
local makes = { LuaJIT = "luajit" }

local function content(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then
    file:close()
  end
  return text
end

-- The file that require takes the core from, and the Lua that it was built for.
local function core_file()
  for template in package.cpath:gmatch "[^;]+" do
    local path = template:gsub("%?", "modfs/core")
    local text = content(path)
    if text then
      return path, text:match "modfs%.core is built for ([%w. ]+)"
    end
  end
end

-- mismatch(problem) -> the text of an error: problem itself where it is nothing of that kind.
return function(problem)
  local own = rawget(_G, "jit") and "LuaJIT" or _VERSION
  local path, built = core_file()
  if not built or built == own then
    return problem
  end
  local make = makes[own] or own:lower():gsub(" ", "")
  return ("modfs: %s is built for %s, and this is %s: build modfs with `make LUA=%s`, and "
    .. "put that build into package.cpath"):format(path, built, own, make)
end
