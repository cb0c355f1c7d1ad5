-- Children with limits, started through the shell. The parent reads nothing but files and an exit
-- status, so no child or grandchild can block it.
local shell = require "modfs.inspect.shell"
local temporary = require "modfs.temporary"

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
  "without_shim", "deviations", "tree", "samples", "listed", "served", "as" }
local job = {}
for i, name in ipairs(names) do
  job[name] = arg[i] ~= "" and arg[i] or (name == "scheme" or name == "served") and "" or nil
end
require "modfs.check.child" (job)
]]

-- The shim beside modfs/runner.so; nil and why it is left out.
local function find_shim(here)
  if (os.getenv "LD_PRELOAD" or ""):find "san%.so" then
    return nil, "a memory checker is preloaded already"
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

-- process.open(limits): seconds, megabytes of memory (0: no limit), megabytes of a file, files.
function process.open(limits)
  local folder, message = temporary.tempdir()
  if not folder then
    error("no directory for temporary files: " .. message, 0)
  end
  local here = process.output("pwd -P")
  local self = setmetatable({ here = here, limits = limits, count = 0, cases = {},
    folder = folder:find "^/" and folder or here .. "/" .. folder }, process)
  self.lua = limits.lua or interpreter(self.here)
  self.shim, self.without_shim = find_shim(self.here)
  local file = assert(io.open(self.folder .. "/marker", "wb"))
  file:write(program:format(absolute(package.path, self.here), absolute(package.cpath, self.here)))
  file:close()
  return self
end

-- more: limits of one case, where they are others.
local function limit_words(limits, more)
  local file_megabytes = more.file_megabytes or limits.file_megabytes
  local words = { "ulimit -c 0", ("ulimit -f %d"):format(file_megabytes * 2048),
    ("ulimit -n %d"):format(limits.files) }
  if limits.megabytes > 0 then
    words[#words + 1] = ("ulimit -v %d"):format((more.megabytes or limits.megabytes) * 1024)
  end
  return table.concat(words, "; ")
end

-- The limits apply to the child alone. Processes left in its process group are killed with it;
-- those that leave the group still have MODFS_CHECK_CHILD in their environment.
local command = "exec 2>/dev/null; (cd %s; %s; exec env MODFS_CHECK_CHILD=%s timeout -v -k 1 %g %s "
  .. "</dev/null >%s 2>%s) & child=$!; wait $child; status=$?; kill -9 -$child; echo $status"

-- The libraries in LD_PRELOAD without valgrind's: the children do not run under valgrind.
local function preloaded()
  local libraries = {}
  for library in (os.getenv "LD_PRELOAD" or ""):gmatch "[^:]+" do
    if not library:find "/vgpreload_[^/]*$" then
      libraries[#libraries + 1] = library
    end
  end
  return libraries
end

-- The words that run the interpreter, under the shim for a case without a host.
local function interpreter_words(self, job)
  if not (job.native and self.shim) then
    return quote(self.lua)
  end
  local libraries = preloaded()
  table.insert(libraries, 1, self.shim)
  return ("env %s %s"):format(quote("LD_PRELOAD=" .. table.concat(libraries, ":")), quote(self.lua))
end

-- Starts a child for a job (file, scheme, root, case, native, limits) without waiting for it.
function process:start(job)
  self.count = self.count + 1
  self.cases[self.count] = job.case
  local base = ("%s/%d"):format(self.folder, self.count)
  local child = { results = base .. ".results", errors = base .. ".errors", job = job,
    seconds = math.max(self.limits.seconds, job.limits and job.limits.seconds or 0) }
  local words = { self.folder .. "/marker", job.file, job.scheme, job.root, job.case,
    child.results, "marker", job.seed or 1, job.native and "native" or "",
    self.without_shim or "", job.deviations or "", job.tree or "", job.samples or "",
    job.listed or "", job.served or "", job.as or "" }
  for i, word in ipairs(words) do
    words[i] = quote(word)
  end
  child.pipe = assert(io.popen(command:format(quote(self.folder),
    limit_words(self.limits, job.limits or {}), quote(base), child.seconds,
    interpreter_words(self, job) .. " " .. table.concat(words, " "), quote(base .. ".output"),
    quote(child.errors))))
  return child
end

local signals = { [4] = "SIGILL", [6] = "SIGABRT", [7] = "SIGBUS", [8] = "SIGFPE", [9] = "SIGKILL",
  [11] = "SIGSEGV", [13] = "SIGPIPE", [14] = "SIGALRM", [15] = "SIGTERM",
  [24] = "SIGXCPU", [25] = "SIGXFSZ" }

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

-- How a child ended abnormally, or nil.
local function ending(child, status, found)
  if status == 0 and found.done then
    return nil
  end
  local said = tail_of(child.errors)
  if said:find("timeout: sending signal", 1, true) then
    return ("hangs: killed after %g seconds"):format(child.seconds)
  elseif status > 128 then
    return "crashes: " .. (signals[status - 128] or "signal " .. status - 128)
  elseif status == 0 then
    return "ends the process: exit status 0"
  end
  local last = said:match("([^\n]*)$")
  return ("ends the process: exit status %d%s"):format(status,
    last ~= "" and ", saying " .. last or "")
end

local lists = { scheme = true, operation = true, platform = true, served = true,
  unimplemented = true, advice = true, deviation = true }

-- Waits for a child and returns its records; found.died says how it ended, if abnormally.
function process.finish(_, child)
  local status = tonumber(child.pipe:read("*a")) or 255
  child.pipe:close()
  local found = require("modfs.check.record").read(child.results, lists)
  found.died = ending(child, status, found)
  return found
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
  process.output("rm -rf " .. quote(self.folder))
end

return process
