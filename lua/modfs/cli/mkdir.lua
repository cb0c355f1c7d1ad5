-- modfs mkdir [-p] [-v] PATH...
local command = require "modfs.cli.command"
local modfs = require "modfs"
local quote = require "modfs.cli.quote"

local function strip(path)
  return (path:gsub("(.)/+$", "%1"))
end

-- The directories that have to be made for a path, as it is written, the outermost first.
local function missing(path, with_parents)
  local list = {}
  while path ~= "" and modfs.exists(path) == false do
    table.insert(list, 1, path)
    local above = strip(modfs.path.dirname(strip(path)))
    if not with_parents or above == path then
      break
    end
    path = above
  end
  return list
end

return command.define("mkdir", {
  summary = "Makes directories.",
  configure = function(parser)
    parser:argument("paths", "The directories."):args "+"
    parser:flag("-p --parents", "Make missing parents; accept existing directories.")
    parser:flag("-v --verbose", "Print each directory that is made.")
    parser:flag("--json", "The same, as an object a line.")
  end,
  run = function(options, task)
    for _, path in ipairs(options.paths) do
      local new = (options.verbose or options.json) and missing(path, options.parents) or {}
      if task:check((options.parents and modfs.makedirs or modfs.mkdir)(path)) then
        for _, made in ipairs(new) do
          if options.json then
            task:print_json { path = made }
          else
            task:write("mkdir: created directory ", quote.always(made), "\n")
          end
        end
      end
    end
  end,
})
