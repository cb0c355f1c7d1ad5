local assert = require "luassert"
local fails = require "spec.support.fails"

local function deletes_all(here, uri)
  assert.same({ true, 0, 0 }, { here.fs:delete_recursively(uri) })
  assert.is_false(here.exists(uri))
end

return function(case)
  case(34, "TestDeleteFile", function(here)
    local uri = here.file "a_file"
    assert.is_true(here.fs:delete_file(uri))
    assert.is_false(here.exists(uri))
  end)
  case(35, "TestDeleteFileFromDirectory", function(here)
    here.directory "a_dir"
    assert.is_true(here.fs:delete_file(here.file "a_dir/a_file"))
    assert.same({}, here.fs:get_children(here.at "a_dir"))
  end)
  case(36, "TestDeleteFileDoesNotExist", function(here)
    fails("NOT_FOUND", here.fs:delete_file(here.at "a_file"))
  end)
  case(37, "TestDeleteFileWhichIsDirectory", function(here)
    fails("FAILED_PRECONDITION", here.fs:delete_file(here.directory "a_dir"))
    assert.is_true(here.exists(here.at "a_dir"))
  end)
  case(38, "TestDeleteFilePathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:delete_file(here.file "a_file" .. "/a_file"))
  end)

  case(39, "TestDeleteDirectory", function(here)
    local uri = here.directory "a_dir"
    assert.is_true(here.fs:delete_dir(uri))
    assert.is_false(here.exists(uri))
  end)
  case(40, "TestDeleteDirectoryFromDirectory", function(here)
    here.directory "a_dir"
    assert.is_true(here.fs:delete_dir(here.directory "a_dir/another_dir"))
    assert.same({}, here.fs:get_children(here.at "a_dir"))
  end)
  case(41, "TestDeleteDirectoryDoesNotExist", function(here)
    fails("NOT_FOUND", here.fs:delete_dir(here.at "a_dir"))
  end)
  case(42, "TestDeleteDirectoryNotEmpty", function(here)
    here.directory "a_dir"
    local uri = here.file("a_dir/a_file", "test")
    fails("FAILED_PRECONDITION", here.fs:delete_dir(here.at "a_dir"))
    assert.equal("test", here.content(uri))
  end)
  case(43, "TestDeleteDirectoryWhichIsFile", function(here)
    fails("FAILED_PRECONDITION", here.fs:delete_dir(here.file "a_file"))
    assert.is_true(here.exists(here.at "a_file"))
  end)
  case(44, "TestDeleteDirectoryPathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:delete_dir(here.file "a_file" .. "/a_dir"))
  end)

  case(45, "TestDeleteRecursivelyEmpty", function(here)
    deletes_all(here, here.directory "a_dir")
  end)
  case(46, "TestDeleteRecursivelyNotEmpty", function(here)
    here.directory "dir"
    here.directory "dir/one"
    here.directory "dir/two"
    here.file("dir/a_file", "test")
    deletes_all(here, here.at "dir")
  end)
  case(47, "TestDeleteRecursivelyDoesNotExist", function(here)
    local results = { here.fs:delete_recursively(here.at "a_dir") }
    fails("NOT_FOUND", results[1], results[2], results[3])
    assert.same({ 0, 1 }, { results[4], results[5] })
  end)
  -- Upstream leaves the code open; the contract deletes the file.
  case(48, "TestDeleteRecursivelyAFile", function(here)
    deletes_all(here, here.file "a_file")
  end)
  case(49, "TestDeleteRecursivelyPathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:delete_recursively(here.file "a_file" .. "/a_dir"))
  end)
  case(50, "TestDeleteRecursivelyANestedDir", function(here)
    here.directory "parent"
    here.directory "parent/child"
    here.file "parent/child/a_file"
    deletes_all(here, here.at "parent/child")
    assert.is_true(here.exists(here.at "parent"))
  end)
  case(51, "TestDeleteRecursivelyANestedFile", function(here)
    here.directory "parent"
    deletes_all(here, here.file "parent/a_file")
    assert.is_true(here.exists(here.at "parent"))
  end)
end
