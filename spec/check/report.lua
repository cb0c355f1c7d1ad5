-- report.lua [--write]: the table of mutants and cases, docs/check-mutants.md; with --write all are
-- tested first, and spec/check/also.lua gets what each fails besides.

local report = {}

report.file = "docs/check-mutants.md"
local also_file = "spec/check/also.lua"

local head = [[
# What the conformance runner catches

Written by `make mutants-table` from `spec/check`. `make test` builds each plugin below, holds it
against the half of the cases of levels 1 to 3 that has the one meant for it, called through a host
or without one, and fails unless exactly the cases named here fail. `make mutants` does the same
with all of them through `modfs check` itself, a process for each case. Mutants of threads and
storage are held against their case of level 4 or 5 in a process of its own, and against the cases
of levels 1 to 3 that are called without a host.

Upstream's cases go by their numbers.

]]

-- Upstream's cases by number alone.
local function short(name)
  return name:match("^upstream%.(%d+)") or name
end

local function names_of(list)
  local words = {}
  for i, name in ipairs(list) do
    words[i] = short(name)
  end
  return table.concat(words, ", ")
end

local function row_text(row)
  return ("| `%s` | %s | %s | %s |\n"):format(row.name, row.class or "", short(row.case),
    names_of(row.also))
end

local function section(title, words, rows, kind)
  local lines = { ("## %s\n\n%s\n\n| mutant | class | caught by | fails besides |\n"):format(title,
    words) .. "| --- | --- | --- | --- |\n" }
  for _, row in ipairs(rows) do
    if row.kind == kind then
      lines[#lines + 1] = row_text(row)
    end
  end
  return table.concat(lines) .. "\n"
end

local function classes_text(gallery, rows)
  local lines = { "## Classes of bugs\n\n| class | what goes wrong | mutants |\n",
    "| --- | --- | --- |\n" }
  for number, words in ipairs(gallery.classes) do
    local names = {}
    for _, row in ipairs(rows) do
      if row.class == number then
        names[#names + 1] = ("`%s`"):format(row.name)
      end
    end
    lines[#lines + 1] = ("| %d | %s | %s |\n"):format(number, words, table.concat(names, ", "))
  end
  return table.concat(lines) .. "\n"
end

local function killers_text()
  local lines = { "## Killers\n\nWhat ends a process, holds it up, or changes what belongs to "
    .. "all of it.\n\n| killer | caught by | reported as |\n| --- | --- | --- |\n" }
  for _, row in ipairs(require "spec.check.killers") do
    lines[#lines + 1] = ("| `%s` | %s | %s |\n"):format(row[1], short(row[2]),
      row[3] == "" and "crashes or hangs" or row[3])
  end
  return table.concat(lines)
end

local function devices_text()
  local lines = { "## Mutants of the reference device\n\nBuilt from `plugins/reference` and "
    .. "`spec/check/device_mutant`; each is held against the one case\nthat is meant for it.\n\n"
    .. "| mutant | caught by |\n| --- | --- |\n" }
  for _, row in ipairs(require "spec.check.device_mutants") do
    lines[#lines + 1] = ("| `%s` | %s |\n"):format(row[1], row[2])
  end
  return table.concat(lines) .. "\n"
end

local faulty = "Built from `plugins/%s` and `spec/check/faulty`: what needs a real file, failing "
  .. "system\ncalls, threads or storage."

-- The whole text.
function report.text()
  local gallery = require "spec.check.gallery"
  local rows = gallery.rows()
  return head .. classes_text(gallery, rows)
    .. section("Mutants of the memory plugin",
      "Built from `plugins/memory` and `spec/check/mutant`.", rows, "memory")
    .. section("Mutants of the posix plugin", faulty:format "posix", rows, "file")
    .. section("Mutants of the memory plugin that threads and readers meet", faulty:format "memory",
      rows, "mem")
    .. section("Registrations", "Built from `spec/fixtures/broken`; the loader refuses each.", rows,
      "registration")
    .. devices_text() .. killers_text()
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  assert(file:close())
end

-- Tests all and writes what each fails besides.
local function measure()
  local batch, gallery = require "spec.check.batch", require "spec.check.gallery"
  local rows, shelf = gallery.rows(), gallery.shelf()
  local assess, done = gallery.assess(rows, shelf), {}
  local lines = { "-- All that a mutant fails, where it is more than one case: written by\n"
    .. "-- `make mutants-table`.\nreturn {\n" }
  for _, row in ipairs(rows) do
    local failed = batch.failed(assess())
    local key = row.key or row.name
    if (#failed > 1 or failed[1] and failed[1] ~= row.case) and not done[key] then
      done[key] = true
      lines[#lines + 1] = ("  [%q] = { \"%s\" },\n"):format(key,
        table.concat(failed, '",\n    "'))
    end
  end
  shelf:remove()
  write(also_file, table.concat(lines) .. "}\n")
  package.loaded["spec.check.also"] = nil
end

if arg and (arg[0] or ""):find("spec/check/report.lua", 1, true) then
  if arg[1] == "--write" then
    measure()
  end
  write(report.file, report.text())
end

return report
