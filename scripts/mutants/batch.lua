-- Cases of `modfs check` in one process, one after the other: much faster than a process for each.
--   batch.open(file, scheme, cpath) -> batch: of a plugin's file; its children find modfs by cpath
--   batch:run(kind, names [, patience]) -> results, failure
--     results: of the cases that ended well, as in a report of modfs.check
--     failure: number, name and why of the case that failed or did not end; number 0: the plugin
--     was not even loaded
-- A child that is in one call for some seconds of CPU time, or asleep in one for longer, is killed:
-- on a loaded machine nothing fails that is only slow.
local capabilities = require "modfs.check.capabilities"
local runner = require "modfs.runner"
local shell = require "modfs.inspect.shell"
local temporary = require "modfs.temporary"
local verdicts = require "modfs.check.verdicts"

local batch = {}
batch.__index = batch

local most_running, asleep_factor = 3, 3

-- Like the limits of modfs.check, but for files and memory: the cases that make large files and map
-- them are among them.
local limits = { memory = 16 * 2 ^ 30, file_size = 2 ^ 42, descriptors = 256,
  cpu_seconds = 600 }

local by_name = {}
for _, part in ipairs { "modfs.check.cases", "modfs.check.device_cases" } do
  for _, case in ipairs(require(part)) do
    by_name[case.name] = case
  end
end

function batch.open(file, scheme, cpath)
  local folder = assert(temporary.tempdir())
  return setmetatable({ file = file, scheme = scheme, cpath = cpath, folder = folder, count = 0,
    here = shell.output "pwd -P", operations = {} }, batch)
end

-- As modfs.check chooses it.
local function root_of(self, base)
  if self.scheme == "" then
    return base
  elseif self.scheme == "file" then
    return "file://" .. base
  end
  local name = "modfs.check." .. base:match "([^/]+/%d+)$":gsub("/", ".")
  return ("%s://%s/%s"):format(self.scheme, name, name)
end

local function absolute(self, templates)
  return (templates:gsub("[^;]+", function(template)
    return template:sub(1, 1) == "/" and template or self.here .. "/" .. template:gsub("^%./", "")
  end))
end

local function write_names(path, names)
  local file = assert(io.open(path, "w"))
  file:write(table.concat(names, "\n"), "\n")
  assert(file:close())
end

local function launch(self, kind, names)
  self.count = self.count + 1
  local base = ("%s/%d"):format(self.folder, self.count)
  write_names(base .. ".names", names)
  local words = { shell.interpreter(), "-e", ("package.path, package.cpath = %q, %q"):format(
    absolute(self, package.path), absolute(self, self.cpath)),
    self.here .. "/scripts/mutants/cases_child.lua", self.file, self.scheme, root_of(self, base),
    kind, base .. ".records", base .. ".names" }
  local plan = { words = words, environment = {}, folder = self.folder, output = base .. ".output",
    errors = base .. ".errors" }
  if kind:find "native$" then
    plan.environment[1] = "LD_PRELOAD=" .. self.cpath:gsub("%?", "modfs/shim")
  end
  for name, limit in pairs(limits) do
    plan[name] = limit
  end
  return { pid = assert(runner.launch(plan)), records = base .. ".records", size = -1 }
end

local function size_of(path)
  local file = io.open(path, "rb")
  local size = file and file:seek "end" or 0
  if file then
    file:close()
  end
  return size
end

-- Whether a child has recorded nothing for longer than it may.
local function hangs(child, patience)
  local running, waiting = runner.times(child.pid)
  if not running then
    return false
  end
  local now, size = runner.clock(), size_of(child.records)
  if size ~= child.size then
    child.size, child.running, child.waiting, child.seen = size, running, waiting, now
  end
  local used = running - child.running
  local asleep = now - child.seen - used - math.max(0, waiting - child.waiting)
  return used > patience or asleep > patience * asleep_factor
end

-- Waits for a child; how it ended, where that was not by itself.
local function await(child, patience)
  local hung
  repeat
    runner.await({ child.pid }, 0.05)
    local status = runner.ended(child.pid)
    if not status and not hung and hangs(child, patience) then
      hung = "hangs"
      runner.kill_group(child.pid)
    end
  until status
  return hung
end

local lists = { served = true, unimplemented = true }

-- What the records tell: of each case what its trial told, operations, and whether all were run.
local function read(path)
  local cases, operations, done = {}, {}, false
  local file = io.open(path, "rb")
  for line in file and file:lines() or function() end do
    local key, text = line:match "^(%S+) (.*)$"
    local case = cases[#cases]
    if key == "case" then
      cases[#cases + 1] = { name = text, served = {}, unimplemented = {} }
    elseif key == "operation" then
      table.insert(operations, text)
    elseif key == "done" then
      done = true
    elseif key and case and lists[key] then
      table.insert(case[key], text)
    elseif key and case then
      case[key] = text
    end
  end
  if file then
    file:close()
  end
  return cases, operations, done
end

local function result_of(self, found)
  return verdicts.of(by_name[found.name], found, { operations = self.operations })
end

function batch:run(kind, names, patience)
  local child = launch(self, kind, names)
  local hung = await(child, patience or most_running)
  local cases, operations, done = read(child.records)
  if #operations > 0 then
    self.operations = capabilities.read(operations, self.scheme)
  end
  local results = {}
  for number, found in ipairs(cases) do
    local result = found.ended and result_of(self, found)
    if not result or result.verdict == "failed" then
      return results, { number = number, name = found.name, why = result and result.why
        or hung or "the process ends" }
    end
    results[number] = result
  end
  if not done then
    return results, { number = 0, name = "load", why = "it is not loaded" }
  end
  return results
end

function batch:close()
  shell.output("rm -rf", self.folder)
end

return batch
