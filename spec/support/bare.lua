-- bare://: the machine's files without links, attributes and operations on open directories.
local over_posix = require "spec.support.over_posix"

-- Loads it; returns the shelf that it lies on, to be removed at the end.
return function()
  return over_posix("bare", "spec/fixtures/race/bare.c")
end
