-- The tables of docs/performance.md, in Markdown: what cases cost, and which aims are reached.
local measure = require "bench.measure"

local tables = {}

local function row(lines, cells)
  lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
end

local function head(lines, cells)
  row(lines, cells)
  lines[#lines + 1] = ("|---"):rep(#cells) .. "|"
end

function tables.time(seconds)
  for _, unit in ipairs { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" } } do
    if seconds >= unit[1] * 0.9995 then -- or it is rounded to 1e+03 of the next
      return ("%.3g %s"):format(seconds / unit[1], unit[2])
    end
  end
  return ("%.3g ns"):format(seconds * 1e9)
end

-- Whom the ratios of a case are to: C, or the first.
local function base(result)
  return result.against or (result.costs.C and "C") or result.order[1]
end

local function cell(result, who)
  if not result.costs[who] then
    return ""
  end
  local text = tables.time(measure.median(result.costs[who]))
  local against = base(result)
  return who == against and text
    or ("%s **%.2f**"):format(text, measure.ratio(result.costs, who, against))
end

-- One row for a case, one column for each who.
function tables.matrix(title, columns, results)
  local lines = {}
  head(lines, { title, table.unpack(columns) })
  for _, result in ipairs(results) do
    local cells = { result.name }
    for i, who in ipairs(columns) do
      cells[i + 1] = cell(result, who)
    end
    row(lines, cells)
  end
  return lines
end

-- One row for each who, for cases with little in common.
function tables.rows(title, _, results)
  local lines = {}
  head(lines, { title, "who", "one", "on the wall", "GB/s", "ratio" })
  for _, result in ipairs(results) do
    local against = base(result)
    for i, who in ipairs(result.order) do
      local seconds = measure.median(result.costs[who])
      row(lines, { i == 1 and result.name or "", who, tables.time(seconds),
        tables.time(measure.median(result.walls[who])),
        result.bytes and ("%.1f"):format(result.bytes / seconds / 1e9) or "",
        who == against and "" or ("**%.2f**"):format(measure.ratio(result.costs, who, against)) })
    end
  end
  return lines
end

-- An aim is { who, against, at_least = ratio | at_most_more = seconds, wall = true where it is not
-- the case's clock that counts }; returns whether it is reached, what is wanted, and what was
-- reached, or nothing when one of the two was not there.
local function assess(result, aim)
  local costs = aim.wall and result.walls or result.costs
  if not costs[aim[1]] or not costs[aim[2]] then
    return nil
  elseif aim.at_most_more then
    local more = measure.difference(costs, aim[1], aim[2])
    return more <= aim.at_most_more, ("≤ + %.0f ns"):format(aim.at_most_more * 1e9),
      ("+ %.0f ns"):format(more * 1e9)
  end
  local ratio = measure.ratio(costs, aim[1], aim[2])
  local fine, reached = ratio >= aim.at_least, ("%.2f"):format(ratio)
  if not fine and reached == ("%.2f"):format(aim.at_least) then
    reached = ("%.4f"):format(ratio) -- or it looks as if it were reached
  end
  return fine, ("≥ %.2f%s"):format(aim.at_least, aim.wall and ", wall" or ""), reached
end

-- What the limit of who reaches of the same aim, and whether it misses it, too: { who, reached,
-- misses }. A limit that was not measured, as its program is not here, is none.
local function limit_of(result, aim, limit)
  local names = limit and limit[aim[1]]
  for _, who in ipairs(type(names) == "table" and names or { names }) do
    local fine, wanted, reached = assess(result, { who, aim[2], at_least = aim.at_least,
      at_most_more = aim.at_most_more, wall = aim.wall })
    if wanted then
      return { who = who, reached = reached, misses = not fine }
    end
  end
end

-- Array of { case, who, against, wanted, reached, fine, limit }; limit: see limit_of, for what is
-- missed.
function tables.verdicts(aims, results)
  local list = {}
  for _, result in ipairs(results) do
    local of_case = aims[result.key] or {}
    for _, aim in ipairs(of_case) do
      local fine, wanted, reached = assess(result, aim)
      if wanted then
        list[#list + 1] = { case = result.name, who = aim[1], against = aim[2], wanted = wanted,
          reached = reached, fine = fine,
          limit = not fine and limit_of(result, aim, of_case.limit) or nil }
      end
    end
  end
  return list
end

-- That an aim is missed: by its limit, too, so that nobody can mend it, or by modfs alone. The
-- formats mark the word, and who the limit is.
function tables.missed(verdict, word, name)
  local missed, limit = (word or "%s"):format "missed", verdict.limit
  if not limit then
    return missed
  end
  local whose = ("%s, %s"):format(missed, limit.misses and "by its limit, too" or "ours to mend")
  return limit.who == verdict.against and whose
    or ("%s: %s reaches %s"):format(whose, (name or "%s"):format(limit.who), limit.reached)
end

function tables.sum(verdicts)
  local missed, by_limit = 0, 0
  for _, verdict in ipairs(verdicts) do
    missed = missed + (verdict.fine and 0 or 1)
    by_limit = by_limit + (verdict.limit and verdict.limit.misses and 1 or 0)
  end
  return missed, ("%d missed%s"):format(missed,
    missed > 0 and (", %d of them by their limit, too"):format(by_limit) or "")
end

function tables.aims(verdicts)
  local lines = {}
  head(lines, { "case", "who", "against", "aim", "reached", "" })
  for _, verdict in ipairs(verdicts) do
    row(lines, { verdict.case, verdict.who, verdict.against, verdict.wanted, verdict.reached,
      verdict.fine and "" or tables.missed(verdict, "**%s**", "*%s*") })
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = ("%d aims, %s"):format(#verdicts, (select(2, tables.sum(verdicts))))
  return lines
end

-- What a cost may grow and be flat, and how much more than its limit's it may grow and do as that.
local FLAT, AS_MUCH = 1.3, 1.15

-- How much a cost grows, with a word where that is much, and how much more than that of its limit;
-- either may be nil. scales: it is not meant to be flat.
function tables.growth(own, limit, scales)
  if not own then
    return "", ""
  end
  local more = limit and own / limit
  local word = ""
  if not scales and own > FLAT then
    word = more and (more <= AS_MUCH and " grows, as C does" or " **grows**") or " grows"
  end
  return ("**%.2f**%s"):format(own, word), more and ("%.2f"):format(more) or ""
end

return tables
