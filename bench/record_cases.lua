-- The cases about compressed streams and records: cases(context) -> array, finish.
local limit = require "record_limit"
local modfs = require "modfs"
local codec = require "modfs.codec"
local tfrecord = require "modfs.tfrecord"
local ahead_cases = require "bench.record_ahead"
local fixtures = require "bench.fixtures"
local has_zlib, zlib = pcall(require, "zlib")

local block, blocks = 64 * 1024, 256

-- C sources, 16 MiB of them.
local function sources(root)
  local pipe = assert(io.popen("cat '" .. root .. "'/src/*/*.[ch]"))
  local text = pipe:read "a"
  pipe:close()
  return text:rep(block * blocks // #text + 1):sub(1, block * blocks)
end

local function write_gzip(path, text)
  local file = assert(codec.open(path, "w", "gzip"))
  assert(file:write(text) and file:close())
end

local function gunzip_case(place)
  local path = place .. "/text.gz"
  local buffer = modfs.buffer(block)
  return {
    name = "gunzip 64 KiB",
    n = blocks,
    who = {
      C = function(n)
        limit.gunzip(path, n)
      end,
      modfs = function(n)
        local file = assert(codec.open(path, "r", "gzip"))
        for _ = 1, n do
          file:read(block)
        end
        file:close()
      end,
      ["modfs buffer"] = function(n)
        local file = assert(codec.open(path, "r", "gzip"))
        for _ = 1, n do
          file:readinto(buffer)
        end
        file:close()
      end,
      ["lua-zlib"] = has_zlib and function(n)
        local file, inflate, left = assert(io.open(path, "rb")), zlib.inflate(), n * block
        while left > 0 do
          left = left - #inflate(file:read(16 * 1024))
        end
        file:close()
      end or nil,
    },
  }
end

local function gzip_case(place, text)
  local path = place .. "/made.gz"
  local piece = text:sub(1, block)
  return {
    name = "gzip 64 KiB",
    n = 32,
    who = {
      C = function(n)
        limit.gzip(path, piece, n)
      end,
      modfs = function(n)
        local file = assert(codec.open(path, "w", "gzip"))
        for _ = 1, n do
          file:write(piece)
        end
        file:close()
      end,
      ["lua-zlib"] = has_zlib and function(n)
        local file, deflate = assert(io.open(path, "wb")), zlib.deflate(6, 31)
        for _ = 1, n do
          file:write((deflate(piece)))
        end
        file:write((deflate("", "finish")))
        file:close()
      end or nil,
    },
  }
end

local function write_records(path, record, n)
  local writer = assert(tfrecord.writer(path))
  for _ = 1, n do
    writer:write(record)
  end
  writer:close()
end

-- In plain Lua, which does not even look at the sums.
local function read_in_lua(path, n)
  local file = assert(io.open(path, "rb"))
  for _ = 1, n do
    local length = ("<I8"):unpack(file:read(12))
    file:read(length)
    file:read(4)
  end
  file:close()
end

local function read_bare(records, path)
  return function(count)
    for _ in records(path) do
      count = count - 1
      if count == 0 then
        break
      end
    end
  end
end

local function read_case(place, size, n)
  local path = ("%s/records%d"):format(place, size)
  write_records(path, ("x"):rep(size), n)
  return {
    name = ("read records of %d B"):format(size),
    n = n,
    who = {
      C = function(count)
        limit.read_records(path, count)
      end,
      bare = read_bare(limit.bare_records, path),
      ["bare, called"] = read_bare(limit.called_records, path),
      modfs = function(count)
        local reader = assert(tfrecord.reader(path))
        for _ in reader do
          count = count - 1
          if count == 0 then
            break
          end
        end
        reader:close()
      end,
      io = function(count)
        read_in_lua(path, count)
      end,
    },
  }
end

local function write_case(place, size, n)
  local path = place .. "/written"
  local record = ("x"):rep(size)
  return {
    name = ("write records of %d B"):format(size),
    n = n,
    who = {
      C = function(count)
        limit.write_records(path, record, count)
      end,
      modfs = function(count)
        write_records(path, record, count)
      end,
    },
  }
end

local function sum_case(size, n)
  local piece = ("x"):rep(size)
  return {
    name = ("CRC-32C of %d B"):format(size),
    n = n,
    who = {
      C = function(count)
        limit.copy(piece, count)
      end,
      modfs = function(count)
        limit.sum(piece, count)
      end,
      portable = function(count)
        limit.sum(piece, count, true)
      end,
    },
  }
end

return function(context)
  local place = fixtures.place()
  local text = sources(context.here)
  local few = context.short and 100 or 1
  write_gzip(place .. "/text.gz", text)
  local cases = {
    gunzip_case(place),
    gzip_case(place, text),
    read_case(place, 64, 300000 // few),
    read_case(place, 1024, 60000 // few),
    write_case(place, 64, 300000 // few),
    write_case(place, 1024, 30000 // few),
    sum_case(64, 300000 // few),
    sum_case(1024, 200000 // few),
    sum_case(64 * 1024, 4000 // few),
  }
  for _, kind in ipairs { "", "GZIP" } do
    cases[#cases + 1] = ahead_cases(place, kind, 40000 // few)
  end
  return cases, function()
    assert(modfs.rmtree(place))
  end
end
