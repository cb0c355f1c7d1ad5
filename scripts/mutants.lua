-- mutants.lua BUILD [COUNT|all] [SEED] [PLUGIN...]: measures `modfs check` by faults that nobody
-- chose. The plugins of the project are built COUNT times in all, as often each, every time with
-- one change of universalmutator's rules at a random place, and tested by the cases of `modfs
-- check` in a sandbox of bubblewrap. A plugin with too few places leaves the rest to the others. A
-- change that does not compile, or compiles to the same code, or to that of another, is not
-- counted. Neither is one that only makes the plugin offer less (more cases are refused than of the
-- unchanged plugin, and none fails): the contract lets every operation be UNIMPLEMENTED.
--
-- Prints a line for each build that passed every case and a row of figures for each plugin; all
-- results are in BUILD/mutants/results.tsv, and what is there already is not tried again. Ends with
-- 1 when an unchanged plugin fails, or when fewer than 95 of 100 builds are caught, those of
-- scripts/mutants/equivalent.lua aside.
--
-- A change in a text alone is equivalent, too.
--
-- Variables: JOBS, builds that are tested at a time; LEVEL, the highest one of the cases (5);
-- RETRY, verdicts that are tried again ("missed broken"), for a case that is new; ONLY, with
-- RETRY=missed, patterns for the names of the new cases: what all others missed is tried by them.
-- LIST, a file like scripts/mutants/equivalent.lua: its changes are tried, in place of random ones.
local builds = require "scripts.mutants.builds"
local equivalent = require "scripts.mutants.equivalent"
local results_of = require "scripts.mutants.results"
local shell = require "modfs.inspect.shell"

local build, count, seed = arg[1] or "build", arg[2] or "100", tonumber(arg[3]) or 1
local place = shell.output "pwd" .. "/" .. build .. "/mutants"
-- A test is asleep now and then.
local jobs = tonumber(os.getenv "JOBS") or 1 + (tonumber(shell.output "nproc") or 2)
local strict = tonumber(os.getenv "LEVEL") or 5

-- In the order of their sizes: what a small one leaves, a large one has.
local plugins = {
  { name = "hello", kind = "reader", schemes = "hello", folders = { "examples/plugin" },
    without = "", target = "examples/plugin/hello.so",
    command = "cc -std=c11 -O2 -w -fPIC -fvisibility=hidden -shared -Iinclude "
      .. "examples/plugin/hello.c -o examples/plugin/hello.so "
      .. "-Wl,--no-as-needed build/stub/libtensorflow_framework.so.2" },
  { name = "template", kind = "filesystem", schemes = "template",
    folders = { "examples/template" }, without = "", target = "examples/template/template.so",
    command = "make -s -B -C examples/template CFLAGS='-O2 -w' template.so" },
  { name = "reference", kind = "device", schemes = "", folders = { "plugins/reference" },
    without = "fault pace speed configuration", -- options for tests of hosts, off by default
    target = "build/modfs/plugins/reference.so" },
  { name = "mem", kind = "filesystem", schemes = "mem",
    folders = { "plugins/memory", "plugins/common/glob" }, without = "",
    target = "build/modfs/plugins/mem.so" },
  { name = "posix", kind = "filesystem", schemes = "'' file", folders = { "plugins/posix" },
    without = "", target = "build/modfs/plugins/posix.so" },
}

-- A fault may delete or kill what it should not: the test sees all files read-only, a small /tmp,
-- and no process but its own. The children of the test use the modfs of host, where the build
-- stands in the place of the plugin that modfs itself would load; the test uses that of BUILD.
local sandbox = "exec 2>&1; timeout -k 5 3600 bwrap --ro-bind / / --ro-bind %s %s "
  .. "--size 4294967296 --tmpfs /tmp --dev /dev --proc /proc --unshare-all --die-with-parent "
  .. "--new-session %s scripts/mutants/trial.lua %s %s %s %d %s %s"

-- names: of the cases to begin with.
local function start(plugin, file, names)
  local shown = plugin.command and file or plugin.target:gsub("^build", place .. "/host")
  local order = assert(io.open(file .. ".order", "w"))
  order:write(table.concat(names, "\n"), #names > 0 and "\n" or "")
  assert(order:close())
  return io.popen(sandbox:format(shell.quote(file), shell.quote(shown),
    shell.quote(shell.interpreter()), shell.quote(shown), shell.quote(place .. "/host/?.so"),
    plugin.kind, strict, shell.quote(file .. ".order"), plugin.schemes))
end

local function verdict_of(pipe)
  local said = pipe:read "*a"
  pipe:close()
  local verdict, detail = said:match "^(%a+) ([^\n]*)"
  if verdict ~= "caught" and verdict ~= "passed" then
    return "broken", said
  end
  return verdict, detail
end

local function candidates_of(copy, plugin)
  local list = os.getenv "LIST"
  return list and copy:listed(plugin, dofile(list)) or copy:candidates(plugin)
end

local function trimmed(line)
  return (line:match "^%s*(.-)%s*$":gsub("%s+", " "))
end

-- The texts of messages, and of the data of an example, may be any.
local function without_texts(line)
  return (trimmed(line):gsub('"[^"]*"', '""'))
end

-- Why no caller can see a change, or nil; and whether somebody has argued it.
local function reason_of(row)
  if without_texts(row.old) == without_texts(row.new) then
    return "differs in a text alone"
  end
  for _, known in ipairs(equivalent[row.path] or {}) do
    if known[1] == trimmed(row.old) and known[2] == trimmed(row.new) then
      return known[3], true
    end
  end
end

-- The unchanged plugin passes, or no figure means anything. Sets plugin.refused, the names of the
-- cases that are refused.
local function control(copy, plugin)
  local file = place .. "/" .. plugin.name .. ".so"
  assert(copy:run(plugin.command or "true"), plugin.name .. " does not build")
  assert(copy:run("cp " .. plugin.target .. " " .. file))
  local verdict, detail = verdict_of(start(plugin, file, {}))
  print(("control %s, unchanged: %s %s"):format(plugin.name, verdict,
    verdict == "passed" and "" or detail))
  plugin.refused = {}
  for name in detail:gmatch "%S+" do
    plugin.refused[name] = true
  end
  return verdict == "passed"
end

-- Of a build that passed: less with what it refuses, or missed.
local function classify(plugin, refused)
  for name in refused:gmatch "%S+" do
    if not plugin.refused[name] then
      return "less", "refuses " .. name
    end
  end
  return "missed", ""
end

local function add_row(results, plugin, candidate, verdict, detail)
  results:add { plugin = plugin.name, verdict = verdict, path = candidate.path,
    number = candidate.number, old = candidate.old, new = candidate.new, detail = detail,
    source = candidate.source, code = candidate.code, strict = strict }
end

local function conclude(results, plugin, trial)
  local verdict, detail = verdict_of(trial.pipe)
  os.remove(trial.file)
  os.remove(trial.file .. ".order")
  if verdict == "passed" then
    verdict, detail = classify(plugin, detail)
  end
  add_row(results, plugin, trial.candidate, verdict, detail)
end

-- Tests candidates until wanted builds have been tested, by this run or an earlier one; up to jobs
-- tests run while the next one is built. Returns the rows of all.
local function measure(copy, results, plugin, wanted)
  local running, tried, counted = {}, {}, 0
  for _, candidate in ipairs(candidates_of(copy, plugin)) do
    if counted >= wanted then
      break
    end
    local known = results:find(plugin.name, candidate, reason_of(candidate) ~= nil)
    local unseen = os.getenv "ONLY" and not results:find(plugin.name, candidate, true)
    local file = ("%s/%s-%d.so"):format(place, plugin.name, counted + 1)
    tried[#tried + 1] = not unseen and candidate or nil
    if known then
      copy:know(known.path, known.code)
      counted = counted + (known.verdict ~= "uncounted" and 1 or 0)
    elseif not unseen then -- what no other case has missed is not tried by some cases alone
      local built, why = copy:build(plugin, candidate, file)
      if not built then
        add_row(results, plugin, candidate, "uncounted", why)
      else
        counted = counted + 1
        if #running == jobs then
          conclude(results, plugin, table.remove(running, 1))
        end
        running[#running + 1] = { file = file, candidate = candidate,
          pipe = start(plugin, file, results:order(plugin.name, candidate)) }
      end
    end
  end
  for _, trial in ipairs(running) do
    conclude(results, plugin, trial)
  end
  return tried, counted
end

-- Prints what was missed, and counts the verdicts.
local function report(results, plugin, tried)
  local figures = { caught = 0, missed = 0, equivalent = 0, less = 0, broken = 0, uncounted = 0 }
  for _, candidate in ipairs(tried) do
    local row = results:find(plugin.name, candidate, true)
    local reason, argued = reason_of(row)
    local verdict = row.verdict == "missed" and reason and "equivalent" or row.verdict
    figures[verdict] = figures[verdict] + 1
    if verdict == "missed" or verdict == "broken" or verdict == "caught" and argued then
      print(("%s %s:%d %s\n  - %s\n  + %s"):format(
        verdict == "caught" and "called equivalent, but caught:" or verdict, row.path, row.number,
        row.detail, trimmed(row.old), trimmed(row.new)))
    end
  end
  return figures
end

local function wanted_plugins()
  local names = {}
  for i = 4, #arg do
    names[arg[i]] = true
  end
  local list = {}
  for _, plugin in ipairs(plugins) do
    if #arg < 4 or names[plugin.name] then
      list[#list + 1] = plugin
    end
  end
  return list
end

local function verdicts_to_retry()
  local again = {}
  for verdict in (os.getenv "RETRY" or ""):gmatch "%S+" do
    again[verdict] = true
  end
  return again
end

local copy = builds.open(place, seed, jobs, plugins)
local results = results_of.open(place .. "/results.tsv", verdicts_to_retry())
local chosen = wanted_plugins()
local left = count == "all" and math.huge or tonumber(count)
local fine, caught, counted = true, 0, 0
local rows = {}
for i, plugin in ipairs(chosen) do
  assert(control(copy, plugin), "what the unchanged plugin fails catches nothing")
  local tried, number = measure(copy, results, plugin, math.ceil(left / (#chosen - i + 1)))
  left = left - number
  local figures = report(results, plugin, tried)
  fine = fine and figures.broken == 0
  caught, counted = caught + figures.caught, counted + figures.caught + figures.missed
  rows[#rows + 1] = (("%-10s %4d caught, %3d missed, %3d equivalent, %3d offer less"
    .. " (%d other changes)"):format(plugin.name, figures.caught, figures.missed,
    figures.equivalent, figures.less, figures.uncounted))
end
results:close()
print(table.concat(rows, "\n"))
print(("seed %d: %.1f %% of %d caught"):format(seed, 100 * caught / math.max(counted, 1), counted))
os.exit(fine and caught >= 0.95 * counted)
