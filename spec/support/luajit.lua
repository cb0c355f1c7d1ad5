-- The build for LuaJIT, where nginx and LÖVE find modfs: its folder, made up to date by the first
-- call. Specs that run at once wait for each other, and the short form on the other Luas takes what
-- is there. Like that form it takes the objects that see no Lua from the build that is tested, but
-- not where that is for a checker.
local shell = require "spec.support.shell"

local made

return function()
  if not made then
    local folder = "build-luajit"
    local plain = os.getenv "BUILD" == "build" and "PLAIN=build" or ""
    shell.output(("mkdir -p %s && flock %s make -s -j2 LUA=luajit BUILD=%s %s all >&2"):format(
      folder, folder, folder, plain))
    made = folder
  end
  return made
end
