-- What grows, for growth.lua: name, title, x (what the sizes are), sizes, who, from (the size from
-- which on the cost of one unit is to be flat), short (the largest size of a short run), and
-- prepare(place, size) -> { [who] = run }, finish [, a sentence for below the table]; run does the
-- work and returns how many units it did. limit: by who, the program in C, or the bare module, that
-- does the same and shows what grows by itself. scales: it is not meant to be flat.
local bare = require "bare"
local growth_limit = require "growth_limit"
local lfs = require "lfs"
local file_limit = require "limit"
local limit = require "tree_limit"
local modfs = require "modfs"
local tfrecord = require "modfs.tfrecord"
local uv = require "luv"
local has_records, record_limit = pcall(require, "record_limit")

local KiB, READS, MAPS = 1024, 4096, 100

local function nothing() end

-- Files ------------------------------------------------------------------------------------

local function sparse(path, size)
  local file = assert(io.open(path, "wb"))
  assert(file:seek("set", size - 1))
  assert(file:write "\0")
  assert(file:close())
end

-- READS reads of 1 KiB, spread over the file.
local function read_runs(path, size)
  local offsets, all = {}, {}
  for i = 0, 1023 do
    offsets[i % 256] = (i % 256 * 7919 * KiB) % math.max(size - KiB, 1)
    all[i + 1] = offsets[i % 256]
  end
  return {
    C = function()
      file_limit.pread(path, KiB, all, READS)
      return READS
    end,
    ["C map"] = function()
      file_limit.map(path, MAPS, true)
      return MAPS
    end,
    modfs = function()
      local file = assert(modfs.open(path))
      for i = 1, READS do
        file:pread(offsets[i % 256], KiB)
      end
      file:close()
      return READS
    end,
    io = function()
      local file = assert(io.open(path, "rb"))
      for i = 1, READS do
        file:seek("set", offsets[i % 256])
        file:read(KiB)
      end
      file:close()
      return READS
    end,
    luv = function()
      local fd = assert(uv.fs_open(path, "r", 0))
      for i = 1, READS do
        uv.fs_read(fd, KiB, offsets[i % 256])
      end
      uv.fs_close(fd)
      return READS
    end,
    map = function()
      for _ = 1, MAPS do
        modfs.map(path):close()
      end
      return MAPS
    end,
  }
end

local files = {
  name = "files", title = "A read of 1 KiB, and a map, of a file", x = "bytes of the file",
  sizes = { 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26, 1 << 30, 1 << 32 }, from = 1 << 14,
  short = 1 << 18, who = { "modfs", "C", "luv", "io", "map", "C map" },
  limit = { modfs = "C", map = "C map" },
  prepare = function(place, size)
    local path = place .. "/file"
    sparse(path, size)
    return read_runs(path, size), function() os.remove(path) end
  end,
}

-- Directories ------------------------------------------------------------------------------

