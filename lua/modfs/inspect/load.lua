-- Loads a plugin in a child with limits, and tells what it declared. Whatever the child does, it is
-- the child alone that ends.
local host = require "modfs.inspect.host"
local sanitizer = require "modfs.check.sanitizer"
local shell = require "modfs.inspect.shell"
local temporary = require "modfs.temporary"

local limits = { seconds = 10, megabytes = 2048, file_megabytes = 64, files = 256 }
local signals = { [4] = "SIGILL", [6] = "SIGABRT", [7] = "SIGBUS", [8] = "SIGFPE",
  [9] = "SIGKILL", [11] = "SIGSEGV", [25] = "SIGXFSZ", [31] = "SIGSYS" }

local program = [=[
package.path, package.cpath = %q, %q
local file, results, trust = arg[1], assert(io.open(arg[2], "wb")), arg[3]
results:setvbuf "no"
local function tell(key, value)
  results:write(key, "\t", (tostring(value):gsub("[%%c%%%%]", function(byte)
    return ("%%%%%%02x"):format(byte:byte())
  end)), "\n")
end
local modfs = require "modfs.core"
local plugin, why = modfs.load(file, { trust = trust == "trust", scheme = arg[4],
  as = arg[5] ~= "" and arg[5] or nil })
if plugin then
  for _, scheme in ipairs(plugin.schemes) do tell("scheme", scheme) end
  for _, name in ipairs { "author", "version", "url" } do
    if plugin[name] then tell(name, plugin[name]) end
  end
  for name, version in pairs(plugin.versions) do
    tell("table", ("%%s %%d %%d %%d"):format(name, version.abi, version.api, version.size))
  end
  for _, platform in ipairs(modfs.platforms()) do
    tell("platform", platform.name)
    tell("layout", platform.api)
    tell("devices", platform.device_count)
  end
  tell("loaded", "")
  if arg[6] then
    tell("refusal", select(2, modfs[arg[6]](arg[7])) or "")
  end
else
  tell("failure", why)
end
tell("done", "")
results:close()
]=]

local function write_program(path)
  local file = assert(io.open(path, "wb"))
  file:write(program:format(package.path, package.cpath))
  file:close()
end

local function limit_words()
  local words = ("ulimit -c 0; ulimit -f %d; ulimit -n %d"):format(limits.file_megabytes * 2048,
    limits.files)
  local megabytes = sanitizer.memory_limit(limits.megabytes)
  return megabytes == 0 and words or words .. ("; ulimit -d %d"):format(megabytes * 1024)
end

-- What the child leaves running in its process group ends with it.
local command = "exec 2>/dev/null; (%s; exec timeout -v -k 1 %g %s </dev/null >/dev/null 2>%s) & "
  .. "child=$!; wait $child; status=$?; kill -9 -$child; echo $status"

-- How the child ended: its exit status, as the shell counts.
local function run(path, folder, seconds, options)
  local words = { shell.interpreter(), folder .. "/program", path, folder .. "/results",
    options.trust and "trust" or "check", options.scheme or "", options.as or "",
    (table.unpack or unpack)(options.ask or {}) }
  for i, word in ipairs(words) do
    words[i] = shell.quote(word)
  end
  return tonumber((shell.output(command:format(limit_words(), seconds,
    table.concat(words, " "), folder .. "/errors")))) or 255
end

local function content(path)
  local file = io.open(path, "rb")
  local text = file and file:read(2 ^ 20) or ""
  if file then
    file:close()
  end
  return text
end

local function add_table(tables, value)
  local name, abi, api, size = value:match "^(%S+) (%-?%d+) (%-?%d+) (%d+)$"
  if name then
    tables[#tables + 1] = { name = name, abi = tonumber(abi), api = tonumber(api),
      size = tonumber(size), host = host.tables()[name] }
  end
end

local function read_results(text)
  local found = { schemes = {}, platforms = {}, tables = {} }
  for key, value in text:gmatch "(%l+)\t([^\n]*)\n" do
    value = value:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
    if key == "scheme" or key == "platform" then
      table.insert(found[key .. "s"], value)
    elseif key == "table" then
      add_table(found.tables, value)
    else
      found[key] = value
    end
  end
  table.sort(found.tables, function(a, b) return a.name < b.name end)
  found.devices = tonumber(found.devices)
  return found
end

local function limits_of(seconds)
  return ("it had %g seconds, %d MiB of memory and %d descriptors"):format(seconds,
    limits.megabytes, limits.files)
end

local function is_stopped(said)
  return said:find("timeout: sending signal", 1, true) ~= nil
end

-- Why the child did not end well, or nil.
local function ending(status, found, said, seconds)
  local what = found.loaded and "using it" or "loading it"
  if is_stopped(said) then
    return ("%s does not end: it was stopped after %g seconds"):format(what, seconds)
  elseif status > 128 then
    return ("%s crashes: %s; %s"):format(what, signals[status - 128] or "signal " .. status - 128,
      limits_of(seconds))
  elseif found.done and status == 0 then
    return found.failure
  end
  local last = said:match "([^\n]*)\n*$"
  return ("%s ends the process, with status %d%s"):format(what, status,
    last ~= "" and ", saying: " .. last or "")
end

local function load(path, folder, options)
  local seconds = options.seconds or limits.seconds
  write_program(folder .. "/program")
  local status = run(path, folder, seconds, options)
  local found = read_results(content(folder .. "/results"))
  local said = content(folder .. "/errors")
  if options.ask and found.loaded and is_stopped(said) then
    found.refusal = ("no answer within %g seconds"):format(seconds)
  else
    found.failure = ending(status, found, said, seconds)
  end
  found.done, found.loaded = nil, nil
  found.refusal = found.refusal ~= "" and found.refusal or nil
  return found
end

-- load(path [, options]) -> what it declared; its `failure` says why it cannot be loaded. Options:
-- trust, scheme and as as in modfs.load, seconds, and what to ask then: { "exists", path } or
-- { "device", name }, of which `refusal` is the failure, also when no answer came in time.
-- Without a folder for temporary files: nil, message, code.
return function(path, options)
  local folder, why = temporary.tempdir()
  if not folder then
    local code = "FAILED_PRECONDITION"
    return nil, ("%s: inspect %s: no directory for temporary files: %s"):format(code, path, why),
      code
  end
  local fine, found = pcall(load, path, folder, options or {})
  shell.output("rm -rf", folder)
  if not fine then
    error(found, 0)
  end
  return found
end
