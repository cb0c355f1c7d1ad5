-- Children with limits, started through modfs.runner. The parent reads nothing but files and an
-- exit status, so no child or grandchild can block it.
--
-- A child is in `running` from its start until next() returns it, and its process id is valid as
-- long.
local record = require "modfs.check.record"
local sanitizer = require "modfs.check.sanitizer"
local shell = require "modfs.inspect.shell"
local temporary = require "modfs.temporary"
local watch_of = require "modfs.check.watch"

local process = {}
process.__index = process

local function quote(text)
  return shell.quote(tostring(text))
end

process.quote = quote

function process.output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("*a")
  pipe:close()
  return (text:gsub("\n$", ""))
end

-- The interpreter that runs this very program, wherever a child stands.
local function interpreter(here)
  local name = shell.interpreter()
  return name:find("/", 1, true) and name:sub(1, 1) ~= "/" and here .. "/" .. name or name
end

local function absolute(templates, here)
  return (templates:gsub("[^;]+", function(template)
    return template:sub(1, 1) == "/" and template or here .. "/" .. template:gsub("^%./", "")
  end))
end

local program = [[
package.path, package.cpath = %q, %q
local names = { "file", "scheme", "root", "case", "results", "marker", "seed", "native",
  "without_shim", "deviations", "tree", "samples", "listed", "served", "as", "part", "own" }
local job = {}
for i, name in ipairs(names) do
  job[name] = arg[i] ~= "" and arg[i] or (name == "scheme" or name == "served") and "" or nil
end
require "modfs.check.child" (job)
]]

-- The shim beside modfs/runner.so; nil and why it is left out.
local function find_shim(here, built_with)
  if sanitizer.is_preloaded() then
    return nil, "a memory checker is preloaded already"
  elseif built_with and built_with.replaces_malloc then
    return nil, "the plugin is built with " .. built_with.name
  end
  for template in absolute(package.cpath, here):gmatch("[^;]+") do
    local path = template:gsub("%?", "modfs/shim")
    local file = io.open(path)
    if file then
      file:close()
      return path
    end
  end
  return nil, "modfs/shim.so is missing"
end

-- process.open(limits): file (the plugin), seconds, megabytes of memory (0: no limit), megabytes of
-- a file, files.
function process.open(limits)
  local folder, message = temporary.tempdir()
  if not folder then
    error("no directory for temporary files: " .. message, 0)
  end
  local here = process.output("pwd -P")
  local runner = require "modfs.runner"
  local self = setmetatable({ here = here, limits = limits, count = 0, cases = {}, running = {},
    runner = runner, watch = watch_of.new(runner),
    folder = folder:find "^/" and folder or here .. "/" .. folder }, process)
  self.lua = limits.lua or interpreter(self.here)
  self.built_with = sanitizer.of(limits.file)
  self.shim, self.without_shim = find_shim(self.here, self.built_with)
  local file = assert(io.open(self.folder .. "/marker", "wb"))
  file:write(program:format(absolute(package.path, self.here), absolute(package.cpath, self.here)))
  file:close()
  return self
end

