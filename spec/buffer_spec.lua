local modfs = require "modfs"
local fails = require "spec.support.fails"
local same = require "spec.support.alike".same

describe("modfs.buffer", function()
  it("makes a buffer of that many zero bytes, or of the bytes of its argument", function()
    for _, n in ipairs { 0, 1, 7, 4096, 1000000, 3.0 } do
      local buffer = assert(modfs.buffer(n))
      assert.equal(n, #buffer)
      assert.is_nil(buffer:sub(1):find "[^%z]")
    end
    assert.equal("a\0b", modfs.buffer("a\0b"):sub(1))
    assert.equal("12", modfs.buffer("12"):sub(1))
    assert.equal("", modfs.buffer(""):sub(1))
    local first = modfs.buffer "shared?"
    local second = modfs.buffer(first)
    first:fill(("x"):byte())
    assert.equal("shared?", second:sub(1))
  end)

  it("fails for impossible sizes", function()
    fails("INVALID_ARGUMENT", modfs.buffer(-1))
    fails("INVALID_ARGUMENT", modfs.buffer(-2 ^ 53))
    fails("RESOURCE_EXHAUSTED", modfs.buffer(2 ^ 53))
  end)
end)

describe("a Buffer", function()
  it("is set by string, Buffer and Region, where they fit", function()
    local buffer = modfs.buffer "0123456789"
    assert.is_true(modfs.write("mem://buffer_spec", "REGION"))
    local region = assert(modfs.map "mem://buffer_spec")
    assert.is_true(buffer:set(1, "ab"))
    assert.is_true(buffer:set(-2, "yz"))
    assert.is_true(buffer:set(3, region:slice(1, 2)))
    assert.is_true(buffer:set(5, modfs.buffer "\0"))
    assert.is_true(buffer:set(6, 77))
    assert.equal("abRE\00077" .. "7yz", buffer:sub(1))
    assert.is_true(buffer:set(11, ""))
    assert.is_true(buffer:set(1, ""))
    for _, case in ipairs { { 10, "ab" }, { 11, "a" }, { 12, "" }, { 0, "a" }, { 0, "" },
      { -11, "a" }, { -1, "ab" }, { 1, ("x"):rep(11) }, { 2 ^ 53, "a" }, { -2 ^ 53, "a" } } do
      fails("INVALID_ARGUMENT", buffer:set(case[1], case[2]))
    end
    assert.equal("abRE\00077" .. "7yz", buffer:sub(1))
  end)

  it("is set from itself, overlapping", function()
    for shift = -5, 5 do
      local text = "0123456789abcdef"
      local buffer = modfs.buffer(text)
      assert.is_true(buffer:set(6 + shift, buffer:slice(6, 11)))
      local expected = text:sub(1, 5 + shift) .. text:sub(6, 11)
      assert.equal(expected .. text:sub(#expected + 1), buffer:sub(1))
    end
  end)

  it("shares its bytes with its slices", function()
    local buffer = modfs.buffer "0123456789"
    local slice = buffer:slice(3, 6)
    assert.is_true(slice:set(1, "ab"))
    assert.is_true(slice:fill(33))
    assert.equal("01!!!!6789", buffer:sub(1))
    fails("INVALID_ARGUMENT", slice:set(4, "ab"))
    assert.is_true(buffer:set(3, "cd"))
    assert.equal("cd!!", slice:sub(1))
    assert.equal("buffer", modfs.type(slice))
  end)

  it("is filled with a byte", function()
    local buffer = modfs.buffer "abc"
    assert.is_true(buffer:fill(255))
    assert.equal("\255\255\255", buffer:sub(1))
    assert.is_true(buffer:fill())
    assert.equal("\0\0\0", buffer:sub(1))
    for _, wrong in ipairs { -1, 256, 2 ^ 53 } do
      fails("INVALID_ARGUMENT", buffer:fill(wrong))
    end
    assert.is_true(modfs.buffer(0):fill(1))
  end)

  it("packs as string.pack does, errors included", function()
    if not string.pack then
      pending "string.pack came with 5.3"
      return
    end
    local parts = { "b", "B", "h", "H", "l", "L", "j", "J", "T", "i", "I", "f", "d", "n", "i1",
      "i3", "I5", "i7", "I7", "i8", "I8", "i9", "I9", "i16", "I16", "s1", "s2", "s", "s16", "z",
      "c0",
      "c5", "x", " ", "<", ">", "=", "!", "!1", "!2", "!4", "!16", "!3", "Xi", "Xd", "X", "Xz",
      "i0", "i17", "s0", "c", "q", "Xi3" }
    local values = { 0, 1, -1, 127, 128, 255, 256, -128, -129, 65536, 1.0, 1.5, 2 ^ 40,
      2 ^ 53, math.maxinteger, math.mininteger, 0 / 0, 1 / 0, "", "abc", "a\0b", ("x"):rep(300),
      "12", true }
    math.randomseed(11)
    local function bare(text)
      text = text:gsub("^bad argument #%d+ to '[%w?.]+' ", ""):gsub("^.-:%d+: ", "")
      return (text:gsub("got no value", "got nil")) -- string.pack pushes a nil of its own
    end
    local buffer = modfs.buffer(1000)
    local function compare(format, ...)
      buffer:fill(170)
      local fine, packed = pcall(string.pack, format, ...)
      local ours, result = pcall(buffer.pack, buffer, 1, format, ...)
      same(fine, ours, format)
      if fine then
        same(true, result)
        same(packed, buffer:sub(1, #packed), format)
      else
        same(bare(packed), bare(result), format)
      end
      same(nil, buffer:sub(fine and #packed + 1 or 1):find "[^\170]")
    end
    for _, part in ipairs(parts) do
      for _, value in ipairs(values) do
        compare(part, value)
        compare("!>" .. part .. "<i3", value, 5)
      end
      compare(part)
    end
    for _ = 1, 1000 do
      local format, given = {}, {}
      for i = 1, math.random(5) do
        format[i] = parts[math.random(#parts)]
        given[i] = values[math.random(#values)]
      end
      compare(table.concat(format), (table.unpack or unpack)(given)) -- luacheck: ignore 143
    end
  end)

  it("packs at a position, and unpacks what it packed", function()
    local buffer = modfs.buffer(40)
    for position = 1, 12 do
      buffer:fill(0)
      assert.is_true(buffer:pack(position, "!8 b i4 d s1", -1, position, 0.5, "text"))
      local a, b, c, d, after = buffer:unpack("!8 b i4 d s1", position)
      assert.same({ -1, position, 0.5, "text" }, { a, b, c, d })
      assert.is_true(after <= 41)
    end
  end)

  it("packs all or nothing", function()
    local buffer = modfs.buffer "0123456789"
    for _, case in ipairs { { 8, "i4" }, { 11, "b" }, { 12, "" }, { 0, "b" }, { -11, "b" },
      { 1, "i4i4i4" }, { 2 ^ 53, "b" } } do
      fails("INVALID_ARGUMENT", buffer:pack(case[1], case[2], 1, 2, 3))
    end
    assert.error_matches(function() buffer:pack(1, "bb", 1, {}) end, "bad argument #4 to 'pack'")
    assert.error_matches(function() buffer:pack(1, "bb", 1) end, "bad argument #4 to 'pack'")
    assert.error_matches(function() buffer:pack(1, "bB", 1, 256) end, "unsigned overflow")
    assert.equal("0123456789", buffer:sub(1))
    assert.is_true(buffer:pack(11, ""))
    assert.is_true(buffer:pack(-4, ">I4", 0x41424344))
    assert.equal("012345ABCD", buffer:sub(1))
  end)
end)
