-- modfs sync [-d] [-c] [-n] [-v] [--progress] [--exclude PATTERN] [-j N] [--json] SRC DST
local choosing = require "modfs.cli.choosing"
local command = require "modfs.cli.command"
local later = require "modfs.cli.later"
local modfs = require "modfs"
local progress = require "modfs.cli.progress"
local threads = require "modfs.cli.threads"

local bar = later "modfs.cli.bar"
local quote = later "modfs.cli.quote"
local system = later "modfs.cli.system"
local telling = later "modfs.cli.telling"

local function is_allowed(options, task)
  return (not options.delete or task:check(system.may_delete(options.dst)))
    and (not modfs.isdir(options.src) or task:check(system.may_copy(options.src)))
end

-- The options of modfs.sync.
local function how_of(options)
  return choosing.options(options, { delete = options.delete, checksum = options.checksum,
    dry_run = options.dry_run, size_only = options.size_only,
    links = options.copy_links and "follow" or nil, threads = options.jobs })
end

local function ignore() end

-- The paths of the target that are missing from the source, what is in a directory first.
local function find_surplus(src, dst, options)
  local surplus = {}
  local function add(path, is_directory)
    if select(3, modfs.lstat(telling.counterpart(dst, src, path))) == "NOT_FOUND" then
      surplus[#surplus + 1] = { path = path, is_directory = is_directory }
    end
  end
  local how = choosing.options(options, { bottomup = true, onerror = ignore })
  for folder, _, files in modfs.walk(dst, how) do
    for _, name in ipairs(files) do
      add(modfs.path.join(folder, name), false)
    end
    if #folder > #dst then
      add(folder, true)
    end
  end
  return surplus
end

local function tell_deleted(surplus, options, task)
  for _, entry in ipairs(surplus) do
    if options.dry_run or not modfs.lstat(entry.path) then
      task:write(options.dry_run and "would remove " or "removed ",
        entry.is_directory and "directory " or "", quote.always(entry.path), "\n")
    end
  end
end

-- File by file on one thread: so the counts between two steps tell whether the file was copied.
local function run_told(options, task, line)
  local surplus = options.delete and find_surplus(options.src, options.dst, options) or {}
  local how = how_of(options)
  how.threads, how.progress = 1, true
  local tree, message = modfs.tree("sync", options.src, options.dst, how)
  if not tree then
    return nil, message
  end
  return modfs.with(tree, function()
    local before = 0
    for done, total, path in tree.step, tree do
      local copied = tree:result().files
      if copied > before then
        telling.tell(task, path, telling.counterpart(options.src, options.dst, path))
      end
      before = copied
      line:update(done, total, path)
    end
    local report = tree:result()
    tell_deleted(surplus, options, task)
    report.copied = report.files
    return report
  end)
end

local function run_quietly(options, line)
  local how = how_of(options)
  how.progress = line:callback()
  return modfs.sync(options.src, options.dst, how)
end

local function run(options, task)
  if not is_allowed(options, task) then
    return
  end
  local line = progress.new { at_once = options.progress }
  local report, message
  if options.verbose and not options.json then
    report, message = run_told(options, task, line)
  else
    report, message = run_quietly(options, line)
  end
  line:finish()
  if not task:check(report, message) then
    return
  end
  for _, failure in ipairs(report.errors) do
    task:fail(failure.message)
  end
  if options.json then
    return task:print_json { copied = report.copied, kept = report.kept,
      deleted = report.deleted, bytes = report.bytes, errors = report.errors }
  end
  task:write(("%d copied, %d kept, %d deleted, %s\n"):format(report.copied, report.kept,
    report.deleted, bar.size(report.bytes)))
end

return command.define("sync", {
  summary = "Makes one directory like another, copying only what differs.",
  configure = function(parser)
    parser:argument("src", "The source directory.")
    parser:argument("dst", "The target directory, which is changed.")
    parser:flag("-d --delete", "Delete entries that are missing from the source.")
    parser:flag("-c --checksum", "Compare contents instead of modification times.")
    parser:flag("-n --dry-run", "Change nothing; only count the changes.")
    parser:flag("--size-only", "Compare lengths alone.")
    parser:flag("-L --copy-links", "Copy what symbolic links lead to.")
    parser:flag("-v --verbose", "Print what is copied and deleted; takes one file at a time.")
    parser:flag("--progress", "Show the bar on a terminal from the beginning.")
    parser:flag("--json", "Print an object.")
    choosing.configure(parser, "compare")
    threads.configure(parser)
  end,
  run = run,
})
