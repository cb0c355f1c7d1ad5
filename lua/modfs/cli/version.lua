-- modfs version
local command = require "modfs.cli.command"
local modfs = require "modfs"

return command.define("version", {
  summary = "Prints the version.",
  configure = function() end,
  run = function(_, task)
    task:write(modfs._VERSION, "\n")
  end,
})
