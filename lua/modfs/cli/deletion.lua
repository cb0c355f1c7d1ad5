-- How rm deletes: at once, entry by entry with questions, or not at all.
local choosing = require "modfs.cli.choosing"
local kinds = require "modfs.cli.kinds"
local modfs = require "modfs"
local quote = require "modfs.cli.quote"
local totals = require "modfs.cli.totals"

-- Whether the answer on standard input is yes.
local function ask(question, path)
  io.stderr:write("modfs: rm: ", question, " ", quote.always(path), "? ")
  return (io.read() or ""):find "^[yY]" ~= nil
end

-- A line for what was deleted, or would be.
local function tell(self, path, is_directory)
  local is_dry = self.options.dry_run
  if self.task.prints_json then
    return self.task:print_json { path = path, kind = is_directory and "directory" or "file",
      dry_run = is_dry }
  end
  self.task:write(is_dry and "would remove " or "removed ", is_directory and "directory " or "",
    quote.always(path), "\n")
end

-- One entry, unless it is only told of. Returns whether it is gone.
local function delete_entry(self, path, is_directory)
  if self.options.dry_run then
    tell(self, path, is_directory)
  elseif not self.task:check((is_directory and modfs.rmdir or modfs.remove)(path)) then
    return false
  elseif self.options.verbose then
    tell(self, path, is_directory)
  end
  self.totals:add { [is_directory and "dirs" or "files"] = 1 }
  return true
end

-- The same after a question.
local function delete_asked(self, path, is_directory)
  local info = self.options.interactive and modfs.lstat(path)
  if info and not ask("remove " .. kinds.noun(info), path) then
    return false
  end
  return delete_entry(self, path, is_directory)
end

-- A tree, entry by entry: what is in a directory first. Returns whether it is gone.
local function delete_slowly(self, path)
  local names = self.task:check(modfs.listdir(path))
  if not names or #names > 0 and self.options.interactive
    and not ask("descend into directory", path) then
    return false
  end
  local emptied = true
  for _, name in ipairs(names) do
    local below = modfs.path.join(path, name)
    local info = self.task:check(modfs.lstat(below))
    local delete = info and info.kind == "directory" and delete_slowly or delete_asked
    emptied = info ~= nil and delete(self, below, false) and emptied
  end
  return emptied and delete_asked(self, path, true)
end

-- All paths of a tree that are chosen, what is in a directory first; is_directory of each.
local function list(self, path)
  local paths, is_directory = {}, {}
  local how = choosing.options(self.options, { bottomup = true, onerror = function() end })
  for folder, _, files in modfs.walk(path, how) do
    for _, name in ipairs(files) do
      paths[#paths + 1] = modfs.path.join(folder, name)
    end
    paths[#paths + 1] = folder
    is_directory[folder] = true
  end
  return paths, is_directory
end

-- A tree at once, and then what is gone of it is told.
local function delete_told(self, path)
  local paths, is_directory = list(self, path)
  local left = {}
  modfs.rmtree(path, choosing.options(self.options, { threads = self.options.jobs,
    onerror = function(message, _, failed)
      self.task:fail(message)
      while failed and not left[failed] do
        left[failed] = true
        failed = #failed > #path and modfs.path.dirname(failed) or nil
      end
    end }))
  for _, gone in ipairs(paths) do
    if not left[gone] and not (is_directory[gone] and modfs.lstat(gone)) then
      tell(self, gone, is_directory[gone])
      self.totals:add { [is_directory[gone] and "dirs" or "files"] = 1 }
    end
  end
end

-- What would be deleted of a tree where something is left out: directories are not told of, as
-- they may not become empty.
local function tell_chosen(self, path)
  local paths, is_directory = list(self, path)
  for _, chosen in ipairs(paths) do
    if not is_directory[chosen] then
      delete_entry(self, chosen, false)
    end
  end
end

local function delete_tree(self, path)
  local options, chosen = self.options, choosing.is_wanted(self.options)
  if chosen and options.dry_run then
    return tell_chosen(self, path)
  elseif options.interactive or options.dry_run then
    return delete_slowly(self, path)
  elseif options.verbose then
    return delete_told(self, path)
  end
  local how = choosing.options(options, { threads = options.jobs })
  return self.task:check(modfs.rmtree(path, next(how) and how))
end

local deletion = {}

-- options: interactive, dry_run, verbose. Returns task, entry(path, is_directory), tree(path), and
-- finish(), which prints the totals.
function deletion.new(options, task)
  local self = { options = options, task = task, totals = totals.new() }
  return {
    task = task,
    entry = function(path, is_directory) return delete_asked(self, path, is_directory) end,
    tree = function(path) return delete_tree(self, path) end,
    finish = function()
      if options.verbose or options.dry_run then
        self.totals:print(task, options.dry_run and "would be deleted" or "deleted")
      end
    end,
  }
end

return deletion
