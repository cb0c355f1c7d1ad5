-- full.lua [PATTERN]: each broken plugin before `modfs check` itself, a process for each case; ends
-- with 1 unless exactly the cases of the table fail, and none in the forms of the good one.
local check = require "modfs.check"
local gallery = require "spec.check.gallery"

local shelf = gallery.shelf()
local wrong = 0

local function failed_in(row)
  local file, folder = shelf:put(row)
  local list, caught = {}, {}
  local function run(strict, only)
    local report = check.run { file = file, strict = strict, only = only, scheme = row.scheme,
      root = gallery.root(row, folder) }
    for _, result in ipairs(report.results) do
      if result.verdict == "failed" and not caught[result.name] then
        list[#list + 1] = result.name
        caught[result.name] = true
      end
    end
  end
  run(3)
  if row.case and not caught[row.case] then
    run(5, row.case)
  end
  table.sort(list)
  return list, caught
end

local function assess(row, number, count)
  local list, caught = failed_in(row)
  local others = gallery.others(list, row.case)
  local also = table.concat(row.also or {}, " ")
  local right = (not row.case or caught[row.case]) and table.concat(others, " ") == also
  wrong = wrong + (right and 0 or 1)
  print(("%s %d of %d %s: %s"):format(right and "ok" or "NOT OK", number, count, row.name,
    right and (row.case or "passes") or table.concat(list, " ")))
end

for _, rows in ipairs { gallery.rows(), gallery.forms() } do
  for number, row in ipairs(rows) do
    if row.name:find(arg[1] or "") then
      assess(row, number, #rows)
    end
  end
end
shelf:remove()
print(wrong == 0 and "all as the table says" or wrong .. " not as the table says")
os.exit(wrong == 0)
