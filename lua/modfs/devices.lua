-- Platforms and devices: the shipped plugins are loaded before either is listed.
local own = require "modfs.own"
local options = require "modfs.options"

local list_platforms, list_devices = own.platforms, own.devices
local folder = own.plugin_path:match "^(.*)/%?%.so$"

local function is_loaded(file)
  for _, plugin in ipairs(own.plugins()) do
    if plugin.path == file then
      return true
    end
  end
  return false
end

-- Asked of the bytes, so that a plugin which brings filesystems alone stays unloaded.
local function brings_devices(file)
  local bytes = own.map(file)
  local found = bytes and bytes:find "SE_InitPlugin\0"
  if bytes then
    bytes:close()
  end
  return found
end

-- A file that cannot be loaded does not hide the others.
local function load_shipped()
  for _, name in ipairs(own.listdir(folder) or {}) do
    local file = folder .. "/" .. name
    if name:find "%.so$" and not is_loaded(file) and brings_devices(file) then
      own.load(file)
    end
  end
end

local function platforms(surplus)
  options.check_none(surplus, "platforms", 1)
  load_shipped()
  return list_platforms()
end

local function devices(type_or_platform, surplus)
  options.check_none(surplus, "devices", 2)
  if type_or_platform ~= nil then
    options.check_path(type_or_platform, "devices", 1)
  end
  load_shipped()
  return list_devices(type_or_platform)
end

return { platforms = platforms, devices = devices }
