-- The figure of bench/latency.lua: how long small requests take over time, as SVG.
local figure = {}

local width, height, left, top, right, bottom = 960, 420, 64, 60, 16, 40
local least, most = 0.05, 5000 -- ms
local bin = 40 -- ms; of each, the slowest request is drawn
local colors = { "#555555", "#0a7d33", "#c77700", "#c02020" }

local function text(x, y, anchor, what, color)
  return ('<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>\n'):format(x, y, anchor,
    color and ' fill="' .. color .. '"' or "", what)
end

local function y_of(ms)
  local share = math.log(math.max(least, math.min(most, ms)) / least) / math.log(most / least)
  return height - bottom - share * (height - top - bottom)
end

-- The slowest request of each bin, drawn over the time that it took.
local function line_of(samples, x_of, color)
  local points, at = {}, 1
  while at <= #samples do
    local start, slowest = samples[at][1], samples[at]
    while at <= #samples and samples[at][1] < start + bin do
      slowest = samples[at][2] > slowest[2] and samples[at] or slowest
      at = at + 1
    end
    local y = y_of(slowest[2] / 1000)
    points[#points + 1] = ("%.1f,%.1f"):format(x_of(slowest[1]), y)
    points[#points + 1] = ("%.1f,%.1f"):format(x_of(slowest[1] + slowest[2] / 1000), y)
  end
  return ('<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>\n'):format(color,
    table.concat(points, " "))
end

-- draw(loads, ways, samples of each way) -> the text of the picture
function figure.draw(loads, ways, samples)
  local total = 0
  for _, load in ipairs(loads) do
    total = total + load.seconds * 1000
  end
  local function x_of(ms)
    return left + math.min(ms, total) / total * (width - left - right)
  end
  local out = { ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" ' ..
    'font-family="sans-serif" font-size="13">\n<rect width="%d" height="%d" fill="white"/>\n')
    :format(width, height, width, height) }
  local function add(...)
    out[#out + 1] = table.concat({ ... })
  end
  local at = 0
  for _, load in ipairs(loads) do
    local x, ending = x_of(at), x_of(at + load.seconds * 1000)
    if load.name ~= "" then
      add(('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="#eef2f8"/>\n'):format(x, top,
        ending - x, height - top - bottom), text((x + ending) / 2, top - 6, "middle", load.name))
    end
    at = at + load.seconds * 1000
  end
  for _, ms in ipairs { 0.1, 1, 10, 100, 1000 } do
    add(('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#cccccc"/>\n'):format(left,
      width - right, y_of(ms), y_of(ms)), text(left - 6, y_of(ms) + 4, "end",
      ms < 1000 and ("%g ms"):format(ms) or "1 s"))
  end
  for second = 0, total // 1000 do
    add(text(x_of(second * 1000), height - bottom + 18, "middle", ("%d s"):format(second)))
  end
  for i, way in ipairs(ways) do
    add(line_of(samples[way], x_of, colors[i]),
      text(left + (i - 1) * 220, 20, "start", way.name, colors[i]))
  end
  add(text(left, height - 6, "start", "time from asking to the answer, of small requests"),
    "</svg>\n")
  return table.concat(out)
end

return figure
