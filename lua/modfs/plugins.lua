-- Plugins in folders: loading all of one, and finding what the plugin path offers.
local core = require "modfs.core"
local options = require "modfs.options"
local own = require "modfs.own"
local step = require "modfs.step"
local find_files = require("modfs.plugin_path").find

local load_file = own.load
local default_path = own.plugin_path

local function is_folder(path)
  return type(path) == "string" and core.path.parse(path) == ""
    and step.call(core.isdir, path) == true
end

-- A link to a plugin that is loaded already gives the same object: it is listed once.
local function load_folder(path, opts)
  local names, message, code = step.call(core.listdir, path)
  if not names then
    return nil, message, code
  end
  local plugins, failures, seen = {}, {}, {}
  for _, name in ipairs(names) do
    if name:find("%.so$") then
      local file = path .. "/" .. name
      local plugin, why, kind = load_file(file, opts)
      if not plugin then
        failures[#failures + 1] = { path = file, code = kind, message = why }
      elseif not seen[plugin] then
        seen[plugin] = true
        plugins[#plugins + 1] = plugin
      end
    end
  end
  return plugins, failures
end

local of_folder = { symbol = "string", trust = "boolean" }
local of_file = { symbol = "string", trust = "boolean", scheme = "string", as = "string" }

-- A plugin of one file, or all of a folder: their array, and an array of failures.
local function load(path, opts)
  options.check_path(path, "load", 1)
  local folder = is_folder(path)
  options.check(opts, folder and of_folder or of_file, "load", 2)
  return (folder and load_folder or load_file)(path, opts)
end

local function plugin_path()
  local path = core.plugin_path
  if path ~= nil and type(path) ~= "string" then
    error("modfs.plugin_path: string expected, got " .. type(path), 3)
  end
  return path or default_path
end

local function available(surplus)
  options.check_none(surplus, "available", 1)
  local list = {}
  for name, path in pairs(find_files(plugin_path())) do
    list[#list + 1] = { name = name, path = path }
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

return { load = load, available = available }
