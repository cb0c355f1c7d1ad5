-- What lies where the templates of a plugin path point.
local core = require "modfs.core"

-- The Lua pattern for one part of a template; every ? in it stands for the same name.
local function template_pattern(part)
  local first = true
  local pattern = part:gsub("%p", "%%%0"):gsub("%%%?", function()
    local mark = first and "(.+)" or "%1"
    first = false
    return mark
  end)
  return "^" .. pattern .. "$"
end

-- The first part with a ? in it is listed; the name found there fills the other ones.
local function search_template(template, found)
  local folder, part = template:match("^(.-)([^/]*%?[^/]*)")
  local names = folder and core.listdir(folder == "" and "." or folder)
  for _, entry in ipairs(names or {}) do
    local name = entry:match(template_pattern(part))
    local path = name and template:gsub("%?", function() return name end)
    if path and not found[name] and core.exists(path) == true and not core.isdir(path) then
      found[name] = path
    end
  end
end

-- find(templates): the path of the first file for each name; templates are separated by semicolons.
local function find(templates)
  local found = {}
  for template in templates:gmatch("[^;]+") do
    search_template(template, found)
  end
  return found
end

return { find = find }
