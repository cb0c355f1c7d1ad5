-- All cases on one plugin in two children, one for those without a host, the next child going on
-- where one ends: fast enough to hold each mutant against every case. `make mutants` gives each
-- case a process of its own instead.
local capabilities = require "modfs.check.capabilities"
local shell = require "spec.support.shell"

local batch = {}

local here = shell.output "pwd"
local shim = ("%s/%s/modfs/shim.so"):format(here, os.getenv "BUILD" or "build")

-- A checker of memory stands where the shim would, and reserves terabytes of addresses.
batch.sanitized = require "spec.support.sanitized"

-- One half --------------------------------------------------------------------------------

local half = {}
half.__index = half

local command = "ulimit -c 0; ulimit -f 16777216; ulimit -n 1024; %s %s timeout -v -k 1 %d %s "
  .. "spec/check/batch_child.lua %s >/dev/null 2>&1; echo $?"

-- Runs the cases from number first on.
function half:go_on(first)
  local job = self.job
  self.told = os.tmpname()
  local words = {}
  for i, word in ipairs { job.file, job.scheme, job.root, self.told, tostring(first), self.kind } do
    words[i] = shell.quote(word)
  end
  local under = self.kind == "native" and not batch.sanitized and "env LD_PRELOAD=" .. shim or ""
  self.pipe = assert(io.popen(command:format(
    batch.sanitized and "" or "ulimit -v 4194304;", under, job.seconds,
    os.getenv "LUA" or "lua5.4", table.concat(words, " "))))
end

local function add_result(self, words)
  local name, operation, verdict, why = words:match("^(%S+) (%S+) (%S+) ?(.*)$")
  self.results[#self.results + 1] = { name = name, operation = operation, verdict = verdict,
    why = why, served = self.served, unimplemented = self.unimplemented, level = 0 }
end

-- Reads what one child told; returns the number and name of a case that it did not end.
local function collect(self)
  local number, name, operation
  for line in io.lines(self.told) do
    local key, text = line:match("^(%S+) (.*)$")
    if key == "case" then
      number, name, operation = text:match("^(%d+) (%S+) (%S+)$")
      self.served, self.unimplemented = {}, {}
    elseif key == "result" then
      add_result(self, text)
      number = nil
    elseif key == "served" or key == "unimplemented" then
      table.insert(self[key], text)
    elseif key == "operation" then
      table.insert(self.operations, text)
    elseif key == "done" then
      self.done = true
    end
  end
  os.remove(self.told)
  return tonumber(number), name, operation
end

-- Waits; a case that ended its process has failed, and the others go on behind it.
function half:finish()
  while not self.done do
    local status = self.pipe:read("*a"):match("%d+")
    self.pipe:close()
    local number, name, operation = collect(self)
    if number then
      add_result(self, ("%s %s failed status %s"):format(name, operation, status))
      self:go_on(number + 1)
    elseif not self.done then
      error(("%s: no answer, status %s"):format(self.job.file, status))
    end
  end
  return self.results
end

local function half_of(job, kind)
  local self = setmetatable({ job = job, kind = kind, results = {}, operations = {} }, half)
  self:go_on(kind == "native" and 1 or 0)
  return self
end

-- Both --------------------------------------------------------------------------------------

local both = {}
both.__index = both

-- start{ file=, scheme=, root=, seconds=, halves= } -> a batch at work; halves names those that are
-- wanted: "hosted", "native", or both.
function batch.start(job)
  local self = setmetatable({ job = job }, both)
  for kind in job.halves:gmatch "%a+" do
    self[kind] = half_of(job, kind)
  end
  return self
end

-- The results of all cases, "load" and "consistent" among them.
function both:finish()
  self.results = self.results or self:assess()
  return self.results
end

function both:assess()
  local results, operations = {}, self.hosted and self.hosted.operations or {}
  for _, part in ipairs { self.hosted or false, self.native or false } do
    for _, result in ipairs(part and part:finish() or {}) do
      results[#results + 1] = result
    end
  end
  capabilities.assess { results = results, failed = 0,
    operations = capabilities.read(operations, self.job.scheme) }
  return results
end

-- The names of the cases that failed, in order, with the reasons.
function batch.failed(results)
  local names, reasons = {}, {}
  for _, result in ipairs(results) do
    if result.verdict == "failed" then
      names[#names + 1] = result.name
      reasons[result.name] = result.why
    end
  end
  table.sort(names)
  return names, reasons
end

return batch
