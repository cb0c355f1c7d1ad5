local assert = require "luassert"
local fails = require "spec.support.fails"

-- The path of a translated name below the root, as the root itself is translated.
local function below(here, relative)
  local root = here.fs:translate_name(here.root)
  local name = here.fs:translate_name(here.at(relative))
  assert.equal(root, name:sub(1, #root))
  return name:sub(#root + 1)
end

local function corners(fs)
  if fs.scheme == "" then
    return { [""] = "", ["/"] = "/", ["//"] = "/", a_file = "a_file", ["a_dir/.."] = "." }
  end
  local prefix = fs.scheme .. "://"
  return { [prefix] = "/", [prefix .. "/"] = "/", [prefix .. "//"] = "/" }
end

-- Opening for reading, or mapping, meets the same obstacles.
local function refuses_what_is_no_file(case, first, open, titles)
  case(first, titles[1], function(here)
    fails("NOT_FOUND", open(here.fs, here.at "a_file"))
  end)
  case(first + 1, titles[2], function(here)
    fails("NOT_FOUND", open(here.fs, here.at "a_dir/a_file"))
  end)
  case(first + 2, titles[3], function(here)
    fails("FAILED_PRECONDITION", open(here.fs, here.directory "a_dir"))
  end)
end

return function(case)
  case(1, "TestTranslateName", function(here)
    for uri, expected in pairs(corners(here.fs)) do
      assert.equal(expected, here.fs:translate_name(uri))
    end
    assert.equal("/a_file", below(here, "a_file"))
    assert.equal("/a_dir/a_file", below(here, "a_dir/a_file"))
    assert.equal("/a_file", below(here, "./a_file"))
    assert.equal("/a/path/to/a/file", below(here, "a/convoluted/../path/./to/.//.///a/file"))
  end)

  case(2, "TestCreateFile", function(here)
    assert.is_true(assert(here.fs:new_writable_file(here.at "a_file")):close())
  end)
  case(3, "TestCreateFileNonExisting", function(here)
    fails("NOT_FOUND", here.fs:new_writable_file(here.at "a_dir/a_file"))
  end)
  case(4, "TestCreateFileExistingDir", function(here)
    fails("FAILED_PRECONDITION", here.fs:new_writable_file(here.directory "a_dir"))
  end)
  case(5, "TestCreateFilePathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:new_writable_file(here.file "a_file" .. "/a_file"))
  end)

  case(6, "TestAppendFile", function(here)
    assert.is_true(assert(here.fs:new_appendable_file(here.at "a_file")):close())
  end)
  case(7, "TestAppendFileNonExisting", function(here)
    fails("NOT_FOUND", here.fs:new_appendable_file(here.at "a_dir/a_file"))
  end)
  case(8, "TestAppendFileExistingDir", function(here)
    fails("FAILED_PRECONDITION", here.fs:new_appendable_file(here.directory "a_dir"))
  end)
  case(9, "TestCreateThenAppendFile", function(here)
    local first = assert(here.fs:new_writable_file(here.at "a_file"))
    local second = assert(here.fs:new_appendable_file(here.at "a_file"))
    assert.is_true(second:close())
    assert.is_true(first:close())
  end)
  case(10, "TestAppendFilePathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:new_appendable_file(here.file "a_file" .. "/a_file"))
  end)

  local function read(fs, uri)
    return fs:new_random_access_file(uri)
  end
  refuses_what_is_no_file(case, 11, read,
    { "TestReadFile", "TestReadFileNonExisting", "TestReadFileExistingDir" })
  case(14, "TestCreateThenReadFile", function(here)
    local writable = assert(here.fs:new_writable_file(here.at "a_file"))
    assert.is_true(assert(here.fs:new_random_access_file(here.at "a_file")):close())
    assert.is_true(writable:close())
  end)
  case(15, "TestReadFilePathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", here.fs:new_random_access_file(here.file "a_file" .. "/a_file"))
  end)

  local function map(fs, uri)
    return fs:new_read_only_memory_region_from_file(uri)
  end
  refuses_what_is_no_file(case, 16, map, { "TestCreateMemoryRegion",
    "TestCreateMemoryRegionNonExisting", "TestCreateMemoryRegionExistingDir" })
  case(19, "TestCreateMemoryRegionFromEmptyFile", function(here)
    fails("INVALID_ARGUMENT", map(here.fs, here.file "a_file"))
  end)
  case(20, "TestCreateMemoryRegionFromFile", function(here)
    local region = assert(map(here.fs, here.file("a_file", "test")))
    assert.equal(4, #region)
    assert.equal("test", region:sub(1))
    assert.is_true(region:close())
  end)
  case(21, "TestCreateMemoryRegionFromFilePathIsInvalid", function(here)
    fails("FAILED_PRECONDITION", map(here.fs, here.file "a_file" .. "/a_file"))
  end)
end
