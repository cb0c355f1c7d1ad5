-- What the drop-ins raise, beside what they stand in for: the same text, said to have happened at
-- the same place, which is the caller's, in the words of the Lua that runs.
local bare = require "spec.support.bare_lfs"
local lfs = require "lfs"
local mio = require "modfs.io"
local mlfs = require "modfs.lfs"
local modfs = require "modfs"
local mos = require "modfs.os"
local tmpdir = require "spec.support.tmpdir"

local memory = "mem://drop-ins"

-- What a case raises or returns, without the folder and the module that Lua may name.
local function outcome(case, folder, ...)
  local seen = { pcall(case, ...) }
  for i = 2, #seen do
    if type(seen[i]) == "string" then
      seen[i] = seen[i]:gsub(folder:gsub("%p", "%%%0"), "FOLDER"):gsub("'m?o?d?f?s?%.?%l+%.(%l+)'",
        "'%1'")
    end
  end
  return seen
end

describe("an error of modfs.io is that of io:", function()
  local disk
  before_each(function()
    disk = tmpdir.new()
    assert(modfs.makedirs(memory))
  end)
  after_each(function()
    tmpdir.remove(disk)
    modfs.rmtree(memory)
  end)

  local function seen_in(lib, case, folder)
    assert(modfs.write(folder .. "/f", "one\ntwo\n3 x\n"))
    local seen = outcome(case, folder, lib, folder .. "/f")
    lib.input(io.stdin)
    lib.output(io.stdout)
    return seen
  end

  local function compare(what, case)
    it(what, function()
      local expected = seen_in(io, case, disk)
      assert.is_false(expected[1])
      assert.truthy(expected[2]:find "^[^:]*drop_ins_spec%.lua:%d+: ", expected[2])
      assert.same(expected, seen_in(mio, case, disk))
      assert.same(expected, seen_in(mio, case, memory))
    end)
  end

  for name, value in pairs { number = 1, boolean = true, table = {} } do
    compare("close of a " .. name, function(lib) lib.close(value) end)
    if name ~= "number" then
      compare("open of a " .. name, function(lib) lib.open(value) end)
      compare("lines of a " .. name, function(lib) lib.lines(value) end)
      compare("input of a " .. name, function(lib) lib.input(value) end)
      compare("output of a " .. name, function(lib) lib.output(value) end)
      compare("a mode that is a " .. name, function(lib, path) lib.open(path, value) end)
    end
    for _, method in ipairs { "read", "write", "lines", "seek", "setvbuf", "flush" } do
      compare(method .. " of a " .. name, function(lib, path)
        local call = assert(lib.open(path))[method]
        call(value)
      end)
    end
  end
  compare("open of nothing", function(lib) lib.open() end)
  compare("open of nil", function(lib) lib.open(nil) end)
  compare("type of nothing", function(lib) lib.type() end)
  compare("close of nil", function(lib) lib.close(nil) end)
  compare("lines of what is not there", function(lib, path) lib.lines(path .. "-none") end)
  compare("a loop of what is not there", function(lib, path)
    for _ in lib.lines(path .. "-none") do
      error "never"
    end
  end)
  compare("input of what is not there", function(lib, path) lib.input(path .. "-none") end)
  compare("output below a file", function(lib, path) lib.output(path .. "/x") end)
  for _, name in ipairs { "input", "output" } do
    compare(name .. " of a closed file", function(lib, path)
      local file = lib.open(path, name == "output" and "a" or "r")
      file:close()
      lib[name](file)
    end)
  end
  compare("read of a closed default input", function(lib, path)
    lib.input(path)
    lib.input():close()
    lib.read()
  end)
  for _, name in ipairs { "write", "flush", "close" } do
    compare(name .. " of a closed default output", function(lib, path)
      lib.output(path)
      lib.close()
      lib[name]((table.unpack or unpack)(name == "write" and { "x" } or {})) -- luacheck: ignore 113
    end)
  end
  for _, method in ipairs { "read", "write", "lines", "seek", "setvbuf", "flush", "close" } do
    compare(method .. " of a closed file", function(lib, path)
      local file = lib.open(path)
      file:close()
      file[method](file, "no")
    end)
  end
  compare("an iterator of a closed file", function(lib, path)
    local file = lib.open(path)
    local step = file:lines()
    file:close()
    step()
  end)
  compare("an iterator of a file that is being written", function(lib, path)
    for _ in lib.open(path, "a"):lines() do
      error "never"
    end
  end)
  compare("a format", function(lib, path) lib.open(path):read "x" end)
  compare("a format that is none", function(lib, path) lib.open(path):read({}) end)
  compare("the second format", function(lib, path) lib.open(path):read("*l", "x") end)
  compare("a format of the default input", function(lib, path)
    lib.input(path)
    lib.read("*l", "x")
  end)
  compare("the second value", function(lib, path) lib.open(path, "w"):write("a", {}) end)
  compare("a value for the default output", function(lib, path)
    lib.output(path)
    lib.write("a", nil)
  end)
  compare("whence", function(lib, path) lib.open(path):seek "start" end)
  compare("an offset", function(lib, path) lib.open(path):seek("set", {}) end)
  compare("a buffering", function(lib, path) lib.open(path):setvbuf "some" end)
  compare("a size of a buffer", function(lib, path) lib.open(path):setvbuf("full", {}) end)
  if _VERSION >= "Lua 5.2" then
    compare("a mode", function(lib, path) lib.open(path, "rw") end)
    compare("a format of lines", function(lib, path)
      for _ in lib.lines(path, "x") do
        error "never"
      end
    end)
  end

  it("comes when what stands before the wrong argument was read or written", function()
    for lib, path in pairs { [io] = disk .. "/f", [mio] = memory .. "/f" } do
      assert(modfs.write(path, "one\ntwo\n"))
      local file = assert(lib.open(path))
      assert.is_false(pcall(file.read, file, "*l", "x", "*l"))
      assert.equal("two", file:read())
      file:close()
      local out = assert(lib.open(path, "w"))
      assert.is_false(pcall(out.write, out, "a", 1, {}, "b"))
      out:close()
      assert.equal("a1", modfs.read(path))
      lib.output(path)
      assert.is_false(pcall(lib.write, "c", 2, nil, "d"))
      lib.close()
      lib.output(io.stdout)
      assert.equal("c2", modfs.read(path))
    end
  end)

  it("leaves the default output open for close(nil)", function()
    mio.output(memory .. "/f")
    assert.is_false(pcall(mio.close, nil))
    assert.equal("file", mio.type(mio.output()))
    assert.is_true(mio.close())
  end)
end)

