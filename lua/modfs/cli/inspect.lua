-- modfs inspect FILE.so [--no-load] [--seconds N] [--trust] [--json]
local argparse = require "argparse"
local core = require "modfs.core"
local inspect = require "modfs.inspect"
local json = require "modfs.cli.json"
local text = require "modfs.inspect.text"

local function complain(message)
  io.stderr:write("modfs: inspect: ", (message:gsub("%s*\n%s*", " ")), "\n")
  return 2
end

local function duration(word)
  local seconds = tonumber(word)
  if seconds and seconds > 0 and seconds <= 86400 then
    return seconds
  end
  return nil, "--seconds wants a number of seconds, up to 86400"
end

local function parse(arguments)
  local parser = argparse("modfs inspect", "Reads a plugin's file without running it; then loads "
    .. "it in a child process with limits, and shows what it declares.")
  parser:argument("file", "The shared object.")
  parser:mutex(parser:flag("--no-load", "Only read it: nothing of it runs."),
    parser:flag("--load", "Load it in the child, as happens anyway."))
  parser:option("--seconds", "How long the child may take (10)."):convert(duration)
  parser:flag("--trust", "Do not ask who could have written the file.")
  parser:flag("--json", "Print the report as JSON.")
  parser:epilog("Exit status: 0 it would load, 1 it would not, 2 usage or no such file.")
  return parser:pparse(arguments)
end

local function main(arguments)
  local understood, options = parse(arguments)
  if not understood then
    return complain(options)
  elseif core.isdir(options.file) then
    return complain(options.file .. " is a directory")
  end
  local report, message = inspect(options.file, { load = not options.no_load,
    seconds = options.seconds, trust = options.trust })
  if not report then
    return complain(message)
  end
  io.write(options.json and json.encode(report) .. "\n" or text(report))
  return report.would_load and 0 or 1
end

return { main = main }
