-- modfs readlink [-f | -e | -m] [-n] [-z] [--json] PATH...
local command = require "modfs.cli.command"
local modfs = require "modfs"
local resolve = require "modfs.cli.resolve"

local function write_all(targets, options, task)
  local ending = options.zero and "\0" or "\n"
  for _, target in ipairs(targets) do
    task:write_name(target)
    task:write(options.no_newline and #options.paths == 1 and "" or ending)
  end
end

-- Of -f, -e and -m the last one counts.
local function set(missing)
  return function(options)
    options.missing = missing
  end
end

return command.define("readlink", {
  summary = "Prints where symbolic links lead, or paths without links.",
  configure = function(parser)
    parser:argument("paths", "The links, or paths."):args "+"
    parser:flag("-f --canonicalize", "Follow all links of a path, and print what it is without "
      .. "them; its last name may be missing."):action(set "last")
    parser:flag("-e --canonicalize-existing", "As -f; nothing may be missing."):action(set "none")
    parser:flag("-m --canonicalize-missing", "As -f; everything may be missing.")
      :action(set "all")
    parser:flag("-n --no-newline", "End a single one without a newline.")
    parser:flag("-z --zero", "End each with a zero byte, not a newline.")
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local targets, all = {}, {}
    for _, path in ipairs(options.paths) do
      local find = options.missing and resolve or modfs.readlink
      local target = task:check(find(path, options.missing))
      if target then
        targets[#targets + 1] = target
        all[#all + 1] = { path = path, target = target }
      end
    end
    if options.json then
      return task:print_json(all)
    end
    write_all(targets, options, task)
  end,
})
