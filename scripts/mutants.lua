-- mutants.lua BUILD [COUNT|all] [SEED] [PLUGIN...]: measures `modfs check` by faults that nobody
-- chose. Each plugin of the project is built COUNT / 5 times (5 plugins), each time with one change
-- of universalmutator's rules at a random place, and tested by `modfs check` in a sandbox of
-- bubblewrap. A change that does not compile, or compiles to the same code, or to that of another,
-- is not counted. Neither is one that only makes the plugin offer less (more cases are refused than
-- of the unchanged plugin, and none fails): the contract lets every operation be UNIMPLEMENTED.
-- Prints a line for each build that passed every case and a row of figures for each plugin; all
-- results are in BUILD/mutants/results.tsv. Ends with 1 when an unchanged plugin fails, or when
-- fewer than 95 of 100 builds are caught, those of scripts/mutants/equivalent.lua aside.
local builds = require "scripts.mutants.builds"
local equivalent = require "scripts.mutants.equivalent"
local shell = require "modfs.inspect.shell"

local build, count, seed = arg[1] or "build", arg[2] or "100", tonumber(arg[3]) or 1
local place = shell.output "pwd" .. "/" .. build .. "/mutants"
local jobs = tonumber(os.getenv "JOBS") or tonumber(shell.output "nproc") or 2

local plugins = {
  { name = "mem", folders = { "plugins/memory", "plugins/common/glob" }, without = "",
    target = "build/modfs/plugins/mem.so" },
  { name = "posix", folders = { "plugins/posix" }, without = "",
    target = "build/modfs/plugins/posix.so" },
  { name = "reference", folders = { "plugins/reference" },
    without = "fault pace speed configuration", -- options for tests of hosts, off by default
    target = "build/modfs/plugins/reference.so" },
  { name = "template", folders = { "examples/template" }, without = "",
    target = "examples/template/template.so",
    command = "make -s -B -C examples/template CFLAGS='-O2 -w' template.so" },
  { name = "hello", folders = { "examples/plugin" }, without = "",
    target = "examples/plugin/hello.so",
    command = "cc -std=c11 -O2 -w -fPIC -fvisibility=hidden -shared -Iinclude "
      .. "examples/plugin/hello.c -o examples/plugin/hello.so "
      .. "-Wl,--no-as-needed build/stub/libtensorflow_framework.so.2" },
}

-- A fault may delete or kill what it should not: the test sees all files read-only, an empty /tmp,
-- and no process but its own. The children of the test use the modfs of host, where the build
-- stands in the place of the plugin that modfs itself would load; the test uses that of BUILD.
local sandbox = "exec 2>&1; timeout -k 5 600 bwrap --ro-bind / / --ro-bind %s %s --tmpfs /tmp "
  .. "--dev /dev --proc /proc --unshare-all --die-with-parent --new-session "
  .. "%s scripts/mutants/trial.lua %s %s"

local function start(plugin, file)
  local shown = plugin.command and file or plugin.target:gsub("^build", place .. "/host")
  return io.popen(sandbox:format(shell.quote(file), shell.quote(shown),
    shell.quote(shell.interpreter()), shell.quote(shown),
    shell.quote(place .. "/host/?.so")))
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

local function trimmed(line)
  return (line:match "^%s*(.-)%s*$":gsub("\n%s*", " "))
end

local function reason_of(candidate)
  for _, row in ipairs(equivalent[candidate.path] or {}) do
    if row[1] == trimmed(candidate.old) and row[2] == trimmed(candidate.text) then
      return row[3]
    end
  end
end

local results = assert(io.open(place .. "/results.tsv", "w"))

-- Of a build that passed: equivalent with a reason, less with what it refuses, or missed.
local function classify(plugin, candidate, refused)
  local reason = reason_of(candidate)
  if reason then
    return "equivalent", reason
  end
  for name in refused:gmatch "%S+" do
    if not plugin.refused[name] then
      return "less", "refuses " .. name
    end
  end
  return "missed", ""
end

local function conclude(figures, plugin, trial)
  local verdict, detail = verdict_of(trial.pipe)
  os.remove(trial.file)
  local candidate = trial.candidate
  if verdict == "passed" then
    verdict, detail = classify(plugin, candidate, detail)
  end
  figures[verdict] = figures[verdict] + 1
  results:write(table.concat({ plugin.name, verdict, candidate.path, candidate.number,
    trimmed(candidate.old), trimmed(candidate.text), detail }, "\t"), "\n")
  results:flush()
  if verdict == "missed" or verdict == "broken" then
    print(("%s %s:%d %s\n  - %s\n  + %s"):format(verdict, candidate.path, candidate.number,
      detail, trimmed(candidate.old), trimmed(candidate.text)))
  end
end

-- Tries candidates until wanted builds are tested; up to jobs tests run while the next one is
-- built.
local function measure(copy, plugin, wanted)
  local figures = { caught = 0, missed = 0, equivalent = 0, less = 0, broken = 0, uncounted = 0 }
  local running = {}
  local number = 0
  for _, candidate in ipairs(copy:candidates(plugin)) do
    if number >= wanted then
      break
    end
    local file = ("%s/%s-%d.so"):format(place, plugin.name, number + 1)
    if copy:build(plugin, candidate, file) then
      number = number + 1
      if #running == jobs then
        conclude(figures, plugin, table.remove(running, 1))
      end
      running[#running + 1] = { pipe = start(plugin, file), file = file, candidate = candidate }
    else
      figures.uncounted = figures.uncounted + 1
    end
  end
  for _, trial in ipairs(running) do
    conclude(figures, plugin, trial)
  end
  return figures
end

-- The unchanged plugin passes, or no figure means anything.
local function control(copy, plugin)
  local verdict, detail = verdict_of(start(plugin, copy.tree .. "/" .. plugin.target))
  print(("control %s, unchanged: %s %s"):format(plugin.name, verdict,
    verdict == "passed" and "" or detail))
  plugin.refused = {}
  for name in detail:gmatch "%S+" do
    plugin.refused[name] = true
  end
  return verdict == "passed"
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

local copy = builds.open(place, seed, jobs)
local chosen = wanted_plugins()
local wanted = count == "all" and math.huge or math.ceil(tonumber(count) / #chosen)
local fine, caught, counted = true, 0, 0
local rows = {}
for _, plugin in ipairs(chosen) do
  assert(copy:run(plugin.command or "true"), plugin.name .. " does not build")
  fine = control(copy, plugin) and fine
  local figures = measure(copy, plugin, wanted)
  fine = fine and figures.broken == 0
  caught, counted = caught + figures.caught, counted + figures.caught + figures.missed
  rows[#rows + 1] = (("%-10s %4d caught, %3d missed, %3d equivalent, %3d offer less"
    .. " (%d other changes)"):format(plugin.name, figures.caught, figures.missed,
    figures.equivalent, figures.less, figures.uncounted))
end
results:close()
print(table.concat(rows, "\n"))
print(("seed %d: %.1f %% of %d caught"):format(seed, 100 * caught / counted, counted))
os.exit(fine and caught >= 0.95 * counted)
