-- modfs version [--json]
local command = require "modfs.cli.command"
local modfs = require "modfs"

return command.define("version", {
  summary = "Prints the version.",
  configure = function(parser)
    parser:flag("--json", "Print an object.")
  end,
  run = function(options, task)
    if options.json then
      return task:print_json { version = modfs._VERSION }
    end
    task:write(modfs._VERSION, "\n")
  end,
})
