-- One case on one plugin in the very child that `modfs check` starts for it, without those before
-- and after it, which load the plugin, find out whether it writes, and delete the root.
local process = require "modfs.check.process"
local verdicts = require "modfs.check.verdicts"

local limits = { seconds = 10, megabytes = 2048, file_megabytes = 64, files = 256 }

-- single{ file =, scheme =, root =, served =, as =, case =, seconds = } -> result, as in a report
-- of modfs.check; case is one of modfs.check.cases or device_cases. Where as registers the scheme
-- under another name, served is the plugin's own.
return function(job)
  local case = job.case
  local children = process.open { file = job.file, seconds = job.seconds or limits.seconds,
    megabytes = limits.megabytes, file_megabytes = limits.file_megabytes, files = limits.files }
  local fine, found = pcall(children.run, children, { file = job.file, scheme = job.scheme or "",
    root = job.root or "", served = job.served, as = job.as, case = case.name, part = case.part,
    own = case.own, native = case.native, limits = case.limits })
  children:close()
  return verdicts.of(case, assert(fine and found, found), {})
end