local function lfs_names(path)
  local names = {}
  for name in lfs.dir(path) do
    names[#names + 1] = name
  end
  return #names
end

local function often(size, run)
  local times = math.max(1, 2000 // size)
  return function()
    for _ = 1, times do
      run()
    end
    return times * size
  end
end

-- Bytes of Lua that a list of names takes, for one of them.
local function bytes_of_list(path, size)
  collectgarbage()
  collectgarbage()
  local before = collectgarbage "count"
  local names = assert(modfs.listdir(path))
  collectgarbage()
  local bytes = (collectgarbage "count" - before) * 1024 / size
  assert(#names == size)
  return bytes
end

local directories = {
  name = "directories", title = "One name of a directory", x = "names in it",
  sizes = { 10, 100, 1000, 10000, 100000, 1000000 }, from = 100, short = 1000,
  who = { "listdir", "bare", "dir", "C", "lfs" }, limit = { listdir = "bare", dir = "C" },
  prepare = function(place, size)
    local path = place .. "/wide"
    assert(modfs.mkdir(path))
    for i = 1, size do
      assert(modfs.write(("%s/entry%07d"):format(path, i), ""))
    end
    return {
      listdir = often(size, function() modfs.listdir(path) end),
      dir = often(size, function() for _ in modfs.dir(path) do nothing() end end),
      lfs = often(size, function() lfs_names(path) end),
      C = often(size, function() limit.walk(path) end),
      bare = often(size, function() bare.list(path) end),
    }, function()
      assert(modfs.rmtree(path))
    end, ("A name in a list of %d takes %.0f bytes of Lua; a loop over `dir` keeps none."):format(
      size, bytes_of_list(path, size))
  end,
}

-- Depth ------------------------------------------------------------------------------------

local depth = {
  name = "depth", title = "One directory of a chain", x = "directories, each in the one before",
  sizes = { 1, 10, 100, 1000, 5000, 20000 }, from = 100, short = 1000,
  who = { "walk", "bare", "du", "C, there and back" },
  limit = { walk = "bare", du = "C, there and back" },
  prepare = function(place, size)
    local path = place .. "/deep"
    assert(modfs.makedirs(path .. ("/d"):rep(size)))
    local times = math.max(1, 500 // size)
    local function chain(go)
      return function()
        for _ = 1, times do
          assert(go(path) == size + 1)
        end
        return times * (size + 1)
      end
    end
    return {
      bare = chain(growth_limit.chain),
      ["C, there and back"] = chain(growth_limit.chain_back),
      du = function()
        for _ = 1, times do
          assert(modfs.du(path).dirs == size + 1)
        end
        return times * (size + 1)
      end,
      walk = function()
        for _ = 1, times do
          for _ in modfs.walk(path) do nothing() end
        end
        return times * (size + 1)
      end,
    }, function()
      assert(modfs.rmtree(path))
    end
  end,
}

-- Handles ----------------------------------------------------------------------------------

local function open_many(open, path, size)
  return function()
    local handles = {}
    for i = 1, size do
      handles[i] = assert(open(path))
    end
    for i = 1, size do
      handles[i]:close()
    end
    return size
  end
end

-- Bytes of Lua, and of the heap, for one open File.
local function bytes_of_handles(path, size)
  collectgarbage()
  collectgarbage()
  local lua, all, handles = collectgarbage "count", limit.heap(), {}
  for i = 1, size do
    handles[i] = assert(modfs.open(path))
  end
  collectgarbage()
  lua, all = (collectgarbage "count" - lua) * 1024 / size, (limit.heap() - all) / size
  for i = 1, size do
    handles[i]:close()
  end
  return lua, all
end

local handles = {
  name = "handles", title = "Opening and closing one of many files", x = "files open at a time",
  sizes = { 1, 10, 100, 1000, 10000, 100000 }, from = 100, short = 1000,
  who = { "mem", "modfs", "C", "io" }, limit = { modfs = "C" },
  prepare = function(place, size)
    local path = place .. "/open"
    assert(modfs.write(path, "x"))
    assert(modfs.write("mem://growth", "x"))
    local runs = { mem = open_many(modfs.open, "mem://growth", size) }
    if size < limit.descriptors() - 20 then
      runs.modfs, runs.io = open_many(modfs.open, path, size), open_many(io.open, path, size)
      runs.C = function()
        growth_limit.open_many(path, size)
        return size
      end
    end
    local lua, all = bytes_of_handles("mem://growth", size)
    return runs, nothing, ("An open File takes %.0f bytes, %.0f of them Lua's (%d files of "
      .. "`mem://`)."):format(all, lua, size)
  end,
}

-- Threads ----------------------------------------------------------------------------------

local function plant(root, count, content)
  for i = 1, count do
    local folder = ("%s/%03d/%04d"):format(root, i // 100 % 100, i // 100)
    if i % 100 == 0 or i == 1 then
      assert(modfs.makedirs(folder))
    end
    assert(modfs.write(("%s/file%07d"):format(folder, i), content))
  end
end

local threads = {
  name = "threads", title = "One file of 5,000, by the wall", x = "threads", scales = true,
  clock = require "device_limit".wall,
  sizes = { 1, 2, 3, 4, 6, 8 }, from = 1, short = 2,
  who = { "du", "C, sizes", "copytree", "rmtree" }, limit = { du = "C, sizes" },
  prepare = function(place, count)
    local files_there, root = 5000, place .. "/threads"
    plant(root, files_there, ("x"):rep(4096))
    local copies = 0
    return {
      du = function()
        assert(modfs.du(root, { threads = count }))
        return files_there
      end,
      ["C, sizes"] = function()
        assert(growth_limit.sizes(root, count) == files_there * 4096)
        return files_there
      end,
      copytree = function()
        copies = copies + 1
        assert(modfs.copytree(root, place .. "/copy" .. copies, { threads = count }))
        return files_there
      end,
      rmtree = function()
        assert(modfs.rmtree(place .. "/copy" .. copies, { threads = count }))
        copies = copies - 1
        return files_there
      end,
    }, function()
      assert(modfs.rmtree(root))
    end
  end,
}

-- Records ----------------------------------------------------------------------------------

local records = {
  name = "records", title = "One record of 64 bytes", x = "records in the file",
  sizes = { 10, 100, 1000, 10000, 100000, 1000000 }, from = 10000, short = 1000,
  who = { "read", "C read", "write", "C write" },
  limit = { read = "C read", write = "C write" },
  prepare = function(place, size)
    local path, record = place .. "/records", ("x"):rep(64)
    local function write()
      local writer = assert(tfrecord.writer(path))
      for _ = 1, size do
        writer:write(record)
      end
      writer:close()
    end
    write()
    return {
      ["C read"] = has_records and often(size, function()
        record_limit.read_records(path, size)
      end) or nil,
      ["C write"] = has_records and often(size, function()
        record_limit.write_records(path, record, size)
      end) or nil,
      write = often(size, write),
      read = often(size, function()
        local reader = assert(tfrecord.reader(path))
        for _ in reader do nothing() end
        reader:close()
      end),
    }, function()
      os.remove(path)
    end
  end,
}

-- Trees ------------------------------------------------------------------------------------

local trees = {
  name = "trees", title = "One file of a tree", x = "files in it",
  sizes = { 100, 1000, 10000, 100000, 1000000 }, from = 1000, short = 1000,
  who = { "walk", "glob", "C", "du", "C, sizes" },
  limit = { walk = "C", glob = "C", du = "C, sizes" },
  prepare = function(place, size)
    local root = place .. "/tree"
    plant(root, size, "")
    return {
      walk = often(size, function() for _ in modfs.walk(root) do nothing() end end),
      du = often(size, function() assert(modfs.du(root)) end),
      glob = often(size, function() modfs.glob(root .. "/**/*7") end),
      C = often(size, function() limit.walk(root) end),
      ["C, sizes"] = often(size, function() limit.sizes(root) end),
    }, function()
      assert(modfs.rmtree(root))
    end
  end,
}

return { files, directories, depth, handles, threads, records, trees }
