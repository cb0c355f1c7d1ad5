local assert = require "luassert"
local fails = require "spec.support.fails"

-- The results of a call as an array with their number.
local function pack(...)
  return { n = select("#", ...), ... }
end

local function opened(here, content)
  return assert(here.fs:new_random_access_file(here.file("a_file", content)))
end

return function(it)
  it("gives the bytes that are left when more are asked for", function(here)
    local file = opened(here, "0123456789")
    assert.equal("6789", file:pread(6, 100))
    assert.equal("9", file:pread(9, 1))
    assert.equal("0123456789", file:pread(0, 2 ^ 40))
    file:close()
  end)

  it("gives one nil and no failure at the end and past it", function(here)
    local file = opened(here, "test")
    for _, offset in ipairs { 4, 5, 2 ^ 31, 2 ^ 32 + 1, 2 ^ 53 } do
      assert.same({ n = 1 }, pack(file:pread(offset, 1)))
    end
    file:close()
  end)

  it("reads nothing from an empty file", function(here)
    local file = opened(here, "")
    assert.same({ n = 1 }, pack(file:pread(0, 10)))
    assert.equal("", file:read "a")
    assert.equal(0, file:size())
    file:close()
  end)

  it("reads zero bytes", function(here)
    local file = opened(here, "test")
    assert.equal("", file:pread(0, 0))
    assert.equal("", file:pread(3, 0))
    file:close()
  end)

  it("refuses a negative offset and a negative count", function(here)
    local file = opened(here, "test")
    fails("INVALID_ARGUMENT", file:pread(-1, 1))
    fails("INVALID_ARGUMENT", file:pread(0, -1))
    assert.equal("test", file:pread(0, 4))
    file:close()
  end)

  it("keeps every byte value", function(here)
    local bytes = {}
    for value = 0, 255 do
      bytes[#bytes + 1] = string.char(value)
    end
    local content = table.concat(bytes):rep(300)
    local file = opened(here, content)
    assert.equal(#content, file:size())
    assert.is_true(content == file:read "a")
    assert.is_true(content:sub(70001, 75000) == file:pread(70000, 5000))
    file:close()
  end)

  it("reads through several handles independently", function(here)
    local one = opened(here, "test")
    local two = assert(here.fs:new_random_access_file(here.at "a_file"))
    assert.equal("te", one:read(2))
    assert.equal("test", two:read(4))
    assert.equal("st", one:read(2))
    one:close()
    assert.equal("es", two:pread(1, 2))
    two:close()
  end)

  it("keeps an open file readable after its deletion", function(here)
    local file = opened(here, "test")
    assert.is_true(here.fs:delete_file(here.at "a_file"))
    assert.equal("test", file:pread(0, 4))
    file:close()
  end)

  it("raises on use after close and on a second close", function(here)
    local file = opened(here, "test")
    assert.is_true(file:close())
    assert.error_matches(function() file:pread(0, 1) end, "closed")
    assert.error_matches(function() file:close() end, "closed")
  end)
end
