-- batch_child.lua FILE SCHEME ROOT RESULTS FIRST: the cases from number FIRST on, in this process.
local file, scheme, root, results, first = (table.unpack or unpack)(arg)
local tell = require("modfs.check.record").writer(results)
local inprocess = require "modfs.check.inprocess"
local modfs = require "modfs"
local state = require "modfs.check.state"
local trial = require "modfs.check.trial"

local marker = "Makefile"

-- What belonged to the process after the last case.
local now

local function try(fs, number, case)
  tell("case", ("%d %s %s"):format(number, case.name, case.operation))
  local here = trial.new(fs, ("%s/c%d"):format(root, number), tell)
  here.seed = 1
  local found = inprocess.try(case, here, function()
    collectgarbage()
    collectgarbage()
    local before = now
    now = state.take(modfs, marker)
    return state.difference(before, now, 4)
  end)
  local verdict = found.passed and "passed" or found.failed and "failed" or "refused"
  tell("result", ("%s %s %s %s"):format(case.name, case.operation, verdict,
    found.failed or found.refused or ""))
end

local function load()
  tell("case", "0 load load")
  local before = state.take(modfs, marker)
  local plugin, message = modfs.load(file, { trust = true })
  local changed = plugin and state.difference(before, state.take(modfs, marker), 1e9)
  if changed or not plugin then
    tell("result", "load load failed " .. (changed or message))
    tell("done", "")
    os.exit(0)
  end
  tell("result", "load load passed")
  now = state.take(modfs, marker)
  local fs = modfs.filesystem(scheme)
  for name, source in pairs(fs:operations()) do
    tell("operation", ("%s %s %s"):format(name, source, scheme))
  end
  return fs
end

local fs = load()
local cases = require "modfs.check.cases"
for number = tonumber(first), #cases do
  if cases[number].level <= 3 then
    try(fs, number, cases[number])
  end
end
tell("done", "")
