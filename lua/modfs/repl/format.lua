-- Markdown as the reference has it, laid out for a terminal.
local paint = require "modfs.repl.paint"

-- Marks within a line: links become their words, `code` and **bold** are painted.
local function inline(text, painter)
  text = text:gsub("%[([^%]]-)%]%(#[^)]*%)", "%1")
  text = text:gsub("%*%*(.-)%*%*", function(words) return painter("title", words) end)
  return (text:gsub("`([^`]+)`", function(words) return painter("code", words) end))
end

-- Breaks a text into lines of at most so many columns; all but the first begin with the indent.
local function wrap(text, columns, first, indent)
  local lines, line, at_start = {}, first, true
  for word in text:gmatch "%S+" do
    if not at_start and paint.width(line) + 1 + paint.width(word) > columns then
      lines[#lines + 1] = line
      line, at_start = indent, true
    end
    line = line .. (at_start and "" or " ") .. word
    at_start = false
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local layout_class = {}
layout_class.__index = layout_class

function layout_class:put(text)
  self.lines[#self.lines + 1] = text
end

function layout_class:paragraph(words, first, indent)
  self:put(wrap(inline(words, self.painter), self.columns, first, indent))
end

-- What was gathered of a paragraph or of an item of a list.
function layout_class:flush()
  if #self.gathered > 0 then
    self:paragraph(table.concat(self.gathered, " "), self.mark, (" "):rep(#self.mark))
  end
  self.gathered, self.mark = {}, ""
end

-- A row of a table: its first cell, and below it the others.
function layout_class:row(line)
  local cells = {}
  for cell in line:gsub("\\|", "\0"):gmatch "|%s*([^|]*)%f[|]" do
    cells[#cells + 1] = cell:gsub("%z", "|"):gsub("%s+$", "")
  end
  if (cells[1] or "-"):find "^:?%-+:?$" then
    return
  end
  self:paragraph(cells[1], "  ", "    ")
  if cells[2] then
    self:paragraph(table.concat(cells, "  ", 2), "      ", "      ")
  end
end

function layout_class:text(line)
  local item = line:match "^%s*[-*] (.*)$"
  if item or line == "" then
    self:flush()
  end
  if item then
    self.mark, line = "- ", item
  end
  if line == "" then
    self:put ""
  else
    self.gathered[#self.gathered + 1] = line
  end
end

function layout_class:line(line)
  if line:find "^```" then
    self:flush()
    self.in_code = not self.in_code
  elseif self.in_code then
    self:put(line == "" and "" or "    " .. self.painter("code", line))
  elseif line:find "^|" then
    self:flush()
    if self.in_table then -- the first row says what the columns are
      self:row(line)
    end
    self.in_table = true
  else
    self.in_table = false
    self:text(line)
  end
end

-- title: a line of its own, before the text.
local function format(title, text, columns, painter)
  local layout = setmetatable({ lines = {}, gathered = {}, mark = "", columns = columns,
    painter = painter }, layout_class)
  for line in (text .. "\n"):gmatch "(.-)\n" do
    layout:line(line)
  end
  layout:flush()
  return painter("title", title) .. "\n" .. table.concat(layout.lines, "\n")
end

return format
