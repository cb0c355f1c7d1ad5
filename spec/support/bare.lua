-- bare://: the machine's files without links, attributes and operations on open directories.
local build = require "spec.fixtures.build"
local modfs = require "modfs"
local shell = require "spec.support.shell"

-- Loads it; returns the shelf that it lies on, to be removed at the end.
return function()
  local shelf = build.shelf()
  local posix = shell.output("realpath",
    (os.getenv "BUILD" or "build") .. "/modfs/plugins/posix.so")
  assert(modfs.load(shelf:put(build.compile("bare.so", "spec/fixtures/race/bare.c",
    { flags = ("-DPOSIX='\"%s\"'"):format(posix), libraries = "-ldl" }), "bare")))
  return shelf
end
