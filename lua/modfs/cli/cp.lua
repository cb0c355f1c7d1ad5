-- modfs cp [-r] [-n] [-v | --json] [-t DIR] [--exclude PATTERN] SRC... DST
local choosing = require "modfs.cli.choosing"
local command = require "modfs.cli.command"
local keeping = require "modfs.cli.keeping"
local later = require "modfs.cli.later"
local modfs = require "modfs"
local threads = require "modfs.cli.threads"
local transfer = require "modfs.cli.transfer"

local copying = later "modfs.cli.copying"
local streams = later "modfs.cli.streams"
local telling = later "modfs.cli.telling"
local totals = later "modfs.cli.totals"

-- A link itself where they are kept and can be, else the file.
local function copy_one(src, dst, options)
  local done, message, code = false, nil, nil
  if keeping.keeps_links(options) and modfs.islink(src) and not src:find "/$" then
    done, message, code = copying.link(src, dst)
  end
  if done == false then
    local put = keeping.is_wanted(options) and transfer.keep or transfer.copy
    return put(src, dst, options.archive)
  end
  return done, message, code
end

local function copy_file(src, dst, options, task)
  if transfer.is_kept(src, dst, options) then
    return
  end
  local function put(from, to)
    return copy_one(from, to, options)
  end
  if transfer.is_regular(task, src) and transfer.file(task, src, dst, put) and options.verbose then
    telling.tell(task, src, dst)
    options.totals:add { files = 1, bytes = modfs.size(dst) or 0 }
  end
end

local function copy_tree(src, dst, options, task)
  local how = choosing.options(options, keeping.add(options, dst, { threads = options.jobs }))
  if options.no_clobber and modfs.path.clean(src) == modfs.path.clean(dst) then
    return -- nothing of it is missing
  end
  how.filter = options.no_clobber and transfer.missing(dst) or nil
  if options.verbose then
    options.totals:add(telling.tree_told(task, src, dst, how) or {})
  else
    transfer.tree(task, src, dst, how)
  end
end

local function copy(src, dst, options, task)
  dst = transfer.target(src, dst)
  local is_link = keeping.keeps_links(options) and modfs.islink(src) and not src:find "/$"
  if is_link or modfs.isdir(src) ~= true then
    copy_file(src, dst, options, task)
  elseif options.recursive or options.archive then
    copy_tree(src, dst, options, task)
  else
    task:fail(("FAILED_PRECONDITION: cp %s: it is a directory; use -r to copy it"):format(src))
  end
end

local function run(options, task)
  local sources, dst = transfer.split(options, task, "copy")
  task.prints_json = options.json
  if sources[1] == "-" and #sources == 1 and dst ~= "-" then
    return streams.take(task, dst)
  end
  for _, path in ipairs(sources) do
    if path == "-" then
      task:refuse "standard input (-) is copied alone, to one file"
    end
  end
  sources = task:expand(sources)
  if dst == "-" then
    for _, src in ipairs(sources) do
      streams.give(task, src)
    end
    return
  end
  transfer.check_target(sources, dst, task, "copy")
  options.totals = options.verbose and totals.new()
  for _, src in ipairs(sources) do
    copy(src, dst, options, task)
  end
  if options.totals then
    options.totals:print(task, "copied")
  end
end

return command.define("cp", {
  summary = "Copies files and, with -r, directories, also between filesystems.",
  configure = function(parser)
    parser:argument("paths", "What to copy (- is standard input), then where to: a file, "
      .. "a directory, or - for standard output."):args "+"
    parser:flag("-r -R --recursive", "Copy directories and their contents.")
    parser:flag("-a --archive", "The same as -r -d -p.")
    keeping.configure(parser)
    transfer.configure(parser, function() end)
    choosing.configure(parser, "copy")
    threads.configure(parser)
  end,
  run = run,
})
