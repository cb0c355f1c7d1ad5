-- Whether the loader would trust a file: it and each folder above must be root's or the user's own
-- and writable by nobody else. The folder that the core came from is trusted as the core is.
local host = require "modfs.inspect.host"
local search = require "modfs.inspect.search"
local shell = require "modfs.inspect.shell"

local function fault(entry, me)
  local owner, mode, kind, path = entry:match("^(%d+) (%d+) (%a)[^/]*(/.*)$")
  if not owner then
    return nil
  end
  local sticky = kind == "d" and math.floor(tonumber(mode, 8) / 512) % 2 == 1
  local others, group = tonumber(mode, 8) % 8, math.floor(tonumber(mode, 8) / 8) % 8
  if owner ~= "0" and owner ~= me then
    return path .. " belongs to another user"
  elseif others % 4 >= 2 and not sticky then
    return path .. " is writable by everyone"
  elseif group % 4 >= 2 and not sticky then
    return path .. " is writable by its group"
  end
end

-- reason(path) -> why it is not trusted, or nil.
return function(path)
  local real = shell.output("readlink -f --", path)
  local own = search.dirname(shell.output("readlink -f --", host.core_file()))
  if real == "" or real:sub(1, #own + 1) == own .. "/" then
    return nil
  end
  local names, part = { real }, real
  while part:find("/[^/]+$") do
    part = part:match("^(.*)/[^/]+$")
    names[#names + 1] = part == "" and "/" or part
  end
  local me = shell.output("id -u")
  local entries = shell.output("stat -c '%u %a %F %n' --", (table.unpack or unpack)(names))
  for entry in entries:gmatch("[^\n]+") do
    local why = fault(entry, me)
    if why then
      return why .. ": the loader requires `trust = true`"
    end
  end
end
