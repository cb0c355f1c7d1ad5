-- Charts as SVG text, in plain Lua: bars for the aims of a section, lines for growth.
local chart = {}

local colors = { "#2563a8", "#c2571a", "#2f855a", "#8b5fbf", "#b7791f", "#4a5568", "#c53030" }

local function escape(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

local function text(x, y, words, more)
  return ('<text x="%.1f" y="%.1f" %s>%s</text>'):format(x, y, more or "", escape(words))
end

local function line(x1, y1, x2, y2, more)
  return ('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>'):format(x1, y1, x2, y2, more)
end

local function document(width, height, parts)
  return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
    .. 'font-family="sans-serif" font-size="12">\n'
    .. '<rect width="100%%" height="100%%" fill="white"/>\n'
    .. "%s\n</svg>\n"):format(width, height, width, height, table.concat(parts, "\n"))
end

-- bars: array of { label, value, mark, fine, limit }: the value as a bar, the aim as a mark, and,
-- where it is missed, what its limit reaches; all are shares, of which 1 is where the bar's other
-- end would be as good.
function chart.bars(title, bars)
  local parts, top, left, width = { text(12, 20, title, 'font-weight="bold"') }, 40, 330, 360
  local most = 1
  for _, bar in ipairs(bars) do
    most = math.max(most, bar.value, bar.mark, bar.limit or 0)
  end
  -- Values of 1 and 10 stand in one chart: by the logarithm.
  local least = 0.05
  local function x(value)
    return left + width * math.log(math.max(value, least) / least) / math.log(most / least)
  end
  for i, bar in ipairs(bars) do
    local y = top + (i - 1) * 20
    parts[#parts + 1] = text(left - 8, y + 11, bar.label, 'text-anchor="end"')
    local shape = '<rect x="%.1f" y="%.1f" width="%.1f" height="13" fill="%s"/>'
    parts[#parts + 1] = shape:format(left, y, math.max(x(bar.value) - left, 1),
      bar.fine and colors[3] or colors[7])
    parts[#parts + 1] = line(x(bar.mark), y - 2, x(bar.mark), y + 15,
      'stroke="black" stroke-width="2"')
    if bar.limit then
      parts[#parts + 1] = line(x(bar.limit), y - 2, x(bar.limit), y + 15,
        ('stroke="%s" stroke-width="2"'):format(colors[5]))
    end
    parts[#parts + 1] = text(left + width + 8, y + 11, ("%.2f"):format(bar.value))
  end
  local bottom = top + #bars * 20
  parts[#parts + 1] = line(x(1), top - 6, x(1), bottom, 'stroke="#a0aec0" stroke-dasharray="3 3"')
  parts[#parts + 1] = text(12, bottom + 16,
    "black: the aim; ochre: what its limit reaches; dashed: as cheap as the other")
  return document(760, bottom + 28, parts)
end

local function tick(value)
  for _, unit in ipairs { { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } } do
    if value >= unit[1] then
      return ("%g%s"):format(value / unit[1], unit[2])
    end
  end
  return ("%g"):format(value)
end

local function bounds(series, index)
  local least, most = math.huge, 0
  for _, one in ipairs(series) do
    for _, point in ipairs(one.points) do
      least, most = math.min(least, point[index]), math.max(most, point[index])
    end
  end
  return least, most
end

-- series: array of { name, points = { { x, y } … } }, with positive numbers; both axes by the
-- logarithm. tell(y): the label of a value.
function chart.lines(title, x_title, series, tell)
  local left, top, width, height = 70, 40, 520, 240
  local x1, x2 = bounds(series, 1)
  local y1, y2 = bounds(series, 2)
  y1, y2 = 10 ^ math.floor(math.log(y1, 10)), 10 ^ math.ceil(math.log(y2 * 1.001, 10))
  x2 = x2 > x1 and x2 or x1 * 10
  local function x(value) return left + width * math.log(value / x1) / math.log(x2 / x1) end
  local function y(value)
    return top + height - height * math.log(value / y1) / math.log(y2 / y1)
  end
  local parts = { text(12, 20, title, 'font-weight="bold"'),
    text(left + width / 2, top + height + 34, x_title, 'text-anchor="middle"') }
  for power = math.floor(math.log(y1, 10) + 0.5), math.floor(math.log(y2, 10) + 0.5) do
    local value = 10.0 ^ power
    parts[#parts + 1] = line(left, y(value), left + width, y(value), 'stroke="#e2e8f0"')
    parts[#parts + 1] = text(left - 6, y(value) + 4, tell(value), 'text-anchor="end"')
  end
  for power = math.ceil(math.log(x1, 10) - 1e-9), math.floor(math.log(x2, 10) + 1e-9) do
    local value = 10.0 ^ power
    parts[#parts + 1] = line(x(value), top, x(value), top + height, 'stroke="#e2e8f0"')
    parts[#parts + 1] = text(x(value), top + height + 16, tick(value), 'text-anchor="middle"')
  end
  for i, one in ipairs(series) do
    local color, places = colors[(i - 1) % #colors + 1], {}
    for _, point in ipairs(one.points) do
      places[#places + 1] = ("%.1f,%.1f"):format(x(point[1]), y(point[2]))
      parts[#parts + 1] = ('<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>'):format(x(point[1]),
        y(point[2]), color)
    end
    parts[#parts + 1] = ('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>'):format(
      table.concat(places, " "), color)
    parts[#parts + 1] = text(left + width + 10, top + 14 * i, one.name, ('fill="%s"'):format(color))
  end
  return document(760, top + height + 46, parts)
end

return chart
