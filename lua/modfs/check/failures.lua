-- The cases that failed when a plugin was last checked: a file with the plugin's path in the first
-- line, then the name of a case in each. A run changes what it says of the cases that were run.
local modfs = require "modfs"

local failures = {}

-- The file for a plugin, below $XDG_STATE_HOME; nil where no such folder is known.
function failures.path(plugin)
  local state, home = os.getenv "XDG_STATE_HOME" or "", os.getenv "HOME" or ""
  local folder = state:find "^/" and state or home:find "^/" and home .. "/.local/state"
  return folder and ("%s/modfs/check/%s-%08x"):format(folder, plugin:match("[^/]*$"):sub(-200),
    modfs.crc32c(plugin))
end

-- The names in a file; none where it does not exist or is about another plugin.
function failures.read(path, plugin)
  local names = {}
  local file = io.open(path, "rb")
  if not file then
    return names
  end
  if file:read "*l" == plugin then
    for name in file:lines() do
      names[#names + 1] = name
    end
  end
  file:close()
  return names
end

-- Which cases a result is about, if it failed. Loading and the survey are part of every run.
local function cases_of(result)
  return result.verdict == "failed" and not result.setup and (result.needs or { result.name }) or {}
end

-- Whether a case was run, as far as to tell whether it fails.
local function was_run(result)
  return not (result.verdict == "refused" and result.why:find "^not run: ")
end

-- What the file says after a run: the cases that failed, and those that failed before it and were
-- not run. Returns true, or nil and a message.
function failures.write(path, report)
  local run, listed, lines = {}, {}, { report.file }
  for _, result in ipairs(report.results) do
    run[result.name] = was_run(result)
  end
  local function add(name)
    if not listed[name] then
      listed[name] = true
      lines[#lines + 1] = name
    end
  end
  for _, result in ipairs(report.results) do
    for _, name in ipairs(cases_of(result)) do
      add(name)
    end
  end
  for _, name in ipairs(failures.read(path, report.file)) do
    if not run[name] then
      add(name)
    end
  end
  local made, message = modfs.makedirs(path:match "^(.*)/[^/]*$" or ".")
  if not made then
    return nil, message
  end
  return modfs.write(path, table.concat(lines, "\n") .. "\n")
end

-- Those of the names that are cases still, as a set; nil if there are none.
function failures.known(names)
  local known, set = {}, nil
  for _, list in ipairs { "cases", "existing_cases", "device_cases" } do
    for _, case in ipairs(require("modfs.check." .. list)) do
      known[case.name] = true
    end
  end
  for _, name in ipairs(names) do
    if known[name] then
      set = set or {}
      set[name] = true
    end
  end
  return set
end

return failures
