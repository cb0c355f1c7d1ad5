-- Every function that Lua sees is named in docs/reference.md; the conformance runner's are for its
-- cases only, those of signals for the command, and those of modfs.jobs for modfs.async.
local reference = "docs/reference.md"
local internal = { ["src/lua/interrupt.c"] = true, ["src/lua/job_module.c"] = true }

-- The names in the luaL_Reg tables of a file.
local function bound_in(project, path, found)
  for n, line in project:lines(path) do
    for name in line:gmatch('{%s*"([%a][%w_]*)"%s*,%s*[%a_][%w_]*%s*}') do
      found[name] = path .. ":" .. n
    end
  end
end

local function bound_in_c(project, found)
  for path in project:files("^src/lua/[^/]*%.c$") do
    if not internal[path] then
      bound_in(project, path, found)
    end
  end
end

-- What init.lua takes into the module: the names in the last line of each file that it lists
-- functions of.
local function written_in_lua(project, found)
  for topic in project:read("lua/modfs/init.lua"):gmatch('([%w_]+) = { "') do
    local path = "lua/modfs/" .. topic .. ".lua"
    local exported = project:read(path):match("\nreturn (%b{})") or ""
    for name in exported:gmatch("([%w_]+) =") do
      found[name] = path
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
