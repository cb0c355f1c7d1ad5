-- modfs ln -s [-f] [-v] TARGET PATH
local command = require "modfs.cli.command"
local later = require "modfs.cli.later"
local modfs = require "modfs"
local transfer = require "modfs.cli.transfer"

local telling = later "modfs.cli.telling"

-- A link with -f takes the place of a file or a link, never of a directory.
local function make(target, path, options)
  local info = options.force and modfs.lstat(path)
  local own = info and transfer.identity(path, true)
  if own and transfer.identity(target, false) == own then
    return nil, ("FAILED_PRECONDITION: ln %s %s: it is the same file"):format(target, path)
  elseif info and info.kind ~= "directory" then
    local removed, message = modfs.remove(path)
    if not removed then
      return nil, message
    end
  end
  return modfs.symlink(target, path)
end

return command.define("ln", {
  summary = "Creates symbolic links.",
  configure = function(parser)
    parser:argument("target", "Where the link leads, as it is to be kept.")
    parser:argument("path", "The link, or the directory to put it in (default: the current one).")
      :default "."
    parser:flag("-s --symbolic", "Create a symbolic link; there are no others here.")
    parser:flag("-f --force", "Replace what is there, unless it is a directory.")
    parser:flag("-v --verbose", "Print what is done.")
    parser:flag("--json", "The same, as an object.")
  end,
  run = function(options, task)
    if not options.symbolic then
      task:refuse "only symbolic links can be created: use ln -s"
    end
    local path = transfer.target(options.target, options.path)
    task.prints_json = options.json
    local made = task:check(make(options.target, path, options))
    if made and (options.verbose or options.json) then
      telling.tell(task, path, options.target)
    end
  end,
})
