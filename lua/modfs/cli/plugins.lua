-- modfs plugins [--json]: what is loaded from the start, and what the plugin path offers.
local command = require "modfs.cli.command"
local modfs = require "modfs"

local function gather()
  local loaded = {}
  for i, plugin in ipairs(modfs.plugins()) do
    loaded[i] = { path = plugin.path, schemes = plugin.schemes, platforms = plugin.platforms,
      version = plugin.version, author = plugin.author, url = plugin.url }
  end
  return { loaded = loaded, available = modfs.available(), plugin_path = modfs.plugin_path }
end

local function show(found, task)
  for _, plugin in ipairs(found.loaded) do
    local names = {}
    for i, scheme in ipairs(plugin.schemes) do
      names[i] = scheme == "" and "(plain paths)" or scheme .. "://"
    end
    for _, platform in ipairs(plugin.platforms) do
      names[#names + 1] = platform
    end
    task:write(("loaded     %s  %s %s\n"):format(plugin.path, table.concat(names, " "),
      plugin.version or ""))
  end
  for _, offer in ipairs(found.available) do
    task:write(("available  %s  %s\n"):format(offer.path, offer.name))
  end
end

return command.define("plugins", {
  summary = "Lists the loaded plugins and those in the plugin path.",
  configure = function(parser)
    parser:flag("--json", "Print it as JSON.")
  end,
  run = function(options, task)
    local found = gather()
    if options.json then
      return task:print_json(found)
    end
    show(found, task)
  end,
})
