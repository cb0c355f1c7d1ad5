local instrumented = require "spec.support.instrumented"
local modfs = require "modfs"
local codec = require "modfs.codec"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local names = { "gzip", "zlib", "deflate", "zstd", "snappy" }
local checked = { gzip = true, zlib = true, zstd = true } -- those with a checksum
local has_close = _VERSION >= "Lua 5.4"

local directory
setup(function() directory = tmpdir.new() end)
teardown(function() tmpdir.remove(directory) end)

-- Bytes that neither repeat nor end on a round number.
local function noise(n, seed)
  local state, bytes = seed or 1, {}
  for i = 1, n do
    state = state * 16807 % 2147483647 -- exact in doubles, too
    bytes[i] = string.char(math.floor(state / 65536) % 256)
  end
  return table.concat(bytes)
end

local text = {}
for i = 1, 3000 do
  text[i] = ("line %d of a text that repeats itself\n"):format(i)
end
text = table.concat(text)

local function encode(path, name, content, options)
  local file = assert(codec.open(path, "w", name, options))
  assert(file:write(content))
  assert(file:close())
  return assert(modfs.read(path))
end

-- The whole content, or the failure.
local function decode(bytes, name)
  local file, message, code = codec.wrap(modfs.buffer(bytes), name)
  if not file then
    return nil, message, code
  end
  local content, why, kind = file:read "a"
  file:close()
  return content, why, kind
end

