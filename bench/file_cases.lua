-- The cases about files, with what they need: cases(context) -> array, finish.
local modfs = require "modfs"
local cases = require "bench.cases"
local fixtures = require "bench.fixtures"

return function(context)
  if context.short then
    fixtures.shorten()
  end
  local pipe = assert(io.popen "mktemp -d /tmp/modfs-bench.XXXXXX")
  local disk = pipe:read "l"
  pipe:close()
  fixtures.fill(disk)
  fixtures.fill "mem://bench"
  fixtures.sparse(disk .. "/sparse")
  context.disk = disk
  return cases(disk, "mem://bench"), function()
    modfs.rmtree(disk)
  end
end
