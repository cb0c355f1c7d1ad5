local modfs = require "modfs"
local fails = require "spec.support.fails"

local content = "0123456789abcdef"

describe("Memory", function()
  local device, memory
  before_each(function()
    device = assert(modfs.device "REFERENCE:0")
    memory = assert(device:allocate(#content))
    assert.is_true(memory:write(content))
  end)
  after_each(function()
    if modfs.type(memory) == "memory" then
      memory:close()
    end
  end)

  it("has the length that was asked for, and holds what was written", function()
    assert.equal(16, #memory)
    assert.equal(content, memory:read())
    local empty = assert(device:allocate(0))
    assert.equal(0, #empty)
    assert.equal("", empty:read())
    assert.is_true(empty:write "")
    assert.is_true(empty:fill(1))
    assert.is_true(empty:close())
  end)

  it("is written from a string, a Buffer and a Region, at any position", function()
    assert.is_true(modfs.write("mem://source", "XY"))
    for _, source in ipairs { "XY", modfs.buffer "XY", modfs.map "mem://source",
      modfs.buffer("_XY_"):slice(2, 3), device:host_allocate(2) } do
      if modfs.type(source) == "buffer" and source:byte() == 0 then
        source:set(1, "XY")
      end
      for position = -16, 15 do
        if position ~= 0 and position ~= -1 then
          assert.is_true(memory:write(content))
          assert.is_true(memory:write(source, position))
          local at = position > 0 and position or position + 17
          assert.equal(content:sub(1, at - 1) .. "XY" .. content:sub(at + 2), memory:read())
        end
      end
    end
    modfs.remove "mem://source"
  end)

  it("is read as string.sub reads, inside its bounds", function()
    for position = -16, 17 do
      if position ~= 0 then
        assert.equal(content:sub(position), memory:read(position))
        local at = position > 0 and position or position + 17
        for n = 0, 17 - at do
          assert.equal(content:sub(at, at + n - 1), memory:read(position, n))
        end
      end
    end
    assert.equal(content, memory:read(nil, nil))
    assert.equal("01", memory:read(nil, 2))
    assert.equal("01", memory:read(1.0, 2.0))
  end)

  it("refuses what lies outside, and stays as it was", function()
    local wild = { 0, 18, -17, 2 ^ 31, 2 ^ 32, -2 ^ 32, 2 ^ 53, -2 ^ 53, math.maxinteger,
      math.mininteger }
    for _, position in pairs(wild) do
      assert.truthy(fails("INVALID_ARGUMENT", memory:read(position)):find "position")
      assert.truthy(fails("INVALID_ARGUMENT", memory:read(position, 0)):find "position")
      assert.truthy(fails("INVALID_ARGUMENT", memory:write("x", position)):find "position")
      assert.truthy(fails("INVALID_ARGUMENT", memory:write("", position)):find "position")
    end
    for _, n in pairs { 17, 2 ^ 31, 2 ^ 32, 2 ^ 53, math.maxinteger or 17 } do
      fails("INVALID_ARGUMENT", memory:read(1, n))
      fails("INVALID_ARGUMENT", memory:read(-1, n))
    end
    for _, n in pairs { -1, -2 ^ 53, math.mininteger or -1 } do
      assert.truthy(fails("INVALID_ARGUMENT", memory:read(1, n)):find "n %-%d+ is negative")
    end
    fails("INVALID_ARGUMENT", memory:read(16, 2))
    fails("INVALID_ARGUMENT", memory:write("xy", 16))
    fails("INVALID_ARGUMENT", memory:write(content .. "x"))
    fails("INVALID_ARGUMENT", memory:write("x", 17))
    assert.equal(content, memory:read())
  end)

  it("is filled with a byte", function()
    for _, byte in ipairs { 0, 1, 255 } do
      assert.is_true(memory:fill(byte))
      assert.equal(string.char(byte):rep(16), memory:read())
    end
    for _, bad in ipairs { -1, 256, 2 ^ 32, -2 ^ 53 } do
      assert.truthy(fails("INVALID_ARGUMENT", memory:fill(bad)):find "byte")
    end
    assert.equal(("\255"):rep(16), memory:read())
  end)

  it("is copied from other memory, also of another device and platform", function()
    for _, name in ipairs { "REFERENCE:0", "REFERENCE:1", "NULL:0" } do
      local owner = assert(modfs.device(name))
      local source = assert(owner:allocate(6))
      assert.is_true(source:write "ABCDEF")
      assert.is_true(memory:write(content))
      assert.is_true(memory:copy(source))
      assert.equal("ABCDEF6789abcdef", memory:read())
      assert.is_true(memory:write(content))
      assert.is_true(memory:copy(source, { n = 2 }))
      assert.equal("AB23456789abcdef", memory:read())
      assert.is_true(memory:copy(source, { n = 0 }))
      assert.is_true(memory:copy(source, {}))
      fails("INVALID_ARGUMENT", source:copy(memory))
      fails("INVALID_ARGUMENT", memory:copy(source, { n = 7 }))
      fails("INVALID_ARGUMENT", memory:copy(source, { n = -1 }))
      assert.equal("ABCDEF", source:read())
      local larger = assert(owner:allocate(20))
      assert.is_true(larger:copy(memory))
      assert.equal("ABCDEF6789abcdef", larger:read(1, 16))
      assert.is_true(larger:close())
      assert.is_true(source:close())
    end
    assert.is_true(memory:write(content))
    assert.is_true(memory:copy(memory))
    assert.equal(content, memory:read())
  end)

  it("is copied by no option but n, an integer", function()
    assert.error_matches(function() memory:copy(memory, { size = 1 }) end, "'size'")
    for _, bad in ipairs { 1.5, 0 / 0, 1 / 0, 2 ^ 63, "x", true, {}, print } do
      assert.error_matches(function() memory:copy(memory, { n = bad }) end, "'n'")
    end
    assert.equal(content, memory:read())
  end)

  it("raises once it is closed, as other parts of a device do; the device goes on", function()
    local other = device:allocate(4)
    for name, part in pairs { Memory = memory, Stream = device:stream(), Event = device:event(),
      Timer = device:timer() } do
      assert.is_true(part:close())
      assert.equal(("modfs.%s (closed)"):format(name), tostring(part))
    end
    assert.error_matches(function() return #memory end, "attempt to use a closed memory")
    assert.is_true(other:write "test")
    assert.equal("test", other:read())
    other:close()
  end)

  it("is returned to the allocator in its whole size", function()
    local size = 3 * 2 ^ 20 + 1
    local large = assert(device:allocate(size))
    local bytes = ("x"):rep(size - 1) .. "y"
    assert.is_true(large:write(bytes))
    assert.is_true(large:read() == bytes)
    assert.equal("xy", large:read(-2))
    large:close()
  end)

  it("runs out, and garbage makes room", function()
    local quarter = select(2, device:memory_usage()) / 4
    for _ = 1, 50 do
      assert(device:allocate(quarter))
    end
    local held, message, code = {}, nil, nil
    for i = 1, 5 do
      held[i], message, code = device:allocate(quarter)
    end
    fails("RESOURCE_EXHAUSTED", held[5], message, code)
    for i = 1, #held do
      held[i]:close()
    end
    assert(device:allocate(quarter)):close()
  end)
end)
