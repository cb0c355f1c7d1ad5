-- Memory, descriptors and system calls of questions and readings about what is there.
local failing = require "modfs.check.failing"
local resources = require "modfs.check.resources"

local mapping = "new_read_only_memory_region_from_file"

local function nothing() end

-- Opens, reads a little and ends.
local function look(t, uri, n)
  local answer, file = t.p:new_random_access_file(uri)
  if file then
    answer = file:read(0, n)
    file:cleanup_file()
  end
  return answer
end

-- Each of these is done once while blocks are counted, and once while descriptors are.
local function ask_all(operation)
  return function(t)
    t:each_file(function(file)
      t:ask(operation, file.uri)
    end)
    t:answers({ "NOT_FOUND" }, operation, t:at "none")
  end
end

local function list_all(t)
  t:each_directory(function(directory, names)
    t:equal(#names, t:code("OK", t.p:get_children(directory.uri)).value)
  end)
end

local function map_all(t)
  t:each_full_file(function(file)
    t:fine(t.p[mapping](t.p, file.uri)):cleanup_region()
  end)
end

-- keeps: what must be as before when work(t) has been done.
local function keeping(keeps, work)
  return function(t)
    keeps(t, function()
      work(t)
    end)
  end
end

local function asks(operation, situation)
  return function(t)
    resources.loses_nothing(t, function()
      t.situations[situation](t, function(uri)
        t:answers(t:codes_of(situation), operation, uri)
      end)
    end)
  end
end

local function leaks(case)
  case("blocks.reading_loses_nothing", "new_random_access_file", function(t)
    resources.loses_nothing(t, function()
      t:each_full_file(function(file, content)
        t:equal(content:sub(1, 1), look(t, file.uri, 1).bytes)
      end)
    end)
  end)

  case("blocks.lists_lose_nothing", "get_children", keeping(resources.loses_nothing, list_all))

  case("blocks.patterns_lose_nothing", "get_matching_paths", function(t)
    resources.loses_nothing(t, function()
      t:each_directory(function(directory)
        local path = t:path(directory.uri):gsub("[%*%?%[%]\\]", "\\%0"):gsub("/$", "")
        t:code("OK", t.p:get_matching_paths(path .. "/*"))
        t:code("OK", t.p:get_matching_paths(path .. "/modfs.check.none*"))
      end)
    end)
  end)

  case("blocks.regions_lose_nothing", mapping, keeping(resources.loses_nothing, map_all))

  for _, operation in ipairs { "path_exists", "stat", "get_file_size", "is_directory" } do
    case(("blocks.%s_loses_nothing"):format(operation), operation,
      keeping(resources.loses_nothing, ask_all(operation)))
  end

  for _, operation in ipairs { "new_random_access_file", "get_children", mapping } do
    for _, situation in ipairs { "missing", "below_a_file" } do
      case(("blocks.failing_%s_loses_nothing.%s"):format(operation, situation), operation,
        asks(operation, situation))
    end
  end

  case("blocks.names_come_from_the_allocator", "translate_name", function(t)
    t:need_shim()
    t:each_file(function(file)
      t:equal("something", t.p:translate_name(file.uri).pointer)
    end)
    t:equal(nil, t.runner.fault())
  end)
end

local function descriptors(case)
  case("descriptors.of_files_are_closed", "new_random_access_file", function(t)
    resources.keeps_descriptors(t, function()
      t:each_file(function(file)
        look(t, file.uri, 1)
      end)
    end)
  end)

  case("descriptors.of_questions_are_closed", "path_exists",
    keeping(resources.keeps_descriptors, ask_all "path_exists"))

  case("descriptors.of_failures_are_closed", "new_random_access_file", function(t)
    resources.keeps_descriptors(t, function()
      for _, situation in ipairs { "missing", "below_a_file" } do
        t.situations[situation](t, function(uri)
          t:answers(t:codes_of(situation), "new_random_access_file", uri)
        end)
      end
    end)
  end)

  case("descriptors.of_lists_are_closed", "get_children",
    keeping(resources.keeps_descriptors, list_all))

  case("descriptors.of_regions_are_closed", mapping,
    keeping(resources.keeps_descriptors, map_all))
end

local function shortage(case)
  case("memory.is_short_when_a_file_is_read", "new_random_access_file", function(t)
    local file, content = t:any_file()
    resources.without_memory(t, nothing, function()
      local answer = look(t, file.uri, 1)
      if answer.code == "OK" then
        t:equal(content:sub(1, 1), answer.bytes)
      end
      return answer
    end, nothing, nothing)
  end)

  case("memory.is_short_when_a_file_is_mapped", mapping, function(t)
    local file, content = t:any_file()
    resources.without_memory(t, nothing, function()
      local answer, region = t.p[mapping](t.p, file.uri)
      if region then
        t:yes(region:bytes().bytes:sub(1, #content) == content, file.uri)
        region:cleanup_region()
      end
      return answer
    end, nothing, nothing)
  end)

  case("memory.is_short_when_a_directory_is_listed", "get_children", function(t)
    t:each_directory(function(directory, names)
      resources.without_memory(t, nothing, function()
        return t.p:get_children(directory.uri)
      end, function(answer)
        t:equal(#names, answer.value)
      end, function(answer)
        t:equal(-1, answer.value)
      end)
    end)
  end)

  case("memory.is_short_when_it_is_asked", "path_exists", function(t)
    local file = t:any_file()
    resources.without_memory(t, nothing, function()
      return t:answer("path_exists", file.uri)
    end, nothing, nothing)
  end)

  case("memory.is_short_when_a_length_is_asked_for", "stat", function(t)
    local file, content = t:any_file()
    if not t:length("stat", file.uri) then
      t:refuse "the length is not known"
    end
    resources.without_memory(t, nothing, function()
      return t:answer("stat", file.uri)
    end, function(answer)
      t:yes(not file.whole or answer.length == #content, "length")
    end, nothing)
  end)
end

-- System calls that fail: where none are seen, the cases are refused.
local function faults(case)
  local function fails(name, kinds, error_name, operation)
    case(name, operation, function(t)
      local file, content = t:any_file()
      local size = math.min(#content, 4096)
      failing.each_call(t, kinds, error_name, function()
        return look(t, file.uri, size)
      end, nothing, function(answer)
        t:yes(answer.bytes == content:sub(1, size), "the bytes of " .. file.uri)
      end, nothing)
    end)
  end

  fails("faults.of_opening_are_told", "open stat", "EIO", "new_random_access_file")
  fails("faults.of_reading_are_told", "read map", "EIO", "read")

  case("faults.few_bytes_are_no_end", "read", function(t)
    local file, content = t:any_file()
    local size = math.min(#content, 4096)
    local answer = failing.all_calls(t, "read", 1, 5000, function()
      return look(t, file.uri, size)
    end)
    t:equal({ "OK", content:sub(1, size) }, { answer.code, answer.bytes })
  end)

  case("faults.of_lists_are_told", "get_children", function(t)
    t:each_directory(function(directory, names)
      failing.each_call(t, "open list stat read", "EIO", function()
        return t.p:get_children(directory.uri)
      end, nothing, function(answer)
        t:equal(#names, answer.value)
      end, function(answer)
        t:equal(-1, answer.value)
      end)
    end)
  end)
end

return function(case)
  for _, part in ipairs { leaks, descriptors, shortage, faults } do
    part(case)
  end
end
