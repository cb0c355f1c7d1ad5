-- Questions about what is there and what is not: all answers agree with what was read and listed.
local openings = { "new_random_access_file", "new_read_only_memory_region_from_file" }
local questions = { "path_exists", "stat", "is_directory", "get_file_size", "get_children" }

local function lengths(case)
  for _, operation in ipairs { "stat", "get_file_size" } do
    case(operation .. ".tells_what_is_read", operation, function(t)
      t:tells_lengths(operation)
    end)

    case(operation .. ".tells_the_same_after_reading", operation, function(t)
      t:each_whole_file(function(file, content)
        local before = t:length(operation, file.uri)
        local handle = t:ok(t.fs:new_random_access_file(file.uri))
        t:equal(content, handle:read "a")
        local after = t:length(operation, file.uri)
        t:yes(handle:close())
        t:yes(before == nil or before == after, "another length of " .. file.uri)
      end)
    end)
  end

  case("lengths.agree", "get_file_size", function(t)
    t:each_file(function(file)
      local one, two = t:length("stat", file.uri), t:length("get_file_size", file.uri)
      t:yes(one == nil or two == nil or one == two, "stat and get_file_size of " .. file.uri)
    end)
  end)

  case("stat.tells_times_that_stay", "stat", function(t)
    t:each_file(function(file)
      local one, two = t:ask("stat", file.uri), t:ask("stat", file.uri)
      t:equal(one.mtime_nsec, two.mtime_nsec, "mtime_nsec")
      t:yes((one.mtime_nsec or 0) >= 0, "mtime_nsec before 1970")
    end)
    t:tells_lengths "stat"
  end)
end

local function kinds(case)
  case("stat.tells_files_from_directories", "stat", function(t)
    t:each_file(function(file)
      local answer = t:ask("stat", file.uri)
      if answer.code == "OK" then
        t:no(answer.is_directory, file.uri)
        t.journal:serve "stat"
      end
    end)
    for _, directory in ipairs(t.found.directories) do
      t:yes(t:answers({ "OK" }, "stat", directory.uri).is_directory, directory.uri)
    end
  end)

  case("is_directory.is_false_for_files", "is_directory", function(t)
    t:needs "path_exists"
    t:each_file(function(file)
      t:no(t:answers({ "OK" }, "is_directory", file.uri).value, file.uri)
    end)
  end)

  case("is_directory.is_true_for_directories", "is_directory", function(t)
    t:each_directory(function(directory)
      t:yes(t:answers({ "OK" }, "is_directory", directory.uri).value, directory.uri)
    end)
  end)

  for _, operation in ipairs(openings) do
    case(operation .. ".refuses_directories", operation, function(t)
      t:each_directory(function(directory)
        t:answers({ "FAILED_PRECONDITION" }, operation, directory.uri)
      end)
    end)
  end

  case("get_file_size.refuses_directories", "get_file_size", function(t)
    t:each_directory(function(directory)
      t:answers({ "FAILED_PRECONDITION" }, "get_file_size", directory.uri)
    end)
  end)

  case("get_children.refuses_files", "get_children", function(t)
    t:each_file(function(file)
      t:answers({ "FAILED_PRECONDITION" }, "get_children", file.uri)
    end)
  end)
end

local function presence(case)
  case("path_exists.finds_files", "path_exists", function(t)
    t:each_file(function(file)
      t:answers({ "OK" }, "path_exists", file.uri)
    end)
  end)

  case("path_exists.finds_directories", "path_exists", function(t)
    t:each_directory(function(directory)
      t:answers({ "OK" }, "path_exists", directory.uri)
    end)
  end)

  case("paths_exist.finds_all", "paths_exist", function(t)
    local uris = {}
    t:each_file(function(file)
      uris[#uris + 1] = file.uri
    end)
    local all, codes = t.fs:paths_exist(uris)
    t:yes(all)
    for _, code in ipairs(codes) do
      t:equal("OK", code)
    end
    t:equal(#uris, #codes)
  end)

  case("paths_exist.keeps_the_order", "paths_exist", function(t)
    local none = t:at "none"
    t:each_file(function(file)
      local all, codes = t.fs:paths_exist { none, file.uri, none, file.uri }
      t:no(all)
      t:equal({ "NOT_FOUND", "OK", "NOT_FOUND", "OK" }, codes)
    end)
  end)
end

-- Each question and each opening, for each way of not being there.
local function absence(case)
  for _, list in ipairs { openings, questions } do
    for _, operation in ipairs(list) do
      for _, situation in ipairs { "missing", "missing_parent", "below_a_file", "almost" } do
        case(("%s.%s"):format(operation, situation), operation, function(t)
          t.situations[situation](t, function(uri)
            t:answers(t:codes_of(situation), operation, uri)
          end)
        end)
      end
    end
  end

  case("failures.say_what_is_wrong", "new_random_access_file", function(t)
    t.situations.missing(t, function(uri)
      local words = t:answers({ "NOT_FOUND" }, "new_random_access_file", uri).message
        :gsub("^NOT_FOUND: %S+ ", ""):gsub("^" .. uri:gsub("%p", "%%%0"), "")
      t:yes(words:find "%a" ~= nil, "no words")
      t:equal(nil, words:find "%c", "control characters")
      t:yes(#words < 1000, #words .. " bytes")
    end)
  end)

  case("failures.change_nothing", "new_random_access_file", function(t)
    for _, situation in ipairs { "missing", "below_a_file" } do
      t.situations[situation](t, function(uri)
        t:answers(t:codes_of(situation), "new_random_access_file", uri)
        t:no(t:ask("path_exists", uri).code == "OK", uri .. " is there after it was asked for")
      end)
    end
    t:each_whole_file(function(file, content)
      t:yes(t:content(file.uri) == content, file.uri .. " differs")
    end)
  end)
end

return function(case)
  for _, part in ipairs { lengths, kinds, presence, absence } do
    part(case)
  end
end
