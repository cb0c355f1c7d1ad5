-- The build for LuaJIT, where nginx and LÖVE find modfs: its folder, made up to date. Specs that
-- run at once wait for each other, and the short form on the other Luas takes what is there.
local shell = require "spec.support.shell"

return function()
  local folder = "build-luajit"
  shell.output(("mkdir -p %s && flock %s make -s -j2 LUA=luajit BUILD=%s all >&2"):format(folder,
    folder, folder))
  return folder
end
