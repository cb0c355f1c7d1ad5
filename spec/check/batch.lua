-- Every case of levels 1 to 3 on one plugin in two children, one for the cases without a host: the
-- fast way to hold each form of the good plugin against all cases. `make mutants` starts a process
-- for each case instead. A child that does not run all its cases is an error, which names the last
-- case that it began.
local capabilities = require "modfs.check.capabilities"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"

local batch = {}

local shim = ("%s/%s/modfs/shim.so"):format(shell.output "pwd", os.getenv "BUILD" or "build")
local seconds = 600 -- on a machine that has much else to do

-- A sanitizer stands where the shim would, and reserves terabytes of addresses.
local command = "ulimit -c 0; ulimit -f 8589934592; ulimit -n 1024; %s %s timeout -v -k 1 %d %s "
  .. "spec/check/batch_child.lua %s >/dev/null 2>&1; echo $?"

-- Starts one half of the cases: "hosted", "native", or "short", which is the latter without what
-- takes most of its time and is alike in all forms of a plugin.
local function start(job, kind)
  local records = shell.tmpname()
  local words = {}
  local root = kind ~= "hosted" and job.native_root or job.root
  for i, word in ipairs { job.file, job.scheme, root, records, kind, job.as } do
    words[i] = shell.quote(word)
  end
  local under = kind ~= "hosted" and not sanitized and "env LD_PRELOAD=" .. shim or ""
  return { kind = kind, records = records, pipe = assert(io.popen(command:format(
    sanitized and "" or "ulimit -v 16777216;", under, seconds, os.getenv "LUA" or "lua5.4",
    table.concat(words, " ")))) }
end

local function result_of(line, served, unimplemented)
  local name, operation, verdict, why = line:match "^(%S+) (%S+) (%S+) ?(.*)$"
  return { name = name, operation = operation, verdict = verdict, why = why, level = 0,
    served = served, unimplemented = unimplemented }
end

-- Waits for one half and returns its results and operations.
local function finish(job, half)
  local status = half.pipe:read "*a":match "%d+"
  half.pipe:close()
  local results, operations, last, planned = {}, {}, "loading", nil
  local served, unimplemented
  for line in io.lines(half.records) do
    local key, text = line:match "^(%S+) (.*)$"
    if key == "planned" then
      planned = tonumber(text)
    elseif key == "case" then
      last, served, unimplemented = text, {}, {}
    elseif key == "result" then
      results[#results + 1] = result_of(text, served, unimplemented)
    elseif key == "served" then
      table.insert(served, text)
    elseif key == "unimplemented" then
      table.insert(unimplemented, text)
    elseif key == "operation" then
      table.insert(operations, text)
    end
  end
  os.remove(half.records)
  if #results ~= planned then
    local limit = status == "124" and (", the limit of %d seconds"):format(seconds) or ""
    error(("%s: the %s child ran %d of %s cases and ended in %s; exit status %s%s"):format(
      job.file, half.kind, #results, planned or "?", last, status, limit))
  end
  return results, operations
end

-- run{ file=, scheme=, root=, halves=, as=, native_root= } -> all results, "consistent.*" among
-- them; halves names those that are wanted. Cases without a host see the plugin's own scheme, also
-- where as registers it under another name; their root is native_root.
function batch.run(job)
  local halves = {}
  for kind in job.halves:gmatch "%a+" do
    halves[#halves + 1] = start(job, kind)
  end
  local report = { results = {}, failed = 0, operations = {} }
  for _, half in ipairs(halves) do
    local results, operations = finish(job, half)
    for _, result in ipairs(results) do
      table.insert(report.results, result)
    end
    if half.kind == "hosted" then
      report.operations = capabilities.read(operations, job.as or job.scheme)
    end
  end
  capabilities.assess(report)
  return report.results
end

return batch
