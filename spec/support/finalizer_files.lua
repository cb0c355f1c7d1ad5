-- Rows of finalizer_calls: codecs, records, files and bytes.
local modfs = require "modfs"
local rows = require "spec.support.finalizer_rows"

local D, F, G, text, add, functions = rows.D, rows.F, rows.G, rows.text, rows.add, rows.functions
local methods, fresh_buffer, options_of = rows.methods, rows.fresh_buffer, rows.options_of
local collect = rows.collect

-- Codecs --------------------------------------------------------------------------------------

local function compressed()
  local file = assert(modfs.codec.open(G, "w", "gzip"))
  file:write(text)
  file:close()
end

functions("modfs.codec", modfs.codec, { { "available", "gzip" } })
add("modfs.codec.open", compressed, function() return modfs.codec.open(G, "r", "auto") end)
add("modfs.codec.open", options_of { level = 3, atomic = true }, function(options)
  return modfs.codec.open(G, "w", "gzip", options)
end)
for _, open in ipairs { modfs.open, modfs.map,
  function(path) return modfs.buffer(modfs.read(path)) end } do
  local function below()
    compressed()
    return open(G)
  end
  add("modfs.codec.wrap", below, function(it) return modfs.codec.wrap(it, "gzip") end)
  add("modfs.File:read", function()
    local it = below()
    return modfs.codec.wrap(it, "gzip"), it
  end, function(file) return file:read("l", "n", "a"), tostring(file) end)
end
add("modfs.codec.wrap", function() return modfs.open(G, "w"), { level = 3 } end,
  function(below, options) return modfs.codec.wrap(below, "gzip", options) end)
methods("WritableFile", function()
  local below = modfs.open(G, "w")
  local file = modfs.codec.wrap(below, "gzip")
  file:write(text)
  return file, below
end, { { "close" } })

-- Records -------------------------------------------------------------------------------------

local records = { "one", ("two "):rep(30), "", ("three"):rep(1000), "five" }

-- Writes the records, and closes the writer.
local function put_records(writer)
  for _, record in ipairs(records) do
    writer:write(record)
  end
  writer:close()
end

local function reader(options)
  put_records(assert(modfs.tfrecord.writer(G)))
  return assert(modfs.tfrecord.reader(G, options))
end

local function writer()
  return assert(modfs.tfrecord.writer(G))
end

for _, row in ipairs { { "read" }, { "at", 0 }, { "get", 2 }, { "skip", 2 }, { "seek", 0 },
  { "tell" }, { "count" }, { "verify" }, { "name" }, { "close" } } do
  for _, prefetch in ipairs { false, true } do
    add("modfs.RecordReader:" .. row[1], function() return reader { prefetch = prefetch } end,
      function(it) return it[row[1]](it, row[2]), tostring(it) end)
  end
end
add("modfs.RecordReader:get", reader, function(it) return { it:get(0) }, { it:get(100) } end)
add("modfs.RecordReader:at", reader, function(it)
  return { it:at(1) }, { it:at(1e6) }, { it:at(-1) }
end)
add("modfs.RecordReader:__call", reader, collect)
for _, data in ipairs { "a record", 12.25 } do
  add("modfs.RecordWriter:write", writer, function(it) return it:write(data):tell() end)
end
add("modfs.RecordWriter:write", function() return writer(), fresh_buffer() end,
  function(it, buffer) return it:write(buffer) end)
methods("RecordWriter", function() return (assert(writer():write "a record")) end,
  { { "tell" }, { "flush" }, { "sync" }, { "name" }, { "close" }, { "abort" } })
add("modfs.RecordReader:salvage", function()
  return reader(), assert(modfs.tfrecord.writer(F))
end, function(from, to) return from:salvage(to) end)
add("modfs.tfrecord.reader", function()
  reader()
  return { prefetch = true }
end, function(options) return modfs.tfrecord.reader(G, options) end)
add("modfs.tfrecord.writer", options_of { compression = "gzip", level = 3 }, function(options)
  return modfs.tfrecord.writer(G, options)
end)
add("modfs.tfrecord.verify", function() reader() end, function()
  return modfs.tfrecord.verify(G)
end)
add("modfs.tfrecord.salvage", function() reader() end, function()
  return modfs.tfrecord.salvage(G, F)
end)

local function sharded()
  put_records(assert(modfs.tfrecord.shard_writer(D .. "/s", 2)))
end

add("modfs.tfrecord.shard_writer", sharded, function()
  local it = assert(modfs.tfrecord.shard_writer(D .. "/s", 2))
  it:write "one"
  return it:close()
end)
add("modfs.tfrecord.shard_reader", sharded, function()
  local it = assert(modfs.tfrecord.shard_reader(D .. "/s"))
  return it:read(), it:close()
end)
add("modfs.tfrecord.shards", sharded, function() return modfs.tfrecord.shards(D .. "/s") end)
functions("modfs.tfrecord", modfs.tfrecord, { { "shard_name", D .. "/s", 1, 2 } })

