-- The host that inspects: its files, and the tables that it was built with.
local core = require "modfs.core"
local search = require "modfs.inspect.search"

-- The file that require took the core from.
local function core_file()
  for template in package.cpath:gmatch("[^;]+") do
    local path = template:gsub("%?", "modfs/core")
    if core.exists(path) == true then
      return path
    end
  end
  error("modfs/core.so is not in package.cpath", 0)
end

-- Our own plugins are compiled against the headers of the host, so their tables have its sizes.
local function tables()
  local folder, all = search.dirname(core_file()), {}
  for _, name in ipairs { "mem", "reference" } do
    local plugin = core.load(("%s/plugins/%s.so"):format(folder, name))
    for table_name, version in pairs(plugin and plugin.versions or {}) do
      all[table_name] = version
    end
  end
  return all
end

return { core_file = core_file, tables = tables }
