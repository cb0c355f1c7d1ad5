-- Every broken plugin of the judge's proof: what it is built from, the case that is meant for it, the
-- other cases that it fails, the class of bugs it stands for. Runs them, and writes the table.
local batch = require "spec.check.batch"
local build = require "spec.fixtures.build"

local gallery = {}

gallery.classes = require "spec.check.classes"

-- Classes whose cases are still to come: they need a plugin's slots without a host before them.
gallery.awaiting = { [5] = true, [6] = true, [7] = true, [8] = true, [10] = true, [11] = true,
  [12] = true, [17] = true, [22] = true, [23] = true, [25] = true, [31] = true }

local sources = {
  memory = { "mutant.so", "plugins/memory spec/check/mutant",
    { flags = "-DTF_InitPlugin=memory_init_plugin -pthread", libraries = "-lm" } },
  registration = { "broken.so", "spec/fixtures/broken" },
}

-- Faults of registration that are a class of their own.
local registration_classes = { ["size.lies"] = 35, ["size.reader.lies"] = 35, ["size.max"] = 35,
  ["size.over"] = 35 }

-- The binary that a kind of mutants is made from.
function gallery.binary(kind)
  return build.compile((table.unpack or unpack)(sources[kind]))
end

-- All rows: { name =, kind =, case =, also =, class =, why = }, why being part of the reason.
function gallery.rows()
  local list, also = {}, require "spec.check.also"
  for _, row in ipairs(require "spec.check.mutants") do
    list[#list + 1] = { kind = "memory", name = row[1], case = row[2], class = row[3],
      also = also[row[1]] or {} }
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

-- Sanitizers reserve terabytes of addresses.
local sanitized = (os.getenv "LD_PRELOAD" or ""):find "san%.so"

local function start(row, shelf)
  local scheme = row.scheme or row.name
  return batch.start { file = shelf:put(gallery.binary(row.kind), row.name), scheme = scheme,
    root = ("%s://%s"):format(scheme, row.root or "modfs.check/root"), seconds = 20,
    megabytes = sanitized and 0 or 2048 }
end

local processors = 2

-- judge(rows, shelf) -> a function that gives the results of the next row each time it is called,
-- while the ones behind it are at work.
function gallery.judge(rows, shelf)
  local waiting, last, started = {}, 0, 0
  return function()
    last = last + 1
    while started < #rows and started < last + processors - 1 do
      started = started + 1
      waiting[started] = start(rows[started], shelf)
    end
    local results = waiting[last]:finish()
    waiting[last] = nil
    return results
  end
end

-- The names of the cases besides the one that is meant for a row, in order.
function gallery.others(row, failed)
  local list = {}
  for _, name in ipairs(failed) do
    if name ~= row.case then
      list[#list + 1] = name
    end
  end
  return list
end

return gallery
