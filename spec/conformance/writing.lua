local assert = require "luassert"

return function(it)
  it("empties what stood there", function(here)
    local uri = here.file("a_file", "long old content")
    assert.is_true(assert(here.fs:new_writable_file(uri)):close())
    assert.equal(0, here.fs:get_file_size(uri))
    here.file("a_file", "new")
    assert.equal("new", here.content(uri))
  end)

  it("tells the position from the start of the file when appending", function(here)
    local writable = assert(here.fs:new_appendable_file(here.file("a_file", "0123456789")))
    assert.equal(10, writable:tell())
    assert.equal(writable, writable:write "ab")
    assert.equal(12, writable:tell())
    assert.is_true(writable:close())
    assert.equal("0123456789ab", here.content(here.at "a_file"))
  end)

  it("shows to readers what was flushed", function(here)
    local writable = assert(here.fs:new_writable_file(here.at "a_file"))
    writable:write "test"
    assert.is_true(writable:flush())
    assert.equal("test", here.content(here.at "a_file"))
    assert.equal(4, here.fs:get_file_size(here.at "a_file"))
    assert.is_true(writable:sync())
    assert.is_true(writable:close())
  end)

  it("shows a file before it is closed", function(here)
    local writable = assert(here.fs:new_writable_file(here.at "a_file"))
    assert.is_true(here.fs:path_exists(here.at "a_file"))
    assert.is_true(writable:close())
  end)

  it("writes nothing, little and much in order", function(here)
    local pieces = { "", "a", ("b"):rep(65535), "", ("c"):rep(65537), ("d"):rep(200000), "e" }
    local writable = assert(here.fs:new_writable_file(here.at "a_file"))
    local position = 0
    for _, piece in ipairs(pieces) do
      assert.equal(writable, writable:write(piece))
      position = position + #piece
      assert.equal(position, writable:tell())
    end
    assert.is_true(writable:close())
    assert.is_true(table.concat(pieces) == here.content(here.at "a_file"))
  end)

  it("appends through two handles without losing a byte", function(here)
    local uri = here.file("a_file", "")
    local one = assert(here.fs:new_appendable_file(uri))
    local two = assert(here.fs:new_appendable_file(uri))
    for _ = 1, 50 do
      one:write "11"
      assert.is_true(one:flush())
      two:write "22"
      assert.is_true(two:flush())
    end
    assert.is_true(one:close())
    assert.is_true(two:close())
    assert.equal(("1122"):rep(50), here.content(uri))
  end)

  it("raises on use after close and on a second close", function(here)
    local writable = assert(here.fs:new_writable_file(here.at "a_file"))
    assert.is_true(writable:close())
    for _, method in ipairs { "write", "tell", "flush", "sync", "close" } do
      assert.error_matches(function() writable[method](writable, "x") end, "closed")
    end
    assert.equal("", here.content(here.at "a_file"))
  end)
end
