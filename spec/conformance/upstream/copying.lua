local assert = require "luassert"
local fails = require "spec.support.fails"

local function is_copied(here, src, dst)
  assert.is_true(here.fs:copy_file(src, dst))
  assert.is_true(here.fs:path_exists(src))
  assert.is_true(here.fs:path_exists(dst))
end

return function(case)
  case(61, "TestCopyFile", function(here)
    is_copied(here, here.file "a_file", here.at "another_file")
  end)
  -- Upstream makes the source twice and the target never; here both are there.
  case(62, "TestCopyFileOverwrite", function(here)
    is_copied(here, here.file("a_file", "new"), here.file("another_file", "old content"))
    assert.equal("new", here.content(here.at "a_file"))
    assert.equal("new", here.content(here.at "another_file"))
  end)
  case(63, "TestCopyFileSourceNotFound", function(here)
    fails("NOT_FOUND", here.fs:copy_file(here.at "a_file", here.at "another_file"))
    assert.is_false(here.exists(here.at "another_file"))
  end)
  case(64, "TestCopyFileSourceIsDirectory", function(here)
    local src, dst = here.directory "a_dir", here.at "another_file"
    fails("FAILED_PRECONDITION", here.fs:copy_file(src, dst))
    assert.is_false(here.exists(dst))
  end)
  -- Never a copy into the directory, which upstream's words offer and its tests refuse.
  case(65, "TestCopyFileTargetIsDirectory", function(here)
    local src, dst = here.file("a_file", "test"), here.directory "a_dir"
    fails("FAILED_PRECONDITION", here.fs:copy_file(src, dst))
    assert.same({}, here.fs:get_children(dst))
  end)
  case(66, "TestCopyFileSourcePathIsInvalid", function(here)
    local src = here.file "a_file" .. "/a_file"
    fails("FAILED_PRECONDITION", here.fs:copy_file(src, here.at "another_file"))
  end)
  case(67, "TestCopyFileTargetPathIsInvalid", function(here)
    local src, dst = here.file "a_file", here.file "a_parent" .. "/a_file"
    fails("FAILED_PRECONDITION", here.fs:copy_file(src, dst))
  end)
  case(68, "TestCopyFileCompareContents", function(here)
    local src, dst = here.file("a_file", "test"), here.at "another_file"
    is_copied(here, src, dst)
    assert.equal(4, here.fs:get_file_size(src))
    assert.equal(4, here.fs:get_file_size(dst))
    assert.equal("test", here.content(dst))
  end)
end
