-- The reference as the prompt needs it: sections by the names in their headings, methods by object.
local manual = {}

-- Beside the sources, or installed beside the modules.
local function find_reference()
  local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."
  for _, place in ipairs { "/../../../docs/reference.md", "/../reference.md" } do
    local file = io.open(here .. place, "rb")
    if file then
      local text = file:read "*a"
      file:close()
      return text
    end
  end
  return ""
end

local sections -- in order: { heading =, text = }

local function load_sections()
  if sections then
    return sections
  end
  sections = {}
  local current
  for line in (find_reference() .. "\n"):gmatch "(.-)\n" do
    local heading = line:match "^##+ (.*)$"
    if heading then
      current = { heading = heading, lines = {} }
      sections[#sections + 1] = current
    elseif current then
      current.lines[#current.lines + 1] = line
    end
  end
  return sections
end

local function text_of(section)
  return (table.concat(section.lines, "\n"):gsub("%s+$", ""))
end

-- Title and text of the section whose heading has a name as a whole word; nil when none has.
function manual.section(name)
  local word = "%f[%w_.]" .. name:gsub("%p", "%%%0") .. "%f[^%w_]"
  for _, section in ipairs(load_sections()) do
    if section.heading:find(word) then
      return section.heading, text_of(section)
    end
  end
end

-- A heading without arguments and links: "modfs.mkdir, modfs.makedirs".
local function short(heading)
  return (heading:gsub("%b()", ""):gsub("^[%d.]+ ", ""))
end

-- The names in headings and the methods of objects: what help may be asked for.
function manual.names()
  local names = {}
  for _, section in ipairs(load_sections()) do
    for name in section.heading:gmatch "[%a_][%w_.]*" do
      names[name], names[name:match "%.([%w_]+)$" or name] = true, true
    end
  end
  return names
end

-- The headings that contain a text, and those of the sections that do, whatever its case.
function manual.search(text)
  local titles, bodies = {}, {}
  text = text:lower()
  for _, section in ipairs(load_sections()) do
    if section.heading:lower():find(text, 1, true) then
      titles[#titles + 1] = short(section.heading)
    elseif text_of(section):lower():find(text, 1, true) then
      bodies[#bodies + 1] = short(section.heading)
    end
  end
  return titles, bodies
end

local headings = { ["file"] = "File", ["writable file"] = "WritableFile",
  region = "Region and Buffer", buffer = "Region and Buffer", directory = "Directory",
  filesystem = "One method for each operation", transaction = "Transaction", plugin = "Plugin",
  device = "Device", memory = "Memory", stream = "Stream", event = "Event", timer = "Timer",
  watch = "modfs.watch", job = "modfs.async", async = "modfs.async" }

-- Title and text of what the reference has on objects of a type, as modfs.type says it.
function manual.object(kind)
  local heading = headings[kind:gsub("^closed ", "")]
  if heading then
    return manual.section(heading)
  end
end

-- Methods that the reference knows of an object.
function manual.methods(kind)
  local names = {}
  for name in (select(2, manual.object(kind)) or ""):gmatch "`%l+:([%l_]+)[({]" do
    names[#names + 1] = name
  end
  return names
end

local function find_line(text, pattern)
  for line in text:gmatch "[^\n]+" do
    if line:find(pattern) then
      return line
    end
  end
end

-- Title and text of a method, or of a function of modfs.async: the cells of the line of a table
-- that describes it, or else a line that has its name.
function manual.method(kind, name)
  local _, text = manual.object(kind)
  local called = "`%l+[:.]" .. name .. "[({]"
  local line = text and (find_line(text, "^|[^|]*" .. called) or find_line(text, called))
  if line then
    local title, cells = line:match "^| (.-) | (.*) |$"
    return title or line, cells and (cells:gsub(" | ", "\n")) or ""
  end
end

return manual
