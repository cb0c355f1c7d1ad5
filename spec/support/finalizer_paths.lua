-- Rows of finalizer_calls: functions of paths, trees, changes, and the others of the module.
local modfs = require "modfs"
local rows = require "spec.support.finalizer_rows"

local D, F, G, TREE, COPY = rows.D, rows.F, rows.G, rows.TREE, rows.COPY
local add, functions, methods, fresh = rows.add, rows.functions, rows.methods, rows.fresh
local fresh_buffer, options_of, collect = rows.fresh_buffer, rows.options_of, rows.collect

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

rows.makers.File = other_file
rows.makers.Directory = directory
rows.makers.Walk = walk
rows.makers.Tree = begun(1)
rows.makers.Watch = watching
