-- Prints every message that the code can produce, as docs/messages.md:
--   lua5.4 scripts/messages.lua >docs/messages.md
-- With a directory as argument it reads the sources there. Ends with 1 when a message breaks a
-- rule, or stands in a folder that is in no area.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local areas = require "messages.areas"
local collect = require "messages.collect"
local rules = require "messages.rules"

local root = arg[1] or here .. "/.."

local function matches(text, patterns)
  for _, pattern in ipairs(patterns) do
    if text:find(pattern) then
      return true
    end
  end
  return false
end

local function area_of(path)
  for _, area in ipairs(areas.list) do
    if matches(path, area) then
      return area
    end
  end
end

local function is_message(found)
  if areas.others[found.call] or matches(found.text, areas.no_messages) then
    return false
  end
  local words = found.text:gsub("%%[%-%.%d*]*l*[%a]", " ")
  return words:find "%a%a+%s+%a" ~= nil or areas.sinks[found.call] and words:find "%l%l%l%l" ~= nil
end

local function read(path)
  local file = assert(io.open(root .. "/" .. path, "rb"))
  local source = file:read "a"
  file:close()
  return source
end

-- One row for each text and code of an area, with the files that have it.
local function note(area, found, path)
  local code = found.code or found.text:match "^([A-Z_]+): " or ""
  local key = found.text .. "\0" .. code
  local row = area[key]
  if not row then
    row = { text = found.text, code = code, files = {} }
    area[key] = row
    area.rows = area.rows or {}
    table.insert(area.rows, row)
  end
  if row.files[#row.files] ~= path then
    table.insert(row.files, path)
  end
end

-- The messages of files that are in no area: { path, text }.
local homeless = {}

local function gather()
  local find = "cd '%s' && find src plugins lua bin -type f 2>/dev/null | LC_ALL=C sort"
  local pipe = assert(io.popen(find:format(root)))
  for path in pipe:lines() do
    local area = area_of(path)
    local is_lua = path:find "%.lua$" or path:find "^bin/"
    if not matches(path, areas.left_out) and (is_lua or path:find "%.[ch]$") then
      for _, found in ipairs(collect.from(read(path), is_lua)) do
        if is_message(found) and area then
          note(area, found, path)
        elseif is_message(found) then
          homeless[#homeless + 1] = { path, found.text }
        end
      end
    end
  end
  pipe:close()
end

local function cell(text)
  return "`" .. text:gsub('\\"', '"'):gsub("\n", "\\n"):gsub("|", "\\|"):gsub("`", "'") .. "`"
end

local function print_area(area)
  table.sort(area.rows, function(a, b)
    return a.text < b.text or a.text == b.text and a.code < b.code
  end)
  print(("\n## %s\n\n| message | code | in |\n| --- | --- | --- |"):format(area[1]))
  for _, row in ipairs(area.rows) do
    local files = {}
    for i, path in ipairs(row.files) do
      files[i] = path:match "[^/]*/?[^/]+$"
    end
    print(("| %s | %s | %s |"):format(cell(row.text), row.code, table.concat(files, ", ")))
  end
end

gather()
print [[
# Messages

Made by `lua5.4 scripts/messages.lua >docs/messages.md`; do not edit.

Each message and each part of a message that modfs can produce, as it stands in the source, with its
format directives. A failure begins with its code, the operation and the path, which the core adds:
`NOT_FOUND: open mem://a: no such file or directory`. The code is listed where the source names it
beside the text. Verdicts of the cases of `modfs check`, help texts and the descriptions of options
are not listed.]]

local breaches = #homeless
for _, lost in ipairs(homeless) do
  io.stderr:write(("%s: %q is in no area of scripts/messages/areas.lua\n"):format(lost[1], lost[2]))
end
for _, area in ipairs(areas.list) do
  if area.rows then
    print_area(area)
    for _, row in ipairs(area.rows) do
      for _, breach in ipairs(rules.breaches(row.text)) do
        breaches = breaches + 1
        io.stderr:write(("%s: %q %s\n"):format(row.files[1], row.text, breach))
      end
    end
  end
end
os.exit(breaches == 0 and 0 or 1)
