-- Writes the table of what TensorFlow releases export, from files named after them ("2.6"). In each
-- are the names that `nm -D --defined-only` shows of the libtensorflow_framework.so.2 in its wheel:
-- lua5.4 scripts/tensorflow_symbols.lua FILE... >lua/modfs/inspect/tensorflow.lua
local releases, has, names = {}, {}, {}

for _, path in ipairs(arg) do
  local major, minor = path:match "(%d+)%.(%d+)$"
  local release = { name = major .. "." .. minor, order = major * 1000 + minor }
  releases[#releases + 1] = release
  for name in io.lines(path) do
    if name:find "^T[FP]_" or name:find "^S[EP]_" then
      names[#names + 1] = not has[name] and name or nil
      has[name] = has[name] or {}
      has[name][release.name] = true
    end
  end
end
table.sort(releases, function(a, b) return a.order < b.order end)
table.sort(names)

-- "2.6-2.16 2.18": where a name is, in ranges.
local function ranges(name)
  local parts, first, last = {}, nil, nil
  for i = 1, #releases + 1 do
    local release = releases[i]
    if release and has[name][release.name] then
      first, last = first or release.name, release.name
    elseif first then
      parts[#parts + 1] = first == last and first or first .. "-" .. last
      first = nil
    end
  end
  return table.concat(parts, " ")
end

local groups, order = {}, {}
for _, name in ipairs(names) do
  local where = ranges(name)
  if not groups[where] then
    groups[where] = {}
    order[#order + 1] = where
  end
  table.insert(groups[where], name)
end
table.sort(order)

local function wrapped(words, indent)
  local lines, line = {}, indent
  for _, word in ipairs(words) do
    if #line + #word + 1 > 98 then
      lines[#lines + 1] = line
      line = indent
    end
    line = line == indent and line .. word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local listed = {}
for i, release in ipairs(releases) do
  listed[i] = release.name
end
print "-- Which functions the libtensorflow_framework.so.2 of a TensorFlow release exports. Source:"
print "-- the wheels of tensorflow-cpu for Linux on x86-64 on PyPI, x.y.0 each (2.16: 2.16.1), by"
print "-- scripts/tensorflow_symbols.lua."
print "return {"
print(("  releases = [[\n%s]],"):format(wrapped(listed, "    ")))
for _, where in ipairs(order) do
  print(("  [\"%s\"] = [[\n%s]],"):format(where, wrapped(groups[where], "    ")))
end
print "}"
