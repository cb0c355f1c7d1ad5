-- An include points to the same folder or to one below it (floors.lua), and lua.h is seen in the
-- bindings alone.

local floors = require "rules.floors"

-- Which public headers a room sees; "" stands for all.
local rooms = {
  { "^include/modfs/", { "status", "filesystem", "env", "stream_executor", "extension" } },
  { "^src/runtime/", { "status", "filesystem", "env" } },
  { "^plugins/", { "status", "filesystem", "env", "stream_executor", "extension",
    "register" } },
  { "^examples/plugin/", { "status", "filesystem", "env", "stream_executor", "extension",
    "register" } },
  { "^src/core/", { "" } },
  { "^src/check/shim/", {} },
  { "^src/check/runner/", { "" } },
  { "^src/check/binding/", { "" } },
  { "^src/lua/", { "" } },
}

local lua_headers = { ["lua.h"] = true, ["lauxlib.h"] = true, ["lualib.h"] = true }

local function allows(names, header)
  for _, name in ipairs(names) do
    if name == "" or header == name .. ".h" then
      return true
    end
  end
  return false
end

local function sees_lua(path)
  return path:find("^src/lua/") or path:find("^src/check/binding/")
end

local function check_public(path, names, header, complain)
  if lua_headers[header] then
    if not sees_lua(path) then
      complain("lua.h is seen in src/lua and src/check/binding alone")
    end
    return
  end
  local public = header:match("^modfs/(.*)$")
  if public and not allows(names, public) then
    complain("<" .. header .. "> is above this room")
  end
end

-- The one door between rooms: the table of hooks that the core hands to the runtime.
local doors = { ["src/core/host/hooks.c"] = "runtime/env_hooks.h" }

-- The path of the header that an include in quotes names: beside the file, or from src on.
local function find_header(project, folder, header)
  local beside = folder .. "/" .. header
  while beside:find("[^/]+/%.%./") do
    beside = beside:gsub("[^/]+/%.%./", "", 1)
  end
  for _, path in ipairs { beside, "src/" .. header } do
    if project.has(project.root .. "/" .. path) then
      return path
    end
  end
end

local function check_own(project, path, names, header, complain)
  local folder = path:match("^(.*)/")
  if doors[path] == header then
    return
  end
  if path:find("^include/modfs/") then
    local for_hosts = path:find("/modfs.h$") or path:find("/device.h$")
      or path:find("/async.h$")
    if not for_hosts and not allows(names, header) then
      complain('"' .. header .. '" is above this room')
    end
    return
  end
  local found = find_header(project, folder, header)
  if not found then
    complain('"' .. header .. '" does not exist')
  elseif not floors.may_use(folder, found:match("^(.*)/")) then
    complain(found .. " is not below this folder")
  end
end

local function check_file(project, path, names, report)
  for n, line in project:lines(path) do
    local function complain(what)
      report(path .. ":" .. n, what)
    end
    local bracket, header = line:match('^%s*#%s*include%s*([<"])([^>"]+)[>"]')
    if bracket == "<" then
      check_public(path, names, header, complain)
    elseif bracket and header:find("^modfs/") then
      check_public(path, names, header, complain)
    elseif bracket then
      check_own(project, path, names, header, complain)
    end
  end
end

return function(project, report)
  for _, room in ipairs(rooms) do
    for path in project:files(room[1] .. ".*%.[ch]$") do
      check_file(project, path, room[2], report)
    end
  end
end
