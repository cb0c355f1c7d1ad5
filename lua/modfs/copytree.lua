-- modfs.copytree: a tree, within or between filesystems. What a link leads to is copied.
local core = require "modfs.core"
local options = require "modfs.options"
local tree = require "modfs.tree"

local function note(report, path, message, code)
  report.errors[#report.errors + 1] = { path = path, code = code, message = message }
end

-- The files below src with their sizes, before anything is written: dst may lie below src.
local function survey(src, report)
  local plan = { folders = {}, files = {}, bytes = 0 }
  local visit = tree.start(src, false, function(message, code, path)
    note(report, path, message, code)
  end)
  for folder, _, files in tree.next, visit do
    local below = folder:sub(#src + 1)
    plan.folders[#plan.folders + 1] = below
    for _, name in ipairs(files) do
      local size = core.size(tree.join(folder, name)) or 0
      plan.files[#plan.files + 1] = { path = tree.join(below, name), size = size }
      plan.bytes = plan.bytes + size
    end
  end
  return plan
end

local function under(root, below)
  below = below:gsub("^/+", "")
  return below == "" and root or tree.join(root, below)
end

local function copy_files(plan, src, dst, report, progress)
  for _, file in ipairs(plan.files) do
    local from = under(src, file.path)
    local done, message, code = core.copy(from, under(dst, file.path))
    if done then
      report.files = report.files + 1
      report.bytes = report.bytes + file.size
    else
      note(report, from, message, code)
    end
    if progress then
      progress(report.bytes, plan.bytes, from)
    end
  end
end

local function copy_one(src, dst, size, report, progress)
  copy_files({ files = { { path = "", size = size } }, bytes = size }, src, dst, report, progress)
end

local function copy_all(src, dst, report, progress)
  local plan = survey(src, report)
  for _, below in ipairs(plan.folders) do
    local path = under(dst, below)
    local done, message, code = core.makedirs(path)
    if done then
      report.dirs = report.dirs + 1
    else
      note(report, path, message, code)
    end
  end
  copy_files(plan, src, dst, report, progress)
end

-- Counts, and in errors what could not be copied. What dst has beyond src stays.
local function copytree(src, dst, opts)
  options.check_path(src, "copytree", 1)
  options.check_path(dst, "copytree", 2)
  opts = options.check(opts, { progress = "function" }, "copytree", 3)
  local stat, message, code = core.stat(src)
  if not stat then
    return nil, message, code
  end
  local reachable
  reachable, message, code = tree.check_target(dst)
  if not reachable then
    return nil, message, code
  end
  local report = { files = 0, dirs = 0, bytes = 0, errors = {} }
  if stat.is_directory then
    copy_all(src, dst, report, opts.progress)
  else
    copy_one(src, dst, stat.length, report, opts.progress)
  end
  return report
end

return { copytree = copytree }
