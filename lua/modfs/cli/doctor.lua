-- modfs doctor NAME [--json]: which plugin serves a path or a device, where it was looked for, why
-- it fails. A device is written as modfs.device takes it, REFERENCE:0; ./REFERENCE:0 is a file.
local command = require "modfs.cli.command"
local inspect = require "modfs.inspect"
local modfs = require "modfs"

local seconds = 60 -- as long as the plugins of servers try to connect to one

-- Whether a list has a value; the case of a platform's name does not matter.
local function contains(list, value, fold)
  for _, item in ipairs(list) do
    if item == value or fold and item:lower() == value:lower() then
      return true
    end
  end
  return false
end

-- The plugin that has registered a scheme, without loading any.
local function registered(scheme)
  for _, plugin in ipairs(modfs.plugins()) do
    if contains(plugin.schemes, scheme) then
      return plugin.path
    end
  end
end

local function names_of(list)
  return #list > 0 and table.concat(list, ", ") or "none"
end

-- Why a plugin that loads has nothing for what is asked; nil when it has.
local function lack(diagnosis, declared)
  if diagnosis.scheme and not contains(declared.schemes, diagnosis.scheme) then
    return ('it loads, but offers no scheme "%s"; it has: %s'):format(diagnosis.scheme,
      names_of(declared.schemes))
  elseif diagnosis.platform and not contains(declared.platforms, diagnosis.platform, true) then
    return ('it loads, but offers no platform "%s"; it has: %s'):format(diagnosis.platform,
      names_of(declared.platforms))
  end
end

-- Why a file that is in the right place does not serve it; where it does, nil and how it fails.
local function fault(file, diagnosis)
  local report, message = inspect(file, { seconds = seconds,
    ask = { diagnosis.platform and "device" or "exists", diagnosis.name } })
  if not report then
    return message
  end
  local why = report.reasons[1] or lack(diagnosis, report.loaded)
  return why, not why and report.loaded.refusal or nil
end

-- The first file that is there decides, as it does for a path in a program.
local function search(diagnosis)
  local word = diagnosis.scheme or diagnosis.platform:lower()
  for template in modfs.plugin_path:gmatch "[^;]+" do
    local file = template:gsub("%?", function() return word end)
    local there = modfs.exists(file) == true
    local place = { path = file, fault = "no such file" }
    table.insert(diagnosis.looked, place)
    if there then
      place.fault, diagnosis.fault = fault(file, diagnosis)
      diagnosis.plugin = not place.fault and file or nil
      return
    end
  end
end

local function diagnose(name)
  local diagnosis = { name = name, looked = {}, registered = false }
  diagnosis.platform = name:match "^([%a_][%w_.-]*):%d+$"
  if not diagnosis.platform then
    diagnosis.scheme = modfs.path.parse(name):match "^[^+]*" -- the first of joined ones serves it
    diagnosis.plugin = registered(diagnosis.scheme)
    diagnosis.registered = diagnosis.plugin ~= nil
    diagnosis.fault = diagnosis.registered and select(2, modfs.exists(name)) or nil
  end
  if not diagnosis.registered then
    search(diagnosis)
  end
  return diagnosis
end

local function title(diagnosis)
  if diagnosis.platform then
    return ("%s is a device of the platform %s"):format(diagnosis.name, diagnosis.platform)
  elseif diagnosis.scheme == "" then
    return diagnosis.name .. " has no scheme (a plain path)"
  end
  return ('%s has the scheme "%s"'):format(diagnosis.name, diagnosis.scheme)
end

local function registered_schemes()
  return (table.concat(modfs.schemes(), ", "):gsub("^,", "plain paths,"))
end

local function show(diagnosis, task)
  task:write(title(diagnosis), "\n")
  for _, place in ipairs(diagnosis.looked) do
    local serves = diagnosis.fault and "serves it, but fails: " .. diagnosis.fault or "serves it"
    task:write(("  %s: %s\n"):format(place.path, place.fault or serves))
  end
  if diagnosis.registered then
    task:write(("  served by %s, registered from the start\n"):format(diagnosis.plugin),
      diagnosis.fault and ("  which refuses it: %s\n"):format(diagnosis.fault) or "")
  elseif not diagnosis.plugin and diagnosis.scheme then
    task:write("  no plugin serves it; registered: ", registered_schemes(), "\n")
  elseif not diagnosis.plugin then
    task:write "  no plugin serves it\n"
  end
end

local function run(options, task)
  if options.plugin_path then
    modfs.plugin_path = options.plugin_path .. ";" .. modfs.plugin_path
  end
  local diagnosis = diagnose(options.name)
  if options.json then
    task:print_json(diagnosis)
  else
    show(diagnosis, task)
  end
  if diagnosis.fault or not diagnosis.plugin then
    task.status = 1
  end
end

return command.define("doctor", {
  summary = "Shows which plugin serves a path or a device, or why none does.",
  statuses = "0 a plugin serves it, 1 it fails, or there is none, 2 usage",
  configure = function(parser)
    parser:argument("name", "A path, a URI, or a device such as REFERENCE:0.")
    parser:option("--plugin-path", "Templates such as './?.so', searched before the others.")
    parser:flag("--json", "Print it as JSON.")
  end,
  run = run,
})
