-- Backing up a tree: a real directory into memory, changed there, brought back, and verified.
--   eval "$(make -s env)" && lua5.4 examples/3_trees.lua
local modfs = require "modfs"

local function say(what, report)
  print(("%-22s %3d copied, %3d kept, %d deleted, %5d bytes, %d errors"):format(what,
    report.copied or report.files, report.kept or 0, report.deleted or 0, report.bytes,
    #report.errors))
end

-- The same names with the same content, in both directions?
local function same(a, b)
  local seen = {}
  for folder, _, files in modfs.walk(a) do
    for _, name in ipairs(files) do
      local below = folder:sub(#a + 1) .. "/" .. name
      seen[below] = true
      if modfs.read(a .. below) ~= modfs.read(b .. below) then
        return false
      end
    end
  end
  for folder, _, files in modfs.walk(b) do
    for _, name in ipairs(files) do
      if not seen[folder:sub(#b + 1) .. "/" .. name] then
        return false
      end
    end
  end
  return true
end

-- A home directory, as a script would find it.
local home = assert(modfs.tempdir())
for i = 1, 40 do
  local folder = ("%s/letters/%d"):format(home, i % 5)
  assert(modfs.makedirs(folder))
  assert(modfs.write(("%s/to %d.txt"):format(folder, i), ("Dear %d, "):format(i):rep(i)))
end
assert(modfs.write(home .. "/.profile", "export EDITOR=ed\n"))

local backup = "mem://backup/home"
local report = assert(modfs.copytree(home, backup, {
  progress = function(done, total, path)
    assert(done <= total and path:find(home, 1, true))
  end,
}))
say("back up", report)
assert(report.files == 41 and #report.errors == 0 and same(home, backup))

-- Changes in the backup: one file new, one changed, a directory gone.
assert(modfs.write(backup .. "/letters/0/to 5.txt", "Dear five, all is forgiven."))
assert(modfs.write(backup .. "/new.txt", "something new"))
assert(modfs.rmtree(backup .. "/letters/4"))

report = assert(modfs.sync(backup, home, { delete = true, checksum = true, dry_run = true }))
say("what sync would do", report)
assert(not same(home, backup))

report = assert(modfs.sync(backup, home, { delete = true, checksum = true }))
say("sync back", report)
assert(report.copied == 2 and report.deleted == 9 and #report.errors == 0)
assert(same(home, backup) and modfs.read(home .. "/new.txt") == "something new")

local letters = assert(modfs.glob(home .. "/**/*.txt"))
local counts = assert(modfs.du(home))
print(("verified: %d letters, %d files, %d directories, %d bytes"):format(#letters,
  counts.files, counts.dirs, counts.bytes))
assert(modfs.rmtree(home) and modfs.rmtree "mem://backup")
