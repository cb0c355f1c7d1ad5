local assert = require "luassert"
local fails = require "spec.support.fails"

local function sorted(names)
  table.sort(names)
  return names
end

local function stat(here, uri)
  local answer = assert(here.fs:stat(uri))
  return answer.is_directory, answer.length
end

return function(case)
  case(69, "TestFileExists", function(here)
    assert.is_true(here.fs:path_exists(here.file "a_file"))
  end)
  case(70, "TestFileExistsButIsDirectory", function(here)
    assert.is_true(here.fs:path_exists(here.directory "a_dir"))
  end)
  case(71, "TestFileExistsNotFound", function(here)
    fails("NOT_FOUND", here.fs:path_exists(here.at "a_file"))
  end)
  case(72, "TestFileExistsPathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:path_exists(here.file "a_file" .. "/a_file"))
  end)
  case(73, "TestFilesExist", function(here)
    local all, codes = here.fs:paths_exist { here.file "a_file", here.file "another_file" }
    assert.is_true(all)
    assert.same({ "OK", "OK" }, codes)
  end)
  case(74, "TestFilesExistAllFailureModes", function(here)
    local dir, file = here.directory "a_dir", here.file "a_file"
    local all, codes = here.fs:paths_exist { dir, file, file .. "/a_file", here.at "missing" }
    assert.is_false(all)
    assert.same({ "OK", "OK", "FAILED_PRECONDITION", "NOT_FOUND" }, codes)
  end)
  case(75, "TestFilesExistsNoFiles", function(here)
    assert.same({ true, {} }, { here.fs:paths_exist {} })
  end)

  case(76, "TestStatEmptyFile", function(here)
    assert.same({ false, 0 }, { stat(here, here.file "a_file") })
  end)
  case(77, "TestStatNonEmptyFile", function(here)
    assert.same({ false, 4 }, { stat(here, here.file("a_file", "test")) })
  end)
  case(78, "TestStatDirectory", function(here)
    assert.is_true((stat(here, here.directory "a_dir")))
  end)
  case(79, "TestStatNotFound", function(here)
    fails("NOT_FOUND", here.fs:stat(here.at "a_dir"))
  end)
  case(80, "TestStatPathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:stat(here.file "a_file" .. "/a_file"))
  end)

  case(81, "TestIsDirectory", function(here)
    assert.is_true(here.fs:is_directory(here.directory "a_dir"))
  end)
  -- Upstream's plugin answers FAILED_PRECONDITION; to Lua a file is an answer, false.
  case(82, "TestIsDirectoryFile", function(here)
    assert.same({ false }, { here.fs:is_directory(here.file "a_file") })
  end)
  case(83, "TestIsDirectoryNotFound", function(here)
    fails("NOT_FOUND", here.fs:is_directory(here.at "a_dir"))
  end)
  case(84, "TestIsDirectoryPathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:is_directory(here.file "a_file" .. "/a_dir"))
  end)

  case(85, "TestGetFileSizeEmptyFile", function(here)
    assert.equal(0, here.fs:get_file_size(here.file "a_file"))
  end)
  case(86, "TestGetFileSizeNonEmptyFile", function(here)
    assert.equal(4, here.fs:get_file_size(here.file("a_file", "test")))
  end)
  case(87, "TestGetFileSizeDirectory", function(here)
    fails("FAILED_PRECONDITION", here.fs:get_file_size(here.directory "a_dir"))
  end)
  case(88, "TestGetFileSizeNotFound", function(here)
    fails("NOT_FOUND", here.fs:get_file_size(here.at "a_dir"))
  end)
  case(89, "TestGetFileSizePathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:get_file_size(here.file "a_file" .. "/a_file"))
  end)

  case(90, "TestGetChildren", function(here)
    here.file "a_file"
    here.file "another_file"
    here.directory "a_dir"
    here.directory "another_dir"
    assert.same({ "a_dir", "a_file", "another_dir", "another_file" },
      sorted(here.fs:get_children(here.root)))
  end)
  case(91, "TestGetChildrenEmpty", function(here)
    assert.same({}, here.fs:get_children(here.root))
  end)
  case(92, "TestGetChildrenOfFile", function(here)
    fails("FAILED_PRECONDITION", here.fs:get_children(here.file "a_file"))
  end)
  case(93, "TestGetChildrenPathNotFound", function(here)
    fails("NOT_FOUND", here.fs:get_children(here.at "a_dir"))
  end)
  case(94, "TestGetChildrenPathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:get_children(here.file "a_file" .. "/a_dir"))
  end)

  case(95, "TestGetMatchingPaths", function(here)
    local one, two = here.file "a_file", here.file "another_file"
    here.file "some_file"
    here.file "yet_another_file"
    assert.same({ one, two }, sorted(here.fs:get_matching_paths(here.at "a*")))
  end)
  case(96, "TestGetMatchingPathsEmptyFileSystem", function(here)
    assert.same({}, here.fs:get_matching_paths(here.at "a*"))
  end)
  case(97, "TestGetMatchingPathsEmptyPattern", function(here)
    here.file "a_file"
    assert.same({ here.root }, here.fs:get_matching_paths(here.root))
  end)
  case(98, "TestGetMatchingPathsLiteralMatch", function(here)
    local uri = here.file "a_file"
    here.file "another_file"
    assert.same({ uri }, here.fs:get_matching_paths(uri))
  end)
  case(99, "TestGetMatchingPathsNoMatch", function(here)
    here.file "a_file"
    here.file "xay"
    assert.same({}, here.fs:get_matching_paths(here.at "x?y*z"))
    assert.same({}, here.fs:get_matching_paths(here.at "b?y*"))
  end)
end
