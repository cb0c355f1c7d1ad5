-- The files that the cases work on: the same content on disk and in memory.
local modfs = require "modfs"

local fixtures = { file_bytes = 16 * 1024 * 1024, whole_bytes = 64 * 1024, entries = 100000,
  lines = 100000 }

-- A tenth or less of everything, to see that it works.
function fixtures.shorten()
  fixtures.file_bytes, fixtures.entries, fixtures.lines = 4 * 1024 * 1024, 1000, 1000
end

local function content(bytes)
  local block = {}
  for i = 1, 4096 do
    block[i] = string.char((i * 31 + i // 256) % 256)
  end
  return table.concat(block):rep(bytes // 4096)
end

-- 58 bytes a line.
local function text(lines)
  local list = {}
  for i = 1, lines do
    list[i] = ("%06d "):format(i) .. ("word "):rep(10)
  end
  return table.concat(list, "\n") .. "\n"
end

-- Fills a fresh directory of the filesystem.
function fixtures.fill(dir)
  assert(modfs.makedirs(dir .. "/many"))
  assert(modfs.write(dir .. "/file", content(fixtures.file_bytes)))
  assert(modfs.write(dir .. "/whole", content(fixtures.whole_bytes)))
  assert(modfs.write(dir .. "/lines", text(fixtures.lines)))
  for i = 1, fixtures.entries do
    assert(modfs.write(("%s/many/entry%06d"):format(dir, i), ""))
  end
end

-- A file of 1 GiB that takes no room on the disk.
function fixtures.sparse(path)
  local file = assert(io.open(path, "wb"))
  assert(file:seek("set", (1 << 30) - 1))
  assert(file:write "\0")
  assert(file:close())
end

-- 1024 places to read from, spread over the file, the same ones for everybody.
function fixtures.offsets(size)
  local offsets = {}
  for i = 1, 1024 do
    offsets[i] = (i * 7919 * 64) % (fixtures.file_bytes - size)
  end
  return offsets
end

-- A fresh folder, in memory where the machine has a place for that: a disk's journal is not what is
-- measured.
function fixtures.place()
  local pipe = assert(io.popen "mktemp -d /dev/shm/modfs-bench.XXXXXX || mktemp -d")
  local line = pipe:read "l"
  pipe:close()
  return line
end

return fixtures
