-- A directory as JSON for programs and as a page for people, some entries at a time.
local encode = require("modfs.cli.json").encode

local listing = {}

-- json(entries, is_first, is_last) -> a piece of the array
function listing.json(entries, is_first, is_last)
  local array = {}
  for i, entry in ipairs(entries) do
    array[i] = encode { name = entry.name, type = entry.is_directory and "directory" or "file",
      size = not entry.is_directory and entry.length or nil, mtime = entry.mtime }
  end
  local comma = not is_first and #array > 0 and "," or ""
  return (is_first and "[" or comma) .. table.concat(array, ",") .. (is_last and "]" or "")
end

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

local function escape(text)
  return (text:gsub('[&<>"]', escapes))
end

local function size(bytes)
  local units, i = { "B", "KB", "MB", "GB", "TB" }, 1
  while bytes >= 1000 and i < #units do
    bytes, i = bytes / 1000, i + 1
  end
  return (i == 1 and "%d %s" or "%.1f %s"):format(bytes, units[i])
end

local row = '<tr><td><a href="./%s">%s</a></td><td align="right">%s</td><td>%s</td></tr>\n'

local function row_of(entry)
  local slash = entry.is_directory and "/" or ""
  return row:format(ngx.escape_uri(entry.name) .. slash, escape(entry.name .. slash),
    entry.is_directory and "" or size(entry.length), os.date("!%Y-%m-%d %H:%M", entry.mtime))
end

local head = [[
<!doctype html><meta charset="utf-8"><title>%s</title>
<style>body{font:16px sans-serif;margin:2em}td{padding:.1em 1em}</style>
<h1>%s</h1>
<table>
]]

-- html(title) -> function(entries, is_first, is_last) -> a piece of the page
function listing.html(title)
  title = escape(title)
  return function(entries, is_first, is_last)
    local rows = {}
    for i, entry in ipairs(entries) do
      rows[i] = row_of(entry)
    end
    return (is_first and head:format(title, title) or "") .. table.concat(rows) ..
      (is_last and "</table>\n" or "")
  end
end

return listing
