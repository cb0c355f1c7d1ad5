-- The results of `make mutants`: a row for each change that was tried, in a file of tab-separated
-- columns, to which each row is appended at once. So a run that is stopped continues where it was.
-- A change is known by its plugin, file, line, and the line before and after; a row counts as long
-- as the source of the plugin's file is the same.
--   results.open(file, again) -> results; rows with a verdict of the set again are tried once more
--   results:find(plugin, candidate, settled) -> its row, or nil; settled: it is not tried again
--   results:add(row)
--   results:order(plugin, candidate) -> names of the cases that have caught changes near this one,
--     the most promising first
--   results:close(): writes the file anew, with one row for each change
local results = {}
results.__index = results

local columns = { "plugin", "verdict", "path", "number", "old", "new", "detail", "source", "code",
  "strict" }

-- How many cases an order names, and after how many lines a catch counts half.
local most_names, half_lines = 30, 10

local function one_line(text)
  return (tostring(text or ""):gsub("[\t\n]", " "))
end

local function key_of(row)
  return table.concat({ row.plugin, row.path, row.number, one_line(row.old), one_line(row.new) },
    "\t")
end

local function remember(self, row)
  local key = key_of(row)
  if not self.rows[key] then
    table.insert(self.keys, key)
  end
  self.rows[key] = row
  if row.verdict == "caught" then
    table.insert(self.caught, row)
  end
end

local function read(line)
  local row, i = {}, 0
  for text in (line .. "\t"):gmatch "([^\t]*)\t" do
    i = i + 1
    row[columns[i] or "more"] = text
  end
  row.number = tonumber(row.number)
  return i == #columns and row.number and row
end

local function words_of(row)
  local words = {}
  for i, column in ipairs(columns) do
    words[i] = one_line(row[column])
  end
  return table.concat(words, "\t") .. "\n"
end

function results.open(path, again)
  local self = setmetatable({ path = path, again = again, rows = {}, keys = {}, caught = {},
    tried = {} }, results)
  local old = io.open(path)
  for line in old and old:lines() or function() end do
    local row = read(line)
    if row then
      remember(self, row)
    end
  end
  if old then
    old:close()
  end
  self.file = assert(io.open(path, "a"))
  return self
end

function results:find(plugin, candidate, settled)
  local key = key_of { plugin = plugin, path = candidate.path, number = candidate.number,
    old = candidate.old, new = candidate.new }
  local row = self.rows[key]
  if row and row.source == candidate.source and (settled or self.tried[key]
    or not self.again[row.verdict]) then
    return row
  end
end

function results:add(row)
  remember(self, row)
  self.tried[key_of(row)] = true
  self.file:write(words_of(row))
  self.file:flush()
end

-- What a catch tells about a change: much if it was near, little if it was in another file.
local function weight_of(row, candidate)
  if row.path ~= candidate.path then
    return 0.02
  end
  return 1 / (1 + math.abs(row.number - candidate.number) / half_lines)
end

function results:order(plugin, candidate)
  local scores, names = {}, {}
  for _, row in ipairs(self.caught) do
    local name = row.plugin == plugin and row.detail:match "^(%S+):"
    if name then
      names[#names + 1] = not scores[name] and name or nil
      scores[name] = (scores[name] or 0) + weight_of(row, candidate)
    end
  end
  table.sort(names, function(a, b)
    return scores[a] > scores[b] or scores[a] == scores[b] and a < b
  end)
  for i = #names, most_names + 1, -1 do
    names[i] = nil
  end
  return names
end

function results:close()
  self.file:close()
  local file = assert(io.open(self.path .. ".new", "w"))
  for _, key in ipairs(self.keys) do
    file:write(words_of(self.rows[key]))
  end
  assert(file:close())
  assert(os.rename(self.path .. ".new", self.path))
end

return results
