-- modfs plugins [--json]: what is loaded from the start, and what the plugin path offers.
local argparse = require "argparse"
local json = require "modfs.cli.json"
local modfs = require "modfs"

local function parse(arguments)
  local parser = argparse("modfs plugins", "What is loaded, and what the plugin path offers.")
  parser:flag("--json", "Print it as JSON.")
  return parser:pparse(arguments)
end

local function gather()
  local loaded = {}
  for i, plugin in ipairs(modfs.plugins()) do
    loaded[i] = { path = plugin.path, schemes = plugin.schemes, platforms = plugin.platforms,
      version = plugin.version, author = plugin.author, url = plugin.url }
  end
  return { loaded = loaded, available = modfs.available(), plugin_path = modfs.plugin_path }
end

local function show(found)
  for _, plugin in ipairs(found.loaded) do
    local names = {}
    for i, scheme in ipairs(plugin.schemes) do
      names[i] = scheme == "" and "(plain paths)" or scheme .. "://"
    end
    for _, platform in ipairs(plugin.platforms) do
      names[#names + 1] = platform
    end
    print(("loaded     %s  %s %s"):format(plugin.path, table.concat(names, " "),
      plugin.version or ""))
  end
  for _, offer in ipairs(found.available) do
    print(("available  %s  %s"):format(offer.path, offer.name))
  end
end

local function main(arguments)
  local understood, options = parse(arguments)
  if not understood then
    io.stderr:write("modfs: plugins: ", options, "\n")
    return 2
  end
  local found = gather()
  if options.json then
    print(json.encode(found))
  else
    show(found)
  end
  return 0
end

return { main = main }
