-- cases_child.lua FILE SCHEME ROOT KIND RECORDS NAMES: runs cases of one kind after each other in
-- this process, until one fails: "hosted", "native" (without a host, under the shim), "device" or
-- "device_native" (under the shim).
-- NAMES is a file with the name of a case in each line. Each case records "case NAME", then what
-- its trial tells, then its verdict and "ended".
local file, scheme, root, kind, records, names = (table.unpack or unpack)(arg)
local inprocess = require "modfs.check.inprocess"
local state = require "modfs.check.state"

local tell = require("modfs.check.record").writer(records)
local watched

local function describe(slots)
  for name, source in pairs(slots) do
    tell("operation", ("%s %s %s"):format(name, source, scheme))
  end
end

-- For each kind a function that makes the trial of a case in a root of its own.
local makers = {}

function makers.hosted()
  local modfs = require "modfs"
  assert(modfs.load(file, { trust = true }))
  local fs = modfs.filesystem(scheme == "" and "/" or scheme)
  describe(fs:operations())
  return function(here)
    return require("modfs.check.trial").new(fs, here, tell)
  end
end

function makers.native()
  return function(here)
    return require("modfs.check.native").new({ file = file, scheme = scheme, root = here }, tell)
  end
end

function makers.device()
  local device_trial = require "modfs.check.device_trial"
  describe(assert(device_trial.new(file, tell)).slots)
  return function()
    return device_trial.new(file, tell)
  end
end

makers.device_native = makers.device

-- Runs a case; whether it failed.
local function run(case, trial, message)
  local found = { failed = not trial and "the plugin does not start: " .. message or nil }
  if trial then
    trial.seed = 1
    found = inprocess.try(case, trial, watched)
  end
  for key, text in pairs(found) do
    tell(key, text)
  end
  tell("ended", case.name)
  return found.failed ~= nil
end

local make = makers[kind]()
local by_name = {}
for _, case in ipairs(require(kind:find "^device" and "modfs.check.device_cases"
  or "modfs.check.cases")) do
  by_name[case.name] = case
end
watched = { opened = function() end, changed = state.watch_descriptors() }
local number = 0
for name in io.lines(names) do
  number = number + 1
  tell("case", name)
  if run(by_name[name], make(("%s/c%d"):format(root, number))) then
    break
  end
end
tell("done", "")
