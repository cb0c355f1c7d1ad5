-- The modfs command beside coreutils, findutils, rsync and rclone: cases(context) -> array, finish.
-- Each program starts anew, and waits for disks and threads: by the wall.
local fixtures = require "bench.fixtures"
local modfs = require "modfs"
local program = require "bench.program"
local uv = require "luv"

-- files files of 1 KiB, in folders of 100, in two levels.
local function plant(root, files)
  for i = 1, files do
    local folder = ("%s/%02d/%04d"):format(root, i // 100 % 20, i // 100)
    if i % 100 == 0 or i == 1 then
      assert(modfs.makedirs(folder))
    end
    assert(modfs.write(("%s/file%06d"):format(folder, i), ("x"):rep(1024)))
  end
end

-- A case from shell commands; before: what is done before each of them and is not measured.
local function command_case(title, commands, before, key)
  local who = {}
  for name, line in pairs(commands) do
    if name == "system" or name == "modfs" or program.is_installed(name) then
      who[name] = function() program.run(line) end
    end
  end
  return { name = title, key = key, n = 1, clock = "wall", against = "modfs", who = who,
    prepare = function() program.run(before) end }
end

return function(context)
  local files = context.short and 500 or 100000
  local place = fixtures.place()
  local command = (os.getenv "LUA" or "lua5.4") .. " " .. context.here .. "/bin/modfs "
  local src, copy, same = place .. "/src", place .. "/copy", place .. "/same"
  uv.os_setenv("RCLONE_CONFIG", "/dev/null")
  plant(src, files)
  program.run(("cp -a %s %s"):format(src, same))
  local function both(line, theirs, ours)
    return { system = theirs .. line, modfs = command .. (ours or theirs) .. line }
  end
  local copies = both((" %s %s"):format(src, copy), "cp -r")
  copies.rsync = ("rsync -r %s/ %s"):format(src, copy)
  copies.rclone = ("rclone copy %s %s 2>/dev/null"):format(src, copy)
  local deletes = both(" " .. copy, "rm -r")
  deletes.rclone = "rclone purge " .. copy .. " 2>/dev/null"
  local sizes = both(" " .. src .. " >/dev/null", "du -bs")
  sizes.rclone = "rclone size " .. src .. " >/dev/null 2>&1"
  return {
    command_case("cp -r", copies, "rm -rf " .. copy),
    command_case("sync, nothing to do", {
      modfs = ("%s sync %s %s >/dev/null"):format(command, src, same),
      rsync = ("rsync -a %s/ %s"):format(src, same),
      rclone = ("rclone sync %s %s 2>/dev/null"):format(src, same),
    }, "true", "sync"),
    command_case("find", both(" " .. src .. " -name '*7' >/dev/null", "find"), "true"),
    command_case("du -bs", sizes, "true", "du"),
    command_case("rm -r", deletes, ("rm -rf %s; cp -a %s %s"):format(copy, src, copy)),
  }, function()
    program.run("rm -rf " .. place)
  end
end
