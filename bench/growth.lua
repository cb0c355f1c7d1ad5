-- What one unit costs as things grow: growth.lua [--svg DIR] [--docs FILE] [--short] [topic …];
-- make bench-growth sets the paths. CPU time, the least of three; a cost is flat when the dearest
-- point is at most 1.3 times the cheapest, from the size on where starting has stopped to matter.
-- Beyond that it grows, as C does where the same in C grows as much.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local chart = require "bench.chart"
local fixtures = require "bench.fixtures"
local limit = require "tree_limit"
local tables = require "bench.tables"
local topics = require "bench.growth_topics"

local options, chosen = {}, {}
local TIMES = 3

local function parse()
  local takes = { svg = true, docs = true }
  local i = 1
  while arg[i] do
    local name = arg[i]:match "^%-%-(.+)$"
    if takes[name] then
      i = i + 1
      options[name] = assert(arg[i], name .. " needs a value")
    elseif name == "short" then
      options.short = true
    else
      assert(not name, "unknown option " .. arg[i])
      chosen[arg[i]] = true
    end
    i = i + 1
  end
end

-- run() returns how many units it did; the clock of a topic is the CPU's or its own.
local function cost(clock, run)
  local least = math.huge
  for _ = 1, TIMES do
    collectgarbage()
    collectgarbage()
    local start = clock()
    local units = run()
    least = math.min(least, (clock() - start) / units)
  end
  return least
end

local function measure(topic, place)
  local series = {}
  for i, who in ipairs(topic.who) do
    series[i] = { name = who, points = {} }
  end
  for _, size in ipairs(topic.sizes) do
    if not (options.short and size > (topic.short or 100)) then
      local runs, finish, told = topic.prepare(place, size)
      for i, who in ipairs(topic.who) do
        if runs[who] then
          local points = series[i].points
          points[#points + 1] = { size, math.max(cost(topic.clock or limit.cpu, runs[who]), 1e-10) }
        end
      end
      topic.told = told or topic.told
      finish()
    end
  end
  return series
end

-- The dearest point by the cheapest, from a size on; nil when there is one point or none.
local function spread(points, from)
  local least, most, count = math.huge, 0, 0
  for _, point in ipairs(points) do
    if point[1] >= from then
      least, most, count = math.min(least, point[2]), math.max(most, point[2]), count + 1
    end
  end
  return count > 1 and most / least or nil
end

local function lines_of(topic, series)
  local head, rule, lines = { topic.x }, "|---", {}
  for _, one in ipairs(series) do
    head[#head + 1], rule = one.name, rule .. "|---"
  end
  lines[1], lines[2] = "| " .. table.concat(head, " | ") .. " |", rule .. "|"
  local rows, order = {}, {}
  for i, one in ipairs(series) do
    for _, point in ipairs(one.points) do
      if not rows[point[1]] then
        rows[point[1]], order[#order + 1] = {}, point[1]
      end
      rows[point[1]][i] = tables.time(point[2])
    end
  end
  table.sort(order)
  for _, size in ipairs(order) do
    local cells = { ("%d"):format(size) }
    for i = 1, #series do
      cells[i + 1] = rows[size][i] or ""
    end
    lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
  end
  local spreads = {}
  for _, one in ipairs(series) do
    spreads[one.name] = spread(one.points, topic.from)
  end
  local cells, by_limit = { ("dearest / cheapest, from %d"):format(topic.from) }, { "by that of C" }
  for i, one in ipairs(series) do
    cells[i + 1], by_limit[i + 1] = tables.growth(spreads[one.name],
      spreads[topic.limit[one.name] or ""], topic.scales)
  end
  lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
  lines[#lines + 1] = "| " .. table.concat(by_limit, " | ") .. " |"
  if topic.told then
    lines[#lines + 1] = ""
    lines[#lines + 1] = topic.told
  end
  return lines
end

local function write_file(path, content)
  local file = assert(io.open(path, "w"))
  assert(file:write(content))
  assert(file:close())
end

local function write_docs(all)
  local file = assert(io.open(options.docs))
  local content = file:read "a"
  file:close()
  local _, from = content:find("<!-- bench:growth -->\n", 1, true)
  local to = from and content:find("<!-- bench -->", from, true)
  if to then
    write_file(options.docs, content:sub(1, from) .. "\n" .. table.concat(all, "\n") .. "\n\n"
      .. content:sub(to))
  end
end

parse()
local place = fixtures.place()
local all = {}
local fine, message = xpcall(function()
  for _, topic in ipairs(topics) do
    if next(chosen) == nil or chosen[topic.name] then
      local series = measure(topic, place)
      local lines = lines_of(topic, series)
      table.insert(lines, 1, "### " .. topic.title .. "\n")
      if options.svg then
        local name = "growth-" .. topic.name .. ".svg"
        write_file(options.svg .. "/" .. name,
          chart.lines(topic.title, topic.x, series, tables.time))
        if options.docs then
          table.insert(lines, 2, ("![%s](performance/%s)\n"):format(topic.title, name))
        end
      end
      print(table.concat(lines, "\n") .. "\n")
      lines[#lines + 1] = ""
      table.move(lines, 1, #lines, #all + 1, all)
    end
  end
end, debug.traceback)
os.execute("rm -rf '" .. place .. "'")
assert(fine, message)
if options.docs then
  write_docs(all)
end
