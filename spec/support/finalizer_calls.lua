-- A call for every function and method of modfs, with the objects that it works on: rows of
-- { name =, make = }, where make(modfs) returns the call as a function and then each object or
-- table that a finalizer may end. finalizer_spec.lua fails for a function that has none.
local D = "mem://finalizers"
local F, G = D .. "/f", D .. "/g"

local text = "one\n2 300\n" .. ("a longer line "):rep(20) .. "\nlast"

local unpack = table.unpack or unpack -- luacheck: ignore 113

local calls = {}

-- options: varies (results are not the same twice), raises (the call is to fail).
local function add(name, make, options)
  local row = { name = name, make = make }
  for key, value in pairs(options or {}) do
    row[key] = value
  end
  calls[#calls + 1] = row
end

-- A string that nothing but its holder keeps.
local function fresh(pattern)
  return (pattern .. "%d"):format(7)
end

-- Paths ---------------------------------------------------------------------------------------

local function with_file(modfs)
  assert(modfs.write(F, text))
  modfs.rmtree(G)
  modfs.remove(G)
end

local function tree_of(modfs)
  modfs.rmtree(D .. "/tree")
  modfs.rmtree(D .. "/tree2")
  assert(modfs.makedirs(D .. "/tree/a/b"))
  for i = 1, 3 do
    assert(modfs.write(D .. "/tree/a/a file with a long name, number " .. i, text))
    assert(modfs.write(D .. "/tree/a/b/" .. i, text))
  end
end

-- f(path) of the module: the file is there, or the target is not.
local function on_path(name, path, options)
  add("modfs." .. name, function(modfs)
    with_file(modfs)
    tree_of(modfs)
    local call = modfs[name]
    return function() return call(path) end
  end, options)
end

for name, path in pairs { open = F, read = F, map = F, exists = F, isdir = F, stat = F, lstat = F,
  size = F, makedirs = G .. "/x/y", remove = F, rmdir = G, glob = D .. "/tree/a/*", escape = F,
  listdir = D .. "/tree/a", dir = D .. "/tree/a", loadfile = F, du = D .. "/tree",
  rmtree = D .. "/tree" } do
  on_path(name, path, { varies = name == "stat" or name == "lstat" })
end

for _, name in ipairs { "flush_caches", "platforms", "plugins", "schemes", "available", "devices",
  "pollfd", "tempdir" } do
  add("modfs." .. name, function(modfs)
    local call = modfs[name]
    return function()
      local result = call()
      if name == "tempdir" then
        modfs.rmdir(result)
      end
      return result
    end
  end, { varies = name == "tempdir" or name == "available" })
end

add("modfs.open", function(modfs)
  modfs.remove(G)
  local options = { atomic = true, durable = false }
  return function() return modfs.open(G, "w", options) end, options
end)
add("modfs.open", function(modfs)
  return function() return modfs.open(D .. "/none") end
end)
for _, options in ipairs { {}, { append = true }, { atomic = true } } do
  add("modfs.write", function(modfs)
    with_file(modfs)
    local buffer, own = modfs.buffer(fresh "some bytes to write "), {}
    for key, value in pairs(options) do
      own[key] = value
    end
    return function() return modfs.write(F, buffer, own), modfs.read(F) end, buffer, own
  end)
end
add("modfs.write", function(modfs)
  return function() return modfs.write(F, 123.25) end
end)
add("modfs.lines", function(modfs)
  with_file(modfs)
  return function()
    local lines = {}
    for line in modfs.lines(F) do
      lines[#lines + 1] = line
    end
    return lines
  end
end)
add("modfs.exists", function(modfs)
  with_file(modfs)
  local list = { fresh(D .. "/a"), F, fresh "nosuch://", fresh(D .. "/none/") }
  return function() return modfs.exists(list) end, list
end, { varies = true })
add("modfs.mkdir", function(modfs)
  modfs.rmtree(G)
  modfs.remove(G)
  local options = { private = true }
  return function() return modfs.mkdir(G, options) end, options
end)
add("modfs.rename", function(modfs)
  with_file(modfs)
  return function() return modfs.rename(F, G) end
end)
add("modfs.copy", function(modfs)
  with_file(modfs)
  return function() return modfs.copy(F, G) end
end)
add("modfs.copy", function(modfs)
  with_file(modfs)
  local options = { progress = function() return fresh "text" ~= "" end }
  return function() return modfs.copy(F, G, options) end, options
end)

-- Listings and trees --------------------------------------------------------------------------

add("modfs.Directory:next", function(modfs)
  tree_of(modfs)
  local _, directory = modfs.dir(D .. "/tree/a")
  return function() return { directory:next() }, { directory:next() } end, directory
end)
add("modfs.Directory:close", function(modfs)
  local _, directory = modfs.dir(D)
  return function() return directory:close() end, directory
end)
add("modfs.dir", function(modfs)
  tree_of(modfs)
  local step, directory = modfs.dir(D .. "/tree/a")
  return function()
    local names = {}
    for name in step do
      names[#names + 1] = name
    end
    return names
  end, directory
end)
for _, options in ipairs { {}, { bottomup = true } } do
  add("modfs.walk", function(modfs)
    tree_of(modfs)
    local step, walk = modfs.walk(D .. "/tree", options)
    return function()
      local all = {}
      for path, folders, files in step do
        all[#all + 1] = { path, folders, files }
      end
      return all
    end, walk
  end, { varies = true }) -- a walk that was ended has no more directories
end
-- A loop that changes the list of directories.
add("modfs.walk", function(modfs)
  tree_of(modfs)
  assert(modfs.makedirs(D .. "/tree/another directory, number 1"))
  local step, walk = modfs.walk(D .. "/tree")
  local _, folders = step()
  folders[1], folders[2] = fresh "another directory, number ", fresh "no such directory "
  folders[1] = ("%s %d"):format("another directory, number", 1)
  return function() return step() end, walk, folders
end, { raises = true, varies = true })
add("modfs.walk", function(modfs)
  tree_of(modfs)
  local options = { onerror = function() end }
  local step, walk = modfs.walk(D .. "/tree", options)
  local _, folders = step()
  folders[1] = fresh "no such directory, whose name is not short "
  return function() return step() end, walk, folders
end, { varies = true })

for _, name in ipairs { "du", "rmtree", "copytree", "sync", "tree" } do
  add("modfs." .. name, function(modfs)
    tree_of(modfs)
    local options = { threads = 1 }
    local from, to = D .. "/tree", D .. "/tree2"
    if name == "tree" then
      return function() return modfs.tree("du", from, options) end, options
    elseif name == "du" or name == "rmtree" then
      return function() return modfs[name](from, options) end, options
    end
    options.progress = function() end
    return function() return modfs[name](from, to, options) end, options
  end)
end
local function begun(modfs, threads)
  tree_of(modfs)
  return assert(modfs.tree("copytree", D .. "/tree", D .. "/tree2", { progress = true,
    threads = threads }))
end
add("modfs.Tree:step", function(modfs)
  local tree = begun(modfs, 1)
  return function() return { tree:step() }, { tree:step() } end, tree
end)
add("modfs.Tree:cancel", function(modfs)
  local tree = begun(modfs, 2)
  return function() return tree:cancel() end, tree
end)
for _, threads in ipairs { 1, 2 } do
  add("modfs.Tree:result", function(modfs)
    local tree = begun(modfs, threads)
    tree:step()
    return function() return tree:result() end, tree
  end, { varies = threads > 1 })
end
-- Directories stand where files are to be written.
add("modfs.Tree:result", function(modfs)
  local tree = begun(modfs, 1)
  for i = 1, 3 do
    assert(modfs.makedirs(D .. "/tree2/a/a file with a long name, number " .. i))
  end
  repeat until not tree:step()
  return function() return tree:result() end, tree
end)
add("modfs.Tree:close", function(modfs)
  local tree = begun(modfs, 2)
  return function() return tree:close() end, tree
end)

-- Other functions of the module ---------------------------------------------------------------

add("modfs.tempname", function(modfs)
  return function() return modfs.tempname("a", ".txt") end
end, { varies = true })
add("modfs.type", function(modfs)
  local file = assert(modfs.open(D .. "/other"))
  return function() return modfs.type(file) end, file
end, { varies = true })
add("modfs.with", function(modfs)
  local file = assert(modfs.open(D .. "/other"))
  return function() return modfs.with(file, function(it) return it:read(4) end) end, file
end)
add("modfs.crc32c", function(modfs)
  local buffer = modfs.buffer(fresh "some bytes to sum up ")
  return function() return modfs.crc32c(buffer, 7), modfs.crc32c(12.5) end, buffer
end)
add("modfs.loadfile", function(modfs)
  assert(modfs.write(F, "return 1, ..."))
  local env = {}
  return function() return modfs.loadfile(F, "t", env) end, env
end)
add("modfs.dofile", function(modfs)
  assert(modfs.write(F, "return 1, 'text'"))
  return function() return modfs.dofile(F) end
end)
add("modfs.buffer", function(modfs)
  local buffer = modfs.buffer(fresh "some bytes to copy ")
  return function() return modfs.buffer(buffer), modfs.buffer(100), modfs.buffer "abc" end, buffer
end)
add("modfs.filesystem", function(modfs)
  return function() return modfs.filesystem "mem", modfs.filesystem(F) end
end)
add("modfs.filesystem", function(modfs)
  return function() return modfs.filesystem(fresh "nosuch") end
end)
add("modfs.config", function(modfs)
  return function() return modfs.config "mem" end
end)
add("modfs.config", function(modfs)
  local values = modfs.config "mem"
  return function() return modfs.config("mem", values) end, values
end)
add("modfs.config", function(modfs)
  local values = { [fresh "no_such_option_of_this_filesystem"] = 1 }
  return function() return modfs.config("mem", values) end, values
end, { varies = true })
add("modfs.load", function(modfs)
  local options = { symbol = fresh "a_symbol_with_a_long_name_that_nothing_has", trust = true }
  local library
  for line in io.lines "/proc/self/maps" do
    library = line:match "/%S*/libc[.-]%S*" or library
  end
  return function() return modfs.load(library, options) end, options
end)
add("modfs.device", function(modfs)
  return function() return modfs.device "REFERENCE:0" end
end)
add("modfs.device", function(modfs)
  return function() return modfs.device(fresh "NOSUCH" .. ":0") end
end, { varies = true })
add("modfs.poll", function(modfs)
  local device = assert(modfs.device "REFERENCE")
  local stream = device:stream()
  local seen = 0
  for _ = 1, 3 do
    stream:callback(function() seen = seen + 1 end)
  end
  return function()
    for _ = 1, 20 do
      modfs.poll(seen < 3 and 0.01 or 0)
    end
    return seen
  end, stream, device
end, { varies = true })

add("modfs.path.match", function(modfs)
  return function() return modfs.path.match("abc", "a*") end
end)
add("modfs.path.join", function(modfs)
  return function() return modfs.path.join(D, "a", 12.5, "b") end
end)
for _, name in ipairs { "parse", "clean", "dirname", "basename", "extension", "is_absolute" } do
  add("modfs.path." .. name, function(modfs)
    return function() return modfs.path[name]("mem://a/b/../c.txt") end
  end)
end

-- Codecs --------------------------------------------------------------------------------------

local function compressed(modfs)
  local file = assert(modfs.codec.open(G, "w", "gzip"))
  file:write(text)
  file:close()
end

add("modfs.codec.available", function(modfs)
  return function() return modfs.codec.available "gzip" end
end)
add("modfs.codec.open", function(modfs)
  compressed(modfs)
  return function() return modfs.codec.open(G, "r", "auto") end
end)
add("modfs.codec.open", function(modfs)
  local options = { level = 3, atomic = true }
  return function() return modfs.codec.open(G, "w", "gzip", options) end, options
end)
for _, kind in ipairs { "file", "region", "buffer" } do
  add("modfs.codec.wrap", function(modfs)
    compressed(modfs)
    local below = kind == "file" and modfs.open(G) or kind == "region" and modfs.map(G)
      or modfs.buffer(modfs.read(G))
    return function() return modfs.codec.wrap(below, "gzip") end, below
  end)
  add("modfs.File:read", function(modfs)
    compressed(modfs)
    local below = kind == "file" and modfs.open(G) or kind == "region" and modfs.map(G)
      or modfs.buffer(modfs.read(G))
    local file = modfs.codec.wrap(below, "gzip")
    return function() return file:read("l", "n", "a"), tostring(file) end, file, below
  end)
end
add("modfs.codec.wrap", function(modfs)
  local below, options = modfs.open(G, "w"), { level = 3 }
  return function() return modfs.codec.wrap(below, "gzip", options) end, below, options
end)
add("modfs.WritableFile:close", function(modfs)
  local below = modfs.open(G, "w")
  local file = modfs.codec.wrap(below, "gzip")
  file:write(text)
  return function() return file:close() end, file, below
end)

-- Records -------------------------------------------------------------------------------------

local records = { "one", ("two "):rep(30), "", ("three"):rep(1000), "five" }

local function recorded(modfs)
  local writer = assert(modfs.tfrecord.writer(G))
  for _, record in ipairs(records) do
    writer:write(record)
  end
  writer:close()
end

for name, arguments in pairs { read = {}, at = { 0 }, get = { 2 }, skip = { 2 }, seek = { 0 },
  tell = {}, count = {}, verify = {}, name = {}, close = {} } do
  for _, prefetch in ipairs { false, true } do
    add("modfs.RecordReader:" .. name, function(modfs)
      recorded(modfs)
      local reader = assert(modfs.tfrecord.reader(G, { prefetch = prefetch }))
      return function()
        return reader[name](reader, arguments[1]), tostring(reader)
      end, reader
    end)
  end
end
add("modfs.RecordReader:get", function(modfs)
  recorded(modfs)
  local reader = assert(modfs.tfrecord.reader(G))
  return function() return { reader:get(0) }, { reader:get(100) } end, reader
end)
add("modfs.RecordReader:at", function(modfs)
  recorded(modfs)
  local reader = assert(modfs.tfrecord.reader(G))
  return function() return { reader:at(1) }, { reader:at(1e6) }, { reader:at(-1) } end, reader
end)
add("modfs.RecordReader:__call", function(modfs)
  recorded(modfs)
  local reader = assert(modfs.tfrecord.reader(G))
  return function()
    local all = {}
    for record, offset in reader do
      all[#all + 1] = record .. offset
    end
    return all
  end, reader
end)
for _, data in ipairs { "a record", 12.25 } do
  add("modfs.RecordWriter:write", function(modfs)
    local writer = assert(modfs.tfrecord.writer(G))
    return function() return writer:write(data):tell() end, writer
  end)
end
add("modfs.RecordWriter:write", function(modfs)
  local writer, buffer = assert(modfs.tfrecord.writer(G)), modfs.buffer(fresh "a record ")
  return function() return writer:write(buffer) end, writer, buffer
end)
for _, name in ipairs { "tell", "flush", "sync", "name", "close", "abort" } do
  add("modfs.RecordWriter:" .. name, function(modfs)
    local writer = assert(modfs.tfrecord.writer(G))
    assert(writer:write "a record")
    return function() return writer[name](writer) end, writer
  end)
end
add("modfs.RecordReader:salvage", function(modfs)
  recorded(modfs)
  local reader = assert(modfs.tfrecord.reader(G))
  local writer = assert(modfs.tfrecord.writer(F))
  return function() return reader:salvage(writer) end, reader, writer
end)
add("modfs.tfrecord.reader", function(modfs)
  recorded(modfs)
  local options = { prefetch = true }
  return function() return modfs.tfrecord.reader(G, options) end, options
end)
add("modfs.tfrecord.writer", function(modfs)
  local options = { compression = "gzip", level = 3 }
  return function() return modfs.tfrecord.writer(G, options) end, options
end)
add("modfs.tfrecord.verify", function(modfs)
  recorded(modfs)
  return function() return modfs.tfrecord.verify(G) end
end)
add("modfs.tfrecord.salvage", function(modfs)
  recorded(modfs)
  return function() return modfs.tfrecord.salvage(G, F) end
end)
local function sharded(modfs)
  local writer = assert(modfs.tfrecord.shard_writer(D .. "/s", 2))
  for _, record in ipairs(records) do
    writer:write(record)
  end
  writer:close()
end
add("modfs.tfrecord.shard_writer", function(modfs)
  sharded(modfs)
  return function()
    local writer = assert(modfs.tfrecord.shard_writer(D .. "/s", 2))
    writer:write "one"
    return writer:close()
  end
end)
add("modfs.tfrecord.shard_reader", function(modfs)
  sharded(modfs)
  return function()
    local reader = assert(modfs.tfrecord.shard_reader(D .. "/s"))
    return reader:read(), reader:close()
  end
end)
add("modfs.tfrecord.shards", function(modfs)
  sharded(modfs)
  return function() return modfs.tfrecord.shards(D .. "/s") end
end)
add("modfs.tfrecord.shard_name", function(modfs)
  return function() return modfs.tfrecord.shard_name(D .. "/s", 1, 2) end
end)

add("modfs.searcher.install", function(modfs)
  return function() return modfs.searcher.uninstall(modfs.searcher.install(D .. "/?.lua")) end
end)
add("modfs.searcher.uninstall", function(modfs)
  local that = modfs.searcher.install(D .. "/?.lua")
  return function() return modfs.searcher.uninstall(that) end
end)
add("modfs.searcher.searchpath", function(modfs)
  return function() return modfs.searcher.searchpath("a.b", D .. "/?.lua;" .. D .. "/?/x.lua") end
end)

-- Files ---------------------------------------------------------------------------------------

local function on_file(name, ...)
  local arguments = { n = select("#", ...), ... }
  add("modfs.File:" .. name, function(modfs)
    with_file(modfs)
    local file = assert(modfs.open(F))
    return function() return file[name](file, unpack(arguments, 1, arguments.n)) end, file
  end)
end

on_file("read")
on_file("read", "L", "n", "n", 3, 0, "l", "a")
on_file("read", "v", 1)
on_file("read", 100000)
on_file("read", 5, 100000)
on_file("seek", "end", -4)
on_file("seek", "cur", -100)
on_file("seek", "cur", 4)
on_file("pread", 2, 100)
on_file("pread", 2, 1e7)
on_file("pread", -2, 100)
on_file("pread", 0, -1)
on_file("size")
on_file("name")
on_file("close")
add("modfs.File:lines", function(modfs)
  with_file(modfs)
  local file = assert(modfs.open(F))
  return function()
    local step = file:lines("L", 2)
    return { step() }, { step() }, { step() }
  end, file
end)
add("modfs.File:read", function(modfs)
  assert(modfs.write(F, ("a long line"):rep(50000) .. "\nmore\n"))
  local file = assert(modfs.open(F))
  return function() return #file:read(), file:read() end, file
end)
for _, offset in ipairs { false, 3, -3 } do
  add("modfs.File:readinto", function(modfs)
    with_file(modfs)
    local file, buffer = assert(modfs.open(F)), modfs.buffer(("."):rep(20))
    return function()
      return { file:readinto(buffer, offset or nil, 10, 2) }, { file:readinto(buffer, 1, 100) }
    end, file, buffer
  end)
end

local function on_writable(name, ...)
  local arguments = { n = select("#", ...), ... }
  add("modfs.WritableFile:" .. name, function(modfs)
    local file = assert(modfs.open(G, "w"))
    assert(file:write(text))
    return function() return file[name](file, unpack(arguments, 1, arguments.n)) end, file
  end)
end

on_writable("write", "some text")
on_writable("write", 12.5)
on_writable("write", 12.5, "text", 7)
on_writable("tell")
on_writable("flush")
on_writable("sync")
on_writable("name")
on_writable("close")
on_writable("abort")
add("modfs.WritableFile:write", function(modfs)
  local file, buffer = assert(modfs.open(G, "w")), modfs.buffer(fresh "some bytes to write ")
  return function() return file:write(buffer, 1.5, buffer, 2.5) end, file, buffer
end)
add("modfs.WritableFile:write", function(modfs)
  local file = assert(modfs.open(G, "w"))
  local buffer = modfs.buffer(fresh "some bytes to write ")
  return function()
    return file:write(buffer, 1.5, buffer, 2.5), file:close(), modfs.read(G)
  end, file, buffer
end)

-- Bytes ---------------------------------------------------------------------------------------

local function region(modfs)
  with_file(modfs)
  return assert(modfs.map(F))
end

local function buffer(modfs)
  return modfs.buffer(text)
end

local packed = "1234\1\0\0\0\3\0abc some text\0" .. ("\0"):rep(30)

for class, make in pairs { Region = region, Buffer = buffer } do
  local prefix = "modfs." .. class
  local function on_bytes(name, ...)
    local arguments = { ... }
    add(prefix .. ":" .. name, function(modfs)
      local bytes = make(modfs)
      return function() return bytes[name](bytes, arguments[1], arguments[2]) end, bytes
    end, { varies = name == "pointer" })
  end
  on_bytes("sub", 3, 30)
  on_bytes("sub", 1)
  on_bytes("byte", 2, 12)
  on_bytes("find", "2 300", 3)
  on_bytes("find", 300)
  on_bytes("find", "none")
  on_bytes("find", "")
  on_bytes("slice", 3, 30)
  on_bytes("pointer")
  on_bytes("lines", "L")
  on_bytes("close")
  add(prefix .. ":lines", function(modfs)
    local bytes = make(modfs)
    local step = bytes:lines()
    return function() return { step(), step(), step(), step(), step() } end, bytes
  end)
  add(prefix .. ":find", function(modfs)
    local bytes, needle = make(modfs), modfs.buffer "300"
    return function() return bytes:find(needle, 2) end, bytes, needle
  end)
  add(prefix .. ":unpack", function(modfs)
    local bytes = modfs.buffer(packed)
    if class == "Region" then
      assert(modfs.write(F, packed))
      bytes = assert(modfs.map(F))
    end
    return function() return bytes:unpack("<i4 s2 z d I2 f c4", 5) end, bytes
  end)
  add(prefix .. ":unpack", function(modfs)
    local bytes = make(modfs)
    return function() return bytes:unpack("z s4", 1) end, bytes
  end, { raises = true })
end
add("modfs.Buffer:set", function(modfs)
  local target, data = modfs.buffer(text), modfs.buffer(fresh "some bytes to set ")
  return function() return target:set(3, data), target:set(2, 12.5), target:set(-1, "too much") end,
    target, data
end)
add("modfs.Buffer:fill", function(modfs)
  local target = modfs.buffer(text)
  return function() return target:fill(65), target:fill(256) end, target
end)
add("modfs.Buffer:pack", function(modfs)
  local target = modfs.buffer(text)
  return function() return target:pack(3, "<i4 s2 z d", 1, "two", 12.5, 4) end, target
end)
add("modfs.Buffer:pack", function(modfs)
  local target = modfs.buffer(text)
  return function() return target:pack(3, 4) end, target
end, { raises = true })
add("modfs.Buffer:pack", function(modfs)
  local target = modfs.buffer "short"
  return function() return target:pack(3, "z", "much too long for it") end, target
end)

-- Filesystems, plugins and transactions -------------------------------------------------------

local function on_fs(name, ...)
  local arguments = { ... }
  add("modfs.Filesystem:" .. name, function(modfs)
    with_file(modfs)
    tree_of(modfs)
    local fs = modfs.filesystem "mem"
    return function() return fs[name](fs, arguments[1], arguments[2]) end, fs
  end, { varies = name == "stat" })
end

for name, path in pairs { new_random_access_file = F, new_writable_file = G,
  new_appendable_file = F, new_read_only_memory_region_from_file = F, create_dir = G,
  recursively_create_dir = G .. "/x", delete_file = F, delete_dir = G,
  delete_recursively = D .. "/tree", path_exists = F, stat = F, is_directory = F,
  get_file_size = F, translate_name = F, get_children = D .. "/tree/a",
  get_matching_paths = D .. "/tree/a/*" } do
  on_fs(name, path)
end
on_fs("rename_file", F, G)
on_fs("copy_file", F, G)
on_fs("flush_caches")
on_fs("operations")
on_fs("close")
on_fs("get_filesystem_configuration")
on_fs("get_filesystem_configuration_option", "limit_bytes")
on_fs("get_filesystem_configuration_option", "no_such_option")
on_fs("get_filesystem_configuration_keys")
add("modfs.Filesystem:paths_exist", function(modfs)
  local fs, list = modfs.filesystem "mem", { fresh(D .. "/a"), fresh(D .. "/a long name, number ") }
  return function() return fs:paths_exist(list) end, fs, list
end, { varies = true })
add("modfs.Filesystem:set_filesystem_configuration", function(modfs)
  local fs = modfs.filesystem "mem"
  local list = fs:get_filesystem_configuration()
  return function() return fs:set_filesystem_configuration(list) end, fs, list, list[1]
end, { varies = true })
add("modfs.Filesystem:set_filesystem_configuration_option", function(modfs)
  local fs = modfs.filesystem "mem"
  local option = fs:get_filesystem_configuration_option "limit_bytes"
  return function() return fs:set_filesystem_configuration_option(option) end, fs, option
end, { varies = true })
add("modfs.Filesystem:set_filesystem_configuration_option", function(modfs)
  local fs = modfs.filesystem "mem"
  local option = { name = fresh "a_name_that_no_option_has_and_never_had_", type = "buffer",
    value = { fresh "some value ", fresh "another value " } }
  local function call()
    return fs:set_filesystem_configuration_option(option)
  end
  return call, fs, option, option.value
end, { varies = true })

local function transaction(modfs)
  local fs = modfs.filesystem "mem"
  local tx = assert(fs:start_transaction())
  return fs, tx
end

local paths = 0

add("modfs.Filesystem:start_transaction", function(modfs)
  local fs = modfs.filesystem "mem"
  return function() return fs:start_transaction() end, fs
end)
for name, call in pairs {
  end_transaction = function(fs, tx) return fs:end_transaction(tx) end,
  add_to_transaction = function(fs, tx) return fs:add_to_transaction(D .. "/x", tx) end,
  decode_transaction_token = function(fs, tx) return fs:decode_transaction_token(tx) end,
  get_transaction_for_path = function(fs, _, path) return fs:get_transaction_for_path(path) end,
  get_or_start_transaction_for_path = function(fs, _, path)
    return fs:get_or_start_transaction_for_path(path)
  end,
} do
  add("modfs.Filesystem:" .. name, function(modfs)
    local fs, tx = transaction(modfs)
    paths = paths + 1 -- the last one may be held yet
    local path = ("%s/held%d"):format(D, paths)
    assert(tx:add(path))
    return function() return call(fs, tx, path) end, fs, tx
  end, { varies = name:find "decode" ~= nil })
end
add("modfs.Filesystem:end_transaction", function(modfs)
  local _, tx = transaction(modfs)
  local other = modfs.filesystem "/"
  return function() return other:end_transaction(tx) end, other, tx
end)
for _, path in ipairs { D .. "/x", 12.5, "/elsewhere" } do
  add("modfs.Transaction:add", function(modfs)
    local _, tx = transaction(modfs)
    return function() return tx:add(path) end, tx
  end)
end
for _, name in ipairs { "commit", "abort", "close" } do
  add("modfs.Transaction:" .. name, function(modfs)
    local _, tx = transaction(modfs)
    return function() return tx[name](tx) end, tx
  end)
end

local function plugin(modfs)
  return assert(modfs.load(assert(modfs.filesystem "mem" and modfs.plugins()[1]).path))
end

add("modfs.Plugin:close", function(modfs)
  local it = plugin(modfs)
  return function() return it:close() end, it
end)
add("modfs.Plugin.fields", function(modfs)
  local it = plugin(modfs)
  return function()
    return { it.path, it.schemes, it.platforms, it.author, it.version, it.url, it.versions }
  end, it
end)
add("modfs.Filesystem.scheme", function(modfs)
  local fs = modfs.filesystem "mem"
  return function() return fs.scheme end, fs
end)

-- Devices -------------------------------------------------------------------------------------

local function device(modfs)
  return assert(modfs.device "REFERENCE")
end

-- The Device of a state is one object: a call that ends it leaves a new one to the next.
local function on_device(name, ...)
  local arguments = { ... }
  add("modfs.Device:" .. name, function(modfs)
    assert(modfs.write(F, text))
    local it = device(modfs)
    return function() return it[name](it, arguments[1]) end, it
  end, { varies = name == "load" or name == "memory_usage" or name == "allocator_stats" })
end

on_device("memory_usage")
on_device("allocator_stats")
on_device("allocate", 64)
on_device("allocate", -1)
on_device("host_allocate", 64)
on_device("unified_allocate", 64)
on_device("stream")
on_device("event")
on_device("timer")
on_device("synchronize")
on_device("load", F)
on_device("close")
add("modfs.Device.fields", function(modfs)
  local it = device(modfs)
  return function()
    return { it.name, it.platform, it.type, it.ordinal, it.hardware_name, it.vendor, it.pci_bus_id,
      it.numa_node, it.memory_bandwidth, it.gflops }
  end, it
end)

local function parts(modfs)
  local it = device(modfs)
  local stream, memory, other = it:stream(), it:allocate(64), it:allocate(64)
  assert(memory:fill(109) and other:fill(111))
  return { device = it, stream = stream, memory = memory, other = other, event = it:event(),
    timer = it:timer(), buffer = modfs.buffer(("b"):rep(64)), host = it:host_allocate(64) }
end

-- call(o) and the names of the parts that it works on.
local function on_parts(name, names, call, options)
  add("modfs." .. name, function(modfs)
    local all = parts(modfs)
    local objects = {}
    for part in names:gmatch "%a+" do
      objects[#objects + 1] = all[part]
    end
    return function() return call(all) end, objects[1], objects[2], objects[3], all.device
  end, options)
end

on_parts("Memory:write", "memory buffer", function(o)
  return o.memory:write(o.buffer, 1), o.memory:write("text", 60), o.memory:write("too long", 62)
end)
on_parts("Memory:read", "memory", function(o) return o.memory:read(2, 30), o.memory:read(70) end)
on_parts("Memory:copy", "memory other", function(o)
  local options = { n = 32 }
  return o.memory:copy(o.other, options), o.memory:copy(o.other, { n = "65" })
end)
on_parts("Memory:fill", "memory", function(o) return o.memory:fill(7), o.memory:fill(300) end)
on_parts("Memory:close", "memory", function(o) return o.memory:close() end)
on_parts("Stream:copy", "stream memory buffer", function(o)
  return o.stream:copy(o.memory, o.buffer):copy(o.buffer, o.memory, 10):copy(o.memory, "text")
end)
on_parts("Stream:copy", "stream memory other", function(o)
  return o.stream:copy(o.memory, o.other), o.stream:copy(o.memory, o.other, 65)
end)
on_parts("Stream:fill", "stream memory", function(o)
  return o.stream:fill(o.memory, 7), o.stream:fill(o.memory, 300)
end)
on_parts("Stream:wait", "stream event", function(o)
  return o.stream:record(o.event):wait(o.event)
end)
on_parts("Stream:record", "stream event", function(o) return o.stream:record(o.event) end)
on_parts("Stream:callback", "stream", function(o)
  return o.stream:callback(function() end):synchronize()
end)
on_parts("Stream:status", "stream", function(o) return o.stream:status() end)
on_parts("Stream:synchronize", "stream", function(o)
  o.stream:callback(function() return fresh "text" end)
  return o.stream:synchronize()
end)
on_parts("Stream:close", "stream", function(o) return o.stream:close() end)
on_parts("Event:status", "event", function(o) return o.event:status() end, { varies = true })
on_parts("Event:wait", "event stream", function(o)
  o.stream:record(o.event)
  return o.event:wait()
end)
on_parts("Event:close", "event", function(o) return o.event:close() end)
on_parts("Timer:start", "timer stream", function(o) return o.timer:start(o.stream) end)
on_parts("Timer:stop", "timer stream", function(o)
  return o.timer:start(o.stream), o.timer:stop(o.stream)
end)
on_parts("Timer:nanoseconds", "timer stream", function(o) return o.timer:nanoseconds() end,
  { varies = true })
on_parts("Timer:close", "timer", function(o) return o.timer:close() end)

-- Metamethods ---------------------------------------------------------------------------------

local function directory(modfs)
  return (select(2, modfs.dir(D)))
end

local function walk(modfs)
  return (select(2, modfs.walk(D)))
end

local function part(name)
  return function(modfs)
    return parts(modfs)[name]
  end
end

-- A maker for an object of each class.
local makers = {
  File = function(modfs) return modfs.open(D .. "/other") end,
  WritableFile = function(modfs) return modfs.open(G, "w") end,
  Region = region, Buffer = buffer, Directory = directory, Walk = walk,
  Tree = function(modfs) return begun(modfs, 1) end,
  Filesystem = function(modfs) return modfs.filesystem "mem" end,
  Plugin = plugin,
  Transaction = function(modfs) return (select(2, transaction(modfs))) end,
  Device = device, Memory = part "memory", Stream = part "stream", Event = part "event",
  Timer = part "timer",
  RecordReader = function(modfs) recorded(modfs) return modfs.tfrecord.reader(G) end,
  RecordWriter = function(modfs) return modfs.tfrecord.writer(G) end,
}

for class, make in pairs(makers) do
  add("modfs." .. class .. ":__tostring", function(modfs)
    local object = assert(make(modfs))
    return function() return tostring(object) end, object
  end, { varies = true })
  for _, name in ipairs { "__index", "__len" } do
    add(("modfs.%s:%s"):format(class, name), function(modfs)
      local object = assert(make(modfs))
      local method = debug.getmetatable(object)[name]
      return function()
        return type(method) == "function" and method(object, fresh "key") or true
      end, object
    end, { varies = true })
  end
end

-- In one order in every process.
for i, call in ipairs(calls) do
  call.place = i
end
table.sort(calls, function(a, b)
  if a.name ~= b.name then
    return a.name < b.name
  end
  return a.place < b.place
end)

return { list = calls, makers = makers }
