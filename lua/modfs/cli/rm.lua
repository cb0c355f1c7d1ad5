-- modfs rm [-r] [-d] [-f | -i] [-v] [--dry-run] [--exclude PATTERN] PATH...
local choosing = require "modfs.cli.choosing"
local command = require "modfs.cli.command"
local deletion = require "modfs.cli.deletion"
local later = require "modfs.cli.later"
local modfs = require "modfs"
local threads = require "modfs.cli.threads"

local system = later "modfs.cli.system"

-- Whether a directory may be deleted; else nil, why not, and the code.
local function may_delete(path, options)
  local name = modfs.path.basename((path:gsub("(.)/+$", "%1")))
  local code = "FAILED_PRECONDITION"
  if not options.recursive and not options.dir then
    return nil, ("%s: rm %s: it is a directory; use -r to delete it"):format(code, path), code
  elseif name == "." or name == ".." then
    return nil, ("%s: rm %s: . and .. are not deleted"):format(code, path), code
  end
  return system.may_delete(path)
end

-- Deletes a path, and with -r all in it; what is missing fails unless -f.
local function remove(path, options, delete)
  local info, message, code = modfs.lstat(path)
  local is_directory = info and info.kind == "directory"
  if is_directory then
    info, message, code = may_delete(path, options)
  end
  if info and is_directory and options.recursive then
    delete.tree(path)
  elseif info then
    delete.entry(path, is_directory)
  elseif not (options.force and code == "NOT_FOUND") then
    delete.task:fail(message)
  end
end

-- With -f a pattern that nothing matches is no failure.
local function expand(paths, options, task)
  if not options.force then
    return task:expand(paths)
  end
  local fail = task.fail
  task.fail = function() end
  paths = task:expand(paths)
  task.fail, task.status = fail, 0
  return paths
end

-- The last of -f and -i counts.
local function set(force)
  return function(options)
    options.force, options.interactive = force, not force
  end
end

return command.define("rm", {
  summary = "Deletes files and, with -r, directories.",
  configure = function(parser)
    parser:argument("paths", "Files, directories or patterns."):args "+"
    parser:flag("-r -R --recursive", "Delete directories and their contents.")
    parser:flag("-d --dir", "Delete empty directories.")
    parser:flag("-f --force", "Ignore missing files, and do not ask."):action(set(true))
    parser:flag("-i --interactive", "Ask before each; y is yes."):action(set(false))
    parser:flag("-v --verbose", "Print what was deleted, and the totals.")
    parser:flag("--json", "The same, as an object a line."):action(function(options)
      options.json, options.verbose = true, true
    end)
    parser:flag("--dry-run", "Delete nothing; print what would be deleted.")
    choosing.configure(parser, "delete")
    threads.configure(parser)
  end,
  run = function(options, task)
    if options.interactive and choosing.is_wanted(options) then
      task:refuse "-i asks for each entry, and contradicts --exclude and --include"
    end
    task.prints_json = options.json
    local delete = deletion.new(options, task)
    for _, path in ipairs(expand(options.paths, options, task)) do
      remove(path, options, delete)
    end
    delete.finish()
  end,
})
