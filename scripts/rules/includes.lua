-- An include points down or sideways, never up (docs/house.md), and lua.h is seen in src/lua alone.

-- The lower floors of src/core; whatever is not named stands on the third. A header may stand lower
-- than the functions it declares: fs.h is the struct that the registry keeps.
local floors = {
  { "path", "glob", "names", "dylib", "probe", "trust", "status", "tables", "bfc" },
  { "fs.h", "directory.h", "platform.h", "plugin", "registry", "loader", "fs_defaults",
    "default_create", "default_delete", "default_glob", "device_abi", "device_defaults",
    "device_rules" },
}

local function floor_of(file)
  for floor, nouns in ipairs(floors) do
    for _, noun in ipairs(nouns) do
      if file == noun or file:gsub("%.[ch]$", "") == noun then
        return floor
      end
    end
  end
  return 3
end

-- Which public headers a room sees; "" stands for all.
local rooms = {
  { "^include/modfs/", { "status", "filesystem", "env", "stream_executor", "extension" } },
  { "^src/runtime/", { "status", "filesystem", "env" } },
  { "^plugins/", { "status", "filesystem", "env", "stream_executor", "extension" } },
  { "^examples/plugin/", { "status", "filesystem", "env", "stream_executor", "extension" } },
  { "^src/core/", { "" } },
  { "^src/shim/", {} },
  { "^src/judge/", { "" } },
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

local function check_public(path, names, header, complain)
  if lua_headers[header] then
    if not path:find("^src/lua/") then
      complain("lua.h is seen in src/lua alone")
    end
    return
  end
  local public = header:match("^modfs/(.*)$")
  if public and not allows(names, public) then
    complain("<" .. header .. "> is above this room")
  end
end

local function check_floor(path, header, complain)
  local file = path:match("^src/core/(.*)$")
  if file and floor_of(header) > floor_of(file) then
    complain(('"%s" (floor %d) is above floor %d'):format(header, floor_of(header), floor_of(file)))
  end
end

-- The one door between rooms: the table of hooks that the core hands to the runtime.
local doors = { ["src/core/hooks.c"] = "runtime/env_hooks.h" }

-- Who looks into which folders below.
local below = { ["src/lua"] = { core = true, judge = true },
  ["src/lua/judge_fs"] = { judge = true, shim = true },
  ["src/judge"] = { core = true, shim = true } }

-- "x.h" is a file of the same folder, or of one below it.
local function check_own(project, path, names, header, complain)
  local folder = path:match("^(.*)/")
  if doors[path] == header then
    return
  end
  if path:find("^include/modfs/") then
    local for_hosts = path:find("/modfs.h$") or path:find("/device.h$")
    if not for_hosts and not allows(names, header) then
      complain('"' .. header .. '" is above this room')
    end
  elseif project.has(project.root .. "/" .. folder .. "/" .. header) then
    check_floor(path, header, complain)
  elseif not (below[folder] and below[folder][header:match("^[^/]*")]) then
    complain('"' .. header .. '" is another room\'s')
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
