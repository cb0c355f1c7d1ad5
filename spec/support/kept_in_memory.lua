-- kept_in_memory(use, secrets, files [, options]) -> found, held: whether secrets stand in the
-- memory of a process that has used them. Runs the code `use` in a child, with options as child has
-- them, and searches it for each secret: found[i] names the regions in which the i-th stands, "":
-- none. Then the child reads the files, which have the secrets, and is searched again: held, the
-- control.
local child = require "spec.support.child"

local function quoted(list)
  local words = {}
  for i, text in ipairs(list) do
    words[i] = ("%q"):format(text)
  end
  return table.concat(words, ", ")
end

-- In halves, which are never joined there.
local function looks_of(secrets)
  local looks = {}
  for i, secret in ipairs(secrets) do
    local half = math.floor(#secret / 2)
    looks[i] = ("print('found: ' .. table.concat(scan(%q, %q), ' '))"):format(secret:sub(1, half),
      secret:sub(half + 1))
  end
  return table.concat(looks, "\n")
end

return function(use, secrets, files, options)
  local status, out, err = child(([[
    local modfs = require "modfs"
    local scan = dofile "spec/fixtures/s3/scan.lua"
    %s
    local function look()
      %s
    end
    look()
    local held = {}
    for i, file in ipairs { %s } do
      held[i] = io.open(file):read "*a"
    end
    look()
  ]]):format(use, looks_of(secrets), quoted(files)), options or { seconds = 300 })
  assert(status == 0, err)
  local lines, found, held = {}, {}, {}
  for line in out:gmatch "found: ([^\n]*)" do
    lines[#lines + 1] = line
  end
  assert(#lines == 2 * #secrets, out)
  for i = 1, #secrets do
    found[i], held[i] = lines[i], lines[#secrets + i]
  end
  return found, held
end
