-- Loads a plugin in a child with limits, and tells what it declared. Whatever the child does, it is
-- the child alone that ends.
local host = require "modfs.inspect.host"
local shell = require "modfs.inspect.shell"

local most_seconds = 10
local signals = { [4] = "SIGILL", [6] = "SIGABRT", [7] = "SIGBUS", [8] = "SIGFPE",
  [11] = "SIGSEGV", [31] = "SIGSYS" }

local program = [[
package.path, package.cpath = %q, %q
local results = assert(io.open(arg[2], "wb"))
local function tell(key, value)
  results:write(key, "\t", (tostring(value):gsub("[%%c%%%%]", function(byte)
    return ("%%%%%%02x"):format(byte:byte())
  end)), "\n")
end
local modfs = require "modfs"
local plugin, why = modfs.load(arg[1], { trust = arg[3] == "trust" })
if plugin then
  for _, scheme in ipairs(plugin.schemes) do tell("scheme", scheme) end
  for _, platform in ipairs(plugin.platforms) do tell("platform", platform) end
  for _, name in ipairs { "author", "version", "url" } do
    if plugin[name] then tell(name, plugin[name]) end
  end
  for name, version in pairs(plugin.versions) do
    tell("table", ("%%s %%d %%d %%d"):format(name, version.abi, version.api, version.size))
  end
else
  tell("failure", why)
end
tell("done", "")
results:close()
]]

local function write_program(path)
  local file = assert(io.open(path, "wb"))
  file:write(program:format(package.path, package.cpath))
  file:close()
end

-- How the child ended: its exit status, as the shell counts.
local function run(path, folder, trust, seconds)
  local limits = ("ulimit -c 0; ulimit -f 131072; ulimit -n 256; timeout -k 1 %d"):format(seconds)
  local words = ("%s %s %s/program"):format(limits, shell.quote(shell.interpreter()), folder)
  local redirected = (" %s %s/results %s </dev/null >/dev/null 2>&1; echo $?"):format(
    shell.quote(path), folder, trust and "trust" or "check")
  return tonumber((shell.output("{ " .. words .. redirected .. "; }"))) or 255
end

local function read_results(path)
  local found = { schemes = {}, platforms = {}, tables = {} }
  local file = io.open(path, "rb")
  local text = file and file:read("*a") or ""
  if file then
    file:close()
  end
  for key, value in text:gmatch("(%l+)\t([^\n]*)\n") do
    value = value:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
    if key == "scheme" or key == "platform" then
      table.insert(found[key .. "s"], value)
    elseif key == "table" then
      local name, abi, api, size = value:match("^(%S+) (%-?%d+) (%-?%d+) (%d+)$")
      local own = name and host.tables()[name]
      if own then
        table.insert(found.tables, { name = name, abi = tonumber(abi), api = tonumber(api),
          size = tonumber(size), host = own })
      end
    else
      found[key] = value
    end
  end
  table.sort(found.tables, function(a, b) return a.name < b.name end)
  return found
end

local function ending(status, found, seconds)
  if status == 124 or status == 137 then
    return ("loading it does not end: it was stopped after %d seconds"):format(seconds)
  elseif status > 128 then
    return ("loading it crashes: %s"):format(signals[status - 128] or "signal " .. status - 128)
  elseif not found.done then
    return ("loading it ends the process, with status %d"):format(status)
  elseif status ~= 0 then
    return ("the process that loaded it ends with status %d"):format(status)
  end
  return found.failure
end

-- load(path, trust, seconds) -> what it declared; its `failure` says why it cannot be loaded.
return function(path, trust, seconds)
  seconds = seconds or most_seconds
  local folder = shell.output("mktemp -d")
  assert(folder ~= "", "no folder for temporary files")
  write_program(folder .. "/program")
  local status = run(path, folder, trust, seconds)
  local found = read_results(folder .. "/results")
  shell.output("rm -rf", folder)
  found.failure, found.done = ending(status, found, seconds), nil
  return found
end
