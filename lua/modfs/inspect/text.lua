-- A report of inspect, for people: one screen.
local most_names, width = 8, 78

-- Bytes that a terminal would obey are shown as numbers.
local function clean(text)
  return (tostring(text):gsub("[%c\127]", function(byte)
    return ("\\x%02x"):format(byte:byte())
  end))
end

local function add_wrapped(lines, label, words)
  local line, filled = ("%-14s"):format(label), false
  for _, word in ipairs(words) do
    if filled and #line + #word + 1 > width then
      lines[#lines + 1] = line
      line = (" "):rep(14)
    end
    line, filled = line .. " " .. clean(word), true
  end
  lines[#lines + 1] = line
end

-- The first few names of a list, and how many more there are.
local function few(list, name)
  local words = {}
  for i, item in ipairs(list) do
    if i > most_names then
      words[#words + 1] = ("and %d more"):format(#list - most_names)
      break
    end
    words[i] = name and name(item) or item
  end
  return words
end

local function format_line(report)
  local format = report.format
  return format and ("%s, %s, %d bits, %s-endian"):format(format.kind, format.machine, format.class,
    format.byte_order) or "not an ELF file"
end

local function flag_words(flags)
  local words = { "RELRO " .. flags.relro }
  for _, flag in ipairs { "bind_now", "nodelete", "symbolic", "executable_stack",
    "text_relocations" } do
    if flags[flag] then
      words[#words + 1] = flag:gsub("_", " ")
    end
  end
  return { table.concat(words, ", ") }
end

local function add_libraries(lines, report)
  for i, library in ipairs(report.libraries) do
    add_wrapped(lines, i == 1 and "needs" or "", { library.path
      and ("%s => %s (%s)"):format(library.name, library.path, library.how)
      or ("%s => NOT FOUND"):format(library.name) })
  end
  for _, library in ipairs(report.missing_libraries) do
    add_wrapped(lines, "", { ("%s was looked for in %s"):format(library.name,
      table.concat(library.looked, " ")) })
  end
end

local titles = { abi = "ABI", cxx = "C++", other = "other" }

local function add_undefined(lines, report)
  for _, kind in ipairs { "abi", "cxx", "other" } do
    local group, lost = report.undefined[kind], {}
    for _, symbol in ipairs(group) do
      if not symbol.from and not symbol.weak then
        lost[#lost + 1] = symbol
      end
    end
    local words = few(lost, function(symbol) return symbol.demangled or symbol.name end)
    local found = #lost == 0 and "all found" or #lost .. " not found:"
    table.insert(words, 1, ("%d, %s"):format(#group, found))
    add_wrapped(lines, "takes " .. titles[kind], words)
    if report.meaning[kind] then
      add_wrapped(lines, "", { report.meaning[kind] })
    end
  end
end

local function versions_of(report)
  local highest, order = {}, {}
  for _, needed in ipairs(report.versions) do
    if not highest[needed.file] then
      order[#order + 1] = needed.file
    end
    highest[needed.file] = (highest[needed.file] or 0) + 1
  end
  return few(order, function(file)
    local names = {}
    for _, needed in ipairs(report.versions) do
      if needed.file == file then
        names[#names + 1] = needed.version
      end
    end
    return file .. ": " .. table.concat(few(names), " ")
  end)
end

local function add_body(lines, report)
  add_wrapped(lines, "entry points", #report.entry_points > 0 and report.entry_points or { "none" })
  add_wrapped(lines, "also exports", #report.extra_exports > 0 and few(report.extra_exports)
    or { "nothing" })
  add_wrapped(lines, "soname", { report.soname or "none" })
  add_wrapped(lines, "build id", { report.build_id or "none" })
  add_libraries(lines, report)
  add_undefined(lines, report)
  add_wrapped(lines, "versions", versions_of(report))
  add_wrapped(lines, "flags", flag_words(report.flags))
  add_wrapped(lines, "in TensorFlow", { report.tensorflow })
end

local function numbers(entry)
  return ("ABI %.0f, API %.0f, %.0f bytes"):format(entry.abi, entry.api, entry.size)
end

local function add_loaded(lines, loaded)
  if not loaded then
    add_wrapped(lines, "declares", { "unknown: it was not loaded" })
    return
  elseif loaded.failure then
    return
  end
  for _, label in ipairs { "author", "version", "url" } do
    if loaded[label] then
      add_wrapped(lines, label, { loaded[label] })
    end
  end
  for _, label in ipairs { "schemes", "platforms" } do
    add_wrapped(lines, label, #loaded[label] > 0 and loaded[label] or { "none" })
  end
  if loaded.layout then
    add_wrapped(lines, "devices", { ("%s, by tables of the form %s"):format(
      loaded.devices or "an unknown number", loaded.layout) })
  end
  for _, entry in ipairs(loaded.tables) do
    local own = entry.host and numbers(entry.host)
    add_wrapped(lines, "table", { entry.name .. ":", numbers(entry) .. ",",
      own == numbers(entry) and "as the host's" or "the host's: " .. (own or "unknown") })
  end
end

return function(report)
  local lines = {}
  lines[1] = clean(report.file) .. ": " .. (report.would_load and "would load" or "would NOT load")
  for _, reason in ipairs(few(report.reasons)) do
    lines[#lines + 1] = "  " .. clean(reason)
  end
  add_wrapped(lines, "file", { format_line(report) })
  if report.flags then
    add_body(lines, report)
  end
  add_loaded(lines, report.loaded)
  for _, warning in ipairs(report.warnings) do
    add_wrapped(lines, "warning", { warning })
  end
  return table.concat(lines, "\n") .. "\n"
end
