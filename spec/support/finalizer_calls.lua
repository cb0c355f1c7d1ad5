-- A call for every function and method of modfs, with the objects that it works on: rows of
-- { name =, make = }, where make() returns the call as a function and then each object or table
-- that a finalizer may end. finalizer_spec.lua fails for a function that has none.
local async = require "modfs.async"
local modfs = require "modfs"

local D = "mem://finalizers"
local F, G = D .. "/f", D .. "/g" -- a file, and a name that nothing has
local TREE, COPY = D .. "/tree", D .. "/tree2"

local text = "one\n2 300\n" .. ("a longer line "):rep(20) .. "\nlast"

local unpack = table.unpack or unpack -- luacheck: ignore 113

local calls = {}

local function stage()
  assert(modfs.makedirs(D))
  assert(modfs.write(D .. "/other", ("z"):rep(20000)))
  assert(modfs.write(F, text))
  modfs.rmtree(G)
  modfs.remove(G)
  modfs.rmtree(TREE)
  modfs.rmtree(COPY)
  assert(modfs.makedirs(TREE .. "/a/b"))
  for i = 1, 3 do
    assert(modfs.write(TREE .. "/a/a file with a long name, number " .. i, text))
    assert(modfs.write(TREE .. "/a/b/" .. i, text))
  end
end

-- call(object…) with the objects that prepare() returns, if there are any.
-- options: varies (results are not the same twice), raises (the call is to fail).
local function add(name, prepare, call, options)
  options = options or {}
  calls[#calls + 1] = { name = name, varies = options.varies, raises = options.raises,
    make = function()
      stage()
      local objects = { (prepare or function() end)() }
      return function() return call(unpack(objects)) end, unpack(objects)
    end }
end

-- Rows { name, argument…, varies = } of functions that stand in a table.
local function functions(prefix, where, rows)
  for _, row in ipairs(rows) do
    add(prefix .. "." .. row[1], nil, function() return where[row[1]](unpack(row, 2)) end, row)
  end
end

-- The same of methods that the first object of prepare() has.
local function methods(class, prepare, rows)
  for _, row in ipairs(rows) do
    add("modfs." .. class .. ":" .. row[1], prepare, function(object)
      return object[row[1]](object, unpack(row, 2))
    end, row)
  end
end

-- A string that nothing but its holder keeps.
local function fresh(pattern)
  return (pattern .. "%d"):format(7)
end

local function fresh_buffer()
  return modfs.buffer(fresh "some bytes to write ")
end

-- A function that returns a copy of the table.
local function options_of(values)
  return function()
    local own = {}
    for key, value in pairs(values) do
      own[key] = value
    end
    return own
  end
end

