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
  return nil, "--seconds expects a number of seconds, at most 86400"
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
  summary = "Shows what a plugin's file declares, and whether it would load.",
  description = "Reads a plugin's file without running it; then loads it in a child process with "
    .. "limits, and shows what it declares.",
  statuses = "0 it would load, 1 it would not, 2 usage or no such file",
  configure = function(parser)
    parser:argument("file", "The shared object.")
    parser:mutex(parser:flag("--no-load", "Only read the file, without running its code."),
      parser:flag("--load", "Load it in a child process (the default)."))
    parser:option("--scheme", "Load the filesystem of this scheme, \"\" by default, for --as.")
    parser:option("--as", "Register that scheme under another name.")
      :argname "NAME"
    parser:option("--seconds", "Time limit for the child process (default 10)."):convert(duration)
    parser:flag("--trust", "Skip the check of the file's owner and permissions.")
    parser:flag("--json", "Print the report as JSON.")
  end,
  run = run,
})
