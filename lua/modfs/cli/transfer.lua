-- Copying for cp and mv: files and trees, with what nobody means refused.
local later = require "modfs.cli.later"
local modfs = require "modfs"

local copying = later "modfs.cli.copying"
local place = later "modfs.place"
local progress = later "modfs.cli.progress"
local resolve = later "modfs.cli.resolve"
local system = later "modfs.cli.system"

local transfer = {}

-- Without slashes at the end, which mean a directory.
local function strip(path)
  local stripped = path:gsub("/+$", "")
  return (stripped == "" or stripped:find ":$") and path or stripped
end

transfer.strip = strip

-- A slash at the end means a directory, which object stores have without making it.
local function takes(dst, src)
  return modfs.isdir(dst) or (dst:find "/$" and not modfs.isdir(src))
end

-- Where src goes: into dst when that is a directory, or has to be one; ".." is no name to go by.
function transfer.target(src, dst)
  local name = modfs.path.basename(strip(src))
  if name ~= ".." and takes(dst, src) then
    return modfs.path.join(dst, name)
  end
  return dst
end

-- Whether something of that name is there, be it a link that leads nowhere.
function transfer.is_taken(path)
  return modfs.lstat(path) ~= nil
end

-- Whether -n keeps what is there.
function transfer.is_kept(src, dst, options)
  return options.no_clobber and transfer.is_taken(dst) and transfer.is_taken(src)
end

-- The words of cp and mv: the sources, patterns as they are, and where they go; verb: "copy".
function transfer.split(options, task, verb)
  local paths, dst = options.paths, options.target
  if not dst and #paths < 2 then
    task:refuse(("nowhere to %s %s to: the last word is the target"):format(verb, paths[1]))
  elseif dst and modfs.isdir(dst) ~= true then
    task:refuse(("cannot %s to %s: it is not a directory"):format(verb, dst))
  end
  return paths, dst or table.remove(paths)
end

-- Refuses several sources for what is no directory.
function transfer.check_target(sources, dst, task, verb)
  if #sources > 1 and modfs.isdir(dst) ~= true then
    task:refuse(("cannot %s %d files to %s: it is not a directory"):format(verb, #sources, dst))
  end
end

-- The options that cp and mv share. force: what -f does besides.
function transfer.configure(parser, force)
  parser:option("-t --target", "The directory to put all in, instead of the last word.")
    :argname "DIR"
  parser:flag("-n --no-clobber", "Replace nothing.")
  parser:flag("-f --force", "Replace files, as always."):action(force)
  parser:flag("-v --verbose", "Print what is done, and the totals.")
  parser:flag("--json", "The same, as an object a line."):action(function(options)
    options.json, options.verbose = true, true
  end)
end

-- Whether dst lies outside of src, wherever links lead.
function transfer.is_apart(task, src, dst)
  local inner = strip(resolve(dst, "all") or dst) .. "/"
  local outer = strip(resolve(src, "all") or src) .. "/"
  if inner:sub(1, #outer) == outer then
    task:fail(("INVALID_ARGUMENT: %s: cannot be copied into itself, %s"):format(src, dst))
    return false
  end
  return true
end

-- As modfs.copy, with a bar.
function transfer.copy(src, dst)
  local bar = progress.new()
  local done, message = modfs.copy(src, dst, { progress = function(...)
    bar:update(...)
  end })
  bar:finish()
  return done, message
end

-- As modfs.copytree, with a bar.
local function copy_tree(src, dst, how)
  local bar, options = progress.new(), {}
  for name, value in pairs(how or {}) do
    options[name] = value
  end
  options.progress = bar:callback()
  local report, message = modfs.copytree(src, dst, options)
  bar:finish()
  return report, message
end

-- What two names of one file have in common; nil where nothing is. A file with several hard links
-- is moved from one to another.
function transfer.identity(path, is_moved)
  local real = is_moved and path or resolve(path, "none")
  local info = real and modfs.lstat(real)
  if not info or is_moved and (info.links or 1) > 1 then
    return nil
  end
  return info.inode and ("%d:%d"):format(info.device, info.inode) or modfs.path.clean(real)
end

-- The same with its attributes.
function transfer.keep(src, dst, is_all)
  local bar = progress.new()
  local done, message, code = copying.copy(src, dst, { progress = bar:callback() }, is_all)
  bar:finish()
  return done, message, code
end

-- A link that leads nowhere has no identity but its name.
local function is_same(src, dst, is_moved)
  if modfs.path.clean(src) == modfs.path.clean(dst) then
    return transfer.is_taken(dst)
  end
  local target = transfer.is_taken(dst) and transfer.identity(dst, is_moved)
  return target and transfer.identity(src, is_moved) == target
end

-- Copies or moves a file; what the command itself has just put there is not replaced. A source that
-- is named twice is copied once.
function transfer.file(task, src, dst, put)
  task.made = task.made or {}
  local made = task.made[dst]
  if made and modfs.path.clean(made) == modfs.path.clean(src) then
    return
  elseif made then
    task:fail(("ALREADY_EXISTS: %s: %s was just created from %s"):format(src, dst, made))
  elseif is_same(src, dst, task.name == "mv") then
    task:fail(("FAILED_PRECONDITION: %s %s: %s is the same file"):format(task.name, src, dst))
  elseif task:check(put(src, dst)) then
    task.made[dst] = src
    return true
  end
end

-- Whether the directory is there that a tree is copied to; object storage needs none.
local function has_parent(task, dst)
  local parent = modfs.path.dirname(strip(dst))
  local is_local = not dst:find(":", 1, true) or place.find(dst) ~= nil
  if not is_local or parent == "" or modfs.exists(dst) ~= false then
    return true
  end
  return task:check(modfs.stat(parent)) ~= nil
end

-- Whether all of it was copied, and the report. how: options of copytree.
function transfer.tree(task, src, dst, how)
  if not task:check(system.may_copy(src)) or not transfer.is_apart(task, src, dst)
    or not has_parent(task, dst) then
    return false
  end
  local report, message = copy_tree(src, dst, how)
  if not task:check(report, message) then
    return false
  end
  for _, failure in ipairs(report.errors) do
    task:fail(failure.message)
  end
  return #report.errors == 0, report
end

-- A filter that takes directories, and what is missing in the target. Its answers stay the same, as
-- what was copied is told afterwards.
function transfer.missing(dst)
  local chosen = {}
  return function(entry)
    if entry.kind ~= "directory" and chosen[entry.path] == nil then
      chosen[entry.path] = not transfer.is_taken(modfs.path.join(dst, entry.path))
    end
    return chosen[entry.path] ~= false
  end
end

-- Why what is no directory is not copied: a device may have no end; a slash belongs to URLs alone.
local function hindrance(path, kind)
  if kind == "other" then
    return "devices, pipes and sockets are not copied; read it with `modfs cat`"
  end
  return path:find "/$" and not path:find "^https?://" and "it is not a directory"
end

-- Whether it is a file that can be copied.
function transfer.is_regular(task, src)
  local info = task:check(modfs.lstat(src))
  local why = info and hindrance(src, info.kind)
  if why then
    task:fail(("FAILED_PRECONDITION: %s: %s"):format(src, why))
  end
  return info and not why
end

return transfer
