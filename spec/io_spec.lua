-- modfs.io beside io: each script runs with io on a folder of the disk, with modfs.io on the same
-- folder, and with modfs.io on a folder in memory. What they note must be the same.
local child = require "spec.support.child"
local modfs = require "modfs"
local mio = require "modfs.io"
local tmpdir = require "spec.support.tmpdir"

local jit = rawget(_G, "jit")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local modern = jit ~= nil or _VERSION >= "Lua 5.2" -- formats of io.lines, "L"

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

  describe("opening", function()
    compare("what is not there", function(lib, path, note)
      note(lib.open(path))
      note(lib.open(path, "r"))
      note(lib.open(path .. "/below", "w"))
      note(lib.open(path .. "/below", "a"))
      note(lib.open(12))
    end)

    compare("a directory for writing, and below a file", function(lib, path, note, _, folder)
      note(lib.open(folder, "w"))
      note(lib.open(folder, "a"))
      put(lib, path, "content")
      note(lib.open(path .. "/x"))
      note(lib.open(path .. "/x", "w"))
    end)

    compare("with modes", function(lib, path, note, try)
      for _, mode in ipairs { "w", "r", "a", "wb", "rb", "ab" } do
        local file = lib.open(path, mode)
        note(mode, file, file:close())
      end
      for _, mode in ipairs { "", "x", "+", "b", "br", "R", "rw", "rt", "rr", "rz" } do
        local file = try(lib.open, path, mode)
        note(mode, lib.type(file) and file:read(0))
        if lib.type(file) then
          file:close()
        end
      end
    end)

    compare("with wrong arguments", function(lib, path, _, try)
      try(lib.open)
      try(lib.open, nil)
      try(lib.open, {})
      try(lib.open, true)
      try(lib.open, path, {})
      try(lib.open, path, true)
    end)

    compare("cuts a file for w, adds to it for a", function(lib, path, note)
      put(lib, path, "first")
      put(lib, path, "2nd")
      note(get(lib, path))
      for i = 1, 3 do
        local file = lib.open(path, "a")
        note(file:write("+", i) and true, file:close())
      end
      note(get(lib, path))
      note(lib.open(path, "w"):close())
      note(get(lib, path))
    end)
  end)

  describe("files", function()
    compare("say what they are", function(lib, path, note, try)
      local file = lib.open(path, "w")
      note(lib.type(file), tostring(file):sub(1, 6))
      file:close()
      note(lib.type(file), tostring(file))
      for _, other in ipairs { 1, "file", {}, print, true } do
        note(lib.type(other))
      end
      note(lib.type(nil))
      try(lib.type)
      note(lib.type(lib.stdin), lib.type(lib.stdout), lib.type(lib.stderr))
    end)

    compare("raise once they are closed", function(lib, path, _, try)
      put(lib, path, "x")
      for _, mode in ipairs { "r", "w" } do
        local file = lib.open(path, mode)
        file:close()
        for _, name in ipairs { "close", "read", "write", "lines", "seek", "flush", "setvbuf" } do
          try(file[name], file)
        end
      end
    end)

    compare("raise for what is no file", function(lib, path, _, try)
      put(lib, path, "x")
      local file = lib.open(path)
      for _, name in ipairs { "read", "write", "lines", "seek", "flush", "setvbuf" } do
        try(file[name])
        try(file[name], 1)
        try(file[name], {})
        try(file[name], "x")
      end
      try(lib.close, 1)
      try(lib.close, {})
      try(function() return file.nosuch() end)
      file:close()
    end)

    compare("do one thing only: read or write", function(lib, path, note, try)
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
  end)

  describe("writing", function()
    compare("strings and numbers", function(lib, path, note)
      local file = lib.open(path, "w")
      note(file:write() and true)
      note(file:write("a", 1, -2, 1.5, 1e100, 2 ^ 53, "\0", "") and true)
      note(file:write(1e15, -0.25, 1 / 3, 255) and true)
      note(file:close())
      note(get(lib, path))
    end)

    compare("raises for the rest", function(lib, path, _, try)
      local file = lib.open(path, "w")
      for _, value in ipairs { {}, true, print } do
        try(file.write, file, value)
      end
      try(function() return file:write(nil) end)
      file:close()
    end)

    compare("in a chain", function(lib, path, note)
      if modern and not jit then
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

    compare("buffered in an unknown way", function(lib, path, note, try)
      local file = lib.open(path, "w")
      try(file.setvbuf, file)
      try(file.setvbuf, file, "some")
      try(file.setvbuf, file, 1)
      try(file.setvbuf, file, "full", "x")
      try(file.setvbuf, file, "full", {})
      note(file:setvbuf("full", "12"), file:setvbuf("full", -1))
      note(file:setvbuf "full", file:close())
    end)

    compare("knows its place", function(lib, path, note, try)
      local file = lib.open(path, "w")
      note(file:seek())
      file:write "abc"
      note(file:seek())
      note(file:seek "cur")
      note(file:seek "end")
      note(file:seek("set", 3))
      note(file:seek("set", -1))
      note(file:seek("cur", -10))
      try(file.seek, file, "nowhere")
      try(file.seek, file, "set", "x")
      try(file.seek, file, "set", {})
      note(file:write "d" and true, file:seek(), file:close())
      note(get(lib, path))
      file = lib.open(path, "a")
      note(file:seek "end")
      file:write "e"
      note(file:seek(), file:close())
      note(get(lib, path))
    end)

    compare("much", function(lib, path, note)
      local file = lib.open(path, "w")
      for i = 1, 20000 do
        file:write("line ", i, "\n")
      end
      note(file:close())
      local sum, count = 0, 0
      for line in lib.lines(path) do
        sum, count = sum + tonumber(line:match "%d+"), count + 1
      end
      note(count, sum, #get(lib, path))
    end)
  end)

  describe("reading", function()
    local zero = not jit and _VERSION >= "Lua 5.3" and "\0zero\0" or "zero" -- fgets stops at a NUL
    local text = "first line\n\n third\r\n" .. zero .. "\n12 0x10 -.5e1 nan\nlast without end"

    compare("lines", function(lib, path, note)
      put(lib, path, text)
      local file = lib.open(path)
      for _ = 1, 8 do
        note(file:read())
      end
      note(file:read "*l", file:read "*a", file:read "*a", file:read(0), file:read(1))
      file:close()
    end)

    compare("all at once, and by counts", function(lib, path, note)
      put(lib, path, text)
      local file = lib.open(path)
      note(file:read(0), file:read(1), file:read(5), file:read(5, 0, 3))
      note(file:read("*l", "*l", 2))
      note(file:read(2 ^ 20))
      note(file:read(0))
      note(file:read(1))
      note(file:read "*a", file:read "*a")
      file:close()
    end)

    compare("several formats, up to the first that finds nothing", function(lib, path, note)
      put(lib, path, "one\n2 3\nx")
      local file = lib.open(path)
      note(file:read("*l", "*n", "*n", "*l", "*n", "*l", "*a"))
      note(file:read("*l", "*l"))
      note(file:read("*a", "*l", "*a"))
      file:close()
    end)

    compare("an empty file", function(lib, path, note)
      put(lib, path, "")
      local file = lib.open(path)
      note(file:read())
      note(file:read "*n")
      note(file:read(0))
      note(file:read "*a")
      note(file:seek "end", file:close())
      for _ in lib.lines(path) do
        note "never"
      end
    end)

    compare("numbers", function(lib, path, note)
      local fine = { "1 2 3", "-3.5e+2x", "+7", "  \n\t 8", "5.", ".5", "12abc", "1_000", "1,5",
        ("1"):rep(150), "1e308 1e309", "99999999999999999999", "--1", "x", "- 1" }
      local odd = { "0x1F", "0x.8", "1e", ".", "1e+", "0xG", "nan", "inf", "0x", ("1"):rep(300),
        "0x1p4" }
      for i = 1, _VERSION >= "Lua 5.3" and #odd or 0 do -- before, scanf takes what it likes
        fine[#fine + 1] = odd[i]
      end
      for _, numerals in ipairs(fine) do
        put(lib, path, numerals)
        local file = lib.open(path)
        for _ = 1, 4 do
          local number = file:read "*n"
          note(numerals, number, math.type and math.type(number or 0))
          if not number then
            break
          end
        end
        if _VERSION >= "Lua 5.3" then
          note(file:read "*a")
        end
        file:close()
      end
    end)

    compare("in wrong formats", function(lib, path, _, try)
      put(lib, path, text)
      local file = lib.open(path)
      for _, format in ipairs { "x", "", "*x", "*", {}, true } do
        try(file.read, file, format)
      end
      try(function() return file:read(nil) end)
      file:close()
    end)

    compare("from any place", function(lib, path, note)
      put(lib, path, text)
      local file = lib.open(path)
      note(file:seek("set", 6), file:read(4), file:seek(), file:seek("cur", -4), file:read(2))
      note(file:seek("end", -3), file:read "*a", file:seek("end", 10), file:read(1))
      note(file:seek("set", -1))
      note(file:seek("cur", -1000))
      note(file:seek "set", file:read "*l", file:seek())
      file:close()
    end)

    compare("long lines", function(lib, path, note)
      local long = ("x"):rep(300000)
      put(lib, path, long .. "\n" .. long .. "\n\n" .. long)
      for line in lib.lines(path) do
        note(#line, line == long)
      end
    end)

    if modern then
      compare("with the newline", function(lib, path, note)
        put(lib, path, text)
        local file = lib.open(path)
        note(file:read "*L")
        note(file:read("*L", "*l", "*L"))
        note(file:read "*a")
        note(file:read "*L")
        file:close()
      end)
    end
    if modern and not jit and _VERSION >= "Lua 5.3" then
      compare("without stars", function(lib, path, note)
        put(lib, path, text)
        local file = lib.open(path)
        note(file:read("l", "L", 3))
        note(file:read "n")
        note(file:read "a")
        file:close()
      end)
    end
  end)

  describe("lines", function()
    compare("of a path", function(lib, path, note, try)
      put(lib, path, "a\nb\n\nc")
      for line in lib.lines(path) do
        note(line)
      end
      try(lib.lines, path .. "none")
      try(lib.lines, {})
      try(lib.lines, path, nil)
    end)

    compare("of a path, closed at the end", function(lib, path, note)
      put(lib, path, "a")
      local step = lib.lines(path)
      note(step())
      note(step())
      note((pcall(step)))
    end)

    compare("of a file, left open", function(lib, path, note)
      put(lib, path, "a\nb\nc\n")
      local file = lib.open(path)
      for line in file:lines() do
        note(line)
        if line == "b" then
          break
        end
      end
      note(file, file:read "*a", (file:lines()()))
      file:close()
    end)

    compare("of a file that is closed meanwhile", function(lib, path, note)
      put(lib, path, "a\nb\n")
      local file = lib.open(path)
      local step = file:lines()
      note(step())
      file:close()
      note((pcall(step)))
    end)

    compare("of a file that writes", function(lib, path, _, try)
      local file = lib.open(path, "w")
      try(function() return file:lines()() end)
      file:close()
    end)

    if modern then
      compare("in formats", function(lib, path, note)
        put(lib, path, "0123456789\nabc\n7 8\n")
        for a, b, c in lib.lines(path, 1, 2, "*l") do
          note(a, b, c)
        end
        for a in lib.lines(path, "*L") do
          note(a)
        end
        note(lib.lines(path, "*a", 0)())
        local file = lib.open(path)
        for a, b in file:lines(4, 1) do
          note(a, b)
        end
        file:close()
      end)

      compare("in wrong formats", function(lib, path, note)
        put(lib, path, "x")
        note((pcall(function() return lib.lines(path, "x")() end)))
        note((pcall(function() return lib.lines(path, {})() end)))
      end)
    end
    if not jit and _VERSION >= "Lua 5.3" then
      compare("in very many formats", function(lib, path, note)
        put(lib, path, ("x"):rep(250))
        local counts = {}
        for i = 1, 250 do
          counts[i] = 1
        end
        note(lib.lines(path, unpack(counts))())
        counts[251] = 1
        note((pcall(lib.lines, path, unpack(counts))))
      end)
    end
  end)

  describe("the default files", function()
    compare("are those that were set", function(lib, path, note)
      put(lib, path, "one\ntwo\n3\nrest")
      note(lib.input(path))
      note(lib.read())
      note(lib.input():read())
      note(lib.read("*n", 1, "*a"))
      note(lib.read())
      note(lib.close(lib.input()))
      note(lib.input(lib.stdin) == lib.stdin, lib.input() == lib.stdin)
      note(lib.output(path))
      note(lib.write("a", 1) and true, lib.output():seek())
      note(lib.flush() and true)
      note(get(lib, path))
      note(lib.close())
      note(lib.output(lib.stdout) == lib.stdout, lib.output() == lib.stdout)
    end)

    compare("may be open files", function(lib, path, note)
      put(lib, path, "one\ntwo\n")
      local file = lib.open(path)
      note(lib.input(file) == file)
      note(lib.read(), file:read(), lib.read())
      for line in lib.lines() do
        note(line)
      end
      note(file, file:seek "set")
      for line in lib.lines(unpack({}, 1, modern and 1 or 0)) do
        note(line)
      end
      note(file, file:close())
    end)

    compare("raise when they are closed", function(lib, path, note)
      put(lib, path, "x")
      lib.input(path)
      lib.input():close()
      note((pcall(lib.read)))
      if not jit then
        note((pcall(lib.lines)))
      end
      lib.output(path)
      lib.close()
      note((pcall(lib.write, "x")))
      note((pcall(lib.close)))
      note(lib.input(), lib.output())
      lib.input(lib.stdin)
      lib.output(lib.stdout)
    end)

    compare("raise for what cannot be opened", function(lib, path, _, try)
      try(lib.input, path .. "/none")
      try(lib.output, path .. "/none")
      try(lib.input, {})
      try(lib.output, true)
      try(lib.read, "*x")
    end)
  end)

  compare("two handles of one file", function(lib, path, note)
    local out = lib.open(path, "w")
    local seen = lib.open(path)
    note(seen:read "*a")
    out:write "abc"
    out:flush()
    note(seen:read "*a")
    out:write "def"
    out:close()
    note(seen:read(1), seen:read "*a", seen:close())
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
    local status, out, err = child [[
      local modfs = require "modfs"
      io = require "modfs.io"
      package.loaded.io = io
      assert(io.open("mem://f", "w")):write("one\n2\n"):close()
      for line in io.lines "mem://f" do
        print(line)
      end
      io.input "mem://f"
      io.write(io.read(), " ", io.read "*n", "\n")
      io.output "mem://out"
      io.write "x"
      io.close()
      print(modfs.read "mem://out")
    ]]
    assert.equal(0, status, err)
    assert.equal("one\n2\none 2\nx\n", out)
  end)
end)
