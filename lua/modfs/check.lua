-- require "modfs.check": tests a plugin, each case in a child process of its own.
--   run{ file=, scheme=, as=, platform=, root=, samples=, strict=, only=, seed=, jobs=, seconds= }
--     -> report
--     only: a name or pattern, or an array of them
--     state: a file that lists the cases that failed, true for the default one
--     since_failure: run only these, if there are any
--     as: the name to register the scheme under, if the scheme itself is taken
--   main(args) -> exit status: 0 all passed, 1 something failed or nothing to test, 2 usage
local capabilities = require "modfs.check.capabilities"
local failures = require "modfs.check.failures"
local options = require "modfs.options"
local process = require "modfs.check.process"
local survey = require "modfs.check.survey"
local verdicts = require "modfs.check.verdicts"

local check = {}

local limits = { seconds = 10, megabytes = 2048, file_megabytes = 64, files = 256, strict = 4,
  seed = 1 }

local function now()
  local file = io.open "/proc/uptime"
  local seconds = file and file:read("*n") or os.time()
  if file then
    file:close()
  end
  return seconds
end

local function absolute(path, here)
  return path:sub(1, 1) == "/" and path or here .. "/" .. path
end

-- The highest level up to strict that has cases: a report must not claim a higher one.
local function level_of(all, strict, least)
  local level = least
  for _, case in ipairs(all) do
    if case.level <= strict and case.level > level then
      level = case.level
    end
  end
  return level
end

-- Whether a case is wanted by its whole name, or by a pattern found in it. A pattern that is the
-- whole name of some case stands for that case alone, whatever its level.
local function is_wanted(run, case, whole)
  local low = case.level <= run.strict
  for _, word in ipairs(run.only) do
    if case.name == word or not whole[word] and low and case.name:find(word) then
      return true
    end
  end
  return #run.only == 0 and low
end

