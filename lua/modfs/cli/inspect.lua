-- modfs inspect FILE.so [--load] [--trust] [--json]
local argparse = require "argparse"
local core = require "modfs.core"
local inspect = require "modfs.inspect"
local json = require "modfs.cli.json"
local text = require "modfs.inspect.text"

local function complain(message)
  io.stderr:write("modfs: inspect: ", (message:gsub("%s*\n%s*", " ")), "\n")
  return 2
end

local function parse(arguments)
  local parser = argparse("modfs inspect", "What a plugin's file tells, without running it.")
  parser:argument("file", "The shared object.")
  parser:flag("--load", "Load it, too, in a child process, and show what it declares.")
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
  local report, message = inspect(options.file, { load = options.load, trust = options.trust })
  if not report then
    return complain(message)
  end
  io.write(options.json and json.encode(report) .. "\n" or text(report))
  return report.would_load and 0 or 1
end

return { main = main }