describe("an error of modfs.os is that of os:", function()
  local function compare(what, case)
    it(what, function()
      local expected = outcome(case, "none", os)
      assert.is_false(expected[1])
      assert.truthy(expected[2]:find "^[^:]*drop_ins_spec%.lua:%d+: ", expected[2])
      assert.same(expected, outcome(case, "none", mos))
    end)
  end
  compare("remove of nothing", function(lib) lib.remove() end)
  compare("remove of nil", function(lib) lib.remove(nil) end)
  compare("remove of a table", function(lib) lib.remove({}) end)
  compare("rename of nothing", function(lib) lib.rename() end)
  compare("rename to nothing", function(lib) lib.rename("none") end)
  compare("rename to a boolean", function(lib) lib.rename("none", true) end)
end)

describe("an error of modfs.lfs is that of lfs:", function()
  local disk
  before_each(function()
    disk = tmpdir.new()
    assert(modfs.makedirs(memory))
    assert(modfs.write(disk .. "/f", "x"))
    assert(modfs.write(memory .. "/f", "x"))
  end)
  after_each(function()
    tmpdir.remove(disk)
    modfs.rmtree(memory)
  end)

  -- In memory, too, unless what is there cannot be used at all.
  local function compare(what, case, on_disk_alone)
    it(what, function()
      local expected = outcome(case, disk, lfs, disk .. "/f", io)
      assert.is_false(expected[1])
      assert.truthy(expected[2]:find "^[^:]*drop_ins_spec%.lua:%d+: ", expected[2])
      assert.same(expected, outcome(case, disk, mlfs, disk .. "/f", io))
      assert.same(expected, outcome(case, disk, bare, disk .. "/f", io))
      for _, lib in ipairs(on_disk_alone and {} or { mlfs, bare }) do
        assert.same(expected, outcome(case, memory, lib, memory .. "/f", mio))
      end
    end)
  end

  for _, name in ipairs { "attributes", "symlinkattributes", "dir", "mkdir", "rmdir", "chdir",
    "touch", "lock_dir" } do
    compare(name .. " of nothing", function(lib) lib[name]() end)
    compare(name .. " of nil", function(lib) lib[name](nil) end)
    compare(name .. " of a table", function(lib) lib[name]({}) end)
  end
  compare("a field of the attributes", function(lib, path) lib.attributes(path, "nosuch") end)
  compare("a field of a link", function(lib, path) lib.symlinkattributes(path, "nosuch") end)
  compare("dir of a file", function(lib, path) lib.dir(path) end)
  compare("a loop of what is not there", function(lib, path)
    for _ in lib.dir(path .. "-none") do
      error "never"
    end
  end)
  compare("a time", function(lib, path) lib.touch(path, "x") end)
  compare("the second time", function(lib, path) lib.touch(path, 1, {}) end)
  compare("a link to nothing", function(lib) lib.link "x" end)
  for _, name in ipairs { "setmode", "lock", "unlock" } do
    compare(name .. " of nothing", function(lib) lib[name]() end)
    compare(name .. " of a number", function(lib) lib[name](1, "text") end)
    compare(name .. " of a closed file", function(lib, path, files)
      local file = files.open(path)
      file:close()
      lib[name](file, name == "lock" and "r" or name == "setmode" and "text" or nil)
    end)
  end
  compare("a mode", function(lib, path, files) lib.setmode(files.open(path), "x") end)
  compare("no mode", function(lib, path, files) lib.setmode(files.open(path)) end)
  compare("a lock", function(lib, path, files) lib.lock(files.open(path), "x") end)
  compare("no lock", function(lib, path, files) lib.lock(files.open(path)) end)
  compare("the start of a lock", function(lib, path, files)
    lib.lock(files.open(path), "r", {})
  end)
  compare("a directory that was closed", function(lib, path)
    local _, directory = lib.dir((path:gsub("/f$", "")))
    directory:close()
    directory:next()
  end)
end)
