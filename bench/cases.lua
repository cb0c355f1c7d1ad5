-- The cases of the table: each does one thing n times, through everybody who can.
--   cases(disk, memory) -> array of { name, n, who = { [name] = function(n) } }
-- The fixtures are there.
-- "C" is the limit, "bare" the ceiling for a module of Lua on disk, "bare mem" in memory.
local bare = require "bare"
local lfs = require "lfs"
local limit = require "limit"
local modfs = require "modfs"
local uv = require "luv"
local fixtures = require "bench.fixtures"

-- The same piece of Lua for all of them.
local function preads(open, path, size, offsets)
  return function(n)
    local file = assert(open(path))
    for i = 1, n do
      file:pread(offsets[i % 1024 + 1], size)
    end
    file:close()
  end
end

local function readintos(open, path, buffer, offsets)
  return function(n)
    local file = assert(open(path))
    for i = 1, n do
      file:readinto(buffer, offsets[i % 1024 + 1])
    end
    file:close()
  end
end

local function read_case(disk, memory, size)
  local offsets = fixtures.offsets(size)
  local path = disk .. "/file"
  local block = bare.memory(fixtures.file_bytes)
  return {
    name = ("read %d B"):format(size),
    n = 40000,
    who = {
      C = function(n)
        limit.pread(path, size, offsets, n)
      end,
      bare = preads(bare.open, path, size, offsets),
      modfs = preads(modfs.open, path, size, offsets),
      ["modfs buffer"] = readintos(modfs.open, path, modfs.buffer(size), offsets),
      ["bare buffer"] = readintos(bare.open, path, bare.memory(size), offsets),
      ["modfs region"] = function(n)
        local region = assert(modfs.map(path))
        for i = 1, n do
          local offset = offsets[i % 1024 + 1]
          region:sub(offset + 1, offset + size)
        end
        region:close()
      end,
      mem = preads(modfs.open, memory .. "/file", size, offsets),
      ["bare mem"] = function(n)
        for i = 1, n do
          block:string(offsets[i % 1024 + 1], size)
        end
      end,
      ["bare mem, copied"] = function(n)
        for i = 1, n do
          block:copied(offsets[i % 1024 + 1], size)
        end
      end,
      io = function(n)
        local file = assert(io.open(path, "rb"))
        for i = 1, n do
          file:seek("set", offsets[i % 1024 + 1])
          file:read(size)
        end
        file:close()
      end,
      luv = function(n)
        local fd = assert(uv.fs_open(path, "r", 0))
        for i = 1, n do
          uv.fs_read(fd, size, offsets[i % 1024 + 1])
        end
        uv.fs_close(fd)
      end,
    },
  }
end

local function repeated(read, path)
  return function(n)
    for _ = 1, n do
      read(path)
    end
  end
end

local function io_read_all(path)
  local file = assert(io.open(path, "rb"))
  local content = file:read("a")
  file:close()
  return content
end

local function luv_read_all(path)
  local fd = assert(uv.fs_open(path, "r", 0))
  local content = uv.fs_read(fd, uv.fs_fstat(fd).size, 0)
  uv.fs_close(fd)
  return content
end

local function whole_case(disk, memory)
  local path = disk .. "/whole"
  return {
    name = "read a file of 64 KiB",
    key = "read a file",
    n = 3000,
    who = {
      C = function(n)
        limit.read_file(path, n)
      end,
      bare = repeated(bare.read, path),
      ["bare, checked"] = function(n)
        for _ = 1, n do
          bare.read(path, "c")
        end
      end,
      modfs = repeated(modfs.read, path),
      mem = repeated(modfs.read, memory .. "/whole"),
      io = repeated(io_read_all, path),
      luv = repeated(luv_read_all, path),
    },
  }
end

-- n lines of the file; it has that many.
local function count_lines(lines, path)
  return function(n)
    for _ in lines(path) do
      n = n - 1
      if n == 0 then
        break
      end
    end
  end
end

