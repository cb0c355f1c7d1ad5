-- modfs inspect FILE.so [--no-load] [--seconds N] [--trust] [--json]
local command = require "modfs.cli.command"
local core = require "modfs.core"
local inspect = require "modfs.inspect"
local text = require "modfs.inspect.text"

local function duration(word)
  local seconds = tonumber(word)
  if seconds and seconds > 0 and seconds <= 86400 then
    return seconds
  end
  return nil, "--seconds wants a number of seconds, up to 86400"
end

local function run(options, task)
  if core.isdir(options.file) then
    task:refuse(options.file .. " is a directory")
  end
  local report, message, code = inspect(options.file, { load = not options.no_load,
    seconds = options.seconds, trust = options.trust, scheme = options.scheme, as = options.as })
  if code == "NOT_FOUND" then
    task:refuse(message)
  elseif not task:check(report, message) then
    return
  end
  if options.json then
    task:print_json(report)
  else
    task:write(text(report))
  end
  task.status = report.would_load and 0 or 1
end

return command.define("inspect", {
  summary = "What a plugin's file says about itself, and whether it would load.",
  description = "Reads a plugin's file without running it; then loads it in a child process with "
    .. "limits, and shows what it declares.",
  statuses = "0 it would load, 1 it would not, 2 usage or no such file",
  configure = function(parser)
    parser:argument("file", "The shared object.")
    parser:mutex(parser:flag("--no-load", "Only read it: nothing of it runs."),
      parser:flag("--load", "Load it in the child, as happens anyway."))
    parser:option("--scheme", "Load the filesystem of this scheme, \"\" by default, for --as.")
    parser:option("--as", "Register that scheme under this name: where it is taken.")
      :argname "NAME"
    parser:option("--seconds", "How long the child may take (10)."):convert(duration)
    parser:flag("--trust", "Do not ask who could have written the file.")
    parser:flag("--json", "Print the report as JSON.")
  end,
  run = run,
})
