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
  return (section.heading .. "\n" .. table.concat(section.lines, "\n")):gsub("%s+$", "")
end

-- The section whose heading has a name as a whole word.
function manual.section(name)
  local word = "%f[%w_.]" .. name:gsub("%p", "%%%0") .. "%f[^%w_]"
  for _, section in ipairs(load_sections()) do
    if section.heading:find(word) then
      return text_of(section)
    end
  end
end

local headings = { ["file"] = "File", ["writable file"] = "WritableFile",
  region = "Region and Buffer", buffer = "Region and Buffer", directory = "Directory",
  filesystem = "One method for each operation", transaction = "Transaction", plugin = "Plugin",
  device = "Device", memory = "Memory", stream = "Stream", event = "Event", timer = "Timer",
  watch = "modfs.watch" }

-- What the reference has on objects of a type, as modfs.type says it.
function manual.object(kind)
  local heading = headings[kind:gsub("^closed ", "")]
  return heading and manual.section(heading)
end

-- Methods that the reference knows of an object.
function manual.methods(kind)
  local names = {}
  for name in (manual.object(kind) or ""):gmatch "`%l+:([%l_]+)[({]" do
    names[#names + 1] = name
  end
  return names
end

-- The line of a table that describes a method.
function manual.method(kind, name)
  for line in (manual.object(kind) or ""):gmatch "[^\n]+" do
    if line:find("`%l+:" .. name .. "[({]") then
      return (line:gsub("^| ", ""):gsub(" |$", ""):gsub(" | ", "\n  "))
    end
  end
end

return manual