local function lines_case(disk, memory)
  local path = disk .. "/lines"
  return {
    name = "lines",
    n = fixtures.lines,
    who = {
      C = function(n)
        limit.lines(path, n)
      end,
      bare = count_lines(bare.lines, path),
      ["bare, no strings"] = count_lines(bare.newlines, path),
      ["bare, strings"] = count_lines(bare.strings, 57),
      modfs = count_lines(modfs.lines, path),
      mem = count_lines(modfs.lines, memory .. "/lines"),
      io = count_lines(io.lines, path),
      luv = count_lines(function()
        return luv_read_all(path):gmatch "[^\n]*\n"
      end),
    },
  }
end

-- The first n blocks of a file in order, as strings.
local function read_blocks(open, path, size)
  return function(n)
    local file = assert(open(path, "rb"))
    for _ = 1, n do
      file:read(size)
    end
    file:close()
  end
end

local function luv_read_blocks(path, size)
  return function(n)
    local fd = assert(uv.fs_open(path, "r", 0))
    for i = 0, n - 1 do
      uv.fs_read(fd, size, i * size)
    end
    uv.fs_close(fd)
  end
end

local function buffer_blocks(open, path, buffer)
  return function(n)
    local file = assert(open(path))
    for _ = 1, n do
      file:readinto(buffer)
    end
    file:close()
  end
end

local function sequential_case(disk, memory, name, size)
  local path = disk .. "/file"
  return {
    name = "in order by " .. name,
    n = fixtures.file_bytes // size,
    who = {
      C = function(n)
        limit.sequential(path, size, n)
      end,
      bare = read_blocks(bare.open, path, size),
      modfs = read_blocks(modfs.open, path, size),
      ["modfs buffer"] = buffer_blocks(modfs.open, path, modfs.buffer(size)),
      ["bare buffer"] = buffer_blocks(bare.open, path, bare.memory(size)),
      mem = read_blocks(modfs.open, memory .. "/file", size),
      io = read_blocks(io.open, path, size),
      luv = luv_read_blocks(path, size),
    },
  }
end

local piece = ("x"):rep(64)

local function appends(open, path)
  return function(n)
    local file = assert(open(path, "w"))
    for _ = 1, n do
      file:write(piece)
    end
    file:close()
  end
end

local function append_case(disk, memory)
  local path = disk .. "/append"
  local block = bare.memory(64 * 1024)
  return {
    name = "append 64 B",
    n = 100000,
    who = {
      C = function(n)
        limit.append(path, piece, n)
      end,
      bare = appends(bare.open, path),
      modfs = appends(modfs.open, path),
      mem = appends(modfs.open, memory .. "/append"),
      ["bare mem"] = function(n)
        for _ = 1, n do
          block:write(piece)
        end
      end,
      io = appends(io.open, path),
      luv = function(n)
        local fd = assert(uv.fs_open(path, "w", 438))
        for _ = 1, n do
          uv.fs_write(fd, piece)
        end
        uv.fs_close(fd)
      end,
    },
  }
end

local large = ("x"):rep(64 * 1024)

local function append_large_case(disk, memory)
  local path = disk .. "/append"
  local function written(open)
    return function(n)
      local file = assert(open(path, "w"))
      for _ = 1, n do
        file:write(large)
      end
      file:close()
    end
  end
  return {
    name = "append 64 KiB",
    n = 200,
    who = {
      C = function(n)
        limit.append(path, large, n)
      end,
      bare = written(bare.open),
      modfs = written(modfs.open),
      mem = function(n)
        local file = assert(modfs.open(memory .. "/append", "w"))
        for _ = 1, n do
          file:write(large)
        end
        file:close()
      end,
      io = written(io.open),
      luv = function(n)
        local fd = assert(uv.fs_open(path, "w", 438))
        for _ = 1, n do
          uv.fs_write(fd, large)
        end
        uv.fs_close(fd)
      end,
    },
  }
end

local function io_exists(path)
  local file = io.open(path)
  if file then
    file:close()
  end
end

