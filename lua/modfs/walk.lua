-- modfs.walk and modfs.du. Links are never followed.
local core = require "modfs.core"
local options = require "modfs.options"
local tree = require "modfs.tree"

-- opts.bottomup: a directory comes after what is in it. opts.onerror(message, code, path) is told
-- of a directory that cannot be listed; without it that is an error.
local function walk(path, opts)
  options.check_path(path, "walk", 1)
  opts = options.check(opts, { bottomup = "boolean", onerror = "function" }, "walk", 2)
  local visit = tree.start(path, opts.bottomup, opts.onerror or function(message)
    error(message, 0)
  end)
  return function()
    local folder, folders, files = tree.next(visit)
    return folder, folders, files
  end
end

local function add_sizes(counts, folder, files, links)
  for _, name in ipairs(files) do
    local size, message, code = 0, nil, nil
    if not links[name] then
      size, message, code = core.size(tree.join(folder, name))
    end
    if size then
      counts.files = counts.files + 1
      counts.bytes = counts.bytes + size
    elseif code ~= "NOT_FOUND" then
      return nil, message, code
    end
  end
  return true
end

-- Files, directories (the root counts) and bytes; what goes away meanwhile is not counted.
local function du(path)
  options.check_path(path, "du", 1)
  local stat, message, code = core.stat(path)
  if not stat then
    return nil, message, code
  elseif not stat.is_directory then
    return { files = 1, dirs = 0, bytes = stat.length }
  end
  local failure
  local visit = tree.start(path, false, function(...)
    failure = failure or { ... }
  end)
  local counts = { files = 0, dirs = 0, bytes = 0 }
  for folder, _, files, links in tree.next, visit do
    counts.dirs = counts.dirs + 1
    local fine, why, kind = add_sizes(counts, folder, files, links)
    failure = failure or not fine and { why, kind }
    if failure then
      break
    end
  end
  if failure then
    return nil, failure[1], failure[2]
  end
  return counts
end

return { walk = walk, du = du }
