-- Every broken plugin of the judge's proof: what it is built from, the case that is meant for it,
-- the other cases that it fails, the class of bugs it stands for. Runs them, and writes the table.
local batch = require "spec.check.batch"
local build = require "spec.fixtures.build"

local gallery = {}

gallery.classes = require "spec.check.classes"

-- Classes that need a real file and failing system calls below the plugin.
gallery.awaiting = { [5] = true, [6] = true, [7] = true, [22] = true, [23] = true, [25] = true,
  [31] = true }

local sources = {
  memory = { "mutant.so", "plugins/memory spec/check/mutant",
    { flags = "-DTF_InitPlugin=memory_init_plugin -pthread", libraries = "-lm" } },
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

-- All rows: { name =, kind =, case =, also =, class =, why = }, why being part of the reason.
function gallery.rows()
  local list, also = {}, require "spec.check.also"
  for _, row in ipairs(require "spec.check.mutants") do
    list[#list + 1] = { kind = "memory", name = row[1], case = row[2], class = row[3],
      also = others(also[row[1]] or {}, row[2]) }
  end
  for _, row in ipairs(require "spec.fixtures.broken.refused") do
    list[#list + 1] = { kind = "registration", name = row[1], case = "load", also = {},
      class = registration_classes[row[1]], why = row[3] }
  end
  return list
end

-- Forms of the good plugin, in the same shape.
function gallery.forms()
  local list = {}
  for _, form in ipairs(require "spec.check.forms") do
    list[#list + 1] = { kind = "memory", name = form[1], scheme = form.scheme, root = form.root }
  end
  return list
end

local function start(row, shelf, halves)
  local scheme = row.scheme or row.name
  return batch.start { file = shelf:put(gallery.binary(row.kind), row.name), scheme = scheme,
    root = ("%s://%s"):format(scheme, row.root or "modfs.check/root"), seconds = 20,
    halves = halves or row.kind == "registration" and "hosted" or "hosted native" }
end

local ahead = 1

-- The half of the cases that has the one meant for a row: those without a host, or the others. Of
-- forms that leave one slot out the host's, whose defaults they are about; of others both.
function gallery.half(row)
  if not row.case then
    return row.name:find "^good%.without" and "hosted" or nil
  end
  return row.case:find "^raw%." and "native" or "hosted"
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

-- judge(rows, shelf [, half]) -> a function that gives the results of the next row each time it is
-- called, while the ones behind it are at work; half(row) says which cases, else it is all.
function gallery.judge(rows, shelf, half)
  local waiting, last, started = {}, 0, 0
  return function()
    last = last + 1
    while started < #rows and started < last + ahead do
      started = started + 1
      waiting[started] = start(rows[started], shelf, half and half(rows[started]))
    end
    local results = waiting[last]:finish()
    waiting[last] = nil
    return results
  end
end

return gallery
