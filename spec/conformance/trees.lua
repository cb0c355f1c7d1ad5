local assert = require "luassert"
local fails = require "spec.support.fails"

return function(it)
  it("deletes a tree with many entries of every kind of name", function(here)
    here.directory "top"
    for i = 1, 20 do
      here.directory("top/d" .. i)
      for j = 1, 10 do
        here.file(("top/d%d/f\n%d"):format(i, j), "x")
      end
    end
    assert.same({ true, 0, 0 }, { here.fs:delete_recursively(here.at "top") })
    assert.same({}, here.fs:get_children(here.root))
  end)

  it("makes, walks and deletes 200 levels", function(here)
    local relative = "level" .. ("/level"):rep(199)
    assert.is_true(here.fs:recursively_create_dir(here.at(relative)))
    here.file(relative .. "/a_file", "deep")
    assert.equal("deep", here.content(here.at(relative .. "/a_file")))
    assert.same({ true, 0, 0 }, { here.fs:delete_recursively(here.at "level") })
    assert.same({}, here.fs:get_children(here.root))
  end)

  it("accepts a slash at the end of a directory's path", function(here)
    assert.is_true(here.fs:create_dir(here.at "a_dir/"))
    assert.is_true(here.fs:is_directory(here.at "a_dir/"))
    assert.is_true(here.fs:recursively_create_dir(here.at "b/c/"))
    assert.same({ "c" }, here.fs:get_children(here.at "b/"))
    assert.is_true(here.fs:delete_dir(here.at "b/c/"))
  end)

  it("leaves what is beside a deleted tree alone", function(here)
    here.directory "a"
    here.directory "a/b"
    here.file("ab", "beside")
    here.file("a.txt", "beside")
    assert.is_true((here.fs:delete_recursively(here.at "a")))
    assert.equal("beside", here.content(here.at "ab"))
    assert.equal("beside", here.content(here.at "a.txt"))
  end)

  it("counts what could not start as one directory", function(here)
    local results = { here.fs:delete_recursively(here.file "a_file" .. "/x") }
    fails("FAILED_PRECONDITION", results[1], results[2], results[3])
    assert.same({ 0, 1 }, { results[4], results[5] })
  end)

  it("lists 1000 names once each", function(here)
    local expected = {}
    for i = 1, 1000 do
      expected[i] = ("file%04d"):format(i)
      here.file(expected[i])
    end
    local names = here.fs:get_children(here.root)
    table.sort(names)
    assert.same(expected, names)
  end)
end
