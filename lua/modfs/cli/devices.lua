-- modfs devices [--json]
local command = require "modfs.cli.command"
local modfs = require "modfs"

local fields = { "name", "platform", "type", "ordinal", "hardware_name", "vendor", "pci_bus_id",
  "numa_node", "memory_bandwidth", "gflops" }

local function describe(device)
  local about = {}
  for _, name in ipairs(fields) do
    about[name] = device[name]
  end
  about.memory_free, about.memory_total = device:memory_usage()
  about.memory_total = about.memory_free and about.memory_total
  return about
end

return command.define("devices", {
  summary = "Lists the devices of the device plugins.",
  configure = function(parser)
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local all = {}
    for _, device in ipairs(task:check(modfs.devices()) or {}) do
      all[#all + 1] = describe(device)
    end
    if options.json then
      return task:print_json(all)
    end
    for _, about in ipairs(all) do
      task:write(("%s:%d  %s  %s\n"):format(about.platform, about.ordinal, about.type,
        about.hardware_name or ""))
    end
  end,
})
