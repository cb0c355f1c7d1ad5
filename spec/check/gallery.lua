-- The plugins that prove the conformance runner: broken ones, each with the case that is meant for
-- it and the class of bugs that it stands for, and the good ones in all their forms.
local batch = require "spec.check.batch"
local build = require "spec.fixtures.build"
local check = require "modfs.check"
local edited = require "spec.check.edited"
local single = require "spec.check.single"
local verdict = require "spec.support.verdict"

local gallery = {}

-- What the memory plugin is built from.
local mem = "plugins/memory plugins/common/glob plugins/common/located"

local function faulty(base, folder)
  return { ("faulty.%s.so"):format(base), folder .. " spec/check/faulty",
    { flags = "-DTF_InitPlugin=base_init_plugin -Dmodfs_extension=base_extension -pthread "
      .. ([[-DBASE='"%s"']]):format(base) } }
end

local sources = {
  memory = { "mutant.so", mem .. " spec/check/mutant",
    { flags = "-DTF_InitPlugin=memory_init_plugin -pthread", libraries = "-lm" } },
  file = faulty("file", "plugins/posix plugins/common/located plugins/common/interrupt"),
  mem = faulty("mem", mem),
  device = { "device_mutant.so", "plugins/reference spec/check/device_mutant",
    { flags = "-DSE_InitPlugin=reference_init_plugin -pthread" } },
  registration = { "broken.so", "spec/fixtures/broken" },
}

-- The binary that a kind of mutants is made from.
local binaries = {}

function gallery.binary(kind)
  binaries[kind] = binaries[kind] or build.compile((table.unpack or unpack)(sources[kind]))
  return binaries[kind]
end

-- A folder for the copies of each kind: names are shared between kinds.
local shelves = {}
shelves.__index = shelves

function gallery.shelf()
  return setmetatable({ of = {}, built = {} }, shelves)
end

-- The copy for a row, or of the plugin as it is; and the folder that it lies in.
function shelves:put(row, good)
  self.of[row.kind] = self.of[row.kind] or build.shelf()
  local shelf = self.of[row.kind]
  if row.edits and good then
    local plugins = (os.getenv "BUILD" or "build") .. "/modfs/plugins/"
    return shelf:put(plugins .. edited.files[row.base], "good." .. row.base), shelf.folder
  elseif row.edits then
    self.built[row.name] = self.built[row.name] or edited.put(row, shelf)
    return self.built[row.name], shelf.folder
  end
  return shelf:put(gallery.binary(row.kind), row.name), shelf.folder
end

function shelves:remove()
  for _, shelf in pairs(self.of) do
    shelf:remove()
  end
end

-- Where a row's cases work.
local function root_of(row, folder)
  local place = row.kind == "file" and ("%s/%s.root"):format(folder, row.name)
    or row.root or "modfs.check/modfs.check"
  return ("%s://%s"):format(row.scheme or row.name, place)
end

-- Registrations that the loader refuses, of a class that no other mutant stands for.
-- spec/broken_spec.lua has all that it refuses.
local registrations = { "size.lies", "size.reader.lies", "size.max", "size.over" }

