-- modfs mkdir [-p] PATH...
local command = require "modfs.cli.command"
local modfs = require "modfs"

return command.define("mkdir", {
  summary = "Makes directories.",
  configure = function(parser)
    parser:argument("paths", "The directories."):args "+"
    parser:flag("-p --parents", "Make missing parents; accept existing directories.")
  end,
  run = function(options, task)
    for _, path in ipairs(options.paths) do
      task:check((options.parents and modfs.makedirs or modfs.mkdir)(path))
    end
  end,
})
