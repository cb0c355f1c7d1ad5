-- The columns of ls -l.
local modes = require "modfs.cli.modes"
local owners = require "modfs.cli.owners"
local sizes = require "modfs.cli.sizes"

local function number(value)
  return ("%d"):format(value)
end

local function mode_of(entry, _, known)
  local letter = modes.letter(entry.kind)
  return known.mode and letter .. (entry.mode and modes.permissions(entry.mode) or "?????????")
    or letter
end

local function owner(name)
  return function(value, options)
    return options.numeric and number(value) or owners[name](value)
  end
end

-- Each column: the field that it shows; right: the side where it is aligned.
local columns = {
  { field = "links", text = number, right = true },
  { field = "owner", text = owner "user" },
  { field = "group", text = owner "group" },
  { field = "length", right = true, text = function(value, options)
    return options.human and sizes.human(value) or number(value)
  end },
  { field = "mtime", text = function(value)
    return os.date("%Y-%m-%d %H:%M", math.floor(value))
  end },
}

-- Which fields at least one entry has: a column that would be empty is left out.
local function find_known(entries)
  local known = {}
  for _, entry in ipairs(entries) do
    for name in pairs(entry) do
      known[name] = true
    end
  end
  return known
end

local function add_column(lines, entries, column, options)
  local texts, width = {}, 0
  for i, entry in ipairs(entries) do
    local value = entry[column.field]
    texts[i] = value and column.text(value, options) or "?"
    width = math.max(width, #texts[i])
  end
  for i, text in ipairs(texts) do
    local blanks = (" "):rep(width - #text)
    lines[i] = lines[i] .. (column.right and blanks .. text or text .. blanks) .. " "
  end
end

-- For each entry the text that stands before its name. options: human, numeric.
local function lines_of(entries, options)
  local lines, known = {}, find_known(entries)
  for i, entry in ipairs(entries) do
    lines[i] = mode_of(entry, options, known) .. " "
  end
  for _, column in ipairs(columns) do
    if known[column.field] then
      add_column(lines, entries, column, options)
    end
  end
  return lines
end

return { lines = lines_of }
