-- Names in columns, as ls writes them on a terminal: filled from top to bottom, by GNU's rule.
local characters = require "modfs.cli.characters"

local LEAST, BETWEEN, TAB = 3, 2, 8

-- Characters that take two places, and none.
local wide = { { 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf }, { 0xac00, 0xd7a3 },
  { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 },
  { 0x1f300, 0x1f64f }, { 0x1f900, 0x1faff }, { 0x20000, 0x3fffd } }
local combining = { { 0x300, 0x36f }, { 0x200b, 0x200f }, { 0xfe00, 0xfe0f } }

local function is_in(ranges, code)
  for _, range in ipairs(ranges) do
    if code >= range[1] and code <= range[2] then
      return true
    end
  end
  return false
end

local heads = { 128, 192, 224, 240 }

-- The number of the character that takes the bytes from one position to before another.
local function code_of(text, at, stop)
  local code = text:byte(at) - (stop - at > 1 and heads[stop - at] or 0)
  for i = at + 1, stop - 1 do
    code = code * 64 + text:byte(i) - 128
  end
  return code
end

-- How many places of a terminal a text takes.
local function width(text)
  local places, at = 0, 1
  while at <= #text do
    local stop = characters.behind_shown(text, at) or at + 1
    local code = stop > at + 1 and code_of(text, at, stop) or 0
    places = places + (is_in(wide, code) and 2 or is_in(combining, code) and 0 or 1)
    at = stop
  end
  return places
end

-- The widths of so many columns; nil where a line does not hold them.
local function widths_of(widths, columns, line)
  local rows, all, sum = math.ceil(#widths / columns), {}, columns * LEAST
  for i, own in ipairs(widths) do
    local column = math.floor((i - 1) / rows) + 1
    local needed = own + (column == columns and 0 or BETWEEN)
    local before = all[column] or LEAST
    all[column] = math.max(before, needed)
    sum = sum + all[column] - before
    if needed > before and sum >= line then
      return nil
    end
  end
  return all, rows
end

local function fit(widths, line)
  for columns = math.min(#widths, math.ceil(line / LEAST)), 2, -1 do
    local all, rows = widths_of(widths, columns, line)
    if all then
      return all, rows
    end
  end
  return { 0 }, #widths
end

-- What leads from one place of a line to another.
local function gap(from, to, tabs)
  local parts = {}
  while from < to do
    local jump = tabs and math.floor(to / TAB) > math.floor((from + 1) / TAB)
    parts[#parts + 1] = jump and "\t" or " "
    from = jump and from + TAB - from % TAB or from + 1
  end
  return table.concat(parts)
end

-- The lines for names. line: how wide one is; tabs: whether blanks may be tabs; text_of(i), called
-- in the order of the lines: what is written for a name, as wide as it.
local function lines_of(names, line, tabs, text_of)
  local widths, lines = {}, {}
  for i, name in ipairs(names) do
    widths[i] = width(name)
  end
  local columns, rows = fit(widths, line)
  for row = 1, rows do
    local parts, place = {}, 0
    for i = row, #names, rows do
      local last = i + rows > #names
      local column = columns[math.floor((i - 1) / rows) + 1]
      parts[#parts + 1] = text_of(i)
        .. (last and "" or gap(place + widths[i], place + column, tabs))
      place = place + column
    end
    lines[row] = table.concat(parts)
  end
  return lines
end

return { lines = lines_of, width = width }
