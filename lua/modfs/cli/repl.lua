-- modfs repl
local command = require "modfs.cli.command"

return command.define("repl", {
  summary = "Starts an interactive Lua prompt with modfs loaded.",
  configure = function() end,
  run = function()
    require("modfs.repl").run()
  end,
})
