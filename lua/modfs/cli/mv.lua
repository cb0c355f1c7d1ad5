-- modfs mv SRC... DST
local command = require "modfs.cli.command"
local modfs = require "modfs"
local place = require "modfs.place"
local transfer = require "modfs.cli.transfer"

-- One step where the machine has both; else a copy that is complete before anything is deleted.
local function move_folder(task, src, dst)
  local from, to = place.find(src), place.find(dst)
  if from and to and os.rename(from, to) then
    return
  elseif transfer.tree(task, src, dst) then
    task:check(modfs.rmtree(src))
  end
end

-- Memory that ends with the command keeps nothing.
local function is_lost(task, src, dst)
  if not task.context.ends or modfs.path.parse(dst) ~= "mem" or modfs.path.parse(src) == "mem" then
    return false
  end
  task:fail(("FAILED_PRECONDITION: mv %s: mem:// ends with this command, and what is moved there "
    .. "would be lost"):format(src))
  return true
end

local function move(task, src, dst)
  if is_lost(task, src, dst) then
    return
  end
  if not modfs.isdir(src) then
    return transfer.is_regular(task, src) and task:check(modfs.rename(src, dst))
  elseif modfs.exists(dst) then
    return task:fail(("ALREADY_EXISTS: mv %s: %s is there already"):format(src, dst))
  end
  move_folder(task, src, dst)
end

return command.define("mv", {
  summary = "Moves files and directories, also between filesystems.",
  configure = function(parser)
    parser:argument("paths", "What to move, then where to: a new name, or a directory."):args "2+"
  end,
  run = function(options, task)
    local dst = table.remove(options.paths)
    local sources = task:expand(options.paths)
    if #sources > 1 and not modfs.isdir(dst) then
      task:refuse(("%d files are moved, and %s is no directory"):format(#sources, dst))
    end
    for _, src in ipairs(sources) do
      move(task, src, transfer.target(src, dst))
    end
  end,
})
