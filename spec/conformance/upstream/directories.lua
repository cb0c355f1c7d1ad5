local assert = require "luassert"
local fails = require "spec.support.fails"

local function is_directory(here, relative)
  assert.is_true(here.fs:is_directory(here.at(relative)))
end

return function(case)
  case(22, "TestCreateDir", function(here)
    assert.is_true(here.fs:create_dir(here.at "a_dir"))
    is_directory(here, "a_dir")
  end)
  case(23, "TestCreateDirNoParent", function(here)
    fails("NOT_FOUND", here.fs:create_dir(here.at "a_dir/a_dir"))
  end)
  case(24, "TestCreateDirWhichIsFile", function(here)
    fails("ALREADY_EXISTS", here.fs:create_dir(here.file "a_file"))
  end)
  case(25, "TestCreateDirTwice", function(here)
    fails("ALREADY_EXISTS", here.fs:create_dir(here.directory "a_dir"))
  end)
  case(26, "TestCreateDirPathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:create_dir(here.file "a_file" .. "/a_dir"))
  end)

  case(27, "TestRecursivelyCreateDir", function(here)
    assert.is_true(here.fs:recursively_create_dir(here.at "a/path/to/a/dir"))
    is_directory(here, "a/path/to/a/dir")
  end)
  case(28, "TestRecursivelyCreateDirInATree", function(here)
    assert.is_true(here.fs:recursively_create_dir(here.at "a/path/to/a/dir"))
    assert.is_true(here.fs:recursively_create_dir(here.at "a/path/to/another/dir"))
    is_directory(here, "a/path/to/a/dir")
    is_directory(here, "a/path/to/another/dir")
  end)
  case(29, "TestRecursivelyCreateDirWhichIsFile", function(here)
    fails("FAILED_PRECONDITION", here.fs:recursively_create_dir(here.file "a_file"))
  end)
  case(30, "TestRecursivelyCreateDirTwice", function(here)
    assert.is_true(here.fs:recursively_create_dir(here.at "a/path/to/a/dir"))
    assert.is_true(here.fs:recursively_create_dir(here.at "a/path/to/a/dir"))
  end)
  case(31, "TestRecursivelyCreateDirPathIsInvalid", function(here)
    local uri = here.file "a_file" .. "/a_dir"
    fails("FAILED_PRECONDITION", here.fs:recursively_create_dir(uri))
  end)
  case(32, "TestRecursivelyCreateDirFromNestedDir", function(here)
    here.directory "some"
    here.directory "some/path"
    assert.is_true(here.fs:recursively_create_dir(here.at "some/path/that/is/extended"))
    is_directory(here, "some/path/that/is/extended")
  end)
  case(33, "TestRecursivelyCreateDirFromNestedFile", function(here)
    here.directory "some"
    local uri = here.file "some/path" .. "/that/is/extended"
    fails("FAILED_PRECONDITION", here.fs:recursively_create_dir(uri))
    assert.is_false(here.fs:is_directory(here.at "some/path"))
  end)
end
