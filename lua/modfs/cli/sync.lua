-- modfs sync [--delete] [--checksum] [--dry-run] [--json] SRC DST
local command = require "modfs.cli.command"
local modfs = require "modfs"
local progress = require "modfs.cli.progress"
local system = require "modfs.cli.system"

local function is_allowed(options, task)
  return (not options.delete or task:check(system.may_delete(options.dst)))
    and (not modfs.isdir(options.src) or task:check(system.may_copy(options.src)))
end

local function run(options, task)
  if not is_allowed(options, task) then
    return
  end
  local bar = progress.new()
  local report, message = modfs.sync(options.src, options.dst, {
    delete = options.delete, checksum = options.checksum, dry_run = options.dry_run,
    size_only = options.size_only, links = options.copy_links and "follow" or nil,
    progress = function(...) bar:update(...) end,
  })
  bar:finish()
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
    report.deleted, progress.size(report.bytes)))
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
    parser:flag("--json", "Print an object.")
  end,
  run = run,
})
