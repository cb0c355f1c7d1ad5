-- modfs sum [--sha256 | --sha512 | --md5] [--json] [PATH...]
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

-- CRC-32C and length; - is standard input.
local function sum_of(path)
  if path == "-" then
    return sum_up(function(n) return input:read(n) end, function() end)
  end
  return sum_file(path)
end

-- The hash of another algorithm.
local function hash_of(path, algorithm)
  local hash, message = modfs.hash(path == "-" and "/dev/stdin" or path, algorithm)
  return hash and { [algorithm] = hash }, message
end

local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\\"] = "\\\\" }

-- A line as sha256sum writes it: a backslash at its beginning says that the name has others.
local function show_hash(hash, path, task)
  local name = path:gsub("[\n\r\\]", escapes)
  task:write(name == path and "" or "\\", hash, "  ")
  task:write_name(name)
  task:write "\n"
end

local function show(result, algorithm, task)
  if algorithm then
    return show_hash(result[algorithm], result.path, task)
  end
  task:write(("%s  %d  "):format(result.crc32c, result.bytes))
  task:write_name(result.path)
  task:write "\n"
end

local function algorithm_of(options)
  return options.sha256 and "sha256" or options.sha512 and "sha512" or options.md5 and "md5"
end

return command.define("sum", {
  summary = "Prints the CRC-32C and the length of files, or a hash.",
  configure = function(parser)
    parser:argument("paths", "Files or patterns; - is standard input."):args "*"
    parser:mutex(
      parser:flag("--sha256", "Print the SHA-256, as sha256sum does."),
      parser:flag("--sha512", "Print the SHA-512, as sha512sum does."),
      parser:flag("--md5", "Print the MD5, as md5sum does."))
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local all, algorithm = {}, algorithm_of(options)
    for _, path in ipairs(#options.paths > 0 and task:expand(options.paths) or { "-" }) do
      local result = task:check((algorithm and hash_of or sum_of)(path, algorithm))
      if result then
        result.path = path
        all[#all + 1] = result
      end
      if result and not options.json then
        show(result, algorithm, task)
      end
    end
    if options.json then
      task:print_json(all)
    end
  end,
})
