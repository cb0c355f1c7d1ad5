-- Penlight on mem://, through the drop-ins (lfs_spec.lua).
-- luacheck: globals io os
local modfs = require "modfs"
package.loaded.lfs = require "modfs.lfs"
io = require "modfs.io"
local mos = require "modfs.os"
os.remove, os.rename = mos.remove, mos.rename
local dir, path, file = require "pl.dir", require "pl.path", require "pl.file"
local List = require "pl.List"
local function names(list)
  return List(list):sort():concat " "
end

assert(dir.makepath "mem://proj/src/deep")
assert(modfs.isdir "mem://proj/src/deep")
assert(file.write("mem://proj/a.txt", "alpha\n"))
assert(file.write("mem://proj/src/b.lua", "beta"))
assert(file.write("mem://proj/src/deep/c.lua", ""))
assert(file.read "mem://proj/a.txt" == "alpha\n")

assert(path.exists "mem://proj/a.txt" and not path.exists "mem://proj/none")
assert(path.isfile "mem://proj/a.txt" and path.isdir "mem://proj/src")
assert(not path.islink "mem://proj/a.txt" and path.getsize "mem://proj/a.txt" == 6)
assert(math.abs(file.modified_time "mem://proj/a.txt" - os.time()) < 100)
assert(path.join("mem://proj", "src", "b.lua") == "mem://proj/src/b.lua")
assert(path.basename "mem://proj/a.txt" == "a.txt")
assert(path.dirname "mem://proj/a.txt" == "mem://proj")
assert(path.extension "mem://proj/a.txt" == ".txt")
assert(path.exists(path.normpath "mem://proj/src/../a.txt"))
assert(path.exists(path.abspath "mem://proj/a.txt"))

assert(names(dir.getfiles "mem://proj") == "mem://proj/a.txt")
assert(names(dir.getfiles("mem://proj/src", "*.lua")) == "mem://proj/src/b.lua")
assert(names(dir.getdirectories "mem://proj") == "mem://proj/src")
assert(names(dir.getallfiles("mem://proj", "*.lua"))
  == "mem://proj/src/b.lua mem://proj/src/deep/c.lua")
local roots = {}
for root, dirs, files in dir.walk "mem://proj" do
  roots[#roots + 1] = root .. ":" .. #dirs .. ":" .. #files
end
assert(names(roots) == "mem://proj/src/deep:0:1 mem://proj/src:1:1 mem://proj:1:1")
local count = 0
for _ in dir.dirtree "mem://proj" do
  count = count + 1
end
assert(count == 5)

local function copy(from, to)
  return file.write(to, file.read(from))
end
assert(dir.clonetree("mem://proj", "mem://copy", copy) == true)
assert(modfs.read "mem://copy/proj/src/b.lua" == "beta") -- below it, as on a disk

assert(path.chdir "mem://proj")
assert(path.currentdir() == "mem://proj")
assert(path.isfile "src/b.lua" and file.read "src/b.lua" == "beta")
assert(path.exists(path.abspath "src/b.lua"))

assert(file.delete "mem://proj/a.txt")
assert(not path.exists "mem://proj/a.txt")
assert(dir.rmtree "mem://proj")
assert(not modfs.exists "mem://proj")
print "done"
