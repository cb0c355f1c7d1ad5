-- modfs cat [PATH...]
local command = require "modfs.cli.command"
local input = require "modfs.cli.input"
local transfer = require "modfs.cli.transfer"

local CHUNK = 64 * 1024

return command.define("cat", {
  summary = "Writes files to standard output.",
  configure = function(parser)
    parser:argument("paths", "Files or patterns; - is standard input."):args "*"
  end,
  run = function(options, task)
    if #options.paths == 0 then
      options.paths[1] = "-"
    end
    for _, path in ipairs(task:expand(options.paths)) do
      if path == "-" then
        task:check(transfer.pour(input, task, CHUNK))
      else
        transfer.give(task, path)
      end
    end
  end,
})
