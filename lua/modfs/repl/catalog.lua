-- What the types for editors say: the options of functions and the fields of objects; and what
-- functions are called.
local modfs = require "modfs"

local catalog = {}

local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."
local built = modfs.plugin_path:match "^([^;]*)/plugins/%?%.so"

-- Installed beside the modules, or built beside the core.
local function read_types()
  for _, path in ipairs { here .. "/../meta/modfs.lua", built and built .. "/../meta/modfs.lua" } do
    local file = io.open(path)
    if file then
      local text = file:read "*a"
      file:close()
      return text
    end
  end
  return ""
end

local known -- parents and fields by class, and the class of the options by function

local function load_types()
  if known then
    return known
  end
  known = { parents = {}, fields = {}, options = {} }
  local class, options
  for line in read_types():gmatch "[^\n]+" do
    local name, parent = line:match "^%-%-%-@class ([%w.]+):? ?([%w.]*)"
    local field = line:match "^%-%-%-@field ([%w_]+)"
    local called = line:match "^function ([%w_.:]+)"
    if name then
      class = name
      known.parents[name], known.fields[name] = parent ~= "" and parent or nil, {}
    elseif field then
      table.insert(known.fields[class], field)
    elseif called then
      known.options["modfs." .. called:gsub("^modfs%.", "")], options = options, nil
    end
    options = line:match "^%-%-%-@param options%?? ([%w.]+)" or options
  end
  return known
end

-- The names of the fields of a class, with those that it inherits.
function catalog.fields(class)
  local types, names = load_types(), {}
  while class do
    for _, name in ipairs(types.fields[class] or {}) do
      names[#names + 1] = name
    end
    class = types.parents[class]
  end
  return names
end

-- The names of the options of a function, such as "modfs.open" or "modfs.Memory:copy".
function catalog.options(name)
  return catalog.fields(load_types().options[name])
end

-- The class of an object, such as "modfs.File"; nil for other values.
function catalog.class_of(value)
  return type(value) == "userdata" and tostring(value):match "^(modfs%.%u%a+)" or nil
end

-- What a function of modfs is called, such as "modfs.path.join"; nil for other values.
function catalog.name_of(value)
  local places = { modfs = modfs }
  for _, name in ipairs { "path", "codec", "tfrecord", "searcher" } do
    places["modfs." .. name] = rawget(modfs, name) or package.loaded["modfs." .. name]
  end
  for place, module in pairs(places) do
    for name, candidate in pairs(module) do
      if candidate == value and type(value) == "function" then
        return place .. "." .. name
      end
    end
  end
end

return catalog