-- All mutants: { name =, kind =, case =, class =, only =, seconds = }; only is a pattern for cases
-- where the one that is meant follows from others.
function gallery.rows()
  local list = {}
  for _, row in ipairs(require "spec.check.mutants") do
    list[#list + 1] = { kind = "memory", name = row[1], case = row[2], class = row[3],
      only = row.only }
  end
  for _, name in ipairs(registrations) do
    list[#list + 1] = { kind = "registration", name = name, case = "load", class = 35 }
  end
  for _, row in ipairs(require "spec.check.faulty") do
    list[#list + 1] = { kind = row[1], name = row[2], case = row[3], class = row.class,
      seconds = row.seconds }
  end
  for _, row in ipairs(require "spec.check.edits") do
    list[#list + 1] = { kind = "edit", name = row[1] .. "." .. row[2], case = row[3], base = row[1],
      edits = { (table.unpack or unpack)(row, 4) } }
  end
  return list
end

-- The first mutant of each case and of each class: enough to prove that each case can fail.
-- `make gallery` runs all.
function gallery.sample()
  local seen, list = {}, {}
  for _, row in ipairs(gallery.rows()) do
    local class = row.class or 0
    if not seen[row.case] or class ~= 0 and not seen[class] then
      seen[row.case], seen[class] = true, true
      list[#list + 1] = row
    end
  end
  return list
end

-- The good plugins in the same shape, each with the halves of the cases that its form is about.
-- No mutant of the kinds file and mem is meant for a case that the short half lacks; what they are
-- made from passes all in check_spec.lua.
function gallery.forms()
  local list = {}
  for _, form in ipairs(require "spec.check.forms") do
    list[#list + 1] = { kind = "memory", name = form[1], scheme = form.scheme, root = form.root,
      halves = form.halves or "hosted" }
  end
  for _, kind in ipairs { "file", "mem" } do
    list[#list + 1] = { kind = kind, name = "good", halves = "hosted short" }
  end
  return list
end

-- A job of batch for a row.
local function job_for(row, file, folder)
  if not row.edits then
    return { file = file, scheme = row.scheme or row.name, root = root_of(row, folder) }
  end
  local scheme = edited.schemes[row.base]
  local is_local = scheme == "" or scheme == "file"
  local place = is_local and ("%s/%s.root"):format(folder, row.name) or "modfs.check/modfs.check"
  return { file = file, scheme = scheme, served = scheme, as = "check", root = "check://" .. place,
    native_root = scheme == "" and place or scheme .. "://" .. place }
end

-- All results of a form.
function gallery.pass(form, shelf)
  local job = job_for(form, shelf:put(form))
  job.halves = form.halves
  return batch.run(job)
end

-- What `modfs check` reports of a form of the good plugin: all cases, a process for each.
function gallery.check(form, shelf)
  local file, folder = shelf:put(form)
  return check.run { file = file, strict = 3, scheme = form.scheme, root = root_of(form, folder) }
end

-- Threads that meet by chance meet in one of a few runs.
local function most_runs(row)
  return row.case:find "^concurrency%." and 5 or 1
end

-- Edited plugins register a scheme that is taken, and are tested under another.
local function check_edited(row, file)
  return check.run { file = file, only = row.case, scheme = edited.schemes[row.base], as = "check" }
end

local cases, tries = {}, 0
for _, case in ipairs(require "modfs.check.cases") do
  cases[case.name] = case
end

-- The result of the case that is meant for a row, in a child of its own; nil where no case is
-- meant, but loading, or what follows from all. With good, that of the plugin that the mutant was
-- made from.
function gallery.try(row, shelf, good)
  local case = cases[row.case]
  if not case then
    return nil
  end
  local one = row.edits and row or { kind = row.kind, name = good and "good" or row.name }
  local job = job_for(one, shelf:put(one, good))
  job.case, job.seconds = case, row.seconds
  if job.as and case.native then
    job.scheme, job.root = job.served, job.native_root
  elseif job.as then
    job.scheme = job.as
  end
  local left = good and 1 or most_runs(row)
  local root = job.root
  local result
  repeat
    tries = tries + 1 -- no try finds what another has left
    job.root = ("%s/t%d"):format(root, tries)
    result = single(job)
    left = left - 1
  until result.verdict == "failed" or left == 0
  return result
end

-- What `modfs check` reports of the case that is meant for a row, and why this machine cannot tell,
-- if it cannot; of the plugin that the mutant was made from with good = true.
function gallery.assess(row, shelf, good)
  local one = row.edits and row or { kind = row.kind, name = good and "good" or row.name }
  local file, folder = shelf:put(one, good)
  local left = good and 1 or most_runs(row)
  local report, result
  repeat
    report = row.edits and check_edited(row, file) or check.run { file = file,
      only = row.only or row.case, root = root_of(one, folder), seconds = row.seconds }
    result = verdict.of(report, row.case)
    left = left - 1
  until result.verdict == "failed" or left == 0
  return result, result.verdict == "refused" and report.without_shim
    and result.why:find "shim" and result.why or nil
end

return gallery
