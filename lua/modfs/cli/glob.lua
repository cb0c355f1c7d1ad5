-- modfs glob [--json] PATTERN...
local command = require "modfs.cli.command"
local modfs = require "modfs"

return command.define("glob", {
  summary = "Lists the paths that match patterns; * ? [a-z] within a name, ** any directories.",
  configure = function(parser)
    parser:argument("patterns", "The patterns, quoted from the shell."):args "+"
    parser:flag("--json", "Print an array of paths.")
  end,
  run = function(options, task)
    local all = {}
    for _, pattern in ipairs(options.patterns) do
      for _, path in ipairs(task:check(modfs.glob(pattern)) or {}) do
        all[#all + 1] = path
      end
    end
    if #all == 0 then
      task.status = 1
    end
    if options.json then
      return task:print_json(all)
    end
    for _, path in ipairs(all) do
      task:write_name(path)
      task:write "\n"
    end
  end,
})
