-- batch_child.lua FILE SCHEME ROOT RESULTS FIRST hosted|native: the cases of levels 1 to 5 from
-- number FIRST on (0 is loading), in this process; of those without a host levels 1 to 3: threads
-- and storage are spec/check_faults_spec.lua's.
local file, scheme, root, results, first, kind = (table.unpack or unpack)(arg)
local tell = require("modfs.check.record").writer(results)
local cases = require "modfs.check.cases"
local inprocess = require "modfs.check.inprocess"
local runner = require "modfs.runner"
local state = require "modfs.check.state"

local marker = "Makefile"

-- How many descriptors were open after the last case; modfs is nil without a host.
local modfs, now

-- Of the process's state descriptors alone: to take all of it costs more than most cases.
local function changed()
  local before = now
  now = runner.descriptors()
  if now > before + 4 then
    collectgarbage()
    collectgarbage()
    now = runner.descriptors()
  end
  return state.difference({ descriptors = before }, { descriptors = now }, 4)
end

local function report(case, found)
  local verdict = found.passed and "passed" or found.failed and "failed" or "refused"
  tell("result", ("%s %s %s %s"):format(case.name, case.operation, verdict,
    found.failed or found.refused or ""))
end

local function try(number, case, make)
  tell("case", ("%d %s %s"):format(number, case.name, case.operation))
  local trial, message = make(("%s/c%d"):format(root, number))
  if not trial then
    return report(case, { failed = "the plugin does not start: " .. message })
  end
  trial.seed = 1
  report(case, inprocess.try(case, trial, changed))
end

local function try_all(make)
  local native, most = kind == "native", kind == "native" and 3 or 5
  for number = math.max(1, tonumber(first)), #cases do
    local case = cases[number]
    if case.level <= most and (case.native or false) == native then
      try(number, case, make)
    end
  end
end

local function load()
  tell("case", "0 load load")
  local before = state.take(modfs, marker)
  local plugin, message = modfs.load(file, { trust = true })
  local difference = plugin and state.difference(before, state.take(modfs, marker), 1e9)
  if difference or not plugin then
    tell("result", "load load failed " .. (difference or message))
    tell("done", "")
    os.exit(0)
  elseif first == "0" then
    tell("result", "load load passed")
  end
  local fs = modfs.filesystem(scheme)
  for name, source in pairs(fs:operations()) do
    tell("operation", ("%s %s %s"):format(name, source, scheme))
  end
  return fs
end

if kind == "native" then
  local native = require "modfs.check.native"
  now = runner.descriptors()
  try_all(function(here)
    return native.new({ file = file, scheme = scheme, root = here }, tell)
  end)
else
  modfs = require "modfs"
  local fs = load()
  now = runner.descriptors()
  local trial = require "modfs.check.trial"
  try_all(function(here)
    return trial.new(fs, here, tell)
  end)
end
tell("done", "")
