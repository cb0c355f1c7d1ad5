-- What embed runs on each of its threads, and at the end with the number 0.
local number, threads = ...
local modfs = require "modfs"
local files = 200

-- A plugin is loaded once for the process, whoever asks first.
local schemes = {}
for _, path in ipairs { select(3, ...) } do
  local plugin = assert(modfs.load(path))
  schemes[#schemes + 1] = plugin.schemes[1]
end

if number > 0 then
  local folder = "mem://embed/" .. number
  assert(modfs.makedirs(folder))
  for i = 1, files do
    local path = ("%s/%03d"):format(folder, i)
    assert(modfs.write(path, ("%d of %d"):format(i, number)))
    assert(modfs.read(path) == ("%d of %d"):format(i, number))
  end
else
  -- The states are gone, and what they wrote is there: the filesystems belong to the process.
  for i = 1, threads do
    assert(#modfs.listdir("mem://embed/" .. i) == files)
  end
  print(("%d threads wrote %d files"):format(threads, modfs.du("mem://embed").files))
  print(("plugins: %s; %s"):format(table.concat(schemes, " "),
    modfs.device "REFERENCE:0" and "REFERENCE:0 is open"))
end
