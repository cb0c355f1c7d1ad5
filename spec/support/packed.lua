-- The tree that specs of archives pack: files of all sorts, a link and an odd name, in PLACE/t.
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local packed = {}

-- Runs a line in the place. Archivers know names beyond ASCII in a locale of UTF-8 only.
function packed.run(place, line)
  return shell.output("cd " .. place .. " && export LC_ALL=C.UTF-8 && " .. line)
end

-- Runs Python text there.
function packed.python(place, text)
  tmpdir.write(place .. "/script.py", text)
  return packed.run(place, "python3 script.py")
end

-- Makes the tree, and what the line `more` adds to it; returns the place.
function packed.tree(more)
  local place = tmpdir.new()
  packed.run(place, "mkdir -p t/d/e t/empty && printf 'hello\\n' >t/a.txt && "
    .. "seq 1 400000 >t/d/numbers && head -c 3000000 /dev/urandom >t/d/random && "
    .. ": >t/d/nothing && ln -s ../a.txt t/d/link && printf x >'t/d/ü [a]*' && "
    .. "chmod 640 t/a.txt && " .. more)
  return place
end

function packed.remove(place)
  modfs.flush_caches()
  tmpdir.remove(place)
end

return packed
