-- What watches of relative paths report of moves (watch_spec.lua).
local modfs = require "modfs"
for _, given in ipairs { ".", "dir", "f" } do
  local watch = assert(modfs.watch(given))
  for _, path in ipairs { "dir/a", "f" } do
    assert(modfs.write(path, "x"))
    assert(modfs.rename(path, path .. "2") and modfs.rename(path .. "2", path))
  end
  local change = watch:next(0)
  while change do
    if change.kind == "moved" then
      io.write(change.from, ">", change.path, " ")
    end
    change = watch:next(0)
  end
  print()
  os.remove "dir/a"
end
