-- batch_child.lua FILE SCHEME ROOT RECORDS hosted|native|short [AS]: the cases of levels 1 to 3
-- that go through the host, the native ones, or these in short, in this process. First it tells how
-- many results follow.
local file, scheme, root, records, kind, as = (table.unpack or unpack)(arg)
local tell = require("modfs.check.record").writer(records)
local cases = require "modfs.check.cases"
local inprocess = require "modfs.check.inprocess"
local state = require "modfs.check.state"

local watched

local function try(case, trial, message)
  local found = { failed = not trial and "the plugin does not start: " .. message or nil }
  if trial then
    trial.seed = 1
    found = inprocess.try(case, trial, watched)
  end
  local verdict = found.passed and "passed" or found.failed and "failed" or "refused"
  tell("result", ("%s %s %s %s"):format(case.name, case.operation, verdict,
    found.failed or found.refused or ""))
end

-- Contents of every size, what each call leaves behind or does when something is short, and many or
-- long names.
local long = { "^state%.", "^raw%.resources%.", "^raw%.memory%.", "^lists%.", "^paths%." }

local function is_wanted(case)
  local wanted = case.level <= 3 and (case.native or false) == (kind ~= "hosted")
  for _, pattern in ipairs(kind == "short" and long or {}) do
    wanted = wanted and not case.name:find(pattern)
  end
  return wanted
end

-- Runs this half of the cases, each with what make(root) gives.
local function try_all(make)
  local wanted = {}
  for _, case in ipairs(cases) do
    if is_wanted(case) then
      wanted[#wanted + 1] = case
    end
  end
  tell("planned", #wanted)
  watched = { opened = function() end, changed = state.watch_descriptors() }
  for number, case in ipairs(wanted) do
    tell("case", case.name)
    try(case, make(("%s/%s%d"):format(root, kind:sub(1, 1), number)))
  end
end

if kind ~= "hosted" then
  local native = require "modfs.check.native"
  try_all(function(here)
    return native.new({ file = file, scheme = scheme, root = here }, tell)
  end)
else
  local modfs = require "modfs"
  local trial = require "modfs.check.trial"
  assert(modfs.load(file, { trust = true, scheme = as and scheme, as = as }))
  local fs = modfs.filesystem(as or scheme)
  for name, source in pairs(fs:operations()) do
    tell("operation", ("%s %s %s"):format(name, source, as or scheme))
  end
  try_all(function(here)
    return trial.new(fs, here, tell)
  end)
end
