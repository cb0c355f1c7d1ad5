-- modfs sum [--json] [PATH...]
local command = require "modfs.cli.command"
local input = require "modfs.cli.input"
local modfs = require "modfs"
local progress = require "modfs.cli.progress"

local CHUNK = 1024 * 1024

-- CRC-32C and length of what read gives, piece by piece.
local function sum_up(read, advance)
  local crc, length = 0, 0
  while true do
    local data, message = read(CHUNK)
    if data == nil then
      return message == nil and { crc32c = ("%08x"):format(crc), bytes = length } or nil, message
    end
    crc, length = modfs.crc32c(data, crc), length + #data
    advance(length)
  end
end

local function sum_file(path)
  local file, message = modfs.open(path)
  if not file then
    return nil, message
  end
  local bar, size = progress.new(), file:size() or 0
  local result, why = sum_up(function(n) return file:read(n) end, function(done)
    bar:update(done, math.max(size, done), path)
  end)
  bar:finish()
  file:close()
  return result, why
end

return command.define("sum", {
  summary = "Prints the CRC-32C and the length of files.",
  configure = function(parser)
    parser:argument("paths", "Files or patterns; - is standard input."):args "*"
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local all = {}
    for _, path in ipairs(#options.paths > 0 and task:expand(options.paths) or { "-" }) do
      local result = task:check((path == "-" and function()
        return sum_up(function(n) return input:read(n) end, function() end)
      end or sum_file)(path))
      if result then
        result.path = path
        all[#all + 1] = result
      end
      if result and not options.json then
        task:write(("%s  %d  "):format(result.crc32c, result.bytes))
        task:write_name(path)
        task:write "\n"
      end
    end
    if options.json then
      task:print_json(all)
    end
  end,
})
