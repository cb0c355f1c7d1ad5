-- The functions and methods that docs/reference.md names, with their parameters and first words.
local signatures = {}

-- What the receivers of methods are, by the heading of their section; "" is any section.
local receivers = {
  ["File"] = { file = "modfs.File" },
  ["WritableFile"] = { file = "modfs.WritableFile" },
  ["Region and Buffer"] = { r = "modfs.Region", b = "modfs.Buffer" },
  ["Directory"] = { directory = "modfs.Directory" },
  ["Transaction"] = { tx = "modfs.Transaction" },
  ["Plugin"] = { plugin = "modfs.Plugin" },
  ["Device"] = { d = "modfs.Device" },
  ["Memory"] = { m = "modfs.Memory" },
  ["Stream"] = { s = "modfs.Stream" },
  ["Event"] = { e = "modfs.Event" },
  ["Timer"] = { t = "modfs.Timer" },
  ["modfs.async"] = { job = "modfs.Job" },
  [""] = { fs = "modfs.Filesystem", tree = "modfs.Tree" },
}
local of_function = {
  ["modfs.tfrecord.reader"] = { r = "modfs.RecordReader" },
  ["modfs.tfrecord.writer"] = { w = "modfs.RecordWriter" },
  ["modfs.watch"] = { watch = "modfs.Watch" },
}
local modules = { async = "modfs.async", searcher = "modfs.searcher", tfrecord = "modfs.tfrecord" }

-- "path [, mode [, options]]" -> { { name = "path" }, { name = "mode", optional = true }, … }
local function parameters(text)
  local list, depth = {}, 0
  text = text:gsub("%b{}", "options")
  for bracket, word in text:gmatch "([%[%],%s]*)([^%[%],%s]*)" do
    depth = depth + select(2, bracket:gsub("%[", "")) - select(2, bracket:gsub("%]", ""))
    if word:find '^"' then
      word = "name"
    end
    if word ~= "" then
      list[#list + 1] = { name = word, optional = depth > 0 or word == "..." }
    end
  end
  return list
end

local function plain(text)
  return (text:gsub("%[([^%]]-)%]%([^)]*%)", "%1"):gsub("%s+", " "):gsub("^%s+", ""))
end

local function receiver_of(section, name)
  local found = (receivers[section.title] or {})[name] or receivers[""][name]
  return found or (of_function[section.name] or {})[name]
end

-- The first mention with parentheses is a signature, and so is each in a heading.
local function add(found, class, separator, name, args, words, in_heading)
  local full = class .. separator .. name
  if not found[full] then
    found[#found + 1] = full
    found[full] = { class = class, name = name, method = separator == ":", forms = {},
      args = {}, words = plain(words) }
  elseif not in_heading or found[full].args[args] then
    return
  end
  found[full].args[args] = true
  table.insert(found[full].forms,
    args:find "^{" and { { name = "list" } } or parameters(args:sub(2, -2)))
end

local call = "([%a][%w_.]*)([.:])([%a_][%w_]*)(%b())"
local call_with_table = "([%a][%w_.]*)([.:])([%a_][%w_]*)(%b{})"

local function read_code(found, section, code, words, in_heading)
  for _, pattern in ipairs { call, call_with_table } do
    local object, separator, name, args = code:match("^" .. pattern .. "$")
    if object and not name:find "^%u+$" then -- NAME stands for any
      local class = separator == ":" and receiver_of(section, object)
        or separator == "." and (modules[object] or object:find "^modfs" and object)
      if class then
        add(found, class, separator, name, args, words, in_heading)
      end
    end
  end
end

-- A row of a table is said in its second column; prose has its own words.
local function words_of(line)
  return line:match "^| .- | (.*) |$" or ""
end

local function read_heading(found, section)
  local words = table.concat(section.lines, " "):match "^(.-%.)%s" or section.lines[1] or ""
  section.name = section.title:match "^modfs[%w_.]*"
  for _, pattern in ipairs { "(modfs[%w_.]*%b())", "(modfs[%w_.]*%b{})", "(fs:[%w_]+%b())" } do
    for code in section.title:gmatch(pattern) do
      read_code(found, section, code, words, true)
    end
  end
end

local function read_section(found, section)
  if section.level == 3 then
    read_heading(found, section)
  end
  for _, line in ipairs(section.lines) do
    for code in line:gmatch "`([^`]+)`" do
      read_code(found, section, code, words_of(line))
    end
  end
end

-- Sections of the document, without their blocks of code.
local function sections(text)
  local list, current, in_code = {}, nil, false
  for line in text:gmatch "([^\n]*)\n" do
    local marks, title = line:match "^(##+) (.*)$"
    if line:find "^```" then
      in_code = not in_code
    elseif marks and not in_code then
      current = { level = #marks, title = title, lines = {} }
      list[#list + 1] = current
    elseif current and not in_code then
      current.lines[#current.lines + 1] = line
    end
  end
  return list
end

-- read(text) -> array of full names ("modfs.open", "modfs.File:read"), and by full name
-- { class =, name =, method =, forms = { parameters, … }, words = }
function signatures.read(text)
  local found = {}
  for _, section in ipairs(sections(text)) do
    read_section(found, section)
  end
  return found
end

return signatures
