-- modfs du [-h] [--json] [PATH...]
local command = require "modfs.cli.command"
local modfs = require "modfs"
local progress = require "modfs.cli.progress"

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

return command.define("du", {
  summary = "Counts bytes, files and directories.",
  configure = function(parser)
    parser:argument("paths", "Directories, files or patterns (default: the current one)."):args "*"
    parser:flag("-h -H --human", "Print sizes with units: 4.2 MB.")
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local all = {}
    if #options.paths == 0 then
      options.paths[1] = "."
    end
    for _, path in ipairs(task:expand(options.paths)) do
      local counts = count(path, task)
      if counts then
        all[#all + 1] = { path = path, bytes = counts.bytes, files = counts.files,
          dirs = counts.dirs }
      end
    end
    if options.json then
      return task:print_json(all)
    end
    for _, counts in ipairs(all) do
      local bytes = options.human and progress.size(counts.bytes) or ("%.0f"):format(counts.bytes)
      task:write(("%s\t%d files\t%d dirs\t"):format(bytes, counts.files, counts.dirs))
      task:write_name(counts.path)
      task:write "\n"
    end
  end,
})
