-- help(…) at the prompt: sections of the reference, and what is near where there is none.
local catalog = require "modfs.repl.catalog"
local format = require "modfs.repl.format"
local manual = require "modfs.repl.manual"
local modfs = require "modfs"
local nearest = require "modfs.cli.nearest"
local paint = require "modfs.repl.paint"
local terminal = require "modfs.repl.terminal"

local MOST = 12 -- titles that a search lists

local overview = [[
help(modfs.open), help "open", help "file:read", help(object): print its section of the reference.
help "some words" searches it. A line is Lua; the values of an expression are shown, and _ is the
first of them. Tab completes, Ctrl-C ends what runs, Ctrl-D or quit() ends the prompt.]]

-- Title and text of what a string names; nil for nothing.
local function find(name)
  local kind, method = name:gsub("^modfs%.", ""):match "^([%l ]+)[:.]([%l_]+)$"
  local title, text
  if kind then
    title, text = manual.method(kind, method)
  end
  if not title then
    title, text = manual.section(name)
  end
  if not title then
    title, text = manual.section("modfs." .. name)
  end
  return title, text
end

local function find_value(value)
  if type(value) == "string" then
    return find(value)
  elseif modfs.type(value) then
    return manual.object(modfs.type(value))
  end
  local name = catalog.name_of(value)
  if name then
    return manual.section(name)
  end
end

local function enumerate(names)
  local shown = {}
  for i = 1, math.min(#names, MOST) do
    shown[i] = "  " .. names[i]
  end
  if #names > MOST then
    shown[#shown + 1] = ("  … %d more"):format(#names - MOST)
  end
  return table.concat(shown, "\n")
end

-- What is said of a name that no section has.
local function report_near(name)
  local titles, bodies = manual.search(name)
  local near = nearest(name, manual.names())
  local lines = { ("nothing is called %q"):format(name) .. (near and "; nearest: " .. near or "") }
  if #titles > 0 then
    lines[#lines + 1] = "in the titles of\n" .. enumerate(titles)
  end
  if #bodies > 0 then
    lines[#lines + 1] = "in the text of\n" .. enumerate(bodies)
  end
  return table.concat(lines, "\n")
end

-- Returns the function help; on_terminal: formatted, and a page at a time.
return function(painter, on_terminal)
  local function print_section(title, text)
    if not on_terminal then
      return print(title .. (text ~= "" and "\n" .. text or ""))
    end
    local _, columns = terminal.size()
    terminal.print(format(title:gsub("`", ""), text, math.min(columns, 100), painter), paint.width)
  end

  return function(...)
    local value = ...
    if select("#", ...) == 0 then
      return print(overview)
    end
    local title, text = find_value(value)
    if title then
      return print_section(title, text)
    end
    print(type(value) == "string" and report_near(value)
      or "The reference has no section on that; help() lists the possible arguments.")
  end
end
