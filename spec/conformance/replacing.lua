local assert = require "luassert"
local fails = require "spec.support.fails"

local verbs = { "rename_file", "copy_file" }

return function(it)
  for _, verb in ipairs(verbs) do
    it(verb .. " replaces longer and shorter files whole", function(here)
      for _, old in ipairs { "", "short", ("long"):rep(50000) } do
        local src, dst = here.file("src", "middle length"), here.file("dst", old)
        assert.is_true(here.fs[verb](here.fs, src, dst))
        assert.equal("middle length", here.content(dst))
      end
    end)

    it(verb .. " moves large content unchanged", function(here)
      local content = ("0123456789abcde\n"):rep(40000)
      local src, dst = here.file("src", content), here.at "dst"
      assert.is_true(here.fs[verb](here.fs, src, dst))
      assert.equal(#content, here.fs:get_file_size(dst))
      assert.is_true(content == here.content(dst))
    end)

    it(verb .. " onto itself changes nothing", function(here)
      local src = here.file("src", "test")
      local before = here.fs:stat(src)
      assert.is_true(here.fs[verb](here.fs, src, src))
      assert.is_true(here.fs[verb](here.fs, src, here.at ".//src"))
      assert.equal("test", here.content(src))
      assert.same(before, here.fs:stat(src))
    end)

    it(verb .. " of nothing leaves the target alone", function(here)
      local dst = here.file("dst", "old")
      fails("NOT_FOUND", here.fs[verb](here.fs, here.at "none", dst))
      fails("FAILED_PRECONDITION", here.fs[verb](here.fs, here.directory "a_dir", dst))
      assert.equal("old", here.content(dst))
    end)

    it(verb .. " leaves an open reader of the target its content", function(here)
      local dst = here.file("dst", "old")
      local file = assert(here.fs:new_random_access_file(dst))
      assert.is_true(here.fs[verb](here.fs, here.file("src", "new"), dst))
      assert.equal("old", file:pread(0, 10))
      file:close()
      assert.equal("new", here.content(dst))
    end)
  end

  it("copies an empty file", function(here)
    assert.is_true(here.fs:copy_file(here.file "src", here.at "dst"))
    assert.equal(0, here.fs:get_file_size(here.at "dst"))
  end)

  it("makes copies that live apart", function(here)
    local src, dst = here.file("src", "test"), here.at "dst"
    assert.is_true(here.fs:copy_file(src, dst))
    here.file("src", "changed")
    assert.equal("test", here.content(dst))
    assert.is_true(here.fs:delete_file(src))
    assert.equal("test", here.content(dst))
  end)

  it("keeps an open reader of a renamed file", function(here)
    local src = here.file("src", "test")
    local file = assert(here.fs:new_random_access_file(src))
    assert.is_true(here.fs:rename_file(src, here.at "dst"))
    assert.equal("test", file:pread(0, 4))
    file:close()
  end)
end
