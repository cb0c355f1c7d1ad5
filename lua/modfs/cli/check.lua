-- modfs check FILE.so: the conformance runner of modfs.check, with its reports.
local conformance = require "modfs.check"
local command = require "modfs.cli.command"
local modfs = require "modfs"
local progress = require "modfs.cli.progress"

local function count(least)
  return function(word)
    local number = word:find "^%d+$" and tonumber(word)
    if number and number >= least then
      return number
    end
    return nil, ("'%s' is not a number of at least %d"):format(word, least)
  end
end

local function pattern(text)
  if pcall(string.find, "", text) then
    return text
  end
  return nil, ("--only: '%s' is not a pattern"):format(text)
end

local function configure(parser)
  parser:argument("file", "The shared object.")
  parser:mutex(parser:option("--scheme", "Test only the filesystem of this scheme."),
    parser:option("--platform", "Test only the devices of this platform."):argname "NAME")
  parser:option("--as", "Register that scheme (default \"\") under another name.")
    :argname "NAME"
  parser:option("--root", "Directory for the files of cases; if read-only, the one to list.")
    :argname "URI"
  parser:option("--sample", "Existing file for cases that only read; may be repeated.")
    :argname "PATH":count "*"
  parser:option("--strict", "Highest level of cases, 0 to 6 (default 4)."):convert(count(0))
    :argname "N"
  parser:option("--only", "Run only the cases that match this name or pattern; may be repeated.")
    :convert(pattern):argname "PATTERN":count "*"
  parser:flag("--since-failure", "Run only the cases that failed when it was last checked, if any.")
  parser:option("--state", "File that lists these cases (default: below $XDG_STATE_HOME).")
    :argname "FILE"
  parser:option("--seed", "Seed of random operations (default 1)."):convert(count(0)):argname "N"
  parser:option("--jobs", "Number of parallel child processes (default: processors).")
    :convert(count(1)):argname "N"
  parser:option("--seconds", "CPU time of each case (default 10); asleep, 6 times as long.")
    :convert(count(1)):argname "N"
  parser:mutex(parser:flag("--json", "Print the report as JSON."),
    parser:flag("--junit", "Print it as XML for JUnit."),
    parser:flag("--tap", "Print it as TAP, every case."))
  parser:option("--html", "Also write it to a file, as one page of HTML."):argname "FILE"
  parser:option("--badge", "Also write a badge with the verdict to a file, as SVG."):argname "FILE"
end

local keys = { "file", "scheme", "as", "platform", "root", "strict", "only", "seed", "jobs",
  "seconds", "since_failure" }

local function run_cases(options, task)
  local run = { samples = options.sample, state = options.state or true }
  for _, key in ipairs(keys) do
    run[key] = options[key]
  end
  local line, failed = progress.line(), 0
  run.progress = function(result, done, total)
    failed = failed + (result.verdict == "failed" and 1 or 0)
    line:show(("%d of %d%s: %s"):format(done, math.max(done, total),
      failed > 0 and (", %d failed"):format(failed) or "", result.name))
  end
  local fine, report = pcall(conformance.run, run)
  line:finish()
  if not fine then
    error(report, 0)
  elseif report.unsaved and options.state then
    task:fail(report.unsaved)
  end
  return report
end

local function format_of(options)
  return options.json and "json" or options.junit and "junit" or options.tap and "tap" or "text"
end

-- Writes a form of the report to a file.
local function save(path, form, report, task)
  local file, message = io.open(path, "wb")
  local done = file and file:write(require("modfs.check.report_" .. form)(report))
  if file and (not file:close() or not done) then
    message = path .. ": it could not be written"
  end
  if message then
    task:fail(message)
  end
end

-- The conformance runner would take what cannot be opened for a plugin that ends its child.
local function verify(path, task)
  if modfs.isdir(path) then
    task:refuse(path .. " is a directory")
  end
  local file, message = io.open(path, "rb")
  if not file then
    task:refuse(message)
  end
  file:close()
end

return command.define("check", {
  summary = "Runs the conformance suite on one plugin.",
  description = "Checks a plugin against the contract, each case in a child process.",
  statuses = "0 all passed, 1 something failed or nothing to test, 2 usage or no such file",
  configure = configure,
  run = function(options, task)
    verify(options.file, task)
    local report = run_cases(options, task)
    task:write(require("modfs.check.report_" .. format_of(options))(report))
    for _, form in ipairs { "html", "badge" } do
      if options[form] then
        save(options[form], form, report, task)
      end
    end
    task.status = report.ok and task.status or 1
  end,
})