local function exists_case(disk, memory)
  local path = disk .. "/file"
  return {
    name = "exists",
    n = 40000,
    who = {
      C = function(n)
        limit.access(path, n)
      end,
      bare = repeated(bare.exists, path),
      modfs = repeated(modfs.exists, path),
      mem = repeated(modfs.exists, memory .. "/file"),
      io = repeated(io_exists, path),
      lfs = function(n)
        for _ = 1, n do
          lfs.attributes(path, "mode")
        end
      end,
      luv = function(n)
        for _ = 1, n do
          uv.fs_access(path, "")
        end
      end,
    },
  }
end

local function map_case(disk)
  local path = disk .. "/sparse"
  return {
    name = "map + close 1 GiB",
    key = "map + close",
    n = 1000,
    who = {
      C = function(n)
        limit.map(path, n)
      end,
      ["C, touched"] = function(n)
        limit.map(path, n, true)
      end,
      modfs = function(n)
        for _ = 1, n do
          modfs.map(path):close()
        end
      end,
    },
  }
end

local function stat_case(disk, memory)
  local path = disk .. "/file"
  return {
    name = "stat",
    n = 40000,
    who = {
      C = function(n)
        limit.stat(path, n)
      end,
      bare = repeated(bare.stat, path),
      modfs = repeated(modfs.stat, path),
      mem = repeated(modfs.stat, memory .. "/file"),
      lfs = repeated(lfs.attributes, path),
      luv = repeated(uv.fs_stat, path),
    },
  }
end

local function open_close_case(disk, memory)
  local path = disk .. "/file"
  local function open_close(open)
    return function(n)
      for _ = 1, n do
        open(path):close()
      end
    end
  end
  return {
    name = "open + close",
    n = 30000,
    who = {
      C = function(n)
        limit.open_close(path, n)
      end,
      ["C, checked"] = function(n)
        limit.open_close(path, n, true)
      end,
      bare = open_close(bare.open),
      ["bare, checked"] = function(n)
        for _ = 1, n do
          bare.open(path, "c"):close()
        end
      end,
      modfs = open_close(modfs.open),
      mem = function(n)
        for _ = 1, n do
          modfs.open(memory .. "/file"):close()
        end
      end,
      io = open_close(io.open),
      luv = function(n)
        for _ = 1, n do
          uv.fs_close(uv.fs_open(path, "r", 0))
        end
      end,
    },
  }
end

local function nothing() end

local function lfs_list(path)
  local names = {}
  for name in lfs.dir(path) do
    names[#names + 1] = name
  end
  return names
end

-- luv's scandir sorts.
local function luv_list(path)
  local names = {}
  local request = uv.fs_scandir(path)
  local name = uv.fs_scandir_next(request)
  while name do
    names[#names + 1] = name
    name = uv.fs_scandir_next(request)
  end
  return names
end

local function list_case(disk, memory)
  local path = disk .. "/many"
  return {
    name = ("list %d names"):format(fixtures.entries),
    key = "list",
    n = 5,
    unit = fixtures.entries,
    who = {
      C = function(n)
        limit.list(path, n)
      end,
      bare = repeated(bare.list, path),
      ["bare dir"] = repeated(bare.list_tables, path),
      modfs = repeated(modfs.listdir, path),
      ["modfs fs:"] = function(n)
        local fs = modfs.filesystem("")
        for _ = 1, n do
          fs:get_children(path)
        end
      end,
      ["modfs dir"] = function(n)
        for _ = 1, n do
          for _ in modfs.dir(path) do nothing() end
        end
      end,
      mem = repeated(modfs.listdir, memory .. "/many"),
      lfs = repeated(lfs_list, path),
      luv = repeated(luv_list, path),
    },
  }
end

return function(disk, memory)
  return {
    read_case(disk, memory, 64),
    read_case(disk, memory, 4096),
    whole_case(disk, memory),
    append_case(disk, memory),
    append_large_case(disk, memory),
    lines_case(disk, memory),
    sequential_case(disk, memory, "64 KiB", 64 * 1024),
    sequential_case(disk, memory, "1 MiB", 1024 * 1024),
    stat_case(disk, memory),
    exists_case(disk, memory),
    open_close_case(disk, memory),
    map_case(disk),
    list_case(disk, memory),
  }
end
