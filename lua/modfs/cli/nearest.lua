-- The word that somebody may have meant.
local function distance(a, b)
  local before, row = {}, {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local older = before
    before, row = row, { [0] = i }
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j)
      row[j] = math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        row[j] = math.min(row[j], older[j - 2] + 1)
      end
    end
  end
  return row[#b]
end

-- The nearest of the words that are the keys of a table; nil where none is near: a third of its
-- letters may be wrong.
local function nearest(word, known)
  local best, least = nil, math.max(1, math.floor(#word / 3)) + 1
  local sorted = {}
  for other in pairs(known) do
    sorted[#sorted + 1] = other
  end
  table.sort(sorted)
  for _, other in ipairs(sorted) do
    local apart = distance(word, other)
    if apart < least then
      best, least = other, apart
    end
  end
  return best
end

return nearest
