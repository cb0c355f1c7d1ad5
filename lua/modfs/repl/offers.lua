-- What a string may become at the prompt: devices, modules, schemes, and paths of any filesystem.
local modfs = require "modfs"

local offers = {}

local function begins(name, partial)
  return name:sub(1, #partial) == partial
end

-- Plugins that lie in the plugin path ---------------------------------------------------

local brought = {} -- by file: whether it brings filesystems

-- Asked of the bytes, so that no plugin is loaded for it.
local function brings_filesystem(file)
  if brought[file] == nil then
    local bytes = modfs.map(file)
    brought[file] = bytes and bytes:find "TF_InitPlugin\0" ~= nil or false
    if bytes then
      bytes:close()
    end
  end
  return brought[file]
end

-- Those that are registered, and those that a plugin brings when they are first used.
function offers.schemes(partial)
  local found, seen = {}, {}
  for _, scheme in ipairs(modfs.schemes()) do
    seen[scheme] = true
    found[#found + 1] = scheme ~= "" and begins(scheme .. "://", partial) and scheme .. "://" or nil
  end
  local loaded = {}
  for _, plugin in ipairs(modfs.plugins()) do
    loaded[plugin.path] = true
  end
  for _, plugin in ipairs(modfs.available()) do
    local uri = plugin.name .. "://"
    if begins(uri, partial) and not seen[plugin.name] and not loaded[plugin.path]
      and brings_filesystem(plugin.path) then
      found[#found + 1] = uri
    end
  end
  table.sort(found)
  return found
end

-- The names of all devices; the shipped plugins are loaded for it.
function offers.devices(partial)
  local found = {}
  for _, platform in ipairs(modfs.platforms()) do
    for ordinal = 0, platform.device_count - 1 do
      local name = ("%s:%d"):format(platform.name, ordinal)
      found[#found + 1] = begins(name, partial) and name or nil
    end
  end
  return found
end

-- Paths -----------------------------------------------------------------------------------

local function list(found, folder, partial)
  for _, name in ipairs(modfs.listdir(folder == "" and "." or folder) or {}) do
    if begins(name, partial) then
      found[#found + 1] = folder .. name .. (modfs.isdir(folder .. name) and "/" or "")
    end
  end
end

-- Whole paths; a directory ends with a slash, for more to follow.
function offers.paths(text)
  local folder, partial = text:match "^(.*/)([^/]*)$"
  folder, partial = folder or "", partial or text
  local found = folder == "" and offers.schemes(partial) or {}
  list(found, folder, partial)
  if #found == 1 and found[1]:find "/$" then -- alone, readline would close the string behind it
    list(found, found[1], "")
  end
  return found
end

-- Modules ---------------------------------------------------------------------------------

-- Modules in a folder that a template leads to: what is before and behind the mark in its name.
local function list_modules(found, folder, before, behind, prefix)
  for _, name in ipairs(modfs.listdir(folder == "" and "." or folder) or {}) do
    local module = begins(name, before) and #name > #before + #behind
      and name:sub(-#behind) == behind and name:sub(#before + 1, -#behind - 1)
    if module and not module:find(".", 1, true) then
      found[prefix .. module] = true
    end
  end
end

-- Modules that are folders with a file of their own name in each, such as init.lua.
local function list_folders(found, folder, inside, prefix)
  for _, name in ipairs(modfs.listdir(folder) or {}) do
    if modfs.exists(folder .. name .. inside) == true then
      found[prefix .. name] = true
    end
  end
end

local function search_template(found, template, prefix)
  local folder, before, behind = template:match "^(.-)([^/?]*)%?(.*)$"
  if not folder then
    return
  end
  folder = folder .. prefix:gsub("%.", "/")
  if behind:find "^/" then
    list_folders(found, folder, behind, prefix)
  elseif not behind:find "[/?]" then
    list_modules(found, folder, before, behind, prefix)
  end
end

-- The modules that `require` finds, or has found.
function offers.modules(partial)
  local names, found = {}, {}
  local prefix = partial:match "^(.*%.)[^.]*$" or ""
  for template in (package.path .. ";" .. package.cpath):gmatch "[^;]+" do
    search_template(names, template, prefix)
  end
  for name in pairs(package.preload) do
    names[name] = true
  end
  for name in pairs(names) do
    found[#found + 1] = begins(name, partial) and name or nil
  end
  table.sort(found)
  return found
end

return offers
