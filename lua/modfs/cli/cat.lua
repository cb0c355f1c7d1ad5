-- modfs cat [-n] [PATH...]
local command = require "modfs.cli.command"
local input = require "modfs.cli.input"
local streams = require "modfs.cli.streams"

local CHUNK = 64 * 1024

-- Writes to a task with a number before each line, counted through all files.
local function numbered(task)
  local number, begins = 0, true
  return { write = function(_, data)
    local parts = {}
    for line in data:gmatch "[^\n]*\n?" do
      if line ~= "" then
        number = begins and number + 1 or number
        parts[#parts + 1] = (begins and ("%6d\t"):format(number) or "") .. line
        begins = line:sub(-1) == "\n"
      end
    end
    return task:write(table.concat(parts))
  end }
end

return command.define("cat", {
  summary = "Writes files to standard output.",
  configure = function(parser)
    parser:argument("paths", "Files or patterns; - is standard input."):args "*"
    parser:flag("-n --number", "Number the lines.")
  end,
  run = function(options, task)
    local to = options.number and numbered(task) or task
    for _, path in ipairs(task:expand(#options.paths > 0 and options.paths or { "-" })) do
      if path == "-" then
        task:check(streams.pour(input, to, CHUNK))
      else
        streams.give(task, path, to)
      end
    end
  end,
})
