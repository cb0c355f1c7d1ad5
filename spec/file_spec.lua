local modfs = require "modfs"
local alike = require "spec.support.alike"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local describe_values, same = alike.describe, alike.same
local unpack = table.unpack or unpack -- luacheck: ignore 143

local function write_plain(path, content)
  local file = assert(io.open(path, "wb"))
  assert(file:write(content))
  file:close()
end

-- io before 5.3 knows fewer formats, and reads numbers as C does.
local function it_as_io(title, run)
  if _VERSION < "Lua 5.3" then
    pending(title .. ": io before 5.3 is another one")
  else
    it(title, run)
  end
end

local directory

setup(function() directory = tmpdir.new() end)
teardown(function() tmpdir.remove(directory) end)

-- The same bytes for io, and for modfs through a scheme: paths, then files.
local function write_both(scheme, content)
  local plain = directory .. "/f"
  local path = scheme == "mem://" and "mem://file_spec" or scheme .. plain
  write_plain(plain, content)
  assert.is_true(modfs.write(path, content))
  return path, plain
end

local function open_both(scheme, content)
  local path, plain = write_both(scheme, content)
  return assert(modfs.open(path)), assert(io.open(plain, "rb")), path
end

-- Everything that an iterator gives, two values at a time.
local function all_of(step, state, first)
  local list = {}
  for a, b in step, state, first do
    list[#list + 1] = describe_values(a, b)
  end
  return list
end

local contents = {
  "", "\n", "a", "a\n", "\n\n", "\na", "a\nb", "a\nb\n", "a\r\nb\r\n", "a\0b\n\0\nc",
  "12 0x1F -3.5e2\n", " \t\n 7 words\n", ("x"):rep(300) .. "\n", ("1"):rep(300) .. " 5",
  ("y"):rep(65535) .. "\n" .. ("z"):rep(65536) .. "\nend",
  ("y"):rep(65536) .. "\n" .. ("z"):rep(65537) .. "\n",
  ("long "):rep(60000) .. "\n\nshort\n" .. ("n"):rep(200000),
}

local formats = {
  {}, { "l" }, { "L" }, { "a" }, { "n" }, { "*l" }, { "*L" }, { "*a" }, { "*n" }, { 0 }, { 1 },
  { 5 }, { 65535 }, { 65536 }, { 65537 }, { 400000 }, { "l", "l" }, { "n", "l" }, { 1, "n", "L" },
  { "a", "a" }, { "a", 0 }, { "l", "n", "a" }, { "n", "n", "n", "n" }, { 0, 1, 0 }, { "line" },
  { "*number", "*all" },
}

local numerals = {
  "0", "7", "-7", "+7", "1.", ".5", "-.5", ".", "-", "+", "1e5", "1E-5", "1e", "1e+", "0x", "0x10",
  "0X1P4", "0x.8p1", "0x1p", "0x1.8", "00012", "1.5.5", "1,5", "--1", "nan", "inf", "1e400", "abc",
  "9223372036854775807", "9223372036854775808", "0xffffffffffffffff", "1_000", "12abc", "0b1",
  ("1"):rep(199), ("1"):rep(200), ("1"):rep(201), ("0"):rep(250) .. "1", "0x" .. ("f"):rep(198),
  " \t\v\f\r\n 3",
}

for _, scheme in ipairs { "file://", "mem://" } do
  describe(("a File of %q"):format(scheme), function()
    it_as_io("reads by every format as io does", function()
      for _, content in ipairs(contents) do
        local path, plain = write_both(scheme, content)
        for _, wanted in ipairs(formats) do
          local file, other = assert(modfs.open(path)), assert(io.open(plain, "rb"))
          for _ = 1, 4 do
            same(describe_values(other:read(unpack(wanted))),
              describe_values(file:read(unpack(wanted))))
            same(other:seek(), file:seek())
          end
          file:close()
          other:close()
        end
      end
    end)

    it_as_io("reads numbers as io does, and leaves the same rest", function()
      for _, numeral in ipairs(numerals) do
        for _, tail in ipairs { "", "x", " 1", "\n" } do
          local file, other = open_both(scheme, numeral .. tail)
          local label = ("%q"):format(numeral .. tail)
          same(describe_values(other:read "*n"), describe_values(file:read "n"), label)
          same(other:read "*a", file:read "a", label)
          file:close()
          other:close()
        end
      end
    end)

    it_as_io("follows io through any bytes", function()
      local seed = tonumber(os.getenv "SEED") or 20240517
      math.randomseed(seed)
      local pieces = { "\n", "\n", " ", "0x", "p", "e", "E", "+", "-", ".", "0", "1", "9", "f", "A",
        "\0", "\r", "\t", "\255", "nan", "inf", "x", ",", ("7"):rep(199), ("3"):rep(30), "word" }
      local wanted = { "n", "l", "L", "a", 0, 1, 2, 7, "n", "l", "n", "*n", "*L" }
      for case = 1, 700 do
        local parts = {}
        for i = 1, math.random(0, 25) do
          parts[i] = pieces[math.random(#pieces)]
        end
        local file, other = open_both(scheme, table.concat(parts))
        for step = 1, 6 do
          local label = ("SEED=%d, case %d, step %d"):format(seed, case, step)
          if math.random(5) == 1 then
            local whence, offset = ({ "set", "cur", "end" })[math.random(3)], math.random(-9, 9)
            same(tostring((other:seek(whence, offset))), tostring((file:seek(whence, offset))),
              label)
          end
          local list = {}
          for i = 1, math.random(0, 3) do
            list[i] = wanted[math.random(#wanted)]
          end
          same(describe_values(other:read(unpack(list))),
            describe_values(file:read(unpack(list))), label)
          same(other:seek(), file:seek(), label)
        end
        file:close()
        other:close()
      end
    end)

    it_as_io("meets the end and errors as io does in lines", function()
      for _, content in ipairs { "", "a", "1 2\n3", "a\nb\n" } do
        for _, wanted in ipairs { {}, { "n" }, { "a" }, { "l", "n" }, { 0 }, { 1, "L" } } do
          local file, other = open_both(scheme, content)
          local ours = file:lines(unpack(wanted))
          local theirs = other:lines(unpack(wanted))
          for _ = 1, 5 do -- one may ask on behind the end
            same(describe_values(theirs()), describe_values(ours()))
            same(other:seek(), file:seek())
          end
          other:seek "set"
          file:seek "set"
          same(describe_values(theirs()), describe_values(ours()))
          file:close()
          other:close()
        end
      end
    end)

    it("reads varints, one after the other", function()
      local rows = {
        { "\0", 0 }, { "\1", 1 }, { "\127", 127 }, { "\128\1", 128 }, { "\172\2", 300 },
        { "\255\255\255\255\15", 2 ^ 32 - 1 }, { "\128\128\128\128\16", 2 ^ 32 },
        { "\129\128\128\0", 1 }, { "\128\128\128\128\128\128\128\16", 2 ^ 53 },
      }
      local parts = {}
      for i, row in ipairs(rows) do
        parts[i] = row[1]
      end
      local file = open_both(scheme, table.concat(parts))
      local at = 0
      for _, row in ipairs(rows) do
        assert.equal(row[2], file:read "v")
        at = at + #row[1]
        assert.equal(at, file:seek())
      end
      assert.is_nil(file:read "v")
      assert.equal(1, select("#", file:read "v"))
      file:seek "set"
      assert.same({ 0, 1, "\127", 128 }, { file:read("v", "*v", 1, "v") })
      file:close()
      local sum = 0
      for value in open_both(scheme, ("\172\2"):rep(100000)):lines "v" do
        sum = sum + value
      end
      assert.equal(30000000, sum)
    end)

    it("refuses varints that are truncated, too long or too large", function()
      local ten = ("\255"):rep(9)
      for _, row in ipairs {
        { "\128", "DATA_LOSS" }, { ("\128"):rep(9), "DATA_LOSS" }, { ten .. "\2", "DATA_LOSS" },
        { ("\128"):rep(10) .. "\0", "DATA_LOSS" }, { ten .. "\129\0", "DATA_LOSS" },
      } do
        local file = open_both(scheme, "\5" .. row[1])
        assert.equal(5, file:read "v")
        fails(row[2], file:read "v")
        fails(row[2], file:read(0, "v"))
        assert.equal(1, file:seek())
        assert.error_matches(file:lines "v", "DATA_LOSS: read ")
        file:close()
      end
      local file = open_both(scheme, ten .. "\1" .. "\129\128\128\128\128\128\128\16")
      if math.type then
        assert.equal(-1, file:read "v")
        assert.equal(math.tointeger(2 ^ 53) + 1, file:read "v")
      else
        fails("OUT_OF_RANGE", file:read "v")
        assert.equal(0, file:seek())
      end
      file:close()
    end)

    it_as_io("iterates as io does, and stays open", function()
      for _, content in ipairs(contents) do
        for _, wanted in ipairs { {}, { "L" }, { #content < 400 and 3 or 700 }, { "n" },
          { "l", 1 } } do
          local file, other = open_both(scheme, content)
          assert.same(all_of(other:lines(unpack(wanted))), all_of(file:lines(unpack(wanted))))
          assert.equal("", file:read "a" and "")
          assert.is_true(file:close())
          other:close()
        end
      end
    end)

    it("preads anywhere and moves nothing", function()
      local content = ("0123456789abcdef"):rep(200000)
      local file = open_both(scheme, content)
      file:seek("set", 7)
      for _, case in ipairs { { 0, 1 }, { 5, 100 }, { 0, 4096 }, { 1, 2 ^ 20 }, { 3, 2 ^ 20 + 1 },
        { 0, #content }, { 0, #content + 1 }, { #content - 3, 10 }, { 100, 3000000 },
        { 0, 2 ^ 53 }, { #content - 1, 1 } } do
        local offset, n = case[1], case[2]
        local last = math.min(offset + n, #content) -- LuaJIT's sub takes 32 bits
        assert.is_true(file:pread(offset, n) == content:sub(offset + 1, last))
      end
      for _, offset in ipairs { #content, #content + 1, 2 ^ 40, 2 ^ 53 } do
        assert.equal(1, select("#", file:pread(offset, 1)))
        assert.is_nil((file:pread(offset, 1)))
        assert.equal(1, select("#", file:pread(offset, 0)))
        assert.is_nil((file:pread(offset, 0)))
      end
      assert.equal("", file:pread(0, 0))
      assert.equal("", file:pread(#content - 1, 0))
      assert.equal(7, file:seek())
      fails("INVALID_ARGUMENT", file:pread(-1, 1))
      fails("INVALID_ARGUMENT", file:pread(0, -1))
      file:close()
    end)

    it("reads into a buffer, at the position or at an offset", function()
      local file = open_both(scheme, "0123456789")
      local buffer = modfs.buffer(4)
      assert.equal(4, file:readinto(buffer))
      assert.equal("0123", buffer:sub(1))
      assert.equal(4, file:seek())
      assert.equal(2, file:readinto(buffer, nil, 2, 2))
      assert.equal("0453", buffer:sub(1))
      assert.equal(6, file:seek())
      assert.equal(4, file:readinto(buffer, 0))
      assert.equal("0123", buffer:sub(1))
      assert.equal(1, file:readinto(buffer, 9, 3, -3))
      assert.equal("0923", buffer:sub(1))
      assert.equal(6, file:seek())
      assert.equal("67", file:read(2))
      assert.equal(2, file:readinto(buffer))
      assert.equal(0, file:readinto(buffer))
      assert.equal(0, file:readinto(buffer, 10))
      assert.equal(0, file:readinto(buffer, 0, 0, 5))
      assert.equal("8923", buffer:sub(1))
      for _, wrong in ipairs { { 0, 5 }, { 0, 4, 2 }, { 0, 1, 5 }, { 0, 0, 6 }, { 0, 1, 0 },
        { 0, 1, -5 }, { -1 }, { 0, -1 }, { nil, 5 } } do
        fails("INVALID_ARGUMENT", file:readinto(buffer, wrong[1], wrong[2], wrong[3]))
      end
      assert.equal("8923", buffer:sub(1))
      file:close()
    end)

    it("reads large buffers whole, whatever is buffered before", function()
      local content = ("0123456789abcdef"):rep(20000)
      local file = open_both(scheme, content)
      for _, first in ipairs { 0, 1, 65535, 65536, 70000 } do
        for _, n in ipairs { 1, 65535, 65536, 65537, 200000, 320000 } do
          local buffer = modfs.buffer(n)
          file:seek("set", 0)
          file:read(first)
          local came = file:readinto(buffer)
          assert.equal(math.min(n, #content - first), came)
          assert.is_true(buffer:sub(1, came) == content:sub(first + 1, first + came))
          assert.equal(first + came, file:seek())
        end
      end
      file:close()
    end)

    it("knows its size and name, and says what it is", function()
      local file, _, path = open_both(scheme, "twelve bytes")
      assert.equal(12, file:size())
      assert.equal(path, file:name())
      assert.equal(("modfs.File (%s, 12 bytes)"):format(path), tostring(file))
      assert.is_true(modfs.remove(path))
      fails("NOT_FOUND", file:size())
      assert.equal(("modfs.File (%s)"):format(path), tostring(file))
      assert.equal("twelve bytes", file:read "a")
      assert.is_true(file:close())
      assert.equal("modfs.File (closed)", tostring(file))
      assert.equal("closed file", modfs.type(file))
    end)

    it("seeks to the end by size, and past it", function()
      local file = open_both(scheme, "0123456789")
      assert.equal(10, file:seek "end")
      assert.equal(7, file:seek("end", -3))
      assert.equal("789", file:read "a")
      assert.equal(100, file:seek("set", 100))
      assert.is_nil(file:read(1))
      assert.equal("", file:read "a")
      fails("INVALID_ARGUMENT", file:seek("cur", -101))
      assert.equal(100, file:seek())
      file:close()
    end)
  end)
end

describe("modfs.lines", function()
  local path

  before_each(function()
    path = directory .. "/lines"
    write_plain(path, "one\ntwo\n\nlast")
  end)

  it_as_io("goes through a file as io.lines does, and closes it", function()
    for _, wanted in ipairs { {}, { "L" }, { 2 }, { "l", "L" }, { "n" } } do
      assert.same(all_of(io.lines(path, unpack(wanted))), all_of(modfs.lines(path, unpack(wanted))))
    end
  end)

  it("closes the file at its end", function()
    local seen = {}
    for line in modfs.lines(path) do
      seen[#seen + 1] = line
    end
    assert.same({ "one", "two", "", "last" }, seen)
    local step = modfs.lines(path)
    for _ = 1, 5 do
      step()
    end
    assert.error_matches(step, "closed file")
  end)

  it("raises when it cannot open", function()
    assert.error_matches(function() modfs.lines(directory .. "/none") end, "NOT_FOUND: open .*none")
    assert.error_matches(function() modfs.lines "nope://x" end, "UNIMPLEMENTED: ")
    assert.error_matches(function() modfs.lines(path .. "\0x") end, "INVALID_ARGUMENT: ")
    assert.error_matches(function() modfs.lines(path, -1) end, "INVALID_ARGUMENT: ")
  end)
end)

-- The bytes of Lua's memory that a function takes, without those of a debugger's hook.
local function allocated(run)
  local hook, mask, count = debug.gethook()
  debug.sethook()
  collectgarbage()
  collectgarbage "stop"
  local before = collectgarbage "count"
  run()
  local grown = (collectgarbage "count" - before) * 1024
  collectgarbage "restart"
  debug.sethook(hook, mask, count)
  return grown
end

describe("a File", function()
  it("returns read failures as they are, and keeps its position", function()
    local file = assert(modfs.open "/proc/self/mem")
    for _, wanted in ipairs { { "l" }, { "L" }, { "n" }, { "a" }, { 0 }, { 1 }, { 100000 }, {} } do
      fails("UNKNOWN", file:read(unpack(wanted)))
      assert.equal(0, file:seek())
    end
    fails("UNKNOWN", file:pread(0, 10))
    fails("UNKNOWN", file:readinto(modfs.buffer(10)))
    fails("UNKNOWN", file:readinto(modfs.buffer(10), 0))
    assert.error_matches(file:lines(), "UNKNOWN: read /proc/self/mem: ")
    file:close()
  end)

  it("keeps its position when a later format fails", function()
    local path = directory .. "/first"
    write_plain(path, "12 rest")
    local file = assert(modfs.open(path))
    assert.error_matches(function() file:read("n", "q") end, "invalid format")
    assert.error_matches(function() file:read("n", {}) end, "string expected")
    assert.error_matches(function() file:read("n", 1.5) end, "no integer representation")
    fails("INVALID_ARGUMENT", file:read("n", -1))
    assert.equal(0, file:seek())
    file:close()
  end)

  it("raises for an invalid format or whence", function()
    local file = open_both("", "x")
    for _, wrong in ipairs { "", "*", "x", "lines\0", "5", "A", "**a" } do
      local fine = pcall(file.read, file, wrong)
      assert.equal(wrong == "lines\0", fine, ("%q"):format(wrong))
    end
    for _, wrong in ipairs { "", "SET", "start", "5" } do
      assert.error_matches(function() file:seek(wrong) end, "invalid option")
    end
    file:close()
  end)

  it("allocates nothing by a count alone", function()
    if (os.getenv "LD_PRELOAD" or ""):find "asan" then
      pending "AddressSanitizer needs more address space than this test leaves"
      return
    end
    local status, out, err = child([[
      local modfs = require "modfs"
      assert(modfs.write("mem://small", "small"))
      local file = assert(modfs.open "mem://small")
      print(file:read(2 ^ 40), file:pread(0, 2 ^ 40), file:pread(2, 2 ^ 53))
      file:seek("set", 0)
      print(file:read(math.maxinteger or 2 ^ 53))
    ]], { before = "ulimit -v 200000" })
    assert.equal("", err)
    assert.equal("small\tsmall\tall\nsmall\n", out)
    assert.equal(0, status)
  end)

  it("costs one system call for a pread of 4 KiB", function()
    if not shell.has "strace" then
      pending "strace is not installed"
      return
    end
    local function calls(count)
      local status, _, err = child("spec/children/preads.lua", { arguments = { count }, under =
        "strace -f -e trace=read,pread64,lseek,fstat,newfstatat,statx",
        before = "export ASAN_OPTIONS=detect_leaks=0" }) -- which cannot work under strace
      assert.equal(0, status, err)
      return select(2, err:gsub("%w+%([^\n]*\n", ""))
    end
    assert.equal(100, calls(110) - calls(10))
  end)

  it("allocates nothing for a pread but its string", function()
    if _VERSION ~= "Lua 5.4" then
      pending "the size of a string is known here for Lua 5.4 only"
      return
    end
    local file = open_both("", ("x"):rep(8192))
    local header = 24
    file:pread(0, 4096)
    assert.equal(100 * (header + 4096 + 1), allocated(function()
      for i = 1, 100 do
        file:pread(i, 4096)
      end
    end))
    file:close()
  end)

  it("takes at most 128 bytes of Lua's memory", function()
    local files = {}
    for i = 1, 100 do
      files[i] = false
    end
    open_both("", "x"):close()
    local path = directory .. "/f"
    local each = allocated(function()
      for i = 1, 100 do
        files[i] = modfs.open(path)
      end
    end) / 100
    assert.is_true(each <= 128, each .. " bytes")
    for i = 1, 100 do
      files[i]:close()
    end
  end)

  it("reads the content before a bad block", function()
    local maps, stop = modfs.read "/proc/self/maps", nil
    for last, access, first in maps:gmatch "%-(%x+) (r)[^\n]*\n(%x+)" do
      stop = stop or access == "r" and last ~= first and tonumber(last, 16)
    end
    local file = assert(modfs.open "/proc/self/mem") -- no page behind: as a disk's bad block
    assert.equal(stop - 10, file:seek("set", stop - 10))
    assert.equal(4, #file:read(4))
    assert.equal(6, file:readinto(modfs.buffer(6)))
    fails("UNKNOWN", file:read(1))
    fails("UNKNOWN", file:read "a")
    assert.equal(stop, file:seek())
    file:seek("set", stop - 10)
    fails("UNKNOWN", file:read(11))
    assert.equal(stop - 10, file:seek())
  end)
end)
