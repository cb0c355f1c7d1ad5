-- modfs.copytree, sync, du, rmtree: the core's operations on trees, stepped to their end.
local options = require "modfs.options"
local own = require "modfs.own"
local step = require "modfs.step"

-- The kinds of the options of an operation, with those that choose entries.
local function kinds(further)
  local all = { exclude = "string or table", include = "string or table", exclude_from = "string",
    filter = "function", max_depth = "integer", min_size = "integer", max_size = "integer",
    newer_than = "integer", threads = "number" }
  for key, kind in pairs(further) do
    all[key] = kind
  end
  return all
end

local for_du = kinds { entries = "boolean" }
local for_copytree = kinds { progress = "function", links = "string", preserve = "table" }
local for_rmtree = kinds { progress = "function", onerror = "function" }
local for_sync = kinds { progress = "function", delete = "boolean", checksum = "boolean",
  dry_run = "boolean", size_only = "boolean", links = "string", preserve = "table" }

local begins = { copytree = own.copytree, sync = own.sync, du = own.du, rmtree = own.rmtree }

-- The core tells of a wrong argument; where it was given is told here. Other errors are the
-- filter's, which is called while the tree is measured for progress.
local function begin(name, ...)
  local fine, tree, message, code, files, dirs = step.try(begins[name], ...)
  if not fine then
    error(tree, type(tree) == "string" and tree:find "^bad argument" and 3 or 0)
  end
  return tree, message, code, files, dirs
end

-- The report; where a step fails, as at a Job's end or a commit, the failure behind it.
local function finish(tree, progress)
  local done, total, path = step.call(tree.step, tree)
  while done do
    if progress and progress(done, total, path) == false then
      tree:cancel()
    end
    done, total, path = step.call(tree.step, tree)
  end
  return tree:result(), total, path
end

-- Runs the operation; after a cancel that is the failure, with the report behind it.
local function run(tree, progress, shape, where)
  local report, message, code = step.with(tree, function()
    return finish(tree, progress)
  end)
  local result = shape(report)
  if code then
    return nil, message, code, result
  elseif report.cancelled then
    return nil, ("CANCELLED: %s: cancelled by the progress callback"):format(where), "CANCELLED",
      result
  end
  return result
end

-- The options that the core takes; progress becomes the wish for it.
local function for_core(opts)
  local given = {}
  for key, value in pairs(opts) do
    given[key] = value
  end
  given.progress = opts.progress ~= nil
  return given
end

local function copied(report)
  return { files = report.files, dirs = report.dirs, bytes = report.bytes,
    errors = report.errors }
end

local function synced(report)
  return { copied = report.files, kept = report.kept, deleted = report.deleted,
    bytes = report.bytes, errors = report.errors }
end

local function pair(name, accepted, shape)
  return function(src, dst, opts)
    opts = options.check(opts, accepted, name, 3)
    local tree, message, code = begin(name, src, dst, for_core(opts))
    if not tree then
      return nil, message, code
    end
    return run(tree, opts.progress, shape, ("%s %s to %s"):format(name, src, dst))
  end
end

local function counted(report)
  return { files = report.files, dirs = report.dirs, bytes = report.bytes,
    errors = report.errors[1] and report.errors }
end

-- Counts; or the first failure with the counts of what could be read behind it.
local function du(path, opts)
  opts = options.check(opts, for_du, "du", 2)
  local tree, message, code = begin("du", path, opts)
  if not tree then
    return nil, message, code
  end
  local counts, why, kind, rest = run(tree, nil, counted, "du")
  if not counts then
    return nil, why, kind, rest
  end
  local first = counts.errors and counts.errors[1]
  if first then
    return nil, first.message, first.code, counts
  end
  return counts
end

-- With options: entry by entry. Without: as the filesystem itself does it.
local function delete(path, opts)
  options.check(opts, for_rmtree, "rmtree", 2)
  local given = opts and for_core(opts)
  if given then
    given.onerror = nil
  end
  local tree, message, code, files, dirs = begin("rmtree", path, given)
  if tree == true then
    return true, 0, 0
  elseif not tree then
    return nil, message, code, files or 0, dirs or 1
  end
  local report, rest
  report, message, code, rest = run(tree, opts.progress, function(all) return all end,
    "rmtree " .. path)
  if not report then
    return nil, message, code, rest.left_files, rest.left_dirs
  end
  for _, failure in ipairs(report.errors) do
    if opts.onerror then
      opts.onerror(failure.message, failure.code, failure.path)
    end
  end
  local first = report.errors[1]
  if first then
    return nil, first.message, first.code, report.left_files, report.left_dirs
  end
  return true, 0, 0
end

return {
  copytree = pair("copytree", for_copytree, copied),
  sync = pair("sync", for_sync, synced),
  du = du,
  rmtree = delete,
}
