-- modfs rm [-r] [-f] PATH...
local command = require "modfs.cli.command"
local modfs = require "modfs"
local system = require "modfs.cli.system"

local function remove(path, options)
  local info, message, code = modfs.lstat(path)
  if not info then
    return nil, message, code
  elseif info.kind ~= "directory" then
    return modfs.remove(path)
  elseif not options.recursive then
    code = "FAILED_PRECONDITION"
    return nil, ("%s: rm %s: it is a directory; use -r to delete it"):format(code, path), code
  end
  local allowed, why, reason = system.may_delete(path)
  if not allowed then
    return nil, why, reason
  end
  return modfs.rmtree(path)
end

return command.define("rm", {
  summary = "Deletes files and, with -r, directories.",
  configure = function(parser)
    parser:argument("paths", "Files, directories or patterns."):args "+"
    parser:flag("-r --recursive", "Delete directories and their contents.")
    parser:flag("-f --force", "Ignore missing files.")
  end,
  run = function(options, task)
    local paths = options.paths
    if options.force then
      local fail = task.fail
      task.fail = function() end -- a pattern that nothing matches
      paths = task:expand(paths)
      task.fail, task.status = fail, 0
    else
      paths = task:expand(paths)
    end
    for _, path in ipairs(paths) do
      local done, message, code = remove(path, options)
      if not done and not (options.force and code == "NOT_FOUND") then
        task:fail(message)
      end
    end
  end,
})
