-- modfs du [-s | -a | -d N] [-b] [-c] [-h] [--json] [PATH...]
local command = require "modfs.cli.command"
local modfs = require "modfs"
local sizes = require "modfs.cli.sizes"
local usage = require "modfs.cli.usage"

local function shown(bytes, options)
  if options.human then
    return sizes.human(bytes)
  end
  return ("%.0f"):format(options.kilobytes and math.ceil(bytes / 1024) or bytes)
end

-- What could be read counts; the rest is told.
local function count(path, task)
  local counts, message, _, partial = modfs.du(path)
  if partial then
    for _, failure in ipairs(partial.errors) do
      task:fail(failure.message)
    end
    return partial
  end
  return task:check(counts, message)
end

-- One line for each path: bytes, files and directories.
local function summarize(paths, options, task)
  local all = {}
  for _, path in ipairs(paths) do
    local counts = count(path, task)
    if counts then
      all[#all + 1] = { path = path, bytes = counts.bytes, files = counts.files,
        dirs = counts.dirs }
    end
  end
  for _, counts in ipairs(options.json and {} or all) do
    task:write(("%s\t%d files\t%d dirs\t"):format(shown(counts.bytes, options), counts.files,
      counts.dirs))
    task:write_name(counts.path)
    task:write "\n"
  end
  return all
end

-- As du(1): a line for each directory, when all in it has been counted.
local function list(paths, options, task)
  local all, sum = {}, 0
  local depth = options.summarize and 0 or options.max_depth or math.huge
  local function tell(path, bytes)
    if options.json then
      all[#all + 1] = { path = path, bytes = bytes }
      return
    end
    task:write(shown(bytes, options), "\t")
    task:write_name(path)
    task:write "\n"
  end
  local measure = usage.new(task, #paths > 1, function(path, bytes, below, is_directory)
    if below == 0 or below <= depth and (is_directory or options.all) then
      tell(path, bytes)
    end
  end)
  for _, path in ipairs(paths) do
    sum = sum + (measure(path) or 0)
  end
  if options.total then
    tell("total", sum)
  end
  return all
end

local function run(options, task)
  if options.summarize and (options.all or (options.max_depth or 0) > 0) then
    task:refuse "-s prints one line for each path, and contradicts -a and -d"
  end
  local paths = task:expand(#options.paths > 0 and options.paths or { "." })
  local listed = options.summarize or options.all or options.bytes or options.apparent_size
    or options.max_depth or options.total or options.kilobytes
  local all = (listed and list or summarize)(paths, options, task)
  if options.json then
    task:print_json(all)
  end
end

local function depth(text)
  local number = text:find "^%d+$" and tonumber(text)
  return number or nil, ("'%s' is not a depth: expected digits"):format(text)
end

return command.define("du", {
  summary = "Counts bytes, files and directories.",
  description = "Counts bytes, files and directories. With -s, -a, -b, -c, -d or -k it prints what "
    .. "du(1) prints for -b: for each directory its own length and those of all that is in it.",
  configure = function(parser)
    parser:argument("paths", "Directories, files or patterns (default: the current one)."):args "*"
    parser:flag("-s --summarize", "One line for each path.")
    parser:flag("-a --all", "A line for each file, too.")
    parser:option("-d --max-depth", "Only directories that lie at most so deep."):argname "N"
      :convert(depth)
    parser:flag("-c --total", "A last line with the sum.")
    parser:flag("-b --bytes", "Lengths in bytes, as always.")
    parser:flag("--apparent-size", "Lengths and no blocks on disks, as always.")
    parser:flag("-k", "Lengths in 1024 bytes."):target "kilobytes"
    parser:flag("-h -H --human", "Print sizes with units: 4.2K.")
    parser:flag("--json", "Print an array of objects.")
  end,
  run = run,
})