-- All that an iterator gives.
local function collect(step, ...)
  local all = {}
  for a, b, c in step, ... do
    all[#all + 1] = { a, b, c }
  end
  return all
end

-- Paths ---------------------------------------------------------------------------------------

functions("modfs", modfs, {
  { "open", F },
  { "open", D .. "/none" },
  { "read", F },
  { "write", F, 123.25 },
  { "map", F },
  { "exists", F },
  { "isdir", F },
  { "isfile", F },
  { "hash", F, "sha256" },
  { "presign", F, "GET", 60 },
  { "append", F, 123.25 },
  { "stat", F, varies = true },
  { "lstat", F, varies = true },
  { "symlink", "to", G },
  { "islink", F },
  { "chmod", F, 420 },
  { "utime", F, 123, 456 },
  { "xattrs", F, varies = true },
  { "setxattr", F, "user.a", "x" },
  { "size", F },
  { "space", "/", varies = true },
  { "makedirs", G .. "/x/y" },
  { "remove", F },
  { "rmdir", G },
  { "rename", F, G },
  { "copy", F, G },
  { "glob", TREE .. "/a/*" },
  { "escape", F },
  { "listdir", TREE .. "/a" },
  { "dir", TREE .. "/a" },
  { "loadfile", F },
  { "du", TREE },
  { "rmtree", TREE },
  { "flush_caches" },
  { "platforms" },
  { "plugins" },
  { "schemes" },
  { "available", varies = true },
  { "devices" },
  { "pollfd" },
  { "tempname", "a", ".txt", varies = true },
})
add("modfs.readlink", nil, function()
  modfs.symlink("to", G)
  return modfs.readlink(G)
end)
add("modfs.tempdir", nil, function()
  local path = modfs.tempdir()
  modfs.rmdir(path)
  return path
end, { varies = true })

add("modfs.open", options_of { atomic = true, durable = false }, function(options)
  return modfs.open(G, "w", options)
end)
for _, options in ipairs { {}, { append = true }, { atomic = true } } do
  add("modfs.write", function() return fresh_buffer(), options_of(options)() end,
    function(buffer, own) return modfs.write(F, buffer, own), modfs.read(F) end)
end
add("modfs.append", fresh_buffer, function(buffer)
  return modfs.append(F, buffer), modfs.read(F)
end)
add("modfs.lines", nil, function() return collect(modfs.lines(F)) end)
add("modfs.exists", function()
  return { fresh(D .. "/a"), F, fresh "nosuch://", fresh(D .. "/none/") }
end, modfs.exists, { varies = true })
add("modfs.mkdir", options_of { private = true }, function(options)
  return modfs.mkdir(G, options)
end)
add("modfs.copy", options_of { progress = function() return fresh "text" ~= "" end },
  function(options) return modfs.copy(F, G, options) end)

-- Listings and trees --------------------------------------------------------------------------

local function directory()
  local step, it = modfs.dir(TREE .. "/a")
  return it, step
end

add("modfs.Directory:next", directory, function(it) return { it:next() }, { it:next() } end)
methods("Directory", directory, { { "close" } })
add("modfs.dir", directory, function(_, step) return collect(step) end)

local function walk(options)
  local step, it = modfs.walk(TREE, options)
  return it, step
end

for _, options in ipairs { {}, { bottomup = true } } do
  add("modfs.walk", function() return walk(options) end, function(_, step)
    return collect(step)
  end, { varies = true }) -- a walk that was ended has no more directories
end
-- A loop that changes the list of directories.
add("modfs.walk", function()
  assert(modfs.makedirs(TREE .. "/another directory, number 1"))
  local it, step = walk()
  local _, folders = step()
  folders[1] = ("%s %d"):format("another directory, number", 1)
  folders[2] = fresh "no such directory "
  return it, folders, step
end, function(_, _, step) return step() end, { raises = true, varies = true })
add("modfs.walk", function()
  local it, step = walk { onerror = function() end }
  local _, folders = step()
  folders[1] = fresh "no such directory, whose name is not short "
  return it, folders, step
end, function(_, _, step) return step() end, { varies = true })

local choosing = options_of { exclude = { "2", fresh "no such file " }, include = "*",
  max_depth = 3, exclude_from = D .. "/other",
  filter = function(entry) return fresh(entry.path) ~= "" end }
for name, call in pairs {
  walk = function(options) return collect(modfs.walk(TREE, options)) end,
  glob = function(options) return modfs.glob(TREE .. "/**", options) end,
  du = function(options) return modfs.du(TREE, options) end,
} do
  add("modfs." .. name, choosing, call, { varies = true })
end

for name, call in pairs {
  du = function(options) return modfs.du(TREE, options) end,
  rmtree = function(options) return modfs.rmtree(TREE, options) end,
  tree = function(options) return modfs.tree("du", TREE, options) end,
} do
  add("modfs." .. name, options_of { threads = 1 }, call)
end
for _, name in ipairs { "copytree", "sync" } do
  add("modfs." .. name, options_of { threads = 1, progress = function() end }, function(options)
    return modfs[name](TREE, COPY, options)
  end)
end

-- A maker of a tree operation that has begun.
local function begun(threads)
  return function()
    return assert(modfs.tree("copytree", TREE, COPY, { progress = true, threads = threads }))
  end
end
add("modfs.Tree:step", begun(1), function(tree) return { tree:step() }, { tree:step() } end)
methods("Tree", begun(2), { { "cancel" }, { "close" } })
for _, threads in ipairs { 1, 2 } do
  add("modfs.Tree:result", function()
    local tree = begun(threads)()
    tree:step()
    return tree
  end, function(tree) return tree:result() end, { varies = threads > 1 })
end
-- Directories stand where files are to be written.
add("modfs.Tree:result", function()
  local tree = begun(1)()
  for i = 1, 3 do
    assert(modfs.makedirs(COPY .. "/a/a file with a long name, number " .. i))
  end
  repeat until not tree:step()
  return tree
end, function(tree) return tree:result() end)

-- Changes -------------------------------------------------------------------------------------

-- A watch with six changes, of which the last one ends it.
local function watching()
  local place = assert(modfs.tempdir())
  local watch = assert(modfs.watch(place, { timeout = 0 }))
  assert(modfs.write(place .. "/a", "text"))
  assert(os.rename(place .. "/a", place .. "/b"))
  assert(os.remove(place .. "/b") and modfs.rmdir(place))
  return watch
end

add("modfs.watch", options_of { timeout = 0 }, function(options)
  return (modfs.watch("/", options))
end)
add("modfs.Watch:__call", watching, function(watch)
  local kinds = {}
  for change in watch do
    kinds[#kinds + 1] = change.kind .. (change.from and " to " or " ")
      .. (change.path:match "/[ab]$" or "all")
  end
  return kinds
end)
add("modfs.Watch:next", watching, function(watch)
  return watch:next().kind, watch:next(0).kind, watch:next(0).from:sub(-2)
end)
methods("Watch", watching, { { "fd", varies = true }, { "close" } })

-- Other functions of the module ---------------------------------------------------------------

local function other_file()
  return assert(modfs.open(D .. "/other"))
end

add("modfs.type", other_file, modfs.type, { varies = true })
add("modfs.with", other_file, function(file)
  return modfs.with(file, function(it) return it:read(4) end)
end)
add("modfs.crc32c", fresh_buffer, function(buffer)
  return modfs.crc32c(buffer, 7), modfs.crc32c(12.5)
end)
add("modfs.loadfile", function()
  assert(modfs.write(F, "return 1, ..."))
  return {}
end, function(env) return modfs.loadfile(F, "t", env) end)
add("modfs.dofile", function() assert(modfs.write(F, "return 1, 'text'")) end,
  function() return modfs.dofile(F) end)
add("modfs.buffer", fresh_buffer, function(buffer)
  return modfs.buffer(buffer), modfs.buffer(100), modfs.buffer "abc"
end)
add("modfs.filesystem", nil, function()
  return modfs.filesystem "mem", modfs.filesystem(F)
end)
add("modfs.filesystem", nil, function() return modfs.filesystem(fresh "nosuch") end)
add("modfs.config", nil, function() return modfs.config "mem" end)
add("modfs.config", function() return modfs.config "mem" end, function(values)
  return modfs.config("mem", values)
end)
add("modfs.config", function() return { [fresh "no_such_option_of_this_filesystem"] = 1 } end,
  function(values) return modfs.config("mem", values) end, { varies = true })
add("modfs.load", function()
  local library
  for line in io.lines "/proc/self/maps" do
    library = line:match "/%S*/libc[.-]%S*" or library
  end
  return { symbol = fresh "a_symbol_with_a_long_name_that_nothing_has", trust = true }, library
end, function(options, library) return modfs.load(library, options) end)
add("modfs.device", nil, function() return modfs.device "REFERENCE:0" end)
add("modfs.device", nil, function() return modfs.device(fresh "NOSUCH" .. ":0") end,
  { varies = true })
local seen
add("modfs.poll", function()
  local device = assert(modfs.device "REFERENCE")
  local stream = device:stream()
  seen = 0
  for _ = 1, 3 do
    stream:callback(function() seen = seen + 1 end)
  end
  return stream, device
end, function()
  for _ = 1, 20 do
    modfs.poll(seen < 3 and 0.01 or 0)
  end
  return seen
end, { varies = true })

functions("modfs.path", modfs.path, {
  { "match", "abc", "a*" },
  { "join", D, "a", 12.5, "b" },
  { "relative", F, TREE },
  { "commonpath", { F, G, TREE } },
})
for _, name in ipairs { "parse", "clean", "dirname", "basename", "extension", "is_absolute",
  "absolute", "split", "stem", "expanduser" } do
  functions("modfs.path", modfs.path, { { name, "mem://a/b/../c.txt" } })
end

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

-- Filesystems, plugins and transactions -------------------------------------------------------

local function memory_filesystem()
  return modfs.filesystem "mem"
end

methods("Filesystem", memory_filesystem, {
  { "new_random_access_file", F },
  { "new_writable_file", G },
  { "new_appendable_file", F },
  { "new_read_only_memory_region_from_file", F },
  { "create_dir", G },
  { "recursively_create_dir", G .. "/x" },
  { "delete_file", F },
  { "delete_dir", G },
  { "delete_recursively", TREE },
  { "path_exists", F },
  { "stat", F, varies = true },
  { "is_directory", F },
  { "get_file_size", F },
  { "translate_name", F },
  { "get_children", TREE .. "/a" },
  { "get_matching_paths", TREE .. "/a/*" },
  { "rename_file", F, G },
  { "copy_file", F, G },
  { "flush_caches" },
  { "operations" },
  { "close" },
  { "get_filesystem_configuration" },
  { "get_filesystem_configuration_option", "limit_bytes" },
  { "get_filesystem_configuration_option", "no_such_option" },
  { "get_filesystem_configuration_keys" },
  { "start_transaction" },
})
add("modfs.Filesystem:paths_exist", function()
  return memory_filesystem(), { fresh(D .. "/a"), fresh(D .. "/a long name, number ") }
end, function(fs, list) return fs:paths_exist(list) end, { varies = true })
add("modfs.Filesystem:set_filesystem_configuration", function()
  local fs = memory_filesystem()
  local list = fs:get_filesystem_configuration()
  return fs, list, list[1]
end, function(fs, list) return fs:set_filesystem_configuration(list) end, { varies = true })
local function set_option(fs, option)
  return fs:set_filesystem_configuration_option(option)
end
add("modfs.Filesystem:set_filesystem_configuration_option", function()
  local fs = memory_filesystem()
  return fs, (fs:get_filesystem_configuration_option "limit_bytes")
end, set_option, { varies = true })
add("modfs.Filesystem:set_filesystem_configuration_option", function()
  local option = { name = fresh "a_name_that_no_option_has_and_never_had_", type = "buffer",
    value = { fresh "some value ", fresh "another value " } }
  return memory_filesystem(), option, option.value
end, set_option, { varies = true })

local function transaction()
  return (assert(memory_filesystem():start_transaction()))
end

local paths = 0

for name, call in pairs {
  end_transaction = function(fs, tx) return fs:end_transaction(tx) end,
  add_to_transaction = function(fs, tx) return fs:add_to_transaction(D .. "/x", tx) end,
  decode_transaction_token = function(fs, tx) return fs:decode_transaction_token(tx) end,
  get_transaction_for_path = function(fs, _, path) return fs:get_transaction_for_path(path) end,
  get_or_start_transaction_for_path = function(fs, _, path)
    return fs:get_or_start_transaction_for_path(path)
  end,
} do
  add("modfs.Filesystem:" .. name, function()
    local tx = transaction()
    paths = paths + 1 -- the last one may be held yet
    local path = ("%s/held%d"):format(D, paths)
    assert(tx:add(path))
    return memory_filesystem(), tx, path
  end, call, { varies = name:find "decode" ~= nil })
end
add("modfs.Filesystem:end_transaction", function() return modfs.filesystem "/", transaction() end,
  function(other, tx) return other:end_transaction(tx) end)
methods("Transaction", transaction, {
  { "add", D .. "/x" },
  { "add", 12.5 },
  { "add", "/elsewhere" },
  { "commit" },
  { "abort" },
  { "close" },
})

local function plugin()
  return assert(modfs.load(assert(modfs.filesystem "mem" and modfs.plugins()[1]).path))
end

methods("Plugin", plugin, { { "close" } })
add("modfs.Plugin.fields", plugin, function(it)
  return { it.path, it.schemes, it.platforms, it.author, it.version, it.url, it.versions }
end)
add("modfs.Filesystem.scheme", memory_filesystem, function(fs) return fs.scheme end)

-- Devices -------------------------------------------------------------------------------------

-- The Device of a state is one object: a call that ends it leaves a new one to the next.
local function device()
  return assert(modfs.device "REFERENCE")
end

methods("Device", device, {
  { "memory_usage", varies = true },
  { "allocator_stats", varies = true },
  { "allocate", 64 },
  { "allocate", -1 },
  { "host_allocate", 64 },
  { "unified_allocate", 64 },
  { "stream" },
  { "event" },
  { "timer" },
  { "synchronize" },
  { "load", F, varies = true },
  { "close" },
})
add("modfs.Device.fields", device, function(it)
  return { it.name, it.platform, it.type, it.ordinal, it.hardware_name, it.vendor, it.pci_bus_id,
    it.numa_node, it.memory_bandwidth, it.gflops }
end)

local function filled(value)
  return function(it)
    local memory = it:allocate(64)
    assert(memory:fill(value))
    return memory
  end
end

local part_makers = {
  memory = filled(109),
  other = filled(111),
  stream = function(it) return it:stream() end,
  event = function(it) return it:event() end,
  timer = function(it) return it:timer() end,
  buffer = function() return modfs.buffer(("b"):rep(64)) end,
}

-- A maker of the parts of a device that have these names, and of the device.
local function parts(names)
  return function()
    local objects, it = {}, device()
    for name in names:gmatch "%a+" do
      objects[#objects + 1] = part_makers[name](it)
    end
    objects[#objects + 1] = it
    return unpack(objects)
  end
end

add("modfs.Memory:write", parts "memory buffer", function(memory, buffer)
  return memory:write(buffer, 1), memory:write("text", 60), memory:write("too long", 62)
end)
add("modfs.Memory:read", parts "memory", function(memory)
  return memory:read(2, 30), memory:read(70)
end)
add("modfs.Memory:copy", parts "memory other", function(memory, other)
  return memory:copy(other, { n = 32 }), memory:copy(other, { n = "65" })
end)
add("modfs.Memory:fill", parts "memory", function(memory)
  return memory:fill(7), memory:fill(300)
end)
add("modfs.Stream:copy", parts "stream memory buffer", function(stream, memory, buffer)
  return stream:copy(memory, buffer):copy(buffer, memory, 10):copy(memory, "text")
end)
add("modfs.Stream:copy", parts "stream memory other", function(stream, memory, other)
  return stream:copy(memory, other), stream:copy(memory, other, 65)
end)
add("modfs.Stream:fill", parts "stream memory", function(stream, memory)
  return stream:fill(memory, 7), stream:fill(memory, 300)
end)
add("modfs.Stream:wait", parts "stream event", function(stream, event)
  return stream:record(event):wait(event)
end)
add("modfs.Stream:record", parts "stream event", function(stream, event)
  return stream:record(event)
end)
add("modfs.Stream:callback", parts "stream", function(stream)
  return stream:callback(function() end):synchronize()
end)
add("modfs.Stream:synchronize", parts "stream", function(stream)
  stream:callback(function() return fresh "text" end)
  return stream:synchronize()
end)
add("modfs.Event:wait", parts "event stream", function(event, stream)
  stream:record(event)
  return event:wait()
end)
add("modfs.Timer:start", parts "timer stream", function(timer, stream)
  return timer:start(stream)
end)
add("modfs.Timer:stop", parts "timer stream", function(timer, stream)
  return timer:start(stream), timer:stop(stream)
end)
methods("Memory", parts "memory", { { "close" } })
methods("Stream", parts "stream", { { "status" }, { "close" } })
methods("Event", parts "event", { { "status", varies = true }, { "close" } })
methods("Timer", parts "timer stream", { { "nanoseconds", varies = true }, { "close" } })

-- Jobs ----------------------------------------------------------------------------------------

add("modfs.async.read", nil, function() return async.read(F):wait() end)
add("modfs.async.stat", nil, function() return async.stat(F):wait() end, { varies = true })
add("modfs.async.listdir", nil, function() return async.listdir(TREE .. "/a"):wait() end)
add("modfs.async.open", nil, function() return async.open(F):wait() end)
add("modfs.async.copytree", nil, function() return async.copytree(TREE, COPY):wait() end)
add("modfs.async.glob", nil, function()
  return async.glob(TREE .. "/**", { filter = function(entry) return fresh(entry.path) ~= "" end })
    :wait()
end)
add("modfs.async.du", nil, function()
  return async.du(TREE, { filter = function(entry) return fresh(entry.path) ~= "" end }):wait()
end)
add("modfs.async.write", fresh_buffer, function(buffer)
  return async.write(F, buffer):wait(), modfs.read(F)
end, { varies = true })
add("async(file):read", other_file, function(file)
  return async(file):read(10, "l"):wait()
end, { varies = true })

local function job()
  return async.read(F)
end

local function await_both(list)
  return async.all(list):wait()
end

methods("Job", job, { { "wait" }, { "await" }, { "done", varies = true }, { "cancel" },
  { "progress", varies = true } })
-- What a Job gives may be made of memory that the Job's end frees.
for _, row in ipairs { { "listdir", TREE .. "/a" }, { "stat", F, varies = true },
  { "glob", TREE .. "/**" }, { "hash", F, "sha256" }, { "open", F } } do
  add("modfs.Job:wait", function() return async[row[1]](unpack(row, 2)) end, function(one)
    return one:wait()
  end, row)
end
add("modfs.Job:wait", function()
  return async.du(TREE, { filter = function(entry) return fresh(entry.path) ~= "" end })
end, function(one) return one:wait() end)
add("modfs.Job:wait", function()
  return async.copytree(TREE, COPY, { progress = function(_, _, path) fresh(path) end })
end, function(one) return one:wait() end, { varies = true })
add("modfs.Job:on_done", job, function(one)
  local told = {}
  one:on_done(function(that) told.done, told.content = true, that:wait() end)
  repeat modfs.poll(1) until told.done
  return told.content
end, { varies = true })
add("modfs.async.lines", nil, function()
  local count = 0
  for _ in async.lines(F) do
    count = count + 1
  end
  return count
end)
add("modfs.async.all", nil, function()
  local results = await_both { async.read(F), async.size(F) }
  return results[1][1], results[2][1]
end)
add("modfs.async.any", nil, function() return async.any({ async.size(F) }):wait() end)
add("modfs.async.run", nil, function()
  return async.run(function() return async.size(F):await() end)
end)
add("modfs.async.go", nil, function() return async.go(function() return 1 end):wait() end)
functions("modfs.async", async, { { "use", "poll" }, { "threads" }, { "queue" } })

-- Metamethods ---------------------------------------------------------------------------------

-- A maker for an object of each class.
local makers = {
  File = other_file, WritableFile = open_writable, Region = region, Buffer = text_buffer,
  Directory = directory, Walk = walk, Tree = begun(1), Filesystem = memory_filesystem,
  Plugin = plugin, Transaction = transaction, Device = device, Memory = parts "memory",
  Stream = parts "stream", Event = parts "event", Timer = parts "timer", RecordReader = reader,
  RecordWriter = writer, Watch = watching,
}

for class, make in pairs(makers) do
  local prefix = "modfs." .. class .. ":"
  local function one()
    return (make())
  end
  add(prefix .. "__tostring", one, tostring, { varies = true })
  for _, name in ipairs { "__index", "__len" } do
    add(prefix .. name, one, function(object)
      local method = debug.getmetatable(object)[name]
      return type(method) == "function" and method(object, fresh "key") or true
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

return { list = calls, makers = makers, stage = stage }
