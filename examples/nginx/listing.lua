-- A directory as JSON for programs and as a page for people.
local json = require "modfs.cli.json"

local listing = {}

function listing.json(entries)
  local array = {}
  for i, entry in ipairs(entries) do
    array[i] = { name = entry.name, type = entry.is_directory and "directory" or "file",
      size = not entry.is_directory and entry.length or nil, mtime = entry.mtime }
  end
  return json.encode(array)
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

local row = '<tr><td><a href="%s">%s</a></td><td align="right">%s</td><td>%s</td></tr>\n'

local function row_of(entry)
  local slash = entry.is_directory and "/" or ""
  return row:format(ngx.escape_uri(entry.name) .. slash, escape(entry.name .. slash),
    entry.is_directory and "" or size(entry.length), os.date("!%Y-%m-%d %H:%M", entry.mtime))
end

local page = [[
<!doctype html><meta charset="utf-8"><title>%s</title>
<style>body{font:16px sans-serif;margin:2em}td{padding:.1em 1em}</style>
<h1>%s</h1>
<table>
%s</table>
]]

function listing.html(title, entries)
  local rows = {}
  for i, entry in ipairs(entries) do
    rows[i] = row_of(entry)
  end
  return page:format(escape(title), escape(title), table.concat(rows))
end

return listing
