local assert = require "luassert"
local fails = require "spec.support.fails"

local function has_moved(here, src, dst)
  assert.is_true(here.fs:rename_file(src, dst))
  fails("NOT_FOUND", here.fs:path_exists(src))
  assert.is_true(here.fs:path_exists(dst))
end

return function(case)
  case(52, "TestRenameFile", function(here)
    has_moved(here, here.file "a_file", here.at "another_file")
  end)
  -- Upstream makes the source twice and the target never; here both are there.
  case(53, "TestRenameFileOverwrite", function(here)
    has_moved(here, here.file("a_file", "new"), here.file("another_file", "old content"))
    assert.equal("new", here.content(here.at "another_file"))
  end)
  case(54, "TestRenameFileSourceNotFound", function(here)
    fails("NOT_FOUND", here.fs:rename_file(here.at "a_file", here.at "another_file"))
  end)
  case(55, "TestRenameFileDestinationParentNotFound", function(here)
    local src = here.file("a_file", "test")
    fails("NOT_FOUND", here.fs:rename_file(src, here.at "a_dir/another_file"))
    assert.equal("test", here.content(src))
  end)
  case(56, "TestRenameFileSourceIsDirectory", function(here)
    local src = here.directory "a_dir"
    fails("FAILED_PRECONDITION", here.fs:rename_file(src, here.at "another_file"))
    assert.is_true(here.exists(src))
  end)
  case(57, "TestRenameFileTargetIsDirectory", function(here)
    local src, dst = here.file("a_file", "test"), here.directory "a_dir"
    fails("FAILED_PRECONDITION", here.fs:rename_file(src, dst))
    assert.equal("test", here.content(src))
    assert.same({}, here.fs:get_children(dst))
  end)
  case(58, "TestRenameFileSourcePathIsInvalid", function(here)
    local src = here.file "a_file" .. "/a_file"
    fails("FAILED_PRECONDITION", here.fs:rename_file(src, here.at "another_file"))
  end)
  case(59, "TestRenameFileTargetPathIsInvalid", function(here)
    local src, dst = here.file("a_file", "test"), here.file "a_parent" .. "/a_file"
    fails("FAILED_PRECONDITION", here.fs:rename_file(src, dst))
    assert.equal("test", here.content(src))
  end)
  case(60, "TestRenameFileCompareContents", function(here)
    local src, dst = here.file("a_file", "test"), here.at "another_file"
    has_moved(here, src, dst)
    assert.equal(4, here.fs:get_file_size(dst))
    assert.equal("test", here.content(dst))
  end)
end