-- What is preloaded into a child: the runtime of the plugin's sanitizer, the shim for a case
-- without a host, and the libraries in LD_PRELOAD without valgrind's, as no child runs under that.
local function preloaded(self, job)
  local libraries = {}
  if self.built_with and not sanitizer.is_preloaded() then
    libraries[1] = self.built_with.library
  end
  if job.native and self.shim then
    libraries[#libraries + 1] = self.shim
  end
  for library in (os.getenv "LD_PRELOAD" or ""):gmatch "[^:]+" do
    if not library:find "/vgpreload_[^/]*$" then
      libraries[#libraries + 1] = library
    end
  end
  return libraries
end

-- The variables that are the child's own.
local function variables(self, job, base)
  local list = { "MODFS_CHECK_CHILD=" .. base }
  if self.built_with or job.native and self.shim then
    list[2] = "LD_PRELOAD=" .. table.concat(preloaded(self, job), ":")
    list[3] = self.built_with and sanitizer.setting(self.built_with)
  end
  return list
end

local function words_of(self, job, results)
  local words = { self.lua, self.folder .. "/marker", job.file, job.scheme, job.root, job.case,
    results, "marker", job.seed or 1, job.native and "native" or "", self.without_shim or "",
    job.deviations or "", job.tree or "", job.samples or "", job.listed or "", job.served or "",
    job.as or "", job.part or "", job.own or "" }
  for i, word in ipairs(words) do
    words[i] = tostring(word)
  end
  return words
end

-- Starts a child for a job (file, scheme, root, case, native, limits) without waiting for it. Its
-- limits are those of all cases, or those that the job has for itself.
function process:start(job)
  self.count = self.count + 1
  self.cases[self.count] = job.case
  local base = ("%s/%d"):format(self.folder, self.count)
  local limits, more = self.limits, job.limits or {}
  local megabytes = limits.megabytes == 0 and 0 or more.megabytes or limits.megabytes
  local child = { job = job, results = base .. ".results", errors = base .. ".errors",
    seconds = math.max(limits.seconds, more.seconds or 0) }
  child.pid = self.runner.launch { words = words_of(self, job, child.results),
    environment = variables(self, job, base), folder = self.folder, output = base .. ".output",
    errors = child.errors, cpu_seconds = math.ceil(child.seconds) + 1,
    memory = sanitizer.memory_limit(megabytes, self.built_with) * 2 ^ 20,
    file_size = (more.file_megabytes or limits.file_megabytes) * 2 ^ 20,
    descriptors = limits.files } or error("no process can be started", 0)
  self.watch:begin(child)
  table.insert(self.running, child)
  return child
end

local signals = { [4] = "SIGILL", [6] = "SIGABRT", [7] = "SIGBUS", [8] = "SIGFPE", [9] = "SIGKILL",
  [11] = "SIGSEGV", [13] = "SIGPIPE", [14] = "SIGALRM", [15] = "SIGTERM",
  [25] = "SIGXFSZ" }

-- SIGXCPU: of a child that nobody watched in time.
local cpu_limit = 256 + 24

-- The end of what a child wrote to its standard error, however much that is.
local function tail_of(path)
  local file = io.open(path, "rb")
  if not file then
    return ""
  end
  file:seek("set", math.max(0, file:seek("end") - 4096))
  local text = (file:read("*a") or ""):gsub("%s+$", "")
  file:close()
  return text
end

-- The last line of what a program said; where that is a traceback of Lua, the line that begins its
-- error.
function process.last_words(text)
  local last = ""
  for line in text:gmatch "[^\n]+" do
    local begins = line:find "^%S" and line ~= "stack traceback:"
    last = (begins or last == "") and line or last
  end
  return last
end

-- How a child ended abnormally, or what a sanitizer reported in it; or nil.
local function ending(child, status, found)
  local errors = tail_of(child.errors)
  local report = sanitizer.report_in(errors)
  if report or status == 0 and found.done then
    return report
  elseif child.hangs or status == cpu_limit then
    return child.hangs or "hangs: ended by the system's limit of CPU time"
  elseif status >= 256 then
    return "crashes: " .. (signals[status - 256] or "signal " .. status - 256)
  elseif status == 0 then
    return "ends the process: exit status 0"
  end
  local last = process.last_words(errors)
  return ("ends the process: exit status %d%s"):format(status,
    last ~= "" and ", saying " .. last or "")
end

local lists = { scheme = true, operation = true, platform = true, served = true, met = true,
  unimplemented = true, advice = true, deviation = true, step = true }

-- The exit status of a child that has ended, or nil; kills one that is over a limit of time.
local function poll(self, child)
  local status = self.runner.ended(child.pid)
  if not status and not child.hangs then
    child.hangs = self.watch:verdict(child)
    if child.hangs then
      self.runner.kill_group(child.pid)
    end
  end
  return status
end

-- Takes the first child that has ended out of `running`; its exit status.
local function take_ended(self)
  for i, child in ipairs(self.running) do
    local status = poll(self, child)
    if status then
      table.remove(self.running, i)
      return child, status
    end
  end
end

-- Waits for a while, or until a child has ended.
local function await(self)
  local pids = {}
  for i, child in ipairs(self.running) do
    pids[i] = child.pid
  end
  self.runner.await(pids, watch_of.interval)
end

-- Waits until any child has ended; returns it and its records, whose `died` says how it ended, if
-- abnormally, and whose `root` is that of the job. Returns nothing where none is running.
function process:next()
  while #self.running > 0 do
    local child, status = take_ended(self)
    if child then
      local found = record.read(child.results, lists)
      found.died, found.root = ending(child, status, found), child.job.root
      self.watch:finish(child, found)
      return child, found
    end
    await(self)
  end
end

-- Runs a job while no other runs, and returns its records.
function process:run(job)
  self:start(job)
  local _, found = self:next()
  return found
end

-- Why a case must not be started, because the operation that it is about has hung often enough.
function process:refusal(case)
  return self.watch:refusal(case.operation)
end

local hunt = "for place in $(grep -lasF MODFS_CHECK_CHILD=%s/ /proc/[0-9]*/environ); do "
  .. "tr '\\0' '\\n' <$place | sed -n 's/^MODFS_CHECK_CHILD=.*[/]//p'; "
  .. "place=${place%%/environ}; kill -9 ${place##*/}; done 2>/dev/null"

-- Kills processes that children left outside their groups; returns the set of cases that did so.
function process:left()
  local cases = {}
  for number in process.output(hunt:format(quote(self.folder))):gmatch("%d+") do
    cases[self.cases[tonumber(number)] or ""] = true
  end
  return cases
end

function process:close()
  for _, child in ipairs(self.running) do
    self.runner.kill_group(child.pid)
    while not self.runner.ended(child.pid) do
      self.runner.await({ child.pid }, 1)
    end
  end
  process.output("rm -rf " .. quote(self.folder))
end

return process
