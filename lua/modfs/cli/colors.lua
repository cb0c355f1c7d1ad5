-- Colors of names, as LS_COLORS sets them for GNU ls.
local modes = require "modfs.cli.modes"

local colors = {}
colors.__index = colors

-- What GNU ls does where LS_COLORS sets nothing.
local usual = { rs = "0", di = "01;34", ln = "01;36", ex = "01;32", su = "37;41", sg = "30;43",
  st = "37;44", ow = "34;42", tw = "30;42" }

-- text: the value of LS_COLORS, or nil.
function colors.new(text)
  local self = setmetatable({ kinds = {}, endings = {}, begun = false }, colors)
  for kind, color in pairs(usual) do
    self.kinds[kind] = color
  end
  for key, color in (text or ""):gmatch "([^:=]+)=([^:]*)" do
    if key:sub(1, 1) == "*" then
      table.insert(self.endings, 1, { text = key:sub(2):lower(), color = color })
    else
      self.kinds[key] = color
    end
  end
  return self
end

-- Whether a kind has a color of its own; 0 is that of all text.
function colors:has(kind)
  local color = self.kinds[kind]
  return color ~= nil and not color:find "^0*$"
end

-- The first kind of a list of bits and kinds that an entry has and that is colored.
function colors:first(mode, list, otherwise)
  for _, row in ipairs(list) do
    if modes.has(mode, row[1]) and (not row[2] or modes.has(mode, row[2])) and self:has(row.kind)
    then
      return row.kind
    end
  end
  return otherwise
end

local of_file = { { 2048, kind = "su" }, { 1024, kind = "sg" }, { 64, kind = "ex" },
  { 8, kind = "ex" }, { 1, kind = "ex" } }
local of_folder = { { 512, 2, kind = "tw" }, { 2, kind = "ow" }, { 512, kind = "st" } }

function colors:kind_of(entry)
  local mode = entry.mode or 0
  if entry.kind == "link" then
    return "ln"
  elseif entry.kind == "directory" then
    return self:first(mode, of_folder, "di")
  end
  return entry.kind == "file" and self:first(mode, of_file, "fi") or nil
end

function colors:color_of(entry)
  local kind = self:kind_of(entry)
  local name = kind == "fi" and entry.name:lower() or ""
  for _, ending in ipairs(kind == "fi" and self.endings or {}) do
    if ending.text == "" or name:sub(-#ending.text) == ending.text then
      return ending.color
    end
  end
  return self.kinds[kind]
end

-- The text of an entry's name, colored; before the first one whatever was set is reset.
function colors:paint(entry, text)
  local color = self:color_of(entry)
  if not color then
    return text
  end
  local reset = "\27[" .. self.kinds.rs .. "m"
  local begin = self.begun and "" or reset
  self.begun = true
  return begin .. "\27[" .. color .. "m" .. text .. reset
end

-- Whether names are colored. when: "always", "never", or "auto": on a terminal, unless NO_COLOR is
-- set.
function colors.wanted(when, task)
  if when == "auto" then
    return (os.getenv "NO_COLOR" or "") == "" and os.getenv "TERM" ~= "dumb" and task:is_terminal()
  end
  return when == "always"
end

return colors