add("modfs.searcher.install", nil, function()
  return modfs.searcher.uninstall(modfs.searcher.install(D .. "/?.lua"))
end)
add("modfs.searcher.uninstall", function()
  local that = modfs.searcher.install(D .. "/?.lua")
  return that
end, modfs.searcher.uninstall)
functions("modfs.searcher", modfs.searcher, {
  { "searchpath", "a.b", D .. "/?.lua;" .. D .. "/?/x.lua" },
})

-- Files ---------------------------------------------------------------------------------------

local function open_file()
  return assert(modfs.open(F))
end

local function open_writable()
  return assert(modfs.open(G, "w"))
end

methods("File", open_file, {
  { "read" },
  { "read", "L", "n", "n", 3, 0, "l", "a" },
  { "read", "v", 1 },
  { "read", 100000 },
  { "read", 5, 100000 },
  { "seek", "end", -4 },
  { "seek", "cur", -100 },
  { "seek", "cur", 4 },
  { "pread", 2, 100 },
  { "pread", 2, 1e7 },
  { "pread", -2, 100 },
  { "pread", 0, -1 },
  { "size" },
  { "name" },
  { "close" },
})
add("modfs.File:lines", open_file, function(file)
  local step = file:lines("L", 2)
  return { step() }, { step() }, { step() }
end)
add("modfs.File:read", function()
  assert(modfs.write(F, ("a long line"):rep(50000) .. "\nmore\n"))
  return open_file()
end, function(file) return #file:read(), file:read() end)
for _, offset in ipairs { false, 3, -3 } do
  add("modfs.File:readinto", function() return open_file(), modfs.buffer(("."):rep(20)) end,
    function(file, buffer)
      return { file:readinto(buffer, offset or nil, 10, 2) }, { file:readinto(buffer, 1, 100) }
    end)
end

methods("WritableFile", function() return (assert(open_writable():write(text))) end, {
  { "write", "some text" },
  { "write", 12.5 },
  { "write", 12.5, "text", 7 },
  { "tell" },
  { "flush" },
  { "sync" },
  { "name" },
  { "close" },
  { "abort" },
})
local function writable_and_buffer()
  return open_writable(), fresh_buffer()
end
add("modfs.WritableFile:write", writable_and_buffer, function(file, buffer)
  return file:write(buffer, 1.5, buffer, 2.5)
end)
add("modfs.WritableFile:write", writable_and_buffer, function(file, buffer)
  return file:write(buffer, 1.5, buffer, 2.5), file:close(), modfs.read(G)
end)

-- Bytes ---------------------------------------------------------------------------------------

local function region(content)
  assert(modfs.write(F, content or text))
  return assert(modfs.map(F))
end

local function text_buffer(content)
  return modfs.buffer(content or text)
end

local packed = "1234\1\0\0\0\3\0abc some text\0" .. ("\0"):rep(30)

for class, make in pairs { Region = region, Buffer = text_buffer } do
  methods(class, make, {
    { "sub", 3, 30 },
    { "sub", 1 },
    { "byte", 2, 12 },
    { "find", "2 300", 3 },
    { "find", 300 },
    { "find", "none" },
    { "find", "" },
    { "slice", 3, 30 },
    { "pointer", varies = true },
    { "lines", "L" },
    { "close" },
    { "unpack", "z s4", 1, raises = true },
  })
  add("modfs." .. class .. ":lines", function()
    local bytes = make()
    return bytes, bytes:lines()
  end, function(_, step) return { step(), step(), step(), step(), step() } end)
  add("modfs." .. class .. ":find", function() return make(), modfs.buffer "300" end,
    function(bytes, needle) return bytes:find(needle, 2) end)
  methods(class, function() return make(packed) end, { { "unpack", "<i4 s2 z d I2 f c4", 5 } })
end
add("modfs.Buffer:set", function() return text_buffer(), fresh_buffer() end,
  function(target, data)
    return target:set(3, data), target:set(2, 12.5), target:set(-1, "too much")
  end)
add("modfs.Buffer:fill", text_buffer, function(target)
  return target:fill(65), target:fill(256)
end)
methods("Buffer", text_buffer, {
  { "pack", 3, "<i4 s2 z d", 1, "two", 12.5, 4 },
  { "pack", 3, 4, raises = true },
})
methods("Buffer", function() return modfs.buffer "short" end, {
  { "pack", 3, "z", "much too long for it" },
})

rows.makers.WritableFile = open_writable
rows.makers.Region = region
rows.makers.Buffer = text_buffer
rows.makers.RecordReader = reader
rows.makers.RecordWriter = writer
