-- Runs in the child: loads the plugin and runs one case, or records what the plugin registers.
local record = require "modfs.check.record"

-- Records the deviations that a plugin declares, where modfs.runner was built.
local function tell_deviations(plugin, scheme, tell, served)
  local known, runner = pcall(require, "modfs.runner")
  for _, name in ipairs(known and runner.deviations(plugin.path, served or scheme) or {}) do
    tell("deviation", scheme .. " " .. name)
  end
end

-- Records the schemes and operations of a loaded plugin.
local function describe(modfs, plugin, tell, served)
  for _, scheme in ipairs(plugin.schemes) do
    tell("scheme", scheme)
    tell_deviations(plugin, scheme, tell, served)
    for name, source in pairs(modfs.filesystem(scheme == "" and "/" or scheme):operations()) do
      tell("operation", ("%s %s %s"):format(name, source, scheme))
    end
  end
  for _, platform in ipairs(plugin.platforms) do
    tell("platform", platform)
  end
end

local function load(job, tell, state)
  local modfs = require "modfs"
  local before = state.take(modfs, job.marker)
  tell("call", ("modfs.load(%q)"):format(job.file))
  local plugin, message = modfs.load(job.file, { trust = true, scheme = job.as and job.served,
    as = job.as })
  if not plugin then
    tell("failed", message)
    return
  end
  local changed = state.difference(before, state.take(modfs, job.marker), 1e9)
  if changed and job.case == "load" then
    tell("failed", "loading changes process state: " .. changed)
    return
  end
  return modfs, plugin
end

local function equipped(trial, job)
  return job.tree and require("modfs.check.existing").equip(trial, job.tree) or trial
end

-- The case of a job, from the part that holds it: others are not loaded.
local function find(job)
  local found
  require("modfs.check.cases." .. job.part)(function(name, _, run)
    found = name == job.own and { name = job.case, run = run } or found
  end)
  return found or error("no such case: " .. job.case)
end

-- Runs a case and records its result.
local function try(case, trial, tell, process)
  for key, text in pairs(require("modfs.check.inprocess").try(case, trial, process)) do
    tell(key, text)
  end
end

-- Records the slots of a platform, or runs one case about it.
local function run_device(job, tell, state)
  local trial, message = require("modfs.check.device_trial").new(job.file, tell)
  if not trial then
    tell("failed", message)
  elseif job.case == "device.slots" then
    for name, source in pairs(trial.slots) do
      tell("operation", ("%s %s %s"):format(name, source, trial.facts.name))
    end
    tell("passed", "")
  else
    local modfs = require "modfs"
    local before = state.take(modfs, job.marker)
    trial.seed = tonumber(job.seed)
    trial.without_shim = job.without_shim
    try(find(job), trial, tell, { opened = function() end, changed = function()
      collectgarbage()
      return state.difference(before, state.take(modfs, job.marker), 4)
    end })
  end
  tell("done", "")
end

-- What a case changes permanently: flushing the caches does not undo it. What the first calls of a
-- plugin change, which make the root, is told by one case and not by each.
local function watch(job, state, modfs, flush)
  local before = state.take(modfs, job.marker)
  local function difference()
    return state.difference(before, state.take(modfs, job.marker), 4)
  end
  return {
    opened = function()
      if job.own ~= "changes_no_state_of_the_process" then
        before = state.take(modfs, job.marker)
      end
    end,
    changed = function()
      collectgarbage()
      collectgarbage()
      if not difference() then
        return nil
      end
      pcall(flush)
      return difference()
    end,
  }
end

-- A case without a host: modfs.runner alone loads the plugin.
local function try_native(case, job, tell, state)
  local trial, reason = require("modfs.check.native").new(job, tell)
  if not trial then
    tell("failed", "the plugin does not start: " .. reason)
  else
    try(case, equipped(trial, job), tell, watch(job, state, nil, function()
      trial.p:flush_caches()
    end))
  end
  tell("done", "")
end

-- job: file, scheme, served and as (of a plugin that is registered under another scheme), root,
-- case, part and own (the part that holds the case, and its name there), results (a file to write),
-- marker, without_shim (why, or ""); of what is there tree (where the survey writes and cases
-- read), samples, listed (see survey.run).
return function(job)
  local state = require "modfs.check.state"
  local tell = record.writer(job.results)
  if job.case:find "^device%." then
    return run_device(job, tell, state)
  elseif job.case:find "^elsewhere%." then
    return require "modfs.check.elsewhere" (job, tell)
  elseif job.native then
    return try_native(find(job), job, tell, state)
  end
  local modfs, plugin = load(job, tell, state)
  if not modfs then
    tell("done", "")
  elseif job.case == "load" then
    describe(modfs, plugin, tell, job.as and job.served)
    tell("passed", "")
  elseif job.case == "existing.survey" then
    require("modfs.check.survey").run(modfs.filesystem(job.root), job, tell)
  elseif job.case == "sweep" then
    modfs.filesystem(job.root):delete_recursively(job.root)
  else
    local fs = modfs.filesystem(job.scheme == "" and "/" or job.scheme)
    local trial = require("modfs.check.trial").new(fs, job.root, tell)
    trial.seed = tonumber(job.seed)
    trial.deviations = job.deviations or ""
    local case = find(job)
    equipped(trial, job)
    try(case, trial, tell, watch(job, state, modfs, function() fs:flush_caches() end))
  end
  tell("done", "")
end
