-- modfs doctor PATH [--json]: which plugin serves a path, where it was looked for, why it fails.
local argparse = require "argparse"
local inspect = require "modfs.inspect"
local json = require "modfs.cli.json"
local load_in_child = require "modfs.inspect.load"
local modfs = require "modfs"

local function parse(arguments)
  local parser = argparse("modfs doctor", "Which plugin would serve a path, and why not.")
  parser:argument("path", "A path or URI.")
  parser:flag("--json", "Print it as JSON.")
  parser:epilog("Exit status: 0 a plugin serves it, 1 none does, 2 usage.")
  return parser:pparse(arguments)
end

local function contains(list, value)
  for _, item in ipairs(list) do
    if item == value then
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

-- Why a file that is in the right place does not serve a scheme; nil when it does.
local function fault(path, scheme)
  local report, message = inspect(path)
  if not report then
    return message
  elseif not report.would_load then
    return report.reasons[1]
  end
  local declared = load_in_child(path)
  if declared.failure then
    return declared.failure
  elseif not contains(declared.schemes, scheme) then
    return ('it loads, but offers no scheme "%s"; it has: %s'):format(scheme,
      table.concat(declared.schemes, ", "))
  end
end

-- The first file that is there decides, as it does for a path in a program.
local function search(diagnosis)
  for template in modfs.plugin_path:gmatch "[^;]+" do
    local file = template:gsub("%?", function() return diagnosis.scheme end)
    local there = modfs.exists(file) == true
    local why = not there and "no such file" or fault(file, diagnosis.scheme)
    table.insert(diagnosis.looked, { path = file, fault = why })
    if there then
      diagnosis.plugin = not why and file or nil
      return
    end
  end
end

local function diagnose(path)
  local scheme = modfs.path.parse(path)
  local diagnosis = { path = path, scheme = scheme, looked = {}, plugin = registered(scheme) }
  diagnosis.registered = diagnosis.plugin ~= nil
  if not diagnosis.registered then
    search(diagnosis)
  end
  return diagnosis
end

local function show(diagnosis)
  local scheme = diagnosis.scheme == "" and "no scheme (a plain path)"
    or ('the scheme "%s"'):format(diagnosis.scheme)
  print(("%s has %s"):format(diagnosis.path, scheme))
  for _, place in ipairs(diagnosis.looked) do
    print(("  %s: %s"):format(place.path, place.fault or "serves it"))
  end
  if diagnosis.registered then
    print(("  served by %s, registered from the start"):format(diagnosis.plugin))
  elseif not diagnosis.plugin then
    print("  no plugin serves it; registered are: " .. table.concat(modfs.schemes(), " "))
  end
end

local function main(arguments)
  local understood, options = parse(arguments)
  if not understood then
    io.stderr:write("modfs: doctor: ", options, "\n")
    return 2
  end
  local diagnosis = diagnose(options.path)
  if options.json then
    print(json.encode(diagnosis))
  else
    show(diagnosis)
  end
  return diagnosis.plugin and 0 or 1
end

return { main = main }
