-- Calls each function that opens something while dropped files, which nobody closes, leave it no
-- descriptor, or a few (gc_spec.lua): a directory; "keep" to keep the files.
local async = require "modfs.async"
local codec = require "modfs.codec"
local modfs = require "modfs"
local tfrecord = require "modfs.tfrecord"
local root, keep = ...
local MOST_LEFT = 6
local kept -- luacheck: ignore 231

local file, tree, link = root .. "/a_file", root .. "/tree", root .. "/link"
assert(modfs.makedirs(tree .. "/a/b"))
assert(modfs.write(tree .. "/a/b/1", "one"))
assert(modfs.write(tree .. "/a/2", "two"))
assert(modfs.write(file, "return 1\n"))
assert(modfs.symlink("a_file", link))
assert(modfs.copytree(tree, "tar://" .. root .. "/archive.tar!/"))
local out = assert(codec.open(root .. "/packed", "w", "gzip"))
assert(out:write "packed")
assert(out:close())
local records = assert(tfrecord.writer(root .. "/records"))
assert(records:write "one")
assert(records:close())

local function all_of(iterator, object, first)
  local count = 0
  for name in iterator, object, first do
    count = count + (name and 1 or 0)
  end
  return count
end

-- name -> call; the results are true when it did what it should.
local calls = {
  read = function() return modfs.read(file) == "return 1\n" end,
  open = function() return modfs.open(file):read "a" == "return 1\n" end,
  open_to_write = function() return modfs.open(root .. "/new", "w"):close() end,
  open_to_append = function() return modfs.open(root .. "/new", "a"):close() end,
  open_atomic = function() return modfs.open(root .. "/new", "w", { atomic = true }):close() end,
  write = function() return modfs.write(root .. "/new", "x") end,
  write_atomic = function() return modfs.write(root .. "/new", "x", { atomic = true }) end,
  append = function()
    return modfs.write(root .. "/log", "x") and modfs.append(root .. "/log", "y")
      and modfs.read(root .. "/log") == "xy"
  end,
  copy = function() return modfs.copy(file, root .. "/copy") end,
  copy_telling = function()
    return modfs.copy(file, root .. "/copy", { progress = function() end })
  end,
  copy_to_memory = function() return modfs.copy(file, "mem://copy") end,
  copy_from_memory = function()
    return modfs.write("mem://copy", "x") and modfs.copy("mem://copy", root .. "/copy")
  end,
  rename = function()
    return modfs.copy(file, root .. "/b") and modfs.rename(root .. "/b", root .. "/c")
  end,
  map = function() return modfs.map(file):sub(1) == "return 1\n" end,
  lines = function() return all_of(modfs.lines(file)) == 1 end,
  codec = function() return codec.open(root .. "/packed"):read "a" == "packed" end,
  records = function() return tfrecord.reader(root .. "/records"):read() == "one" end,
  hash = function() return #modfs.hash(file, "crc32c") > 0 end,
  loadfile = function() return modfs.loadfile(file)() == 1 end,
  dofile = function() return modfs.dofile(file) == 1 end,
  listdir = function() return #modfs.listdir(tree .. "/a") == 2 end,
  dir = function() return all_of(modfs.dir(tree .. "/a")) == 2 end,
  walk = function() return all_of(modfs.walk(tree)) == 3 end,
  glob = function() return #modfs.glob(tree .. "/**/1") == 1 end,
  glob_filtered = function()
    return #modfs.glob(tree .. "/**/1", { filter = function() return true end }) == 1
  end,
  du = function() return modfs.du(tree).files == 2 end,
  copytree = function() return modfs.copytree(tree, root .. "/tree2").errors[1] == nil end,
  sync = function() return modfs.sync(tree, root .. "/tree2").errors[1] == nil end,
  rmtree = function()
    return modfs.copytree(tree, root .. "/t3") and modfs.rmtree(root .. "/t3")
  end,
  rmtree_stepwise = function()
    return modfs.copytree(tree, root .. "/t3") and modfs.rmtree(root .. "/t3", { threads = 1 })
  end,
  makedirs = function() return modfs.makedirs(root .. "/x/y/z") end,
  tempdir = function() return modfs.tempdir() end,
  watch = function() return modfs.watch(root):close() end,
  xattrs = function() return modfs.xattrs(file) end,
  stat = function() return modfs.stat(file).length == 9 end,
  exists = function() return modfs.exists(file) and modfs.isdir(tree) and modfs.isfile(file) end,
  lstat = function()
    return modfs.lstat(link).kind == "link" and modfs.readlink(link) == "a_file"
  end,
  chmod = function() return modfs.chmod(file, 420) and modfs.utime(file, os.time()) end,
  space = function() return modfs.space(root).free > 0 end,
  archive = function() return modfs.read("tar://" .. root .. "/archive.tar!/a/2") == "two" end,
  archive_list = function() return #modfs.listdir("tar://" .. root .. "/archive.tar!/a") == 2 end,
}
for _, name in ipairs { "read", "map", "listdir", "hash", "open", "glob" } do
  local arguments = { listdir = { tree }, hash = { file, "crc32c" }, glob = { tree .. "/*" } }
  calls["async_" .. name] = function()
    local given = arguments[name] or { file }
    return async[name](given[1], given[2]):wait()
  end
end
calls.async_write = function() return async.write(root .. "/new", "x"):wait() end
calls.async_copy = function() return async.copy(file, root .. "/copy"):wait() end
assert(calls.async_read()) -- starts the threads

-- Opens files until only so many descriptors are left.
local function fill(left)
  kept = nil
  collectgarbage()
  collectgarbage "stop"
  local files = {}
  local one = io.open(file)
  while one do
    files[#files + 1] = one
    one = io.open(file)
  end
  for i = #files - left + 1, #files do
    files[i]:close()
  end
  kept = keep and files
end

local failed = {}
for name, call in pairs(calls) do
  for left = MOST_LEFT, 0, -1 do
    fill(left)
    local ran, done, message = pcall(call)
    if not ran or not done then
      failed[#failed + 1] = ("%s, %d left: %s"):format(name, left, tostring(message or done))
    end
    collectgarbage "restart"
  end
end
table.sort(failed)
print(#failed == 0 and "all" or table.concat(failed, "\n"))
