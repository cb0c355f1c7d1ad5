-- Every function that Lua sees is named in docs/reference.md.
local reference = "docs/reference.md"

-- The names in the luaL_Reg tables of the binding.
local function bound_in_c(project, found)
  for path in project:files("^src/lua/.*%.c$") do
    for n, line in project:lines(path) do
      for name in line:gmatch('{%s*"([%a][%w_]*)"%s*,%s*[%a_][%w_]*%s*}') do
        found[name] = path .. ":" .. n
      end
    end
  end
end

-- The public functions of the Lua files: function modfs.name(…) and modfs.name = function.
local function written_in_lua(project, found)
  for path in project:files("^lua/modfs/[%w_]+%.lua$") do
    for n, line in project:lines(path) do
      local name = line:match("^function [%w_]+[.:]([%a][%w_]*)%(")
      if name then
        found[name] = path .. ":" .. n
      end
    end
  end
end

return function(project, report)
  local found = {}
  bound_in_c(project, found)
  written_in_lua(project, found)
  local text = project:read(reference)
  for name, where in pairs(found) do
    if not text:find("%f[%w_]" .. name .. "%f[^%w_]") then
      report(where, name .. " is not in " .. reference)
    end
  end
end