-- The cases of a run. Of those that failed before it (run.failed, a set) each is wanted, whatever
-- its level, unless patterns are given.
local function chosen(all, run)
  local whole, found = {}, {}
  for _, case in ipairs(all) do
    whole[case.name] = true
  end
  for _, case in ipairs(all) do
    local wanted
    if run.failed and #run.only == 0 then
      wanted = run.failed[case.name]
    else
      wanted = is_wanted(run, case, whole) and (not run.failed or run.failed[case.name])
    end
    found[#found + 1] = wanted and case or nil
  end
  return found
end

-- The root without --root: the temporary directory for local paths, else a host part of its own. A
-- plugin may drop the host and take the path for a local one, so the path's first name is as
-- unlikely to exist: all below it is deleted in the end.
local function default_root(scheme, folder)
  if scheme == "" then
    return folder .. "/root"
  elseif scheme == "file" then
    return "file://" .. folder .. "/root"
  end
  local name = "modfs.check." .. folder:match "%w+$"
  return ("%s://%s/%s"):format(scheme, name, name)
end

-- A URI of one scheme as that of another; "" is the scheme of paths without any.
local function exchange_scheme(uri, from, to)
  local own, rest = uri:match "^(%a[%w.]*)://(.*)$"
  if (own or "") ~= from then
    return uri
  end
  return (to == "" and "" or to .. "://") .. (rest or uri)
end

-- A case without a host sees the plugin's own scheme, whatever it is registered under.
local function job_for(report, case, number)
  local scheme, root = report.scheme or "", report.root or ""
  if report.as and case.native then
    scheme, root = report.served, exchange_scheme(root, report.as, report.served)
  end
  return { file = report.file, scheme = scheme, case = case.name, served = report.served,
    as = report.as, deviations = report.deviations, tree = report.tree,
    root = ("%s/c%d"):format(root, number), seed = report.seed, native = case.native,
    limits = case.limits, part = case.part, own = case.own }
end

-- The result of a case that has ended, which is not yet in the report.
local function judge(run, report, case, found)
  local result = verdicts.of(case, found, report)
  report.ended = report.ended + 1
  if run.progress then
    run.progress(result, report.ended, report.planned or report.ended)
  end
  return result
end

local function add_result(report, result)
  report.results[#report.results + 1] = result
  report.assertions = report.assertions + result.assertions
  report[result.verdict] = report[result.verdict] + 1
end

-- Why a case about existing files does not apply, where its slot tells that without a child.
local function inapplicable(report, case)
  local operation = case.existing and report.operations[case.operation]
  local source = operation and operation.source
  if source == "missing" or source == "default" and case.native then
    return case.operation .. " is an empty slot"
  end
end

-- Keeps as many children at work as jobs says. Results come in the order of the cases, whichever
-- child ends first.
local function work(children, run, report, cases)
  local results, place, next_case = {}, {}, 1
  report.planned = report.ended + #cases
  local function start()
    local i = next_case
    local case = cases[i]
    local why = inapplicable(report, case) or children:refusal(case)
    next_case = i + 1
    if why then
      results[i] = judge(run, report, case, { refused = why, served = {} })
    else
      place[children:start(job_for(report, case, i))] = i
    end
  end
  repeat
    while cases[next_case] and #children.running < run.jobs do
      start()
    end
    local child, found = children:next()
    if child then
      results[place[child]] = judge(run, report, cases[place[child]], found)
    end
  until not child
  for _, result in ipairs(results) do
    add_result(report, result)
  end
end

local load_case = { name = "load", level = 0, operation = "load", counts = 1 }

local function load(children, run, report)
  local found = children:run { file = report.file, scheme = "", root = "", case = "load",
    served = report.served, as = report.as }
  if found.failed and found.failed:find "^ALREADY_EXISTS" and not report.as then
    found.failed = found.failed .. "; --as NAME registers it under that name for the check"
  end
  found.called, found.answer = found.call, found.failed
  found.assertions = found.passed and 2 or 1
  found.served = {}
  add_result(report, judge(run, report, load_case, found))
  report.results[1].setup = true
  report.schemes, report.platforms = found.scheme, found.platform
  report.scheme = report.scheme or not run.platform and found.scheme[1] or nil
  report.operations = capabilities.read(found.operation, report.scheme)
  report.deviations = capabilities.deviations(found.deviation, report.scheme)
  return found.passed
end

local function contains(list, word)
  for _, each in ipairs(list) do
    if each == word then
      return true
    end
  end
  return false
end

local function run_cases(children, run, report, all)
  local cases = chosen(all, run)
  report.strict = level_of(all, run.strict, report.strict)
  report.chosen = report.chosen + #cases
  work(children, run, report, cases)
end

-- Existing data --------------------------------------------------------------------------------

local survey_case = { name = "existing.survey", level = 1, operation = "new_random_access_file",
  counts = 1 }

-- A URI of the plugin's own scheme as one of the scheme that it is registered under.
local function registered(report, uri)
  return report.as and exchange_scheme(uri, report.served, report.as) or uri
end

-- A sample as a URI of the scheme that is tested.
local function sample_uri(report, sample)
  if report.scheme == "" or sample:find "^%a[%w+.-]*://" then
    return registered(report, sample)
  end
  return ("%s:///%s"):format(report.scheme, (sample:gsub("^/+", "")))
end

-- The directory that is listed first without --root.
local function top(scheme)
  return scheme == "" and "/" or scheme .. ":///"
end

local function survey_job(children, run, report)
  local samples = {}
  for i, sample in ipairs(run.samples) do
    samples[i] = sample_uri(report, sample)
  end
  return { file = report.file, scheme = report.scheme, root = report.root, case = survey_case.name,
    tree = children.folder .. "/existing", samples = table.concat(samples, "\n"),
    listed = run.root and registered(report, run.root)
      or #samples == 0 and top(report.scheme) or "",
    served = report.served, as = report.as }
end

-- Finds out whether the plugin can write; if not, or if samples are given, surveys existing data.
local function survey_existing(children, run, report)
  local job = survey_job(children, run, report)
  local found = children:run(job)
  report.reads_only = found.writes == "no"
  if report.reads_only or #run.samples > 0 then
    found.served, found.called, found.answer = {}, found.call, found.found
    add_result(report, judge(run, report, survey_case, found))
    report.results[#report.results].setup = true
    report.found = found.found
    report.nothing = found.refused
    report.tree = found.found and not found.refused and job.tree or nil
  end
end

-- The default root, or a new directory below the one that the user names.
local function root_of(children, run, report)
  if not run.root then
    return registered(report, default_root(report.served or report.scheme, children.folder))
  end
  local root = registered(report, run.root)
  local bare = root:find "^%a[%w+.-]*:/+$" and root or root:gsub("/+$", "")
  return survey.below(bare, "modfs.check." .. children.folder:match "%w+$")
end

local function check_filesystem(children, run, report)
  report.given_root, report.given_samples = run.root, run.samples
  report.root = root_of(children, run, report)
  survey_existing(children, run, report)
  if report.tree then
    run_cases(children, run, report, require "modfs.check.existing_cases")
    report.tree = nil
  end
  if not report.reads_only then
    run_cases(children, run, report, require "modfs.check.cases")
    children:run { file = report.file, scheme = report.scheme, root = report.root,
      case = "sweep", served = report.served, as = report.as }
  end
end

local function check_platform(children, run, report)
  report.platform = run.platform or report.platforms[1]
  local found = children:run { file = report.file, scheme = "", root = "", case = "device.slots" }
  for name, slot in pairs(capabilities.read(found.operation, report.platform)) do
    report.operations[name] = slot
  end
  run_cases(children, run, report, require "modfs.check.device_cases")
end

-- A case whose child has left a process running has failed, whatever its own verdict.
local function fail_survivors(report, left)
  for _, result in ipairs(report.results) do
    if left[result.name] and result.verdict ~= "failed" then
      report[result.verdict] = report[result.verdict] - 1
      report.failed = report.failed + 1
      result.verdict, result.why = "failed", "leaves a process running, which was killed"
    end
  end
end

-- A scheme or a platform that is given excludes the other kind.
local function check_all(children, run, report)
  if not run.platform and contains(report.schemes, report.scheme) then
    check_filesystem(children, run, report)
  end
  local platform = run.platform or report.platforms[1]
  if not (run.scheme or run.as) and contains(report.platforms, platform) then
    check_platform(children, run, report)
  end
end

local kinds = { file = "string", scheme = "string", as = "string", platform = "string",
  root = "string", samples = "table", only = "string or table", strict = "integer",
  seed = "integer", jobs = "integer",
  state = "string or boolean", since_failure = "boolean",
  seconds = "number", megabytes = "number", lua = "string", progress = "function" }

local function limits_of(given)
  return { file = given.file, scheme = given.scheme, platform = given.platform,
    as = given.as, root = given.root, samples = given.samples or {},
    only = type(given.only) == "table" and given.only or { given.only },
    strict = given.strict or limits.strict, seed = given.seed or limits.seed,
    jobs = given.jobs or require("modfs.runner").processors(),
    seconds = given.seconds or limits.seconds,
    megabytes = given.megabytes or limits.megabytes, file_megabytes = limits.file_megabytes,
    files = limits.files, lua = given.lua, progress = given.progress, state = given.state,
    since_failure = given.since_failure }
end

-- The results that count as tests of the plugin: loading and the survey do not.
local function count_scored(report)
  local count = 0
  for _, result in ipairs(report.results) do
    count = count + (result.verdict == "passed" and not result.setup and 1 or 0)
  end
  return count
end

local function conclude(report)
  report.planned, report.ended = nil, nil
  capabilities.assess(report)
  local scored = count_scored(report)
  report.tested = scored > 0 or report.failed > 0
  report.ok = scored > 0 and report.failed == 0
end

-- The cases that failed last time, where only they are to run.
local function recall(run, report)
  run.state = run.state == true and failures.path(report.file) or run.state
  if run.since_failure and run.state then
    run.failed = failures.known(failures.read(run.state, report.file))
    report.since_failure = run.failed ~= nil
  end
end

-- Notes which cases have failed, for the next run.
local function remember(run, report)
  if run.state then
    local _, message = failures.write(run.state, report)
    report.unsaved = message
  end
end

-- run(options) -> report: results, counts, assertions, operations, seconds, tested, ok;
-- unsaved: why the state could not be written.
function check.run(given)
  given = options.check(given, kinds, "run", 1)
  if not given.file then
    error("bad argument #1 to 'run' (option 'file': string expected, got nil)", 2)
  end
  local run = limits_of(given)
  local children = process.open(run)
  local report = { file = absolute(run.file, children.here), scheme = run.as or run.scheme,
    as = run.as, served = run.as and (run.scheme or ""), root = run.root,
    strict = 0, seed = run.seed, without_shim = children.without_shim,
    results = {}, ended = 0, chosen = 0, named = #run.only > 0,
    assertions = 0, passed = 0, failed = 0, refused = 0 }
  recall(run, report)
  local began = now()
  local fine, problem = pcall(function()
    if load(children, run, report) then
      check_all(children, run, report)
    end
    fail_survivors(report, children:left())
  end)
  if not fine then
    children:left()
    children:close()
    error(problem, 0)
  end
  children:close()
  report.seconds = now() - began
  conclude(report)
  remember(run, report)
  return report
end

-- main(args): the words after "modfs check".
function check.main(args)
  return require("modfs.cli.check").main(args)
end

return check
