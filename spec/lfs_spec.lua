-- modfs.lfs beside LuaFileSystem: each script runs with the real one on a folder of the disk, and
-- with ours on that folder (with and without the real one installed) and on one in memory.
local child = require "spec.support.child"
local modfs = require "modfs"
local mlfs = require "modfs.lfs"
local real = require "lfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local bare = require "spec.support.bare_lfs"

describe("modfs.lfs does as lfs:", function()
  local memory = "mem://lfs-spec"
  local disk
  before_each(function()
    disk = tmpdir.new()
    assert(modfs.makedirs(memory))
  end)
  after_each(function()
    tmpdir.remove(disk)
    modfs.rmtree(memory)
  end)

  local function run(script, lib, folder)
    local notes = {}
    local shown = folder:gsub("^file://", ""):gsub("%p", "%%%0")
    local function note(...)
      local row = { n = select("#", ...), ... }
      for i = 1, row.n do
        row[i] = type(row[i]) == "string" and row[i]:gsub(shown, "FOLDER") or row[i]
      end
      notes[#notes + 1] = row
    end
    script(lib, folder, note)
    return notes
  end

  -- What script notes; bring it the files f (5 bytes) and dir/g, and an empty folder.
  local function stage(folder)
    assert(modfs.write(folder .. "/f", "12345"))
    assert(modfs.makedirs(folder .. "/dir"))
    assert(modfs.makedirs(folder .. "/empty"))
    assert(modfs.write(folder .. "/dir/g", ""))
  end

  local function fresh(folder)
    modfs.rmtree(folder)
    assert(modfs.makedirs(folder))
    stage(folder)
    return folder
  end

  local function compare(what, script, not_bare)
    it(what, function()
      local expected = run(script, real, fresh(disk))
      assert.truthy(#expected > 0)
      assert.same(expected, run(script, mlfs, fresh(memory)))
      assert.same(expected, run(script, mlfs, fresh(disk)))
      assert.same(expected, run(script, mlfs, "file://" .. fresh(disk)))
      if not not_bare then
        assert.same(expected, run(script, bare, fresh(disk)))
      end
    end)
  end

  local function try(note, fn, ...)
    note((pcall(fn, ...)))
  end

  compare("the names of the module", function(lfs, _, note)
    for _, name in ipairs { "attributes", "chdir", "currentdir", "dir", "link", "lock", "lock_dir",
      "unlock", "mkdir", "rmdir", "setmode", "symlinkattributes", "touch" } do
      note(name, type(lfs[name]))
    end
    note(lfs._VERSION, lfs._DESCRIPTION, lfs._COPYRIGHT)
  end)

  compare("attributes of files and directories", function(lfs, folder, note)
    for _, name in ipairs { "/f", "/dir", "", "/dir/g", "/./f", "/dir/../f" } do
      note(name, lfs.attributes(folder .. name, "mode"))
    end
    note(lfs.attributes(folder .. "/f", "size"))
    note(lfs.attributes(folder .. "/f").size, lfs.attributes(folder .. "/f").mode)
    local mine = { extra = 1 }
    note(lfs.attributes(folder .. "/f", mine) == mine, mine.size, mine.extra)
    note(lfs.attributes(folder .. "/dir/g", "size"), lfs.attributes(folder .. "/f", "nlink"))
  end)

  compare("every field, of its type", function(lfs, folder, note)
    local names = {}
    for name, value in pairs(lfs.attributes(folder .. "/f")) do
      names[#names + 1] = name .. ":" .. (math.type and math.type(value) or type(value))
      assert.equal(value, (lfs.attributes(folder .. "/f", name)))
    end
    table.sort(names)
    note(table.concat(names, " "))
    local now = os.time()
    for _, name in ipairs { "modification", "access", "change" } do
      note(name, math.abs(lfs.attributes(folder .. "/f", name) - now) < 100)
    end
  end)

  compare("attributes of what is not there", function(lfs, folder, note)
    note(lfs.attributes(folder .. "/none"))
    note(lfs.attributes(folder .. "/none", "mode"))
    note(lfs.attributes(folder .. "/f/below"))
    note(lfs.attributes(folder .. "/none", {}))
    note(lfs.symlinkattributes(folder .. "/none"))
    note(lfs.attributes(folder .. "/f/", "mode"))
    note(lfs.attributes(folder .. "/f/"))
    note(lfs.symlinkattributes(folder .. "/f//", "mode"))
    note(lfs.attributes(folder .. "/dir/", "mode"))
    note(lfs.symlinkattributes(folder .. "/none", "target"))
    note(lfs.symlinkattributes(folder .. "/f", "target"))
    note(lfs.symlinkattributes(folder .. "/f", "mode"))
    note(lfs.symlinkattributes(folder .. "/dir").mode)
  end)

  compare("links", function(lfs, folder, note)
    note(lfs.link("f", folder .. "/soft", true))
    note(lfs.link("none", folder .. "/dead", true))
    note(lfs.link("f", folder .. "/soft", true))
    note(lfs.link("f", folder .. "/none/soft", true))
    note(lfs.symlinkattributes(folder .. "/soft", "target"))
    note(lfs.symlinkattributes(folder .. "/soft").target)
    note(lfs.symlinkattributes(folder .. "/f").target)
    note(lfs.symlinkattributes(folder .. "/soft", "mode"))
    note(lfs.attributes(folder .. "/soft", "mode"), lfs.attributes(folder .. "/soft", "size"))
    note(lfs.attributes(folder .. "/dead"))
    note(lfs.symlinkattributes(folder .. "/dead", "mode"))
  end)

  compare("touching", function(lfs, folder, note)
    note(lfs.touch(folder .. "/f", 1000, 2000))
    note(lfs.attributes(folder .. "/f", "modification"))
    note(lfs.touch(folder .. "/f", 3000))
    note(lfs.attributes(folder .. "/f", "modification"))
    note(lfs.touch(folder .. "/f"))
    note(math.abs(lfs.attributes(folder .. "/f", "modification") - os.time()) < 100)
    note(lfs.touch(folder .. "/none"))
    note(lfs.touch(folder .. "/dir", -5, -6))
    note(lfs.attributes(folder .. "/dir", "modification"))
    try(note, lfs.touch)
    try(note, lfs.touch, folder .. "/f", {})
  end)

  compare("making and removing directories", function(lfs, folder, note)
    note(lfs.mkdir(folder .. "/new"))
    note(lfs.attributes(folder .. "/new", "mode"))
    note(lfs.mkdir(folder .. "/new"))
    note(lfs.mkdir(folder .. "/f"))
    note(lfs.mkdir(folder .. "/x/y"))
    note(lfs.mkdir(folder .. "/f/y"))
    note(lfs.rmdir(folder .. "/new"))
    note(lfs.rmdir(folder .. "/new"))
    note(lfs.rmdir(folder .. "/dir"))
    note(lfs.rmdir(folder .. "/f"))
    note(lfs.rmdir(folder .. "/f/y"))
    try(note, lfs.mkdir)
    try(note, lfs.rmdir, {})
  end)

  compare("directories", function(lfs, folder, note)
    for _, path in ipairs { folder, folder .. "/empty" } do
      local names = {}
      for name in lfs.dir(path) do
        names[#names + 1] = name
      end
      table.sort(names)
      note(table.concat(names, " "))
    end
    note(select("#", lfs.dir(folder)))
    try(note, lfs.dir, folder .. "/none")
    try(note, lfs.dir, folder .. "/f")
    try(note, lfs.dir)
    note(select(2, pcall(lfs.dir, folder .. "/none")):match "cannot open .*")
    note(select(2, pcall(lfs.dir, folder .. "/f")):match "cannot open .*")
  end)

  compare("directories, step by step", function(lfs, folder, note)
    local step, object = lfs.dir(folder)
    note(type(step), type(step(object)), type(object:next()))
    note(object:close())
    note(object:close())
    try(note, object.next, object)
    try(note, step, object)
    try(note, step)
    step, object = lfs.dir(folder .. "/empty")
    local count = 0
    while step(object) do
      count = count + 1
    end
    note(count)
    try(note, step, object)
    try(note, object.close, object)
  end)

  if _VERSION >= "Lua 5.4" then
    compare("directories, closed by a break", function(lfs, folder, note)
      local step, object, nothing, closing = lfs.dir(folder)
      note(nothing, object == closing)
      for name in step, object, nothing, closing do
        if name then
          break
        end
      end
      try(note, object.next, object)
    end)
  end

  compare("locks of directories", function(lfs, folder, note)
    local lock = lfs.lock_dir(folder)
    note(type(lock.free))
    note(lfs.lock_dir(folder))
    note(lfs.lock_dir(folder, 1000))
    note(lfs.lock_dir(folder, "x"))
    note(lfs.lock_dir(folder, {}))
    note(lock:free())
    note(lock:free())
    lock = lfs.lock_dir(folder)
    note(lock ~= nil)
    lock = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    local again = lfs.lock_dir(folder)
    note(again ~= nil)
    again:free()
    note((lfs.lock_dir(folder .. "/none")))
  end)

  compare("modes of files", function(lfs, folder, note)
    local mio = require "modfs.io"
    local file = assert(mio.open(folder .. "/f", "r"))
    if lfs == real or mio.type(file) == io.type(file) or lfs == mlfs then
      note(lfs.setmode(file, "binary"))
      note(lfs.setmode(file, "text"))
      try(note, lfs.setmode, file, "x")
      try(note, lfs.setmode, 1, "text")
      try(note, lfs.lock, 1, "r")
      try(note, lfs.lock, file)
      try(note, lfs.lock, file, "x")
    end
    file:close()
  end)

  -- The real one would lead the process of the whole suite away: it comes back at once.
  compare("working directories", function(lfs, folder, note)
    local home = lfs.currentdir()
    note(lfs.chdir(folder))
    note((lfs.currentdir():gsub("^file://", "")))
    note(lfs.attributes("f", "size"), lfs.attributes("dir/g", "mode"), lfs.attributes "none")
    note(lfs.mkdir "new", lfs.attributes("./new", "mode"), lfs.rmdir "new")
    note(lfs.chdir "dir")
    note((lfs.currentdir():gsub("^file://", "")))
    note(lfs.attributes("g", "size"), lfs.attributes("../f", "size"))
    note(lfs.chdir "..")
    note((lfs.currentdir():gsub("^file://", "")))
    note((lfs.chdir "none"))
    note((lfs.chdir "f"))
    note(lfs.chdir "")
    note(lfs.attributes("", "mode"))
    note(lfs.mkdir "")
    note(select(2, lfs.chdir(folder .. "/none")))
    note(select(2, lfs.chdir(folder .. "/f")))
    note(lfs.chdir(home))
    note(lfs.currentdir() == home)
  end, true)
end)

describe("modfs.lfs", function()
  local disk
  before_each(function()
    disk = tmpdir.new()
    assert(modfs.makedirs "mem://lfs-own")
  end)
  after_each(function()
    tmpdir.remove(disk)
    modfs.rmtree "mem://lfs-own"
  end)

  it("has the operating system's answers for plain paths, with and without lfs", function()
    tmpdir.write(disk .. "/f", "12345")
    shell.output("chmod 640", disk .. "/f")
    shell.output("ln", disk .. "/f", disk .. "/hard")
    shell.output("mkfifo", disk .. "/pipe")
    shell.output("ln -s f", disk .. "/link")
    shell.output("ln -s none", disk .. "/dead")
    for _, name in ipairs { "/f", "/hard", "" } do
      local expected = real.attributes(disk .. name)
      assert.same(expected, mlfs.attributes(disk .. name))
      local ours = bare.attributes(disk .. name)
      for _, field in ipairs { "mode", "size", "modification", "permissions", "nlink", "uid", "gid",
        "ino", "dev" } do
        assert.equal(expected[field], ours[field], field)
      end
    end
    for _, lfs in ipairs { mlfs, bare } do
      assert.equal("file", lfs.attributes(disk .. "/link", "mode"))
      assert.equal(5, lfs.attributes(disk .. "/link", "size"))
      assert.equal("link", lfs.symlinkattributes(disk .. "/link", "mode"))
      assert.is_nil(lfs.attributes(disk .. "/dead"))
      assert.equal("link", lfs.symlinkattributes(disk .. "/dead").mode)
    end
    assert.equal("f", mlfs.symlinkattributes(disk .. "/link", "target"))
    assert.equal("named pipe", mlfs.attributes(disk .. "/pipe", "mode"))
    assert.equal("other", bare.attributes(disk .. "/pipe", "mode"))
  end)

  it("leaves to lfs what only the system has", function()
    tmpdir.write(disk .. "/f", "x")
    assert.is_true(mlfs.touch(disk .. "/f", 1000, 2000))
    assert.equal(1000, mlfs.attributes(disk .. "/f", "access"))
    assert.equal(2000, mlfs.attributes("file://" .. disk .. "/f", "modification"))
    assert.truthy(mlfs.link(disk .. "/f", disk .. "/hard"))
    assert.truthy(mlfs.link("f", disk .. "/soft", true))
    assert.equal("f", mlfs.symlinkattributes(disk .. "/soft", "target"))
    local file = assert(io.open(disk .. "/f", "r+"))
    assert.is_true(mlfs.lock(file, "w"))
    assert.is_true(mlfs.unlock(file))
    file:close()
  end)

  it("leaves the global of LuaFileSystem as it was", function()
    for _, before in ipairs { "nil", "7" } do
      local _, out = child(([[
        rawset(_G, "lfs", %s)
        require "modfs.lfs"
        print(rawget(_G, "lfs"))
      ]]):format(before))
      assert.equal(before .. "\n", out)
    end
  end)

  it("says what it cannot do, and why", function()
    tmpdir.write(disk .. "/f", "x")
    modfs.write("mem://lfs-own/f", "x")
    local function refuses(words, done, reason, number)
      assert.is_nil(done)
      assert.truthy(reason:find(words, 1, true), reason)
      assert.equal(95, number)
    end
    for _, lfs in ipairs { mlfs, bare } do
      assert.same({ nil, "No such file or directory", 2 }, { lfs.touch "mem://lfs-own/none" })
      refuses("not supported", lfs.link("mem://lfs-own/f", "mem://lfs-own/g"))
      local file = require("modfs.io").open "mem://lfs-own/f"
      refuses("not supported", lfs.lock(file, "r"))
      refuses("not supported", lfs.unlock(file))
      assert.same({ true, "binary" }, { lfs.setmode(file, "text") })
      file:close()
      assert.is_false(pcall(lfs.setmode, file, "text"))
    end
    refuses("lua-filesystem", bare.link(disk .. "/f", disk .. "/g"))
    local file = io.open(disk .. "/f")
    refuses("lua-filesystem", bare.lock(file, "r"))
    file:close()
    assert.truthy(select(2, bare.chdir(disk)):find("lua-filesystem", 1, true))
    assert.equal(real.currentdir(), bare.currentdir())
  end)

  it("goes into a directory of modfs, and io with it", function()
    finally(function() mlfs.chdir(real.currentdir()) end)
    local home = real.currentdir()
    assert.is_true(mlfs.chdir "mem://lfs-own")
    assert.equal("mem://lfs-own", mlfs.currentdir())
    assert.equal(home, real.currentdir())
    local mio = require "modfs.io"
    assert(mio.open("story", "w")):write("x"):close()
    assert.equal("x", modfs.read "mem://lfs-own/story")
    assert.equal("/etc", mlfs.attributes("/etc", "mode") and "/etc")
    assert.is_true(mlfs.chdir "../.././lfs-own//")
    assert.equal("mem://lfs-own", mlfs.currentdir())
    assert.is_true(mlfs.chdir(home))
    assert.equal(home, mlfs.currentdir())
    assert.is_nil((mio.open "story"))
  end)

  it("takes over a stale lock", function()
    assert(modfs.mkdir "mem://lfs-own/lockfile.lfs")
    assert.is_nil((mlfs.lock_dir("mem://lfs-own", 1000)))
    -- os.time() may lag a few milliseconds behind the clock of times of modification.
    local lock = assert(mlfs.lock_dir("mem://lfs-own", -2))
    assert.is_nil((mlfs.lock_dir "mem://lfs-own"))
    lock:free()
    assert.is_false(modfs.exists "mem://lfs-own/lockfile.lfs")
  end)

  it("takes URIs as programs leave them that take paths apart", function()
    modfs.write("mem://lfs-own/f", "12")
    for _, path in ipairs { "mem://lfs-own/f", "mem:/lfs-own/f", "/nowhere/mem:/lfs-own/f",
      "nowhere/mem://lfs-own/f", disk .. "/mem:/lfs-own/f" } do
      assert.equal(2, mlfs.attributes(path, "size"), path)
    end
    assert.equal("directory", mlfs.attributes("mem:", "mode"))
    assert.is_nil((mlfs.attributes "nosuch:/lfs-own/f"))
    assert.is_nil((mlfs.attributes "xmem:/lfs-own/f"))
    shell.output("mkdir -p", disk .. "/mem:/lfs-own") -- a folder with that very name wins
    assert.is_nil((mlfs.attributes(disk .. "/mem:/lfs-own/f")))
    assert.equal("directory", mlfs.attributes(disk .. "/mem:/lfs-own", "mode"))
  end)
end)

describe("the last scheme in a path", function()
  local place = require "modfs.place"
  before_each(function()
    assert(modfs.makedirs "mem://pl/sub")
  end)
  after_each(function()
    mlfs.chdir(real.currentdir())
    modfs.rmtree "mem://pl"
    modfs.rmtree "mem://other"
  end)

  it("counts, wherever other code has put it", function()
    for _, path in ipairs { "mem:/pl/mem:/tmp/a", "mem://pl/mem:/tmp/a", "mem://pl/mem://tmp/a",
      "mem:/pl/mem://tmp/a", "/home/x/mem:/pl/mem:/tmp/a", "file:///home/mem:/tmp/a",
      "mem://pl/none/mem:/x/mem:/tmp/a", "x/mem:/pl/mem:/tmp/a" } do
      assert.same({ nil, "mem://tmp/a" }, { place.find(path) }, path)
    end
    for _, path in ipairs { "mem:/pl/file:/tmp/a", "mem://pl/file:///tmp/a" } do
      assert.same({ "/tmp/a" }, { place.find(path) }, path)
    end
    assert.same({ "dir/file:/tmp/a" }, { place.find "dir/file:/tmp/a" })
    assert.same({ nil, "mem://pl/nosuch:/a" }, { place.find "mem://pl/nosuch:/a" })
    assert.same({ nil, "mem://pl/a:b/c:" }, { place.find "mem://pl/a:b/c:" })
  end)

  it("counts after chdir, for all that is done there", function()
    local mio, mos = require "modfs.io", require "modfs.os"
    assert(mlfs.chdir "mem://pl")
    assert(modfs.makedirs "mem://other")
    for _, joined in ipairs { mlfs.currentdir() .. "/mem:/other/a", "mem:/pl/mem:/other/a" } do
      assert(mio.open(joined, "w")):write("here"):close()
      assert.equal("here", modfs.read "mem://other/a")
      assert.equal(4, mlfs.attributes(joined, "size"))
      assert.is_true(mos.remove(joined))
      assert.is_false(modfs.exists "mem://other/a")
    end
    assert.same({ "sub" }, modfs.listdir "mem://pl")
  end)

  it("is a name where an entry of that name is", function()
    assert(modfs.makedirs "mem://pl/mem:")
    assert.same({ nil, "mem://pl/mem:/a" }, { place.find "mem://pl/mem:/a" })
    assert.same({ nil, "mem://pl/mem:/a" }, { place.find "mem:/pl/mem:/a" })
    assert.same({ nil, "mem://a" }, { place.find "mem://pl/mem:/mem:/a" })
    assert(mlfs.chdir "mem://pl")
    assert.same({ nil, "mem://pl/mem:/a" }, { place.find "mem:/a" })
  end)
end)

describe("modfs.lstat", function()
  it("has no owner where there is none", function()
    modfs.write("mem://lstat", "abc")
    local info = assert(modfs.lstat "mem://lstat")
    assert.same({ "file", 3, 1 }, { info.kind, info.length, info.links })
    assert.is_nil(info.owner)
    assert.equal(420, info.mode)
    assert.is_number(info.inode)
    modfs.remove "mem://lstat"
  end)
end)

describe("modfs.os", function()
  it("removes and renames anywhere, and is os otherwise", function()
    local mos = require "modfs.os"
    local disk = tmpdir.new()
    finally(function()
      tmpdir.remove(disk)
      modfs.rmtree "mem://mos"
    end)
    assert(modfs.makedirs "mem://mos/dir")
    for _, folder in ipairs { disk, "mem://mos" } do
      local os_of = folder == disk and os or mos
      local function alike(done, message, number)
        return done, message and message:gsub("^.*: ", ""), number
      end
      modfs.makedirs(folder .. "/dir")
      modfs.write(folder .. "/dir/x", "")
      modfs.write(folder .. "/a", "a")
      assert.same({ true }, { os_of.rename(folder .. "/a", folder .. "/b") })
      assert.same({ nil, "No such file or directory", 2 },
        { alike(os_of.rename(folder .. "/a", folder .. "/b")) })
      assert.same({ true }, { os_of.remove(folder .. "/b") })
      assert.same({ nil, "No such file or directory", 2 }, { alike(os_of.remove(folder .. "/b")) })
      assert.same({ nil, "Directory not empty", 39 }, { alike(os_of.remove(folder .. "/dir")) })
      assert.same({ true }, { os_of.remove(folder .. "/dir/x") })
      assert.same({ true }, { os_of.remove(folder .. "/dir") })
    end
    tmpdir.write(disk .. "/f", "content")
    assert.is_true(mos.rename(disk .. "/f", "mem://mos/f"))
    assert.is_nil(tmpdir.content(disk .. "/f"))
    assert.equal("content", modfs.read "mem://mos/f")
    for name in pairs(os) do
      assert.equal(type(os[name]), type(mos[name]))
    end
    assert.is_false(pcall(mos.remove, nil))
    assert.is_false(pcall(mos.rename, "mem://x", {}))
  end)
end)

describe("Penlight", function()
  it("works in memory", function()
    if not pcall(require, "pl.path") then
      return pending "Penlight is not installed (Debian: lua-penlight)"
    end
    local status, out, err = child "spec/children/penlight.lua"
    assert.equal(0, status, err)
    assert.equal("done\n", out)
  end)
end)
