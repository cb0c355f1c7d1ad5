-- modfs.io beside io: each script runs with io on a folder of the disk, with modfs.io on the same
-- folder, and with modfs.io on a folder in memory. What they note must be the same.
local child = require "spec.support.child"
local modfs = require "modfs"
local mio = require "modfs.io"
local tmpdir = require "spec.support.tmpdir"

local jit = rawget(_G, "jit")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

-- What a script notes: values that can be compared, with handles and folders made alike.
local function notebook(lib, folder)
  local notes = {}
  local function alike(value)
    if type(value) == "string" then
      return (value:gsub(folder:gsub("%p", "%%%0"), "FOLDER"))
    elseif lib.type(value) then
      return lib.type(value)
    end
    return type(value) == "function" and "function" or value
  end
  local function note(...)
    local row = { n = select("#", ...), ... }
    for i = 1, row.n do
      row[i] = alike(row[i])
    end
    notes[#notes + 1] = row
    return ...
  end
  -- Whether a call raises, and what it returns when it does not.
  local function try(fn, ...)
    local row = { n = select("#", pcall(fn, ...)), pcall(fn, ...) }
    note(unpack(row, 1, row[1] and row.n or 1))
    return row[2]
  end
  return notes, note, try
end

describe("modfs.io does as io:", function()
  local disk
  local memory = "mem://io-spec"
  before_each(function()
    disk = tmpdir.new()
    assert(modfs.makedirs(memory))
  end)
  after_each(function()
    io.input(io.stdin)
    io.output(io.stdout)
    mio.input(io.stdin)
    mio.output(io.stdout)
    tmpdir.remove(disk)
    modfs.rmtree(memory)
  end)

  local function run(script, lib, folder)
    local notes, note, try = notebook(lib, folder)
    script(lib, folder .. "/f", note, try, folder)
    return notes
  end

  local function compare(what, script)
    it(what, function()
      local expected = run(script, io, disk)
      assert.truthy(#expected > 0)
      assert.same(expected, run(script, mio, memory))
      tmpdir.remove(disk)
      disk = tmpdir.new()
      assert.same(expected, run(script, mio, disk))
    end)
  end

  local function put(lib, path, content)
    local file = assert(lib.open(path, "w"))
    assert(file:write(content))
    assert(file:close())
  end

  local function get(lib, path)
    local file = assert(lib.open(path))
    local content = file:read "*a"
    file:close()
    return content
  end

  compare("files do one thing only: read or write", function(lib, path, note, try)
    local out = lib.open(path, "w")
    note(out:read())
    note(out:read "*a")
    note(out:read(0))
    note(out:read(10))
    try(function() return out:lines()() end)
    out:close()
    local file = lib.open(path)
    note(file:write "x")
    note(file:write("", "") and true, file:write() and true)
    note(file:write("", "x"))
    try(function() return file:write("x", {}) end)
    note(file:flush())
    file:close()
  end)

  describe("writing", function()
    compare("in a chain", function(lib, path, note)
      if not jit and _VERSION >= "Lua 5.2" then -- write returns the file
        note(lib.open(path, "w"):write("a"):write("b", "c"):close())
        note(get(lib, path))
      end
      note(true)
    end)

    for _, mode in ipairs { "full", "line", "no" } do
      compare("buffered: " .. mode, function(lib, path, note)
        local file = lib.open(path, "w")
        note(file:setvbuf(mode, mode == "full" and 2000 or nil))
        file:write "x"
        note(get(lib, path))
        file:write "\n"
        note(get(lib, path))
        file:write("y\n", "z")
        note(mode ~= "line" and get(lib, path))
        note(file:flush() and true)
        note(get(lib, path))
        file:close()
      end)
    end
  end)

  compare("a file dropped unclosed keeps what was written", function(lib, path, note)
    local function drop()
      lib.open(path, "w"):write "kept"
    end
    drop()
    collectgarbage()
    collectgarbage()
    note(get(lib, path))
  end)

  if _VERSION >= "Lua 5.4" then
    local scoped = assert(load [[
      local lib, path, note = ...
      local kept
      do
        local file <close> = assert(lib.open(path))
        kept = file
        note(file)
      end
      note(kept)
      pcall(function()
        local file <close> = assert(lib.open(path))
        kept = file
        error "out of here"
      end)
      note(kept)
      do
        local none <close>, why = lib.open(path .. "none")
        note(none, why)
      end
      note(select("#", lib.lines(path)), lib.lines(path))
      local _, _, _, file = lib.lines(path)
      for _ in function() return file:read() end, nil, nil, file do break end
      note(file)
      local closed <close> = assert(lib.open(path))
      closed:close()
    ]])
    compare("scopes of Lua 5.4", function(lib, path, note)
      put(lib, path, "a\nb\n")
      scoped(lib, path, note)
    end)
  end
end)

describe("modfs.io", function()
  it("gives io's own files for plain paths, pipes and the standard streams", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    for _, path in ipairs { folder .. "/f", "file://" .. folder .. "/f" } do
      local file = assert(mio.open(path, "w+"))
      assert.equal("file", io.type(file))
      assert(file:write "abc")
      assert.equal(1, file:seek("set", 1))
      assert.equal("bc", file:read "*a")
      assert.is_true(file:close())
      assert.equal("closed file", mio.type(file))
      for line in mio.lines(path) do
        assert.equal("abc", line)
      end
    end
    local pipe = assert(mio.popen "echo hello")
    assert.equal("hello", pipe:read())
    assert.truthy(pipe:close())
    local scratch = assert(mio.tmpfile())
    assert.equal("file", io.type(scratch))
    scratch:close()
    for _, name in ipairs { "stdin", "stdout", "stderr" } do
      assert.equal(io[name], mio[name])
    end
    for name in pairs(io) do
      assert.equal(type(io[name]), type(mio[name]), name)
    end
  end)

  it("has numbers for failures of every kind", function()
    assert(modfs.makedirs "mem://io-kinds/folder")
    finally(function() modfs.rmtree "mem://io-kinds" end)
    local function fails(number, reason, _, message, code)
      assert.equal(number, code, message)
      assert.truthy(message:find(": " .. reason, 1, true), message)
    end
    fails(2, "No such file or directory", mio.open "mem://io-kinds/none")
    fails(21, "Is a directory", mio.open "mem://io-kinds/folder")
    fails(22, "Invalid argument", mio.open "mem://io-kinds/a\0b")
    fails(22, "Invalid argument", mio.open "/etc/hostname\0b")
    fails(22, "Invalid argument", mio.open "file://elsewhere/etc/hostname")
    fails(95, "Operation not supported (open nosuch://x: no filesystem", mio.open "nosuch://x")
    for _, mode in ipairs { "r+", "w+", "a+", "w+b" } do
      fails(95, "Operation not supported", mio.open("mem://io-kinds/f", mode))
    end
    assert.is_false(modfs.exists "mem://io-kinds/f")
    assert(modfs.config("mem", { limit_bytes = 10 }))
    local file = assert(mio.open("mem://io-kinds/f", "w"))
    file:setvbuf "no"
    local done, why, number = file:write(("x"):rep(1000))
    assert(modfs.config("mem", { limit_bytes = 0 }))
    assert.is_nil(done)
    assert.equal(28, number)
    assert.truthy(why:find("^No space left on device"), why)
    assert.equal(28, select(3, file:close()))
  end)

  it("does not seek while writing", function()
    local file = assert(mio.open("mem://io-seek", "w"))
    file:write "abc"
    assert.same({ nil, "Illegal seek", 29 }, { file:seek("set", 1) })
    assert.same({ nil, "Illegal seek", 29 }, { file:seek("end", 1) })
    assert.equal(3, file:seek())
    file:close()
    modfs.remove "mem://io-seek"
  end)

  it("has files that modfs.with closes", function()
    local kept
    assert.equal(2, modfs.with(mio.open("mem://io-with", "w"), function(file)
      kept = file
      file:write "ab"
      return file:seek()
    end))
    assert.equal("closed file", mio.type(kept))
    assert.equal("ab", modfs.with(mio.open "mem://io-with", function(file)
      local content = file:read "*a"
      file:close()
      return content
    end))
    modfs.remove "mem://io-with"
  end)

  it("mixes files of both kinds as default files", function()
    local folder = tmpdir.new()
    finally(function()
      mio.input(io.stdin)
      mio.output(io.stdout)
      tmpdir.remove(folder)
      modfs.remove "mem://io-mix"
    end)
    mio.output("mem://io-mix")
    mio.write "in memory\n"
    mio.close()
    mio.output(folder .. "/f")
    assert.equal(io.output(), mio.output())
    mio.write "on disk\n"
    mio.close()
    mio.input "mem://io-mix"
    assert.equal("in memory", mio.read())
    mio.input(folder .. "/f")
    assert.equal(io.input(), mio.input())
    assert.equal("on disk", mio.read())
  end)

  it("can be the io of a whole program", function()
    local status, out, err = child "spec/children/drop_in_io.lua"
    assert.equal(0, status, err)
    assert.equal("one\n2\none 2\nx\n", out)
  end)
end)
