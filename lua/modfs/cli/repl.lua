-- modfs repl
local command = require "modfs.cli.command"

return command.define("repl", {
  summary = "A prompt for Lua with modfs at hand.",
  configure = function() end,
  run = function()
    require("modfs.repl").run()
  end,
})
