-- Every broken plugin of the conformance runner's proof: what it is built from, the case that is
-- meant for it, the other cases that it fails, the class of bugs it stands for. Runs them, and
-- writes the table.
local batch = require "spec.check.batch"
local build = require "spec.fixtures.build"
local check = require "modfs.check"

local gallery = {}

-- What the memory plugin is built from.
gallery.mem = "plugins/memory plugins/common/glob plugins/common/located"

gallery.classes = require "spec.check.classes"

local function faulty(base, folder)
  return { ("faulty.%s.so"):format(base), folder .. " spec/check/faulty",
    { flags = "-DTF_InitPlugin=base_init_plugin -Dmodfs_extension=base_extension -pthread "
      .. ([[-DBASE='"%s"']]):format(base) } }
end

local sources = {
  memory = { "mutant.so", gallery.mem .. " spec/check/mutant",
    { flags = "-DTF_InitPlugin=memory_init_plugin -pthread", libraries = "-lm" } },
  file = faulty("file", "plugins/posix plugins/common/located"),
  mem = faulty("mem", gallery.mem),
  registration = { "broken.so", "spec/fixtures/broken" },
}

-- Faults of registration that are a class of their own.
local registration_classes = { ["size.lies"] = 35, ["size.reader.lies"] = 35, ["size.max"] = 35,
  ["size.over"] = 35 }

-- The binary that a kind of mutants is made from.
local binaries = {}

function gallery.binary(kind)
  binaries[kind] = binaries[kind] or build.compile((table.unpack or unpack)(sources[kind]))
  return binaries[kind]
end

-- Names without one of them.
local function others(names, but)
  local list = {}
  for _, name in ipairs(names) do
    if name ~= but then
      list[#list + 1] = name
    end
  end
  return list
end

gallery.others = others

-- A folder for the copies of each kind: names are shared between kinds.
local shelves = {}
shelves.__index = shelves

function gallery.shelf()
  return setmetatable({ of = {} }, shelves)
end

-- The copy for a row, and the folder that it lies in.
function shelves:put(row)
  self.of[row.kind] = self.of[row.kind] or build.shelf()
  local shelf = self.of[row.kind]
  return shelf:put(gallery.binary(row.kind), row.name), shelf.folder
end

function shelves:remove()
  for _, shelf in pairs(self.of) do
    shelf:remove()
  end
end

-- Where a row's cases work.
function gallery.root(row, folder)
  local place = row.kind == "file" and ("%s/%s.root"):format(folder, row.name)
    or row.root or "modfs.check/root"
  return ("%s://%s"):format(row.scheme or row.name, place)
end

-- All rows: { name =, kind =, case =, also =, class =, why = }, why being part of the reason.
function gallery.rows()
  local list, also = {}, require "spec.check.also"
  for _, row in ipairs(require "spec.check.mutants") do
    list[#list + 1] = { kind = "memory", name = row[1], case = row[2], class = row[3],
      alone = row.alone, also = others(also[row[1]] or {}, row[2]) }
  end
  for _, row in ipairs(require "spec.fixtures.broken.refused") do
    list[#list + 1] = { kind = "registration", name = row[1], case = "load", also = {},
      class = registration_classes[row[1]], why = row[3] }
  end
  for _, row in ipairs(require "spec.check.faulty") do
    local key = row[1] .. " " .. row[2]
    list[#list + 1] = { kind = row[1], name = row[2], case = row[3], key = key, class = row.class,
      seconds = row.seconds, also = others(also[key] or {}, row[3]) }
  end
  return list
end

-- Whether the case meant for a row is of level 4 or 5: threads and storage.
function gallery.late(row)
  return row.case:find "^concurrency%." ~= nil or row.case:find "^durability%." ~= nil
end

-- The rows that are late, or those that are not.
function gallery.part(late)
  local list = {}
  for _, row in ipairs(gallery.rows()) do
    list[#list + 1] = gallery.late(row) == late and row or nil
  end
  return list
end

-- Forms of the good plugin, in the same shape.
function gallery.forms()
  local list = {}
  for _, form in ipairs(require "spec.check.forms") do
    list[#list + 1] = { kind = "memory", name = form[1], scheme = form.scheme, root = form.root }
  end
  for _, kind in ipairs { "file", "mem" } do
    list[#list + 1] = { kind = kind, name = "good", key = kind }
  end
  return list
end

-- Cases of a row whose faults go on from case to case get a process each.
local function start_alone(row, shelf, halves)
  local file, folder = shelf:put(row)
  return { finish = function()
    return check.run({ file = file, strict = 3, root = gallery.root(row, folder),
      only = halves == "native" and "^raw%." or nil }).results
  end }
end

local function start(row, shelf, halves)
  if row.alone then
    return start_alone(row, shelf, halves)
  end
  local file, folder = shelf:put(row)
  return batch.start { file = file, scheme = row.scheme or row.name,
    root = gallery.root(row, folder), seconds = 60,
    halves = halves or row.kind == "registration" and "hosted" or "hosted native" }
end

local ahead = 1

-- The half of the cases that has the one meant for a row: those without a host, or the others. Of
-- forms that leave one slot out the host's, whose defaults they are about; of others both.
function gallery.half(row)
  if not row.case then
    return row.name:find "^good%.without" and "hosted" or nil
  end
  return (row.case:find "^raw%." or gallery.late(row)) and "native" or "hosted"
end

-- What a row fails besides, of the cases of its half.
function gallery.also(row)
  local list = {}
  for _, name in ipairs(row.also) do
    if gallery.half { case = name } == gallery.half(row) then
      list[#list + 1] = name
    end
  end
  return list
end

-- assess(rows, shelf [, half]) -> a function that gives the results of the next row each time it is
-- called, while the ones behind it are at work; half(row) says which cases, else it is all. Rows of
-- one mutant and half share what was tested.
function gallery.assess(rows, shelf, half)
  local tested, last, started = {}, 0, 0
  local function batch_of(row)
    local halves = half and half(row)
    local id = ("%s %s %s"):format(row.key or row.name, row.root or row.scheme or "", halves or "")
    tested[id] = tested[id] or start(row, shelf, halves)
    return tested[id]
  end
  return function()
    last = last + 1
    while started < #rows and started < last + ahead do
      started = started + 1
      batch_of(rows[started])
    end
    return batch_of(rows[last]):finish()
  end
end

return gallery
