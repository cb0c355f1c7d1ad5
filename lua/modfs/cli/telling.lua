-- What -v of the commands that copy says.
local modfs = require "modfs"
local quote = require "modfs.cli.quote"
local transfer = require "modfs.cli.transfer"

local telling = {}

-- A line of -v: what went where.
function telling.tell(task, src, dst, before)
  if task.prints_json then
    return task:print_json { path = src, target = dst }
  end
  task:write(before or "", quote.always(src), " -> ", quote.always(dst), "\n")
end

-- The path in dst of what lies in src.
function telling.counterpart(src, dst, path)
  local below = path:sub(#transfer.strip(src) + 1):gsub("^/+", "")
  return below == "" and dst or modfs.path.join(dst, below)
end

-- Calls visit(from, to, is_directory) for all of a tree; a directory is entered unless visit
-- returns false. options are those of walk.
local function each_entry(src, dst, options, visit)
  for folder, folders, files in modfs.walk(src, options) do
    local to = telling.counterpart(src, dst, folder)
    if visit(folder, to, true) == false then
      for i = #folders, 1, -1 do
        folders[i] = nil
      end
    else
      for _, name in ipairs(files) do
        visit(modfs.path.join(folder, name), modfs.path.join(to, name), false)
      end
    end
  end
end

-- The options of walk that choose as a copy does.
local function for_walk(how)
  return { onerror = function() end, exclude = how.exclude, exclude_from = how.exclude_from,
    include = how.include, filter = how.filter }
end

-- The directories of a copy that are there before it, as keys.
local function find_existing(src, dst, how)
  local existing = {}
  each_entry(src, dst, for_walk(how), function(_, to, is_directory)
    existing[to] = is_directory and modfs.isdir(to) == true or nil
    return existing[to] == true
  end)
  return existing
end

-- Copies a tree, tells of all that was copied or created, and returns the report.
function telling.tree_told(task, src, dst, how)
  local failed, existing = {}, find_existing(src, dst, how)
  local _, report = transfer.tree(task, src, dst, how)
  for _, failure in ipairs(report and report.errors or {}) do
    failed[failure.path] = true
  end
  if report then
    each_entry(src, dst, for_walk(how), function(from, to)
      if failed[from] or failed[to] then
        return false
      elseif not existing[to] then
        telling.tell(task, from, to)
      end
    end)
  end
  return report
end

return telling
