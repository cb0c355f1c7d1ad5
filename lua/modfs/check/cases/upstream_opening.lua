-- The path of a translated name below the root, as the root itself is translated.
local function below(t, relative)
  local root = t.fs:translate_name(t.root)
  local name = t.fs:translate_name(t:at(relative))
  t:equal(root, name:sub(1, #root))
  return name:sub(#root + 1)
end

local function corners(scheme)
  if scheme == "" then
    return { [""] = "", ["/"] = "/", ["//"] = "/", a_file = "a_file", ["a_dir/.."] = "." }
  end
  local prefix = scheme .. "://"
  return { [prefix] = "/", [prefix .. "/"] = "/", [prefix .. "//"] = "/" }
end

local function map(t, uri)
  return t.fs:new_read_only_memory_region_from_file(uri)
end

-- Opening for reading, or mapping, meets the same obstacles.
local function refuses_what_is_no_file(case, operation, names)
  case(names[1], operation, function(t)
    t:fails("NOT_FOUND", t.fs[operation](t.fs, t:at("a_file")))
  end)
  case(names[2], operation, function(t)
    t:fails("NOT_FOUND", t.fs[operation](t.fs, t:at("a_dir/a_file")))
  end)
  case(names[3], operation, function(t)
    t:fails("FAILED_PRECONDITION", t.fs[operation](t.fs, t:directory("a_dir")))
  end)
end

local mapping = "new_read_only_memory_region_from_file"

return function(case)
  case("001.TestTranslateName", "translate_name", function(t)
    t:equal("/a_file", below(t, "a_file"))
    t:equal("/a_dir/a_file", below(t, "a_dir/a_file"))
    if t:echoes() then
      return
    end
    for uri, expected in pairs(corners(t.scheme)) do
      t:equal(expected, t.fs:translate_name(uri))
    end
    t:equal("/a_file", below(t, "./a_file"))
    t:equal("/a/path/to/a/file", below(t, "a/convoluted/../path/./to/.//.///a/file"))
  end)

  case("002.TestCreateFile", "new_writable_file", function(t)
    t:yes(t:ok(t.fs:new_writable_file(t:at("a_file"))):close())
  end)
  case("003.TestCreateFileNonExisting", "new_writable_file", function(t)
    t:wants_no "parents_implied"
    t:fails("NOT_FOUND", t.fs:new_writable_file(t:at("a_dir/a_file")))
  end)
  case("004.TestCreateFileExistingDir", "new_writable_file", function(t)
    t:fails("FAILED_PRECONDITION", t.fs:new_writable_file(t:directory("a_dir")))
  end)
  case("005.TestCreateFilePathIsInvalid", "new_writable_file", function(t)
    t:fails("FAILED_PRECONDITION", t.fs:new_writable_file(t:file("a_file") .. "/a_file"))
  end)

  case("006.TestAppendFile", "new_appendable_file", function(t)
    t:yes(t:ok(t.fs:new_appendable_file(t:at("a_file"))):close())
  end)
  case("007.TestAppendFileNonExisting", "new_appendable_file", function(t)
    t:wants_no "parents_implied"
    t:fails("NOT_FOUND", t.fs:new_appendable_file(t:at("a_dir/a_file")))
  end)
  case("008.TestAppendFileExistingDir", "new_appendable_file", function(t)
    t:fails("FAILED_PRECONDITION", t.fs:new_appendable_file(t:directory("a_dir")))
  end)
  case("009.TestCreateThenAppendFile", "new_appendable_file", function(t)
    local first = t:ok(t.fs:new_writable_file(t:at("a_file")))
    local second = t:ok(t.fs:new_appendable_file(t:at("a_file")))
    t:yes(second:close())
    t:yes(first:close())
  end)
  case("010.TestAppendFilePathIsInvalid", "new_appendable_file", function(t)
    t:fails("FAILED_PRECONDITION", t.fs:new_appendable_file(t:file("a_file") .. "/a_file"))
  end)

  refuses_what_is_no_file(case, "new_random_access_file",
    { "011.TestReadFile", "012.TestReadFileNonExisting", "013.TestReadFileExistingDir" })
  case("014.TestCreateThenReadFile", "new_random_access_file", function(t)
    t:wants_no "shown_at_close"
    local writable = t:ok(t.fs:new_writable_file(t:at("a_file")))
    t:yes(t:ok(t.fs:new_random_access_file(t:at("a_file"))):close())
    t:yes(writable:close())
  end)
  case("015.TestReadFilePathIsInvalid", "new_random_access_file", function(t)
    t:fails("FAILED_PRECONDITION", t.fs:new_random_access_file(t:file("a_file") .. "/a_file"))
  end)

  refuses_what_is_no_file(case, mapping,
    { "016.TestCreateMemoryRegion", "017.TestCreateMemoryRegionNonExisting",
      "018.TestCreateMemoryRegionExistingDir" })
  case("019.TestCreateMemoryRegionFromEmptyFile", mapping, function(t)
    t:fails("INVALID_ARGUMENT", map(t, t:file("a_file")))
  end)
  case("020.TestCreateMemoryRegionFromFile", mapping, function(t)
    local region = t:ok(map(t, t:file("a_file", "test")))
    t:equal(4, region.length())
    t:equal("test", region:sub(1))
    t:yes(region:close())
  end)
  case("021.TestCreateMemoryRegionFromFilePathIsInvalid", mapping, function(t)
    t:fails("FAILED_PRECONDITION", map(t, t:file("a_file") .. "/a_file"))
  end)
end
