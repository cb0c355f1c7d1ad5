-- Four threads at once over what is there; each checks what it gets against what was read before.
local mapping = "new_read_only_memory_region_from_file"

-- Lets threads run a scenario at one URI.
local function race(t, scenario, uri, content)
  t.journal:note("threads", scenario, uri)
  local answer = t.plugin:race(scenario, t:path(uri), 0.1, content)
  if answer.missing then
    t:refuse(answer.missing .. " is missing")
  end
  t.journal:answered(answer.failure or answer.checks .. " checks held")
  t.journal:serve("new_random_access_file")
  t:equal(nil, answer.failure)
end

local function at_a_file(scenario)
  return function(t)
    local longest
    t:each_full_file(function(file)
      longest = longest and #longest.text >= #file.text and longest or file
    end)
    race(t, scenario, longest.uri, longest.text)
  end
end

return function(case)
  case("threads.reading_one_handle", "read", at_a_file "existing_reader")
  case("threads.reading_one_file", "new_random_access_file", at_a_file "existing_readers")
  case("threads.looking_at_one_region", "data", at_a_file "existing_region")
  case("threads.mapping_one_file", mapping, at_a_file "existing_regions")
  case("threads.asking", "path_exists", at_a_file "existing_questions")

  case("threads.listing", "get_children", function(t)
    t:each_directory(function(directory)
      race(t, "existing_listings", directory.uri, "")
    end)
  end)
end
