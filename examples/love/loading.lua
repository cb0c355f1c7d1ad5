-- Brings the game's files into memory while a bar shows how far it is: copytree's progress function
-- hands the coroutine back to LÖVE, which draws the next picture.
local modfs = require "modfs"

-- start(folder) -> a function for love.update: done, bytes so far, bytes in all.
local function start(folder)
  local done, total = 0, 0
  local loader = coroutine.create(function()
    for _, part in ipairs { "assets", "mods" } do
      local counts = assert(modfs.copytree(modfs.path.join(folder, part), "mem://" .. part, {
        progress = function(bytes, all)
          done, total = bytes, all
          coroutine.yield()
        end,
      }))
      assert(#counts.errors == 0, counts.errors[1] and counts.errors[1].message)
      print(("%s: %d files, %d bytes"):format(part, counts.files, counts.bytes))
    end
  end)
  return function()
    if coroutine.status(loader) ~= "dead" then
      assert(coroutine.resume(loader))
    end
    return coroutine.status(loader) == "dead", done, total
  end
end

return { start = start }
