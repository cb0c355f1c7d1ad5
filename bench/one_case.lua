-- The cases about files for what counts: on a disk that is filled already.
local modfs = require "modfs"

local one = {}

function one.cases(disk)
  assert(modfs.makedirs "mem://bench")
  assert(modfs.copy(disk .. "/file", "mem://bench/file"))
  return require "bench.cases"(disk, "mem://bench")
end

-- By the beginning of its name.
function one.find(cases, name)
  for _, case in ipairs(cases) do
    if case.name:sub(1, #name) == name then
      return case
    end
  end
end

return one
