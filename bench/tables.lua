-- The tables that the programs of bench/ print, in Markdown.
local measure = require "bench.measure"

local tables = {}

local function print_row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
end

local function time(seconds)
  return seconds < 1e-6 and ("%.0f ns"):format(seconds * 1e9) or ("%.2f µs"):format(seconds * 1e6)
end

local function cell(costs, who)
  if not costs[who] then
    return ""
  end
  return ("%s **%.2f**"):format(time(measure.median(costs[who])), measure.ratio(costs, who, "C"))
end

-- What each case costs: C's time, then that of each column with the ratio of C's to it.
function tables.costs(title, columns, results)
  print_row { title, "C", table.unpack(columns) }
  print("|---" .. ("|---"):rep(#columns + 1) .. "|")
  for _, result in ipairs(results) do
    local cells = { result.name, time(measure.median(result.costs.C)) }
    for _, who in ipairs(columns) do
      cells[#cells + 1] = cell(result.costs, who)
    end
    print_row(cells)
  end
  print()
end

-- Which aims { who, against, ratio } of each case are reached; those against nobody who is there
-- are left out.
function tables.aims(aims, results)
  local total, missed = 0, 0
  print_row { "case", "who", "against", "aim", "reached", "" }
  print("|---|---|---|---|---|---|")
  for _, result in ipairs(results) do
    for _, aim in ipairs(aims[result.name] or {}) do
      if result.costs[aim[2]] then
        local ratio = measure.ratio(result.costs, aim[1], aim[2])
        total = total + 1
        missed = missed + (ratio < aim[3] and 1 or 0)
        print_row { result.name, aim[1], aim[2], ("≥ %.2f"):format(aim[3]), ("%.2f"):format(ratio),
          ratio < aim[3] and "**missed**" or "" }
      end
    end
  end
  print(("\n%d aims, %d missed"):format(total, missed))
end

return tables
