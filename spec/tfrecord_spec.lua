local modfs = require "modfs"
local tfrecord = require "modfs.tfrecord"
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local random = require "spec.support.random"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local kinds = { "", "GZIP", "ZLIB", "SNAPPY" }
local has_close = _VERSION >= "Lua 5.4"

local directory
setup(function() directory = tmpdir.new() end)
teardown(function() tmpdir.remove(directory) end)

local function hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function put(path, records, options)
  local writer = assert(tfrecord.writer(path, options))
  for _, record in ipairs(records) do
    assert.equal(writer, writer:write(record))
  end
  assert.is_true(writer:close())
end

-- All records, and their offsets.
local function take(path, options)
  local reader = assert(tfrecord.reader(path, options))
  local records, offsets = {}, {}
  for record, offset in reader do
    records[#records + 1], offsets[#offsets + 1] = record, offset
  end
  assert.is_true(reader:close())
  return records, offsets
end

local function number_string(n)
  return ("%d."):format(n)
end

-- Of a length between 1 and 2^17, mostly short.
local function random_skewed(i)
  local next_number = random(i + 1)
  local length = 2 ^ next_number(18)
  return number_string(i):rep(math.ceil(length / #number_string(i))):sub(1, length)
end

local function change(path, offset, by)
  local bytes = assert(modfs.read(path))
  local byte = (bytes:byte(offset + 1) + (by or 1)) % 256
  assert(modfs.write(path, bytes:sub(1, offset) .. string.char(byte) .. bytes:sub(offset + 2)))
end

local function cut(path, length)
  assert(modfs.write(path, assert(modfs.read(path)):sub(1, length)))
end

describe("the bytes of a record file", function()
  it("are TensorFlow's", function()
    put("mem://vector", { "" })
    assert.equal("000000000000000029039807d8ea82a2", hex(modfs.read "mem://vector"))
    put("mem://vector", { "foo" })
    assert.equal("0300000000000000b099490e666f6f618abefe", hex(modfs.read "mem://vector"))
    put("mem://vector", { "hello world" })
    assert.equal("0b000000000000008615f50468656c6c6f20776f726c64007ed86d",
      hex(modfs.read "mem://vector"))
    put("mem://vector", {})
    assert.equal("", modfs.read "mem://vector")
  end)

  it("compressed, are those of the codec, and what is compressed is the whole", function()
    local records = { "foo", "", "hello world", ("long"):rep(50000) }
    put("mem://plain", records)
    local plain = modfs.read "mem://plain"
    for kind, codec in pairs { GZIP = "gzip", ZLIB = "zlib", SNAPPY = "snappy" } do
      put("mem://packed", records, { compression = kind })
      local file = assert(modfs.codec.open("mem://packed", "r", codec))
      assert.is_true(file:read "a" == plain)
      file:close()
    end
  end)

  it("in snappy, are cut into blocks where TensorFlow cuts them", function()
    -- 200000 and 100000 bytes: the second does not fit, and its header belongs to the first block.
    put("mem://packed", { ("a"):rep(200000), ("b"):rep(100000) }, { compression = "SNAPPY" })
    local bytes, at, sizes = modfs.read "mem://packed", 1, {}
    while at <= #bytes do
      local b1, b2, b3, b4 = bytes:byte(at, at + 3)
      local length = ((b1 * 256 + b2) * 256 + b3) * 256 + b4
      local size, weight, i = 0, 1, at + 4
      repeat
        local byte = bytes:byte(i)
        size, weight, i = size + byte % 128 * weight, weight * 128, i + 1
      until byte < 128
      sizes[#sizes + 1] = size
      at = at + 4 + length
    end
    assert.same({ 12 + 200000 + 4 + 12, 100000 + 4 }, sizes)
  end)

  it("of several files, one behind another, are a file", function()
    for _, kind in ipairs { "", "GZIP", "SNAPPY" } do
      put("mem://one", { "one" }, { compression = kind })
      put("mem://two", { "two", "three" }, { compression = kind })
      modfs.write("mem://both", modfs.read "mem://one" .. modfs.read "mem://two")
      assert.same({ "one", "two", "three" }, (take("mem://both", { compression = kind })))
    end
  end)
end)

-- TensorFlow's own tests by their names, in words of our own.
for _, kind in ipairs(kinds) do
  local options = { compression = kind }

  describe(("upstream, compression %q:"):format(kind), function()
    local path = "mem://upstream"

    it("ReadWrite", function()
      put(path, { "foo", "bar", "", "xxxx" }, options)
      local reader = assert(tfrecord.reader(path, options))
      for _, expected in ipairs { "foo", "bar", "", "xxxx" } do
        assert.equal(expected, (reader:read()))
      end
      assert.is_nil(reader:read()) -- the end,
      assert.is_nil(reader:read()) -- and again
    end)

    it("ManyRecords", function()
      local writer = assert(tfrecord.writer(path, options))
      for i = 1, 100000 do
        writer:write(number_string(i))
      end
      assert.is_true(writer:close())
      local i = 0
      for record in assert(tfrecord.reader(path, options)) do
        i = i + 1
        if record ~= number_string(i) then
          error(("record %d is %q"):format(i, record))
        end
      end
      assert.equal(100000, i)
    end)

    it("RandomRead", function()
      local count, records = 120, {}
      for i = 1, count do
        records[i] = random_skewed(i)
      end
      put(path, records, options)
      local read, offsets = take(path, options)
      assert.equal(count, #read)
      local reader = assert(tfrecord.reader(path, options))
      local pick = random(17)
      for _ = 1, 60 do
        local i = pick(count) + 1
        assert.is_true(reader:at(offsets[i]) == records[i])
        i = pick(count) + 1
        local record, offset = reader:get(i)
        assert.is_true(record == records[i])
        assert.equal(offsets[i], offset)
      end
    end)

    it("NonSequentialReads", function()
      put(path, { "abc", "defg" }, options)
      local reader = assert(tfrecord.reader(path, options))
      assert.equal(0, reader:tell())
      assert.equal("abc", (reader:read()))
      assert.equal(19, reader:tell())
      assert.equal("defg", (reader:read()))
      assert.equal(19, reader:seek(19))
      assert.equal("defg", (reader:read()))
      assert.equal(0, reader:seek(0))
      assert.same({ "abc", 0 }, { reader:read() })
      local record, next_offset = reader:at(0)
      assert.same({ "abc", 19 }, { record, next_offset })
      assert.same({ "defg", 39 }, { reader:at(19) })
      assert.equal(19, reader:tell())
    end)

    it("Empty, ReadEnd, ReadPastEnd", function()
      for size, records in pairs { [0] = {}, [38] = { "foo", "bar" } } do
        put(path, records, options)
        for _, beyond in ipairs { 0, 5, 1000000 } do
          local reader = assert(tfrecord.reader(path, options))
          fails("OUT_OF_RANGE", reader:at(size + beyond))
          reader:seek(size + beyond)
          assert.is_nil(reader:read())
          assert.is_nil((select(2, reader:read())))
          assert.equal(0, reader:skip(1))
          assert.equal(records[1], (reader:at(0)))
        end
      end
    end)

    it("TestFlush, TestZlibSyncFlush", function()
      local writer = assert(tfrecord.writer(path, options))
      writer:write "abc"
      assert.is_true(writer:flush())
      local reader = assert(tfrecord.reader(path, options))
      assert.equal("abc", (reader:read()))
      reader:close()
      writer:write "defg"
      assert.is_true(writer:flush())
      reader = assert(tfrecord.reader(path, options))
      assert.equal("abc", (reader:at(0)))
      assert.equal("defg", (reader:at(19)))
      assert.is_true(writer:close())
      assert.same({ "abc", "defg" }, (take(path, options)))
    end)

    it("TestSkipBasic, TestSkipOutOfRange", function()
      put(path, { "abc", "defg", "hij" }, options)
      local reader = assert(tfrecord.reader(path, options))
      assert.equal(2, reader:skip(2))
      assert.equal("hij", (reader:read()))
      reader:seek(0)
      assert.equal(0, reader:skip(0))
      assert.equal(1, reader:skip(1))
      assert.equal("defg", (reader:read()))
      assert.equal(1, reader:skip(3))
      assert.equal(0, reader:skip(1))
      assert.is_nil(reader:read())
      assert.equal(3, reader:count())
    end)

    it("TestMalformedInput", function()
      local garbage = ("abc\r\ndef\r\n"):rep(100)
      assert(modfs.write(path, garbage))
      local reader = assert(tfrecord.reader(path, options))
      for method, argument in pairs { read = false, at = 0, skip = 1, count = false, get = 1 } do
        fails("DATA_LOSS", reader[method](reader, argument or nil))
      end
      assert.has_error(function() reader() end)
      assert.equal(0, reader:tell())
      fails("DATA_LOSS", tfrecord.verify(path, options))
    end)

    it("TestUseAfterClose", function()
      local writer = assert(tfrecord.writer(path, options))
      assert(writer:write "abc")
      for object, row in pairs {
        [writer] = { "Writer", "write flush sync tell name close abort" },
        [assert(tfrecord.reader(path, options))] = { "Reader",
          "read at get skip seek tell count verify name close" },
      } do
        assert.is_true(object:close())
        local message = "attempt to use a closed record " .. row[1]:lower()
        for method in row[2]:gmatch "%S+" do
          assert.has_error(function() object[method](object, 1) end, message)
        end
        assert.equal(("modfs.Record%s (closed)"):format(row[1]), tostring(object))
        if row[1] == "Reader" then
          assert.has_error(function() object() end, message)
        end
      end
    end)

    it("reports truncation, or returns the right records", function()
      put(path, { "abc", "", "defghi" }, options)
      local whole = modfs.read(path)
      local ends = { [0] = 0, [19] = 1, [35] = 2, [57] = 3 } -- of a plain file
      for n = 0, #whole do
        modfs.write("mem://cut", whole:sub(1, n))
        local sound, count, code = tfrecord.verify("mem://cut", options)
        local is_whole = n == #whole or n == 0 and kind == "SNAPPY"
        if kind == "" and ends[n] then
          assert.same({ true, ends[n] }, { sound, count })
        elseif is_whole then
          assert.same({ true, n == 0 and 0 or 3 }, { sound, count })
        else
          fails("DATA_LOSS", sound, count, code)
        end
      end
    end)

    it("reports a wrong byte, or returns the right records", function()
      put(path, { "abc", "", "defghi" }, options)
      local whole = modfs.read(path)
      for i = 1, #whole do
        for _, by in ipairs { 1, 128 } do
          modfs.write("mem://flip", whole)
          change("mem://flip", i - 1, by)
          local sound, message, code = tfrecord.verify("mem://flip", options)
          if sound then -- a name or a time in gzip's header: the records are right
            assert.same({ "abc", "", "defghi" }, (take("mem://flip", options)))
          else
            fails("DATA_LOSS", sound, message, code)
          end
        end
      end
    end)
  end)
end

describe("upstream, a damaged file:", function()
  local path = "mem://damaged"

  for title, at in pairs { CorruptLength = 6, CorruptLengthCrc = 10, CorruptData = 14,
    CorruptDataCrc = 17 } do
    it(title, function()
      put(path, { "foo", "bar" })
      change(path, at)
      local reader = assert(tfrecord.reader(path))
      local message = fails("DATA_LOSS", reader:read())
      contains(message, "offset 0 ")
      assert.equal(0, reader:tell())
      fails("DATA_LOSS", reader:at(0))
      assert.has_error(function() reader() end)
      assert.equal("bar", (reader:at(19)))
      local sound, text, code, offset, index = tfrecord.verify(path)
      fails("DATA_LOSS", sound, text, code)
      assert.same({ 0, 1 }, { offset, index })
    end)
  end

  it("ReadError: what the filesystem says comes through, and the position stays", function()
    if not modfs.exists "/proc/self/mem" then
      pending "no /proc/self/mem"
      return
    end
    local reader, message, code = tfrecord.reader "/proc/self/mem" -- page 0 is nobody's
    if reader then
      local record
      record, message, code = reader:read()
      assert.is_nil(record)
      assert.equal(0, reader:tell())
    end
    assert.is_string(code, message)
  end)

  it("a length beyond all bounds takes no memory", function()
    local status, out, err = child "spec/children/huge_records.lua"
    if not has_close then
      pending "integers of 64 bits are needed to write it"
      return
    end
    local line = "DATA_LOSS\tDATA_LOSS\tDATA_LOSS\n"
    assert.same({ 0, line:rep(6) .. "true\n" }, { status, out }, err)
  end)
end)

describe("tfrecord.reader", function()
  it("is called in a loop, and read on", function()
    put("mem://loop", { "a", "b", "c" })
    local reader = assert(tfrecord.reader "mem://loop")
    assert.equal("record reader", modfs.type(reader))
    assert.equal("mem://loop", reader:name())
    assert.equal("modfs.RecordReader (mem://loop)", tostring(reader))
    for record, offset in reader do
      assert.same({ "a", 0 }, { record, offset })
      if offset == 0 then break end
    end
    assert.same({ "b", 17 }, { reader:read() })
    assert.same({ "c", 34 }, { reader() })
    assert.is_nil(reader())
    assert.equal(3, reader:count())
    assert.same({ "a", 0 }, { reader:get(1) })
    assert.same({ "c", 34 }, { reader:get(3) })
    fails("OUT_OF_RANGE", reader:get(4))
    fails("INVALID_ARGUMENT", reader:get(0))
    for _, method in ipairs { "get", "at", "seek", "skip" } do
      fails("INVALID_ARGUMENT", reader[method](reader, -1))
    end
    assert.has_error(function() reader:at(1.5) end)
    assert.has_error(function() reader:at() end)
    fails("DATA_LOSS", reader:at(1))
  end)

  it("raises for what is a mistake in the program", function()
    assert.has_error(function() tfrecord.reader() end)
    assert.has_error(function() tfrecord.reader {} end)
    for _, options in ipairs { { compresion = "GZIP" }, { compression = 1 }, { prefetch = 1 } } do
      assert.has_error(function() tfrecord.reader("mem://loop", options) end)
    end
    assert.has_error(function() tfrecord.reader("mem://loop", { compression = "LZMA" }) end,
      "bad argument #2 to 'reader' (unknown compression 'LZMA')")
    assert.has_error(function() tfrecord.writer("mem://loop", { compression = "LZMA" }) end)
    assert.has_error(function() tfrecord.writer("mem://loop"):write {} end)
  end)

  it("fails where the file does", function()
    fails("NOT_FOUND", tfrecord.reader "mem://missing")
    fails("NOT_FOUND", tfrecord.reader("mem://missing", { compression = "gzip" }))
    fails("NOT_FOUND", tfrecord.verify "mem://missing")
    fails("UNIMPLEMENTED", tfrecord.writer "nosuch://x")
    fails("INVALID_ARGUMENT", tfrecord.writer("mem://x", { level = 3 }))
    fails("INVALID_ARGUMENT", tfrecord.writer("mem://x", { level = 30, compression = "GZIP" }))
  end)

  it("accepts the names of compressions in lower case, too", function()
    put("mem://lower", { "x" }, { compression = "zlib", level = 9 })
    assert.same({ "x" }, (take("mem://lower", { compression = "ZLIB" })))
  end)

  it("finds records by index among many, forward and backward", function()
    local records = {}
    for i = 1, 1000 do
      records[i] = number_string(i):rep(i % 50)
    end
    put("mem://many", records)
    local reader = assert(tfrecord.reader "mem://many")
    for _, i in ipairs { 1, 64, 65, 128, 129, 1000, 999, 500, 2, 1 } do
      assert.equal(records[i], (reader:get(i)))
    end
    change("mem://many", modfs.size "mem://many" - 1)
    reader = assert(tfrecord.reader "mem://many")
    assert.equal(records[700], (reader:get(700)))
    assert.equal(1000, reader:count()) -- by headers
    fails("DATA_LOSS", reader:get(1000))
    cut("mem://many", modfs.size "mem://many" - 1)
    reader = assert(tfrecord.reader "mem://many")
    fails("DATA_LOSS", reader:count())
    assert.equal(records[999], (reader:get(999)))
    fails("DATA_LOSS", reader:get(1000))
  end)

  it("reads a file in pieces of 256 KiB", function()
    if shell.run "strace -o /dev/null true" ~= 0 then
      pending "strace is not there, or may not trace"
      return
    end
    local path = directory .. "/pieces"
    local writer = assert(tfrecord.writer(path))
    for _ = 1, 8192 do
      writer:write(("x"):rep(1000))
    end
    writer:close()
    local function calls(n)
      local code = ([[
        local reader = assert(require("modfs.tfrecord").reader %q)
        for _ = 1, %d do reader:read() end
      ]]):format(path, n)
      local _, out = shell.run(("ASAN_OPTIONS=detect_leaks=0 strace -o /dev/stdout -e pread64 -P %s"
        .. " lua%s -e"):format(path, _VERSION:match "%S+$"), code)
      return select(2, out:gsub("pread64", ""))
    end
    assert.equal(0, calls(0))
    assert.equal(1, calls(1))
    local all, most = calls(8193), modfs.size(path) / (256 * 1024) + 3 -- two find the end
    assert.is_true(all <= most, all .. ", not " .. most)
  end)

  it("reads records larger than its window", function()
    local large = ("0123456789"):rep(300000)
    for _, kind in ipairs(kinds) do
      put("mem://large", { "a", large, "b", large .. "!" }, { compression = kind })
      local reader = assert(tfrecord.reader("mem://large", { compression = kind }))
      assert.equal("a", (reader:read()))
      assert.is_true(reader:read() == large)
      assert.equal("b", (reader:get(3)))
      assert.is_true(reader:get(4) == large .. "!")
      assert.equal(4, reader:count())
    end
  end)
end)

describe("tfrecord.reader with prefetch", function()
  it("reads what it reads without, in any order", function()
    local records = {}
    for i = 1, 600 do
      records[i] = random_skewed(i)
    end
    for _, kind in ipairs(kinds) do
      put("mem://ahead", records, { compression = kind })
      local options = { compression = kind, prefetch = true }
      local read, offsets = take("mem://ahead", options)
      assert.equal(#records, #read)
      for i = 1, #records do
        assert.is_true(read[i] == records[i])
      end
      local reader, pick = assert(tfrecord.reader("mem://ahead", options)), random(5)
      for _ = 1, 20 do
        local i = pick(#records - 40) + 1
        reader:seek(offsets[i])
        for k = i, i + pick(40) do
          assert.is_true(reader:read() == records[k])
        end
        i = pick(#records) + 1
        assert.is_true(reader:at(offsets[i]) == records[i])
      end
      assert.equal(600, reader:count())
      assert.is_true(reader:close())
    end
  end)

  it("reports damage as it does without", function()
    for _, kind in ipairs(kinds) do
      local records = {}
      for i = 1, 3000 do
        records[i] = ("%d "):format(i * 7919 % 1000003):rep(60)
      end
      put("mem://ahead", records, { compression = kind })
      cut("mem://ahead", math.floor(modfs.size "mem://ahead" * 0.9))
      local counts = {}
      for _, prefetch in ipairs { false, true } do
        local reader = assert(tfrecord.reader("mem://ahead", { compression = kind,
          prefetch = prefetch }))
        local count, record, message, code = 0
        repeat
          record, message, code = reader:read()
          count = count + (record and 1 or 0)
        until not record
        fails("DATA_LOSS", record, message, code)
        counts[#counts + 1] = count
        assert.is_true(reader:get(1) == records[1])
        reader:close()
      end
      assert.equal(counts[1], counts[2])
      assert.is_true(counts[1] > 1000)
    end
  end)

  it("sees what is appended meanwhile", function()
    put("mem://ahead", { "one" })
    local reader = assert(tfrecord.reader("mem://ahead", { prefetch = true }))
    assert.equal("one", (reader:read()))
    assert.is_nil(reader:read())
    put("mem://ahead", { "two" }, { append = true })
    assert.equal("two", (reader:read()))
    assert.is_nil(reader:read())
  end)

  it("ends whenever it is dropped", function()
    put("mem://ahead", { ("x"):rep(5000000), "end" })
    for _ = 1, 50 do
      local reader = assert(tfrecord.reader("mem://ahead", { prefetch = true }))
      reader:read()
    end
    collectgarbage()
    collectgarbage()
    assert.has_error(function() tfrecord.verify("mem://ahead", { prefetch = true }) end)
  end)
end)

describe("tfrecord.writer", function()
  it("writes strings, numbers, Buffers and Regions", function()
    modfs.write("mem://part", "region")
    put("mem://types", { "text", modfs.buffer "buffer", modfs.map "mem://part", 12 })
    assert.same({ "text", "buffer", "region", "12" }, (take "mem://types"))
  end)

  it("tells where it is, and appends", function()
    local writer = assert(tfrecord.writer "mem://append")
    assert.equal("record writer", modfs.type(writer))
    assert.equal("mem://append", writer:name())
    assert.equal(0, writer:tell())
    writer:write "foo"
    assert.equal(19, writer:tell())
    assert.equal("modfs.RecordWriter (mem://append, 19 bytes)", tostring(writer))
    assert.is_true(writer:sync())
    writer:close()
    for _, kind in ipairs { "", "GZIP", "SNAPPY" } do
      put("mem://append", { "foo" }, { compression = kind })
      put("mem://append", { "bar" }, { compression = kind, append = true })
      assert.same({ "foo", "bar" }, (take("mem://append", { compression = kind })))
    end
    fails("UNIMPLEMENTED", tfrecord.writer("mem://append", { compression = "ZLIB", append = true }))
  end)

  it("writes atomically where it is asked to", function()
    local path = directory .. "/atomic"
    put(path, { "old" })
    local writer = assert(tfrecord.writer(path, { atomic = true, compression = "GZIP" }))
    writer:write "new"
    assert.is_true(writer:abort())
    assert.same({ "old" }, (take(path)))
    writer = assert(tfrecord.writer(path, { atomic = true }))
    writer:write "new"
    assert.same({ "old" }, (take(path)))
    assert.is_true(writer:close())
    assert.same({ "new" }, (take(path)))
  end)

  it("is closed by whoever drops it", function()
    do
      tfrecord.writer("mem://dropped", { compression = "GZIP" }):write "kept"
    end
    collectgarbage()
    collectgarbage()
    assert.same({ "kept" }, (take("mem://dropped", { compression = "GZIP" })))
  end)

  it("reports what the filesystem could not take", function()
    local writer = assert(tfrecord.writer "/dev/full")
    assert(writer:write(("x"):rep(100)))
    fails("RESOURCE_EXHAUSTED", writer:close())
  end)

  it("has modfs.with close it", function()
    modfs.with(assert(tfrecord.writer "mem://with"), function(writer)
      writer:write "in"
    end)
    assert.same({ "in" }, (take "mem://with"))
  end)
end)

describe("tfrecord.verify", function()
  it("names the first record that is damaged, its offset and the reason", function()
    for _, case in ipairs {
      { 19 + 12, 19, 2, "its data" }, { 38 + 3, 38, 3, "its length" },
      { 62 - 5, 38, 3, "its data" },
    } do
      put("mem://verify", { "one", "two", "three", "four" })
      change("mem://verify", case[1])
      local sound, message, code, offset, index = tfrecord.verify "mem://verify"
      fails("DATA_LOSS", sound, message, code)
      assert.same({ case[2], case[3] }, { offset, index })
      contains(message, case[4])
    end
    put("mem://verify", { "one", "two" })
    cut("mem://verify", 30)
    contains(fails("DATA_LOSS", tfrecord.verify "mem://verify"), "truncated in its header")
    cut("mem://verify", 18)
    contains(fails("DATA_LOSS", tfrecord.verify "mem://verify"), "truncated")
  end)
end)

describe("a compressed file", function()
  it("that is read without its compression is named in the message", function()
    for _, kind in ipairs { "GZIP", "ZLIB" } do
      put("mem://compressed", { "one" }, { compression = kind })
      local reader = assert(tfrecord.reader "mem://compressed")
      for _, message in ipairs { (fails("DATA_LOSS", reader:read())),
        (fails("DATA_LOSS", tfrecord.verify "mem://compressed")) } do
        contains(message, ('set compression = "%s"'):format(kind))
      end
      reader:close()
    end
    put("mem://compressed", { "one" }, { compression = "GZIP" })
    local message = fails("DATA_LOSS",
      tfrecord.verify("mem://compressed", { compression = "ZLIB" }))
    assert.is_nil(message:find("set compression", 1, true), message)
  end)
end)

describe("tfrecord.salvage", function()
  local function salvage(kind)
    local result = assert(tfrecord.salvage("mem://hurt", "mem://healed", { compression = kind }))
    assert.is_true((tfrecord.verify("mem://healed", { compression = kind })))
    return result, (take("mem://healed", { compression = kind }))
  end

  local function records(n)
    local all = {}
    for i = 1, n do
      all[i] = "record " .. i
    end
    return all
  end

  it("copies everything where nothing is lost", function()
    for _, kind in ipairs(kinds) do
      put("mem://hurt", records(50), { compression = kind })
      local result, left = salvage(kind)
      assert.same(records(50), left)
      assert.same({ records = 50, lost_bytes = 0, gaps = 0, cut = false, places = {} }, result)
    end
  end)

  it("skips what is damaged, and says what it lost", function()
    for _, at in ipairs { 0, 5, 9, 13, 20, 23 } do -- in length, its sum, data, its sum
      put("mem://hurt", records(9)) -- 24 bytes each
      change("mem://hurt", 3 * 24 + at)
      local result, left = salvage()
      local expected = records(9)
      table.remove(expected, 4)
      assert.same(expected, left)
      assert.same({ records = 8, lost_bytes = 24, gaps = 1, cut = false,
        places = { { offset = 72, length = 24 } } }, result)
    end
  end)

  it("counts gaps, and the end that is missing", function()
    put("mem://hurt", records(9))
    change("mem://hurt", 3)
    change("mem://hurt", 24 * 4 + 14)
    change("mem://hurt", 24 * 5 + 1)
    cut("mem://hurt", 24 * 9 - 1)
    local result, left = salvage()
    assert.same({ "record 2", "record 3", "record 4", "record 7", "record 8" }, left)
    assert.same({ 5, 24 * 4 - 1, 3 }, { result.records, result.lost_bytes, result.gaps })
    assert.same({ { offset = 0, length = 24 }, { offset = 96, length = 48 },
      { offset = 192, length = 23 } }, result.places)
  end)

  it("finds records between foreign bytes", function()
    put("mem://hurt", { "a", "b" })
    local plain = modfs.read "mem://hurt"
    local foreign = ("\0\255garbage"):rep(50000)
    modfs.write("mem://hurt", foreign .. plain:sub(1, 17) .. "xx" .. plain:sub(18) .. foreign)
    local result, left = salvage()
    assert.same({ "a", "b" }, left)
    assert.same({ 2, 2 * #foreign + 2, 3 }, { result.records, result.lost_bytes, result.gaps })
    modfs.write("mem://hurt", foreign)
    result = salvage()
    assert.same({ 0, #foreign, 1 }, { result.records, result.lost_bytes, result.gaps })
  end)

  it("copies the records before the damage in a compressed file", function()
    local all, pick = {}, random(3)
    for i = 1, 3000 do
      local letters = {}
      for j = 1, 100 do
        letters[j] = string.char(pick(256))
      end
      all[i] = table.concat(letters)
    end
    for _, kind in ipairs { "GZIP", "ZLIB", "SNAPPY" } do
      put("mem://hurt", all, { compression = kind })
      cut("mem://hurt", math.floor(modfs.size "mem://hurt" * 0.95))
      local result, left = salvage(kind)
      assert.is_true(result.cut)
      assert.equal(result.records, #left)
      assert.is_true(#left >= 2200 and #left < 3000, kind .. " " .. #left)
      for i = 1, #left do
        assert.is_true(left[i] == all[i])
      end
    end
  end)

  it("has all records of a compressed file in which the checksum alone is wrong", function()
    for _, kind in ipairs { "GZIP", "ZLIB" } do
      put("mem://hurt", records(300), { compression = kind })
      change("mem://hurt", modfs.size "mem://hurt" - 7 + 4)
      local result, left = salvage(kind)
      assert.same(records(300), left)
      assert.same({ 300, 0, true }, { result.records, result.lost_bytes, result.cut })
    end
  end)

  it("can repair a file in place", function()
    local path = directory .. "/heal"
    put(path, records(3))
    change(path, 0)
    local result = assert(tfrecord.salvage(path, path))
    assert.equal(2, result.records)
    assert.same({ "record 2", "record 3" }, (take(path)))
  end)

  it("fails where a file does", function()
    fails("NOT_FOUND", tfrecord.salvage("mem://missing", "mem://healed"))
    put("mem://hurt", records(3))
    fails("UNIMPLEMENTED", tfrecord.salvage("mem://hurt", "nosuch://x"))
    assert.has_error(function() tfrecord.salvage "mem://hurt" end)
  end)
end)

describe("shards", function()
  local base = "mem://shards/train"

  before_each(function()
    modfs.rmtree "mem://shards"
    modfs.makedirs "mem://shards"
  end)

  it("are written in turn or as told, and read as one", function()
    for _, options in ipairs { { compression = "" }, { compression = "GZIP" } } do
      local writer = assert(tfrecord.shard_writer(base, 3, options))
      for i = 1, 7 do
        assert.equal(writer, writer:write("record " .. i))
      end
      assert(writer:write("last", 2))
      assert.is_true(writer:flush())
      assert.is_true(writer:close())
      local paths = assert(tfrecord.shards(base))
      assert.same({ base .. "-00000-of-00003", base .. "-00001-of-00003",
        base .. "-00002-of-00003" }, paths)
      assert.same({ "record 3", "record 6", "last" }, (take(paths[3], options)))
      local reader, seen = assert(tfrecord.shard_reader(base, options)), {}
      for record, offset, path in reader do
        assert.is_number(offset)
        seen[#seen + 1] = path:match "%d+" .. " " .. record
      end
      assert.is_true(reader:close())
      assert.same({ "00000 record 1", "00000 record 4", "00000 record 7", "00001 record 2",
        "00001 record 5", "00002 record 3", "00002 record 6", "00002 last" }, seen)
    end
  end)

  it("have to be whole, and one set", function()
    fails("NOT_FOUND", tfrecord.shards(base))
    fails("NOT_FOUND", tfrecord.shard_reader(base))
    assert(tfrecord.shard_writer(base, 3)):close()
    modfs.remove(base .. "-00001-of-00003")
    contains(fails("NOT_FOUND", tfrecord.shards(base)), "1 of 3")
    assert(tfrecord.shard_writer(base, 2)):close()
    fails("FAILED_PRECONDITION", tfrecord.shards(base))
  end)

  it("may have a name full of wildcards", function()
    local odd = "mem://shards/[a]*?"
    assert(tfrecord.shard_writer(odd, 1)):close()
    assert(tfrecord.shard_writer(base, 2)):close()
    assert.same({ odd .. "-00000-of-00001" }, tfrecord.shards(odd))
  end)

  it("report damage", function()
    local writer = assert(tfrecord.shard_writer(base, 2))
    assert(writer:write "a":write "b")
    writer:close()
    change(base .. "-00001-of-00002", 0)
    local reader = assert(tfrecord.shard_reader(base))
    assert.equal("a", (reader:read()))
    fails("DATA_LOSS", reader:read())
    assert.has_error(function() reader() end)
    assert.is_true(reader:close())
    assert.has_error(function() reader:read() end, "attempt to use a closed shard reader")
  end)

  it("raise for what is a mistake in the program", function()
    for _, numbers in ipairs { { 3, 3 }, { -1, 3 }, { 0, 100000 } } do
      assert.has_error(function() tfrecord.shard_name("x", numbers[1], numbers[2]) end)
    end
    assert.has_error(function() tfrecord.shard_writer(base, 0) end)
    local writer = assert(tfrecord.shard_writer(base, 2))
    assert.has_error(function() writer:write("x", 2) end)
    assert.is_true(writer:close())
    assert.has_error(function() writer:write "x" end, "attempt to use a closed shard writer")
  end)
end)
