-- Which releases of TensorFlow have the functions that a plugin takes.
local data = require "modfs.inspect.tensorflow"

local names, at = {}, {}
for name in data.releases:gmatch "%S+" do
  names[#names + 1] = name
  at[name] = #names
end

-- name -> the set of releases, by number
local having = {}
for where, functions in pairs(data) do
  local set = {}
  for range in where:gmatch "%S+" do
    local first, last = range:match "^([^-]+)%-?(.*)$"
    for i = at[first] or 1, at[last ~= "" and last or first] or 0 do
      set[i] = true
    end
  end
  for name in functions:gmatch "T[FP]_%S+" do
    having[name] = set
  end
  for name in functions:gmatch "S[EP]_%S+" do
    having[name] = set
  end
end

local releases = { all = names }

-- have(functions) -> the releases that have all of them, and { release -> a function it lacks }
function releases.have(functions)
  local found, lacks = {}, {}
  for i, release in ipairs(names) do
    for _, name in ipairs(functions) do
      if not (having[name] and having[name][i]) then
        lacks[release] = lacks[release] or name
      end
    end
    if not lacks[release] then
      found[#found + 1] = release
    end
  end
  return found, lacks
end

-- words({ "2.6", "2.7", "2.9" }) -> "2.6 to 2.7, 2.9"
function releases.words(list)
  local parts, first = {}, nil
  for i, release in ipairs(list) do
    first = first or release
    if not list[i + 1] or at[list[i + 1]] ~= at[release] + 1 then
      parts[#parts + 1] = first == release and release or first .. " to " .. release
      first = nil
    end
  end
  return table.concat(parts, ", ")
end

return releases
