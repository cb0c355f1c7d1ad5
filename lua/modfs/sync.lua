-- modfs.sync: makes dst like src and copies only what differs.
local core = require "modfs.core"
local options = require "modfs.options"
local tree = require "modfs.tree"

local CHUNK = 256 * 1024

local function note(report, path, message, code)
  report.errors[#report.errors + 1] = { path = path, code = code, message = message }
end

local function same_chunks(a, b)
  repeat
    local left, right = a:read(CHUNK), b:read(CHUNK)
    if left ~= right then
      return false
    end
  until left == nil
  return true
end

local function same_content(src, dst)
  local a, b = core.open(src), core.open(dst)
  local same = a and b and same_chunks(a, b)
  if a then a:close() end
  if b then b:close() end
  return same
end

-- A copy is at least as new as what it was made from.
local function is_same(src, from, dst, to, opts)
  if from.length ~= to.length or to.is_directory then
    return false
  elseif opts.checksum then
    return same_content(src, dst)
  end
  return from.mtime_nsec <= to.mtime_nsec
end

local function count_entries(path)
  local count = 0
  for _, _, files in tree.next, tree.start(path, false, function() end) do
    count = count + 1 + #files
  end
  return count
end

-- Deletes what stands at path; false, after a note, when that failed.
local function delete(self, path, is_folder)
  local count = is_folder and count_entries(path) or 1
  local done, message, code = true, nil, nil
  if not self.opts.dry_run then
    done, message, code = (is_folder and core.rmtree or core.remove)(path)
  end
  if done then
    self.report.deleted = self.report.deleted + count
  else
    note(self.report, path, message, code)
  end
  return done
end

-- Makes room where dst is of the other kind; only opts.delete allows that.
local function clear(self, dst, to, is_folder)
  if not to or to.is_directory == is_folder then
    return true
  elseif self.opts.delete then
    return delete(self, dst, to.is_directory)
  end
  local what = to.is_directory and "a directory" or "no directory"
  local message = ("FAILED_PRECONDITION: sync %s: it is %s; delete = true replaces it"):format(
    dst, what)
  note(self.report, dst, message, "FAILED_PRECONDITION")
  return false
end

local function copy_file(self, src, dst, size)
  local done, message, code = true, nil, nil
  if not self.opts.dry_run then
    done, message, code = core.copy(src, dst)
  end
  if done then
    self.report.copied = self.report.copied + 1
    self.report.bytes = self.report.bytes + size
  else
    note(self.report, src, message, code)
  end
end

local function sync_file(self, src, dst, size)
  local from, message, code = core.stat(src)
  local to = core.stat(dst)
  if not from then
    note(self.report, src, message, code)
  elseif to and is_same(src, from, dst, to, self.opts) then
    self.report.kept = self.report.kept + 1
  elseif clear(self, dst, to, false) then
    copy_file(self, src, dst, from.length)
  end
  self.done = self.done + size
  if self.opts.progress then
    self.opts.progress(self.done, self.total, src)
  end
end

local function is_among(names)
  local set = {}
  for _, list in ipairs(names) do
    for _, name in ipairs(list) do
      set[name] = true
    end
  end
  return set
end

local function delete_others(self, dst, frame)
  local wanted = is_among { frame.folders, frame.files }
  local folders, files = tree.list(dst)
  if not folders then
    return
  end
  for _, name in ipairs(folders) do
    if not wanted[name] then
      delete(self, tree.join(dst, name), true)
    end
  end
  for _, name in ipairs(files) do
    if not wanted[name] then
      delete(self, tree.join(dst, name), false)
    end
  end
end

local function sync_folder(self, frame, dst)
  local to = core.stat(dst)
  if not clear(self, dst, to, true) then
    return
  end
  if not self.opts.dry_run then
    local done, message, code = core.makedirs(dst)
    if not done then
      note(self.report, dst, message, code)
      return
    end
  end
  if self.opts.delete and to and to.is_directory then
    delete_others(self, dst, frame)
  end
  for i, name in ipairs(frame.files) do
    sync_file(self, tree.join(frame.path, name), tree.join(dst, name), frame.sizes[i])
  end
end

-- All of src, listed before anything is written: dst may lie below it.
local function survey(self, src)
  local frames = {}
  local visit = tree.start(src, false, function(message, code, path)
    note(self.report, path, message, code)
  end)
  for folder, folders, files in tree.next, visit do
    local sizes = {}
    for i, name in ipairs(files) do
      sizes[i] = core.size(tree.join(folder, name)) or 0
      self.total = self.total + sizes[i]
    end
    frames[#frames + 1] = { path = folder, folders = folders, files = files, sizes = sizes }
  end
  return frames
end

local function sync(src, dst, opts)
  local kinds = { delete = "boolean", checksum = "boolean", dry_run = "boolean",
    progress = "function" }
  options.check_path(src, "sync", 1)
  options.check_path(dst, "sync", 2)
  opts = options.check(opts, kinds, "sync", 3)
  local stat, message, code = core.stat(src)
  if not stat then
    return nil, message, code
  end
  local reachable
  reachable, message, code = tree.check_target(dst)
  if not reachable then
    return nil, message, code
  end
  local report = { copied = 0, kept = 0, deleted = 0, bytes = 0, errors = {} }
  local self = { opts = opts, report = report, done = 0, total = 0 }
  if not stat.is_directory then
    self.total = stat.length
    sync_file(self, src, dst, stat.length)
    return report
  end
  for _, frame in ipairs(survey(self, src)) do
    local below = frame.path:sub(#src + 1):gsub("^/+", "")
    sync_folder(self, frame, below == "" and dst or tree.join(dst, below))
  end
  return report
end

return { sync = sync }