-- Without showing a hundred kilobytes when they differ.
local function same(expected, got, ...)
  local where = 1
  while got and got ~= expected and got:byte(where) == expected:byte(where) do
    where = where + 1
  end
  local what = got and ("%d bytes, not %d, and different from %d on"):format(#got, #expected, where)
  assert.is_true(got == expected, what or tostring((...)))
end

for _, scheme in ipairs { "", "mem://" } do
  for _, name in ipairs(names) do
    describe(("%s on %q"):format(name, scheme), function()
      local path

      before_each(function()
        path = scheme == "" and directory .. "/coded" or "mem://codec_spec/coded"
        if scheme ~= "" then modfs.makedirs "mem://codec_spec" end
      end)

      it("gives back what was written", function()
        for _, content in ipairs { "", "x", text, noise(70000), text:rep(20), noise(300000, 7) } do
          encode(path, name, content)
          local file = assert(codec.open(path, "r", name))
          assert.is_true(content == file:read "a")
          assert.is_true(file:close())
        end
      end)

      it("has the methods of a File", function()
        encode(path, name, text)
        local file = assert(codec.open(path, "r", name))
        assert.equal("file", modfs.type(file))
        assert.equal(path, file:name())
        assert.equal(("modfs.File (%s, %s)"):format(path, name), tostring(file))
        assert.equal("line 1 of a text that repeats itself", file:read())
        assert.equal(#text, file:size())
        assert.equal(#text, file:seek("end"))
        assert.is_nil(file:read(1))
        assert.equal(10000, file:seek("set", 10000))
        assert.equal(text:sub(10001, 10100), file:read(100))
        assert.equal(5, file:seek("set", 5))
        assert.equal(1, file:read "n")
        assert.equal(text:sub(101, 200), file:pread(100, 100))
        assert.equal(text:sub(-7), file:pread(#text - 7, 100))
        assert.is_nil(file:pread(#text, 1))
        assert.is_nil(file:pread(#text, 0))
        assert.equal("", file:pread(#text - 1, 0))
        assert.is_nil(file:pread(#text + 100000, 1))
        local buffer = modfs.buffer(50)
        assert.equal(50, file:readinto(buffer, 70000))
        assert.equal(text:sub(70001, 70050), buffer:sub(1))
        file:seek("set")
        local count = 0
        for line in file:lines() do
          count = count + 1
          assert.equal(("line %d of a text that repeats itself"):format(count), line)
        end
        assert.equal(3000, count)
        assert.is_true(file:close())
        assert.has_error(function() file:read() end, "attempt to use a closed file")
      end)

      it("has the methods of a WritableFile", function()
        local file = assert(codec.open(path, "w", name))
        assert.equal("writable file", modfs.type(file))
        assert.equal(path, file:name())
        assert.equal(file, file:write("a", 1, modfs.buffer "b", noise(100000)))
        assert.equal(100003, file:tell())
        assert.is_true(file:flush())
        assert.is_true(file:flush())
        assert.is_true(file:sync())
        assert.is_true(file:close())
        same("a1b" .. noise(100000), codec.open(path, "r", name):read "a")
        assert.has_error(function() file:write "x" end, "attempt to use a closed file")
      end)

      it("shows after a flush what was written before it", function()
        local file = assert(codec.open(path, "w", name))
        assert(file:write(text) and file:flush())
        same(text, codec.open(path, "r", name):pread(0, #text))
        assert(file:write("more") and file:close())
        same(text .. "more", codec.open(path, "r", name):read "a")
      end)

      it("continues a file where its format can", function()
        encode(path, name, "one ")
        local file, message, code = codec.open(path, "a", name)
        if name == "zlib" or name == "deflate" then
          fails("UNIMPLEMENTED", file, message, code)
          assert.equal("one ", codec.open(path, "r", name):read "a")
          return
        end
        assert(assert(file, message):write("two") and file:close())
        assert.equal("one two", codec.open(path, "r", name):read "a")
      end)

      it("reports truncation at every offset", function()
        local stream = encode(path, name, "some text, some more text, and an end" .. noise(40))
        for n = 0, #stream - 1 do
          local content, message, code = decode(stream:sub(1, n), name)
          if name == "snappy" and n == 0 then
            assert.equal("", content)
          else
            fails("DATA_LOSS", content, message, code)
            assert.is_truthy(message:find(("offset %d,"):format(n), 1, true), message)
          end
        end
      end)

      it("reports bytes behind the end", function()
        local stream = encode(path, name, text)
        for _, more in ipairs { "x", "\31", "trailing garbage" } do
          local content, message, code = decode(stream .. more, name)
          assert.is_truthy(fails("DATA_LOSS", content, message, code):find "offset %d+,")
        end
      end)

      it("is closed by whoever drops it", function()
        local file = assert(codec.open(path, "w", name))
        assert(file:write(text))
        file = nil -- luacheck: ignore
        collectgarbage()
        collectgarbage()
        same(text, codec.open(path, "r", name):read "a")
      end)
    end)
  end
end

for _, name in ipairs(names) do
  describe(name, function()
    it("reports a wrong byte, or returns the right content", function()
      local content = "some text, some more text, and an end" .. noise(40)
      local stream = encode("mem://codec_flip", name, content)
      local caught = 0
      for i = 1, #stream do
        for _, mask in ipairs { 1, 2, 4, 8, 16, 32, 64, 128, 255 } do
          local byte = stream:byte(i)
          local is_set = math.floor(byte / mask) % 2 == 1
          local flipped = mask == 255 and 255 - byte or byte + (is_set and -mask or mask)
          local damaged = stream:sub(1, i - 1) .. string.char(flipped) .. stream:sub(i + 1)
          local got, message, code = decode(damaged, name)
          if got == nil then
            caught = caught + 1
            fails("DATA_LOSS", got, message, code)
          elseif checked[name] then
            same(content, got, ("byte %d, mask %d"):format(i, mask))
          end
        end
      end
      assert.is_true(caught > #stream * (checked[name] and 4 or 1), caught .. " caught")
    end)

    it("returns the content before the damage", function()
      local content, buffer = noise(10000) .. "\n", modfs.buffer(4)
      local writer = assert(codec.open("mem://codec_sound", "w", name))
      assert(writer:write(content) and writer:flush() and writer:write(noise(10000)))
      assert(writer:close())
      local cut = modfs.read("mem://codec_sound"):sub(1, -20)
      local file = assert(codec.wrap(modfs.buffer(cut), name))
      same(content:sub(1, 7), file:read(7))
      assert.equal(4, file:readinto(buffer))
      same(content:sub(8, 11), buffer:sub(1))
      fails("DATA_LOSS", file:read "a")
      fails("DATA_LOSS", file:read(20000))
      assert.equal(11, file:seek())
      file:seek("set", 0)
      same(content:match "[^\n]*", file:read "l")
    end)

    it("reads what was flushed by one who writes on", function()
      local writer = assert(codec.open("mem://codec_flushed", "w", name))
      assert(writer:write "hello\n42 " and writer:flush())
      local file = assert(codec.open("mem://codec_flushed", "r", name))
      assert.equal("hello", file:read "l")
      assert.equal(42, file:read "n")
      if name == "snappy" then -- which may end behind any block
        assert.equal(" ", file:read "a")
      else
        assert.equal(" ", file:read(1))
        fails("DATA_LOSS", file:read(1))
        fails("DATA_LOSS", file:read "a")
      end
      assert.equal("hello", codec.open("mem://codec_flushed", "r", name):lines()())
      assert(writer:close())
    end)

    if checked[name] then
      it("gives the last byte only with a checksum that is right", function()
        local function wrong(content)
          local stream = encode("mem://codec_trailer", name, content)
          local at = name == "gzip" and #stream - 5 or #stream - 1
          local byte = string.char((stream:byte(at) + 1) % 256)
          stream = stream:sub(1, at - 1) .. byte .. stream:sub(at + 1)
          return assert(codec.wrap(modfs.buffer(stream), name))
        end
        local file = wrong(text)
        assert.equal(text:sub(1, 100), file:pread(0, 100))
        fails("DATA_LOSS", file:pread(0, #text))
        local in_blocks = name == "zstd" -- each of which is looked at as a whole
        assert.is_true(in_blocks or text:sub(1, -2) == file:pread(0, #text - 1))
        fails("DATA_LOSS", file:size())
        fails("DATA_LOSS", file:seek "end")
        if in_blocks then return end
        file = wrong "one\ntwo\n"
        assert.equal("one", file:read "l")
        fails("DATA_LOSS", file:read "l")
        fails("DATA_LOSS", file:read(4))
        assert.equal("two", file:read(3))
        fails("DATA_LOSS", file:read(1))
      end)
    end

    it("stacks on a File at its position, which does not move, and leaves it open", function()
      local stream = encode("mem://codec_below", name, text)
      assert(modfs.write("mem://codec_below", "header" .. stream))
      local below = assert(modfs.open "mem://codec_below")
      assert.equal("header", below:read(6))
      assert.is_true(codec.wrap(below, name):close())
      local file = assert(codec.wrap(below, name))
      assert.equal("mem://codec_below", file:name())
      same(text, file:read "a")
      assert.equal(6, below:seek())
      assert.equal(stream:sub(1, 4), below:read(4))
      assert.is_true(below:close())
      assert.equal(text:sub(1, 10), file:pread(0, 10))
      assert.is_true(file:close())
    end)

    it("stacks on Regions, Buffers and their slices, and keeps them", function()
      local stream = encode("mem://codec_bytes", name, text)
      local region = assert(modfs.map "mem://codec_bytes")
      local file = assert(codec.wrap(region, name))
      region:close()
      same(text, file:read "a")
      local slice = modfs.buffer("<<" .. stream .. ">>"):slice(3, -3)
      file = assert(codec.wrap(slice, name))
      slice = nil -- luacheck: ignore
      collectgarbage()
      same(text, file:read "a")
    end)

    it("stacks on a WritableFile, which stays the caller's", function()
      local below = assert(modfs.open("mem://codec_stack", "w"))
      assert(below:write "head")
      local file = assert(codec.wrap(below, name))
      assert.equal("mem://codec_stack", file:name())
      assert(file:write(text) and file:close())
      local at = assert(below:tell())
      assert(below:write "tail" and below:close())
      local all = assert(modfs.read "mem://codec_stack")
      assert.equal("head", all:sub(1, 4))
      assert.equal("tail", all:sub(at + 1))
      same(text, decode(all:sub(5, at), name))
    end)

    it("keeps a WritableFile that it stacks on from the collector", function()
      local file = assert(codec.wrap(assert(modfs.open("mem://codec_kept", "w")), name))
      collectgarbage()
      collectgarbage()
      assert(file:write(text) and file:close())
      file = nil -- luacheck: ignore
      for _ = 1, 4 do -- 5.1 frees the key of a weak table first, and its value later
        collectgarbage()
      end
      same(text, codec.open("mem://codec_kept", "r", name):read "a")
    end)

    it("reports that the file below was closed first", function()
      local below = assert(modfs.open("mem://codec_early", "w"))
      local file = assert(codec.wrap(below, name))
      assert(file:write(text))
      assert.is_true(below:close())
      fails("FAILED_PRECONDITION", file:close())
    end)

    it("stacks on itself", function()
      local below = assert(codec.open("mem://codec_twice", "w", name))
      local file = assert(codec.wrap(below, "gzip"))
      assert(file:write(text) and file:close() and below:close())
      local outer = assert(codec.open("mem://codec_twice", "r", name))
      same(text, codec.wrap(outer, "gzip"):read "a")
    end)
  end)
end

describe("codec.open", function()
  it("raises for wrong arguments", function()
    assert.has_error(function() codec.open("mem://x", "w", "bzip2") end,
      "bad argument #3 to 'open' (unknown codec 'bzip2')")
    assert.has_error(function() codec.open("mem://x", "q", "gzip") end,
      "bad argument #2 to 'open' (invalid mode)")
    for _, options in ipairs { { levle = 1 }, { level = "high" } } do
      assert.has_error(function() codec.open("mem://x", "w", "gzip", options) end)
    end
    assert.error_matches(function() codec.open("mem://x", "w", "gzip", { level = 1.5 }) end,
      "bad argument #4 to 'open' %(option 'level': number has no integer representation%)")
    assert.has_error(function() codec.open("mem://x", "w") end)
    local closed = modfs.buffer "x"
    closed:close()
    for _, below in ipairs { {}, "bytes", closed } do
      assert.has_error(function() codec.wrap(below, "gzip") end)
    end
  end)

  it("leaves an existing file alone when the rest is wrong", function()
    assert(modfs.write("mem://codec_old", "old"))
    for _, row in ipairs {
      { "INVALID_ARGUMENT", "w", "auto" },
      { "INVALID_ARGUMENT", "w", "zstd", { level = 1000 } },
      { "INVALID_ARGUMENT", "w", "gzip", { level = 2 ^ 40 } },
      { "INVALID_ARGUMENT", "w", "snappy", { level = 1 } },
      { "INVALID_ARGUMENT", "r", "gzip", { level = 1 } },
      { "UNIMPLEMENTED", "r+", "gzip" },
      { "UNIMPLEMENTED", "w+", "gzip" },
    } do
      local message = fails(row[1], codec.open("mem://codec_old", row[2], row[3], row[4]))
      if row[4] and row[4].level == 2 ^ 40 then
        assert.truthy(message:find("level 1099511627776 is out of range", 1, true), message)
      end
    end
    assert.equal("old", modfs.read "mem://codec_old")
    fails("NOT_FOUND", codec.open("mem://codec_missing", "r", "gzip"))
    fails("NOT_FOUND", codec.open("mem://codec_missing", "r", "auto"))
  end)

  it("accepts levels", function()
    for name, levels in pairs { gzip = { 0, 1, 9 }, zlib = { 0, 9 }, zstd = { -7, 1, 19 } } do
      local sizes = {}
      for i, level in ipairs(levels) do
        sizes[i] = #encode("mem://codec_level", name, text, { level = level })
        same(text, codec.open("mem://codec_level", "r", name):read "a")
      end
      assert.is_true(sizes[1] > sizes[#sizes], name)
    end
  end)

  it("writes atomically", function()
    local path = directory .. "/atomic.gz"
    encode(path, "gzip", "old")
    local file = assert(codec.open(path, "w", "gzip", { atomic = true }))
    assert(file:write(text) and file:flush())
    assert.equal("old", codec.open(path, "r", "gzip"):read "a")
    assert.is_true(file:abort())
    assert.equal("old", codec.open(path, "r", "gzip"):read "a")
    file = assert(codec.open(path, "w", "gzip", { atomic = true, durable = false }))
    assert(file:write "new" and file:close())
    assert.equal("new", codec.open(path, "r", "gzip"):read "a")
    assert.is_nil(tmpdir.list(directory):find "tmp")
  end)

  it("keeps the old content when a scope is left with an error", function()
    if not has_close then
      return
    end
    local path = directory .. "/scope.gz"
    encode(path, "gzip", "old")
    local fine = pcall(assert(load [[
      local codec, path = ...
      local file <close> = assert(codec.open(path, "w", "gzip", { atomic = true }))
      file:write "half of it"
      error "stop"
    ]]), codec, path)
    assert.is_false(fine)
    assert.equal("old", codec.open(path, "r", "gzip"):read "a")
    assert.is_nil(tmpdir.list(directory):find "tmp")
  end)

  it("reports at close what the filesystem could not take", function()
    if shell.run "test -w /dev/full" ~= 0 then
      pending "no /dev/full"
      return
    end
    local file = assert(codec.open("/dev/full", "w", "gzip"))
    assert(file:write(text))
    fails("RESOURCE_EXHAUSTED", file:close())
  end)
end)

describe("codec auto", function()
  it("detects the codec from the content", function()
    for _, name in ipairs { "gzip", "zlib", "zstd", "snappy" } do
      for _, content in ipairs { "x", text, noise(1000) } do
        local stream = encode("mem://codec_auto", name, content)
        local file = assert(codec.open("mem://codec_auto", nil, "auto"))
        assert.is_truthy(tostring(file):find(name, 1, true))
        same(content, file:read "a")
        same(content, codec.open("mem://codec_auto"):read "a")
        same(content, decode(stream, "auto"))
      end
    end
  end)

  it("fails when it cannot detect the codec", function()
    for _, content in ipairs { "", "x", "plain text", "x\1 is how zlib begins", noise(1000) } do
      fails("INVALID_ARGUMENT", decode(content, "auto"))
    end
  end)

  it("reports a damaged stream as damaged", function()
    local stream = encode("mem://codec_auto", "gzip", text)
    fails("DATA_LOSS", decode(stream:sub(1, 3), "auto"))
    fails("DATA_LOSS", decode(stream:sub(1, -2), "auto"))
  end)
end)

for tool, row in pairs {
  gzip = { suffix = ".gz", test = "gzip -t", read = "gzip -dc ", write = "gzip -nfk --best" },
  zstd = { suffix = ".zst", test = "zstd -qt", read = "zstd -qdc ", write = "zstd -qf" },
} do
  it(tool .. " agrees with its tool, both ways", function()
    if not shell.has(tool) then
      return pending("there is no tool " .. tool)
    end
    local path = directory .. "/tool"
    local coded = path .. row.suffix
    for _, content in ipairs { "", text, noise(100000), noise(200000) } do
      encode(coded, tool, content)
      assert.equal(0, (shell.run(row.test, coded)))
      tmpdir.write(path, content)
      assert.equal(0, (shell.run(row.read .. shell.quote(coded) .. " | cmp -", path)))
      shell.output(row.write, path)
      for _, name in ipairs { tool, "auto" } do
        same(content, codec.open(coded, "r", name):read "a")
      end
    end
  end)
end

describe("gzip", function()
  it("reads members one behind another, and zeros behind the last", function()
    local one = encode("mem://codec_member", "gzip", "one ")
    local two = encode("mem://codec_member", "gzip", "two")
    assert.equal("one two", decode(one .. two, "gzip"))
    assert.equal("one one two", decode(one .. one .. two .. ("\0"):rep(1000), "gzip"))
    assert.equal(("one "):rep(5000), decode(one:rep(5000), "gzip"))
    fails("DATA_LOSS", decode(one .. "\0\0x", "gzip"))
    fails("DATA_LOSS", decode(one .. two:sub(1, -2), "gzip"))
    fails("DATA_LOSS", decode(one .. "\0" .. two, "gzip"))
  end)

  it("reads what the gzip tool appended", function()
    local path = directory .. "/appended.gz"
    encode(path, "gzip", text)
    shell.output(("gzip -dc %s | gzip -c >>%s"):format(path, path))
    same(text .. text, codec.open(path, "r", "auto"):read "a")
  end)

  it("refuses what the gzip tool refuses", function()
    local path = directory .. "/cut.gz"
    local stream = encode(path, "gzip", text)
    for _, n in ipairs { 5, 10, 100, #stream - 8, #stream - 1 } do
      tmpdir.write(path, stream:sub(1, n))
      assert.is_true(shell.run("gzip -t", path) ~= 0)
      fails("DATA_LOSS", codec.open(path, "r", "gzip"):read "a")
    end
  end)
end)

describe("zstd", function()
  it("reads frames one behind another, skippable ones among them", function()
    local one = encode("mem://codec_frame", "zstd", "one ")
    local skipped = "\80\42\77\24\5\0\0\0xxxxx"
    assert.equal("one one ", decode(skipped .. one .. skipped .. one, "zstd"))
  end)

  it("says in which block the damage is", function()
    local content = noise(1000000)
    local stream = encode("mem://codec_block", "zstd", content)
    local at = 700000
    local wrong = string.char((stream:byte(at) + 1) % 256)
    local damaged = stream:sub(1, at - 1) .. wrong .. stream:sub(at + 1)
    local file = assert(codec.wrap(modfs.buffer(damaged), "zstd"))
    local message = fails("DATA_LOSS", file:read "a")
    -- The blocks are raw: their checksum, at the end, is what tells.
    assert.is_truthy(message:find(("offset %d,"):format(#stream - 4), 1, true), message)
    encode("mem://codec_block", "zstd", text:rep(100))
    stream = modfs.read "mem://codec_block"
    at = math.floor(#stream / 2)
    file = assert(codec.wrap(modfs.buffer(stream:sub(1, at) .. ("\255"):rep(100)), "zstd"))
    local offset = tonumber((fails("DATA_LOSS", file:read "a"):match "offset (%d+),"))
    assert.is_true(offset <= at + 100 and offset > at - 128 * 1024 and offset > 0)
  end)

  it("does not take memory by a frame's claim of its window", function()
    local head = "\40\181\47\253" -- then: no single segment, and a window of 2^41 bytes
    fails("DATA_LOSS", decode(head .. "\0\248" .. ("x"):rep(100), "zstd"))
  end)
end)

describe("zlib and deflate", function()
  it("agree with Python's zlib", function()
    if not shell.has "python3" then
      pending "no python3"
      return
    end
    local path = directory .. "/python"
    tmpdir.write(path .. ".plain", text)
    for name, window in pairs { zlib = 15, deflate = -15 } do
      encode(path, name, text)
      assert.equal("", shell.output(([[python3 -c '
import sys, zlib
sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1], "rb").read(), %d))' %s | cmp - %s]])
        :format(window, path, path .. ".plain")))
    end
  end)

  it("write what TensorFlow writes: window 15, memory level 9, usual level", function()
    local stream = encode("mem://codec_tf", "zlib", "foo")
    assert.equal("\120\156\75\203\207\7\0\2\130\1\69", stream)
    assert.equal("\75\203\207\7\0", encode("mem://codec_tf", "deflate", "foo"))
    assert.equal("\31\139\8\0\0\0\0\0\0\3\75\203\207\7\0\33\101\115\140\3\0\0\0",
      encode("mem://codec_tf", "gzip", "foo"))
  end)
end)

describe("the library of a codec", function()
  local libraries = { gzip = { "libz", "zlib1g%-dev" }, zlib = { "libz", "zlib1g%-dev" },
    deflate = { "libz", "zlib1g%-dev" }, zstd = { "libzstd", "libzstd%-dev" },
    snappy = { "libsnappy", "libsnappy%-dev" } }

  for name, row in pairs(libraries) do
    it("is loaded when it is needed, and not before: " .. name, function()
      local status, out, err = child(([[
        local modfs = require "modfs"
        local function loaded()
          return modfs.read "/proc/self/maps":find("/%s.so", 1, true) ~= nil
        end
        print(loaded(), modfs.codec.available "%s", loaded())
      ]]):format(row[1], name))
      assert.same({ 0, "false\ttrue\ttrue\n" }, { status, out }, err)
    end)

    it("may be missing: " .. name, function()
      local place = tmpdir.new()
      finally(function() tmpdir.remove(place) end)
      tmpdir.write(("%s/%s.so.1"):format(place, row[1]), "")
      local status, out, err = child(([[
        local modfs = require "modfs"
        assert(modfs.write("mem://a", "x\218"))
        for _, codec in ipairs { "%s", "auto" } do
          print((select(2, modfs.codec.open("mem://a", "r", codec))))
        end
        print((select(2, modfs.codec.open("mem://a", "w", "%s"))), modfs.size "mem://a")
      ]]):format(name, name), { under = "env LD_LIBRARY_PATH=" .. place })
      assert.equal(0, status, err)
      local function line(named)
        return ("UNIMPLEMENTED: open mem://a: codec %s needs %s%%.so%%.1; install %s: "
          .. "dynamic loader: [^\n]+"):format(named, row[1], row[2])
      end
      local detected = row[1] == "libz" and line "zlib"
        or "INVALID_ARGUMENT: open mem://a: cannot detect the codec[^\n]+"
      local expected = ("^%s\n%s\n%s\t2\n$"):format(line(name), detected, line(name))
      assert.truthy(out:find(expected), out)
    end)
  end
end)

describe("snappy", function()
  it("writes TensorFlow's blocks: a length in big endian, then raw snappy", function()
    assert.equal("\0\0\0\5\3\8foo", encode("mem://codec_tf", "snappy", "foo"))
    local stream = encode("mem://codec_tf", "snappy", ("a"):rep(256 * 1024) .. "b")
    local length = stream:byte(2) * 65536 + stream:byte(3) * 256 + stream:byte(4)
    assert.equal("\0\0\0\3\1\0b", stream:sub(4 + length + 1))
  end)

  it("says so where its library cannot be loaded any more", function()
    local place = tmpdir.new()
    finally(function() tmpdir.remove(place) end)
    tmpdir.write(place .. "/libsnappy.so.1", "")
    local status, out, err = child([[
      local modfs = require "modfs"
      local block = modfs.buffer "\0\0\0\5\3\8foo"
      assert(modfs.write("mem://a", "old"))
      print((select(2, modfs.codec.open("mem://a", "w", "snappy"))))
      print((select(2, modfs.codec.wrap(block, "snappy"))))
      print((select(2, modfs.codec.wrap(block, "auto"))))
      print(modfs.read "mem://a")
    ]], { under = "env LD_LIBRARY_PATH=" .. place })
    assert.equal(0, status, err)
    local line = "UNIMPLEMENTED: %s: codec snappy needs libsnappy%%.so%%.1; "
      .. "install libsnappy%%-dev: dynamic loader: [^\n]+\n"
    assert.truthy(out:find("^" .. line:format "open mem://a" .. line:format "wrap a stream"
      .. "INVALID_ARGUMENT: open buffer: cannot detect the codec[^\n]+\nold\n$"), out)
  end)

  it("allocates no more than the data that has arrived, whatever a length claims", function()
    local before = tonumber(shell.output "grep VmHWM /proc/$PPID/status | tr -dc 0-9") or 0
    fails("DATA_LOSS", decode("\127\255\255\255" .. ("x"):rep(1000), "snappy"))
    fails("DATA_LOSS", decode("\0\0\0\9\255\255\255\255\15\0a\0b", "snappy"))
    local after = tonumber(shell.output "grep VmHWM /proc/$PPID/status | tr -dc 0-9") or 0
    assert.is_true(after - before < 64 * 1024)
  end)

  it("refuses blocks beyond 64 MiB of either kind", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      local head = "\193\128\168\97\0a" -- a varint of 204800065, and a literal
      local all = head .. ("\254\1\0"):rep(3200000)
      local length = string.char(math.floor(#all / 16777216), math.floor(#all / 65536) % 256,
        math.floor(#all / 256) % 256, #all % 256)
      print(select(3, modfs.codec.wrap(modfs.buffer(length .. all), "snappy"):read(10)))
    ]]
    assert.same({ 0, "RESOURCE_EXHAUSTED\n" }, { status, out }, err)
  end)
end)

describe("memory stays bounded", function()
  for _, name in ipairs(names) do
    it("while " .. name .. " decodes a bomb", function()
      local status, out, err = child("spec/children/codec_bomb.lua", {
        arguments = { directory .. "/bomb", name }, seconds = 120 })
      assert.same({ 0, "true\n" }, { status, out }, err)
    end)
  end
end)

describe("a build without the libraries", function()
  local place
  local build = os.getenv "BUILD" or "build"
  local clean = "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD "

  setup(function()
    place = tmpdir.new() .. "/b"
    shell.output("mkdir " .. place .. " && cp -a " .. build .. "/o " .. place
      .. " && rm -f " .. place .. "/o/src/core/codec/*.o " .. place
      .. "/o/src/core/base/digest_crypto.o")
    local how = instrumented and (" SANITIZE='%s'"):format(instrumented) or ""
    shell.output(clean .. "-u LD_PRELOAD make BUILD=" .. place .. how
      .. " WITHOUT='z zstd snappy crypto' all")
  end)

  teardown(function() tmpdir.remove(place:sub(1, -3)) end)

  it("says of each codec which package is missing", function()
    local status, out, err = child("spec/children/codecs_missing.lua", {
      arguments = { place .. "/?.so;" } })
    local lines = {}
    for name, package in pairs { gzip = "zlib1g-dev", zlib = "zlib1g-dev", deflate = "zlib1g-dev",
      zstd = "libzstd-dev", snappy = "libsnappy-dev" } do
      local line = "UNIMPLEMENTED: open mem://a: codec %s is not built in; "
        .. "install %s and rebuild modfs\n"
      lines[name] = line:format(name, package):rep(2) .. ("UNIMPLEMENTED\n"):rep(2)
    end
    local expected = lines.gzip .. lines.zlib .. lines.deflate .. lines.zstd .. lines.snappy
      .. "UNIMPLEMENTED: open buffer: codec gzip is not built in; "
      .. "install zlib1g-dev and rebuild modfs\n"
      .. "old content\n"
    assert.same({ 0, expected }, { status, out }, err)
  end)

  it("says the same of the algorithms of modfs.hash, and has crc32c", function()
    local status, out, err = child(([[
      package.cpath = %q .. package.cpath
      local modfs = require "modfs"
      modfs.write("mem://a", "123456789")
      for _, name in ipairs { "md5", "sha1", "sha256", "sha512", "crc32c" } do
        local hash, message = modfs.hash("mem://a", name)
        print(hash or message)
      end
    ]]):format(place .. "/?.so;"))
    local expected = {}
    for i, name in ipairs { "md5", "sha1", "sha256", "sha512" } do
      expected[i] = ("UNIMPLEMENTED: hash mem://a: algorithm %s is not built in; "
        .. "install libssl-dev and rebuild modfs\n"):format(name)
    end
    assert.same({ 0, table.concat(expected) .. "e3069283\n" }, { status, out }, err)
  end)

  it("lacks what this build has: the control", function()
    for _, name in ipairs(names) do
      assert.is_true(codec.available(name))
    end
    assert(modfs.write("mem://hashed", "a"))
    assert.truthy(modfs.hash("mem://hashed", "md5"))
  end)
end)
