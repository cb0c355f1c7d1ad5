local assert = require "luassert"

local function mapped(here, uri)
  return assert(here.fs:new_read_only_memory_region_from_file(uri))
end

return function(it)
  it("holds the bytes of the file, NUL and all", function(here)
    local content = "\0a\0" .. ("x"):rep(10000) .. "\0"
    local region = mapped(here, here.file("a_file", content))
    assert.equal(#content, #region)
    assert.is_true(content == region:sub(1))
    assert.is_true(region:close())
  end)

  it("outlives the deletion of its file", function(here)
    local region = mapped(here, here.file("a_file", "test"))
    assert.is_true(here.fs:delete_file(here.at "a_file"))
    assert.equal("test", region:sub(1))
    region:close()
  end)

  it("outlives the replacement of its file by another", function(here)
    local region = mapped(here, here.file("a_file", "old!"))
    assert.is_true(here.fs:rename_file(here.file("other", "new content"), here.at "a_file"))
    assert.equal("old!", region:sub(1))
    region:close()
  end)

  it("keeps its length while the file grows", function(here)
    local region = mapped(here, here.file("a_file", "test"))
    local writable = assert(here.fs:new_appendable_file(here.at "a_file"))
    for _ = 1, 100 do
      writable:write(("more"):rep(100))
    end
    assert.is_true(writable:close())
    assert.equal(4, #region)
    assert.equal("test", region:sub(1))
    region:close()
  end)

  it("maps one file many times", function(here)
    local uri, regions = here.file("a_file", "test"), {}
    for i = 1, 50 do
      regions[i] = mapped(here, uri)
    end
    for i = 1, 50, 2 do
      regions[i]:close()
    end
    for i = 2, 50, 2 do
      assert.equal("test", regions[i]:sub(1))
      regions[i]:close()
    end
  end)
end
