-- modfs mv [-n] [-v] [-t DIR] SRC... DST
local choosing = require "modfs.cli.choosing"
local command = require "modfs.cli.command"
local later = require "modfs.cli.later"
local modfs = require "modfs"
local place = require "modfs.place"
local transfer = require "modfs.cli.transfer"

local copying = later "modfs.cli.copying"
local quote = later "modfs.cli.quote"
local telling = later "modfs.cli.telling"

-- The C library's numbers: what a copy can do where a rename cannot (EXDEV, ENOSYS, EOPNOTSUPP).
local out_of_reach = { [18] = true, [38] = true, [95] = true }

local codes = { [1] = "PERMISSION_DENIED", [13] = "PERMISSION_DENIED", [30] = "PERMISSION_DENIED",
  [2] = "NOT_FOUND", [17] = "ALREADY_EXISTS", [39] = "ALREADY_EXISTS",
  [28] = "RESOURCE_EXHAUSTED" }

-- Whether it is renamed; nil and why not, or false where a copy has to do.
local function rename_folder(src, dst)
  local from, to = place.find(src), place.find(dst)
  if not from or not to then
    return false
  end
  local done, message, number = os.rename(from, to)
  if done or out_of_reach[number] then
    return done or false
  end
  return nil, ("%s: mv %s to %s: %s"):format(codes[number] or "FAILED_PRECONDITION", src, dst,
    message:match "[^:]*$":gsub("^ ", ""))
end

-- What is chosen of a directory; the rest stays, with the directories around it.
local function move_chosen(task, src, dst, options)
  local how = choosing.options(options, { preserve = copying.everything(dst, true) })
  return transfer.tree(task, src, dst, how)
    and task:check(modfs.rmtree(src, choosing.options(options)))
end

-- Deletes what a listing shows, which was copied, and nothing else: an object store may have more
-- below the name, and its own way to delete a tree would take that along.
local function delete_copied(task, src)
  return task:check(modfs.rmtree(src, {}))
end

-- One step where the machine can; else a copy that is complete before anything is deleted.
local function move_folder(task, src, dst, options)
  if not transfer.is_apart(task, src, dst) then
    return false
  elseif choosing.is_wanted(options) then
    return move_chosen(task, src, dst, options)
  end
  local done = task:check(rename_folder(src, dst))
  if done == false
    and transfer.tree(task, src, dst, { preserve = copying.everything(dst, true) }) then
    done = delete_copied(task, src)
  end
  return done
end

-- Memory that ends with the command keeps nothing.
local function is_lost(task, src, dst)
  if not task.context.ends or modfs.path.parse(dst) ~= "mem" or modfs.path.parse(src) == "mem" then
    return false
  end
  task:fail(("FAILED_PRECONDITION: mv %s: mem:// exists only while this command runs, so moved "
    .. "files would be lost"):format(src))
  return true
end

-- A rename replaces a link; a copy from another filesystem would go through it.
local function is_followed(task, src, dst)
  local info = not (place.find(src) and place.find(dst)) and modfs.lstat(dst)
  local followed = info and info.kind == "link"
  if followed then
    task:fail(("FAILED_PRECONDITION: mv %s: %s is a symbolic link, and its target would be changed")
      :format(src, dst))
  end
  return followed
end

-- What -v says.
local function tell(task, src, dst)
  if task.prints_json or modfs.path.parse(src) == modfs.path.parse(dst) then
    return telling.tell(task, src, dst, "renamed ")
  end
  telling.tell(task, src, dst, "copied ")
  task:write("removed ", quote.always(src), "\n")
end

local function move_file(src, dst)
  return copying.move(src, dst, transfer.keep)
end

-- A link to a directory is none: it is moved itself.
local function is_directory(path)
  return (modfs.lstat(path) or {}).kind == "directory"
end

-- Whether it was moved.
local function move(task, src, dst, options)
  if is_lost(task, src, dst) or is_followed(task, src, dst) then
    return false
  elseif not is_directory(src) then
    return transfer.is_regular(task, src) and transfer.file(task, src, dst, move_file)
  elseif modfs.exists(dst) then
    return task:fail(("ALREADY_EXISTS: mv %s: %s already exists"):format(src, dst))
  end
  return move_folder(task, src, dst, options)
end

return command.define("mv", {
  summary = "Moves files and directories, also between filesystems.",
  configure = function(parser)
    parser:argument("paths", "Sources, then the target: a new name or a directory."):args "+"
    transfer.configure(parser, function(options) options.no_clobber = nil end)
    choosing.configure(parser, "move")
  end,
  run = function(options, task)
    local sources, dst = transfer.split(options, task, "move")
    task.prints_json = options.json
    sources = task:expand(sources)
    transfer.check_target(sources, dst, task, "move")
    local moved = 0
    for _, src in ipairs(sources) do
      local to = transfer.target(src, dst)
      if not transfer.is_kept(src, to, options) and move(task, src, to, options) then
        moved = moved + 1
        if options.verbose then
          tell(task, src, to)
        end
      end
    end
    if options.verbose and not options.json and moved > 1 then
      task:write(("%d moved\n"):format(moved))
    end
  end,
})
