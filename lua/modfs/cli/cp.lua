-- modfs cp [-r] SRC... DST
local command = require "modfs.cli.command"
local modfs = require "modfs"
local transfer = require "modfs.cli.transfer"

local function copy(task, src, dst, recursive)
  if modfs.isdir(src) then
    if recursive then
      return transfer.tree(task, src, transfer.target(src, dst))
    end
    return task:fail(("FAILED_PRECONDITION: cp %s: it is a directory; "
      .. "use -r to copy it"):format(src))
  elseif transfer.is_regular(task, src) then
    transfer.file(task, src, transfer.target(src, dst), transfer.copy)
  end
end

local function run(options, task)
  local sources, dst = options.paths, table.remove(options.paths)
  if sources[1] == "-" and #sources == 1 and dst ~= "-" then
    return transfer.take(task, dst)
  end
  for _, path in ipairs(sources) do
    if path == "-" then
      task:refuse "standard input (-) is copied alone, to one file"
    end
  end
  sources = task:expand(sources)
  if #sources > 1 and dst ~= "-" and not modfs.isdir(dst) then
    task:refuse(("cannot copy %d files to %s: it is not a directory"):format(#sources, dst))
  end
  for _, src in ipairs(sources) do
    if dst == "-" then
      transfer.give(task, src)
    else
      copy(task, src, dst, options.recursive)
    end
  end
end

return command.define("cp", {
  summary = "Copies files and, with -r, directories, also between filesystems.",
  configure = function(parser)
    parser:argument("paths", "What to copy (- is standard input), then where to: a file, "
      .. "a directory, or - for standard output."):args "2+"
    parser:flag("-r --recursive", "Copy directories and their contents.")
  end,
  run = run,
})
