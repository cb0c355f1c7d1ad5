-- All cases on one plugin in one child, the next child going on where one ends: fast enough to hold
-- each mutant against every case. `make mutants` gives each case a process of its own instead.
local capabilities = require "modfs.check.capabilities"
local shell = require "spec.support.shell"

local batch = {}
batch.__index = batch

local command = "cd %s && ulimit -c 0; ulimit -f 131072; ulimit -n 1024; %s  exec timeout -v -k 1 %d %s "
  .. "spec/check/batch_child.lua %s >/dev/null 2>&1; echo $?"

-- start{ file=, scheme=, root=, folder=, first=, seconds=, megabytes= } -> a batch at work.
function batch.start(job)
  local self = setmetatable({ job = job, results = {}, operations = {} }, batch)
  self:go_on(1)
  return self
end

-- Runs the cases from number first on.
function batch:go_on(first)
  local job = self.job
  self.told = os.tmpname()
  local words = {}
  for i, word in ipairs { job.file, job.scheme, job.root, self.told, tostring(first) } do
    words[i] = shell.quote(word)
  end
  local memory = job.megabytes > 0 and ("ulimit -v %d;"):format(job.megabytes * 1024) or ""
  self.pipe = assert(io.popen(command:format(".", memory, job.seconds,
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
-- Returns the results of all cases, "load" and "consistent" among them.
function batch:finish()
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
  local report = { results = self.results, failed = 0,
    operations = capabilities.read(self.operations, self.job.scheme) }
  capabilities.judge(report)
  return report.results
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
