-- modfs du [-s | -a | -d N] [-b] [-c] [-h] [--exclude PATTERN] [--json] [PATH...]
local choosing = require "modfs.cli.choosing"
local command = require "modfs.cli.command"
local modfs = require "modfs"
local sizes = require "modfs.cli.sizes"
local threads = require "modfs.cli.threads"
local usage = require "modfs.cli.usage"

local function shown(bytes, options)
  if options.unit == "human" then
    return sizes.human(bytes)
  end
  return ("%.0f"):format(options.unit == "kilobytes" and math.ceil(bytes / 1024) or bytes)
end

-- Of -b, -h and -k the last one counts.
local function set(unit)
  return function(options)
    options.unit, options.listed = unit, options.listed or unit ~= "human"
  end
end

-- What could be read counts; the rest is told.
local function count(path, options, task, entries)
  local how = choosing.options(options, { threads = options.jobs, entries = entries })
  local counts, message, _, partial = modfs.du(path, next(how) and how)
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
    local counts = count(path, options, task)
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

local function leads_down(path)
  return (modfs.lstat(path) or {}).kind == "directory"
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
  options.several = #paths > 1
  local measure = usage.new(task, options, function(path, bytes, below, is_directory)
    if below == 0 or below <= depth and (is_directory or options.all) then
      tell(path, bytes)
    end
  end)
  if depth == 0 and #paths == 1 and not options.all and leads_down(paths[1]) then
    measure = function(path)
      local counts = count(path, options, task, true)
      if counts then
        tell(path, counts.bytes)
      end
      return counts and counts.bytes
    end
  end
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
  local listed = options.summarize or options.all or options.apparent_size
    or options.max_depth or options.total or options.listed
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
    parser:flag("-b --bytes", "Lengths in bytes, as always."):action(set "bytes")
    parser:flag("--apparent-size", "Lengths and no blocks on disks, as always.")
    parser:flag("-k", "Lengths in 1024 bytes."):action(set "kilobytes")
    parser:flag("-h -H --human", "Print sizes with units: 4.2K."):action(set "human")
    parser:flag("--json", "Print an array of objects.")
    choosing.configure(parser, "count")
    threads.configure(parser)
  end,
  run = run,
})
