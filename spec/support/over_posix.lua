-- Plugins of the specs that stand over the posix plugin, under a scheme of their own.
local build = require "spec.fixtures.build"
local modfs = require "modfs"
local shell = require "spec.support.shell"

-- Compiles and loads one; returns the shelf that it lies on, to be removed at the end.
return function(scheme, source)
  local shelf = build.shelf()
  for _, registered in ipairs(modfs.schemes()) do
    if registered == scheme then -- by another spec of the process
      return shelf
    end
  end
  local posix = shell.output("realpath",
    (os.getenv "BUILD" or "build") .. "/modfs/plugins/posix.so")
  local binary = build.compile(scheme .. ".so", source .. " spec/fixtures/over_posix.h",
    { flags = ("-DPOSIX='\"%s\"'"):format(posix), libraries = "-ldl" })
  assert(modfs.load(shelf:put(binary, scheme)))
  return shelf
end
