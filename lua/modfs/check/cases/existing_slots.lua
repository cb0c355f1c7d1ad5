-- The slots themselves about what is there: exact counts and codes between guard pages, outputs on
-- failure, statuses.
local mapping = "new_read_only_memory_region_from_file"

-- A pointer that nobody may follow: left as it was, or NULL.
local function is_harmless(t, pointer, what)
  t:yes(pointer == "untouched" or pointer == "nothing", what .. ": " .. pointer)
end

local function with_each(t, visit)
  t:each_file(function(file, content)
    local handle = t:fine(t.p:new_random_access_file(file.uri))
    visit(handle, file, content)
    handle:cleanup_file()
  end)
end

-- The code, the count and the bytes of one read.
local function reads(t, handle, file, offset, n)
  local expected = t:expected(file, offset, n)
  if not expected then
    return
  end
  local answer = t:code(#expected == n and "OK" or "OUT_OF_RANGE", handle:read(offset, n))
  t:equal(#expected, answer.value, ("the count of %d bytes at %d"):format(n, offset))
  t:yes(answer.bytes == expected, ("%d bytes at %d of %s differ"):format(n, offset, file.uri))
end

local function reading(case)
  case("slot.read.stays_in_its_buffer", "read", function(t)
    with_each(t, function(handle, file)
      for offset = 0, 18 do
        for n = 1, 18 do
          reads(t, handle, file, offset, n)
        end
      end
    end)
  end)

  case("slot.read.counts_around_the_end", "read", function(t)
    with_each(t, function(handle, file, content)
      for offset = math.max(0, #content - 9), #content + 4 do
        for _, n in ipairs { 1, 2, 3, 5, 9, 10, 64, 4096 } do
          reads(t, handle, file, offset, n)
        end
      end
    end)
  end)

  case("slot.read.counts_exactly_what_is_left", "read", function(t)
    with_each(t, function(handle, file, content)
      for _, offset in ipairs { 0, 1, math.floor(#content / 2), #content } do
        for more = -1, 1 do
          reads(t, handle, file, offset, math.max(1, #content - offset + more))
        end
      end
    end)
  end)

  case("slot.read.takes_null_for_nothing", "read", function(t)
    with_each(t, function(handle, _, content)
      for _, offset in ipairs { 0, math.floor(#content / 2), #content } do
        t:equal(0, t:code("OK", handle:read(offset, 0)).value)
      end
    end)
  end)

  case("slot.read.knows_offsets_to_the_last", "read", function(t)
    t:each_whole_file(function(file, content)
      local handle = t:fine(t.p:new_random_access_file(file.uri))
      for _, offset in ipairs { #content, #content + 1, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 32, 2 ^ 32 + 1,
        2 ^ 53, 2 ^ 62, -1, -4096 } do
        if offset < 0 or offset >= #content then
          t:equal(0, t:code("OUT_OF_RANGE", handle:read(offset, 3)).value, "offset " .. offset)
        end
      end
      handle:cleanup_file()
    end)
  end)

  for _, size in ipairs { 512, 4096, 16384, 65536 } do
    case("slot.read.around_blocks_of_" .. size, "read", function(t)
      with_each(t, function(handle, file)
        for offset = size - 2, size + 2 do
          for _, n in ipairs { 1, 2, 4, size } do
            reads(t, handle, file, offset, n)
          end
        end
        for n = size - 1, size + 1 do
          reads(t, handle, file, 0, n)
        end
      end)
    end)
  end

  case("slot.read.asks_for_more_than_2_31", "read", function(t)
    t:each_whole_file(function(file, content)
      local handle = t:fine(t.p:new_random_access_file(file.uri))
      for _, n in ipairs { 2 ^ 31 - 1, 2 ^ 31, 2 ^ 31 + 1 } do
        local answer = t:code("OUT_OF_RANGE", handle:read(0, n))
        t:equal(#content, answer.value)
        t:yes(answer.bytes == content, file.uri .. " differs")
      end
      handle:cleanup_file()
    end)
  end, { file_megabytes = 8192, megabytes = 16384 })

  case("slot.read.minds_no_other_handle", "read", function(t)
    with_each(t, function(one, file)
      local two = t:fine(t.p:new_random_access_file(file.uri))
      reads(t, two, file, 3, 5)
      reads(t, one, file, 0, 5)
      two:cleanup_file()
      reads(t, one, file, 5, 5)
    end)
  end)
end

local function asking(case)
  case("slot.stat.fills_every_field", "stat", function(t)
    t:each_file(function(file)
      if t:length("stat", file.uri) then
        local answer = t:answers({ "OK" }, "stat", file.uri)
        t:equal(0, answer.is_directory)
        t:yes(answer.length >= 0, "length")
        t:no(answer.mtime_nsec < 0, "mtime_nsec was not set")
      end
    end)
    for _, directory in ipairs(t.found.directories) do
      local answer = t:answers({ "OK" }, "stat", directory.uri)
      t:equal(1, answer.is_directory)
      t:yes(answer.length >= 0, "length")
    end
    t:tells_lengths "stat"
  end)

  case("slot.get_file_size.is_what_is_read", "get_file_size", function(t)
    t:tells_lengths "get_file_size"
  end)

  case("slot.is_directory.knows_files", "is_directory", function(t)
    t:each_file(function(file)
      t:no(t:answers({ "OK", "FAILED_PRECONDITION" }, "is_directory", file.uri).value, file.uri)
    end)
  end)

  case("slot.paths_exist.sets_every_status", "paths_exist", function(t)
    local none = t:path(t:at "none")
    t:each_file(function(file)
      local here = t:path(file.uri)
      local answer = t.p:paths_exist { none, here, none, here }
      t:no(answer.value)
      t:equal({ 5, 0, 5, 0 }, answer.codes)
      t:yes(t.p:paths_exist({ here, here }, true).value)
      t:no(t.p:paths_exist({ here, none }, true).value)
    end)
  end)

  case("slot.translate_name.is_never_null", "translate_name", function(t)
    t:each_file(function(file)
      t:equal("something", t.p:translate_name(file.uri).pointer)
      t:equal("something", t.p:translate_name(file.uri .. "//./x/..").pointer)
    end)
  end)

  case("slot.translate_name.ends_at_its_own_form", "translate_name", function(t)
    t:each_file(function(file)
      local once = t.p:translate_name(file.uri).value
      t:equal(once, t.p:translate_name(once).value)
    end)
  end)
end

-- What is left of outputs when a call fails.
local leaves = {
  path_exists = function() end,
  stat = function(t, answer) t:yes(answer.untouched, "the struct was written to") end,
  get_file_size = function(t, answer) t:equal(-1, answer.value) end,
  is_directory = function(t, answer) t:no(answer.value) end,
  get_children = function(t, answer)
    t:equal(-1, answer.value)
    is_harmless(t, answer.entries, "entries")
  end,
  new_random_access_file = function(t, answer) is_harmless(t, answer.pointer, "the handle") end,
  [mapping] = function(t, answer) is_harmless(t, answer.pointer, "the handle") end,
}

local function failing(case)
  for _, operation in ipairs { "path_exists", "stat", "get_file_size", "is_directory",
    "get_children", "new_random_access_file", mapping } do
    for _, situation in ipairs { "missing", "missing_parent", "below_a_file" } do
      case(("slot.%s.%s"):format(operation, situation), operation, function(t)
        t.situations[situation](t, function(uri)
          leaves[operation](t, t:answers(t:codes_of(situation), operation, uri))
        end)
      end)
    end
  end

  for _, operation in ipairs { "get_file_size", "new_random_access_file", mapping } do
    case(("slot.%s.of_a_directory"):format(operation), operation, function(t)
      t:each_directory(function(directory)
        leaves[operation](t, t:answers({ "FAILED_PRECONDITION" }, operation, directory.uri))
      end)
    end)
  end

  case("slot.get_children.of_a_file", "get_children", function(t)
    t:each_file(function(file)
      leaves.get_children(t, t:answers({ "FAILED_PRECONDITION" }, "get_children", file.uri))
    end)
  end)
end

local function listing(case)
  case("slot.get_children.counts_what_it_gives", "get_children", function(t)
    t:each_directory(function(directory, names)
      local answer = t:code("OK", t.p:get_children(directory.uri))
      t:equal(#names, answer.value)
      table.sort(answer.names)
      t:equal(names, answer.names)
    end)
  end)

  case("slot.get_matching_paths.counts_what_it_gives", "get_matching_paths", function(t)
    t:each_directory(function(directory, names)
      local path = t:path(directory.uri):gsub("[%*%?%[%]\\]", "\\%0"):gsub("/$", "")
      local answer = t:code("OK", t.p:get_matching_paths(path .. "/*"))
      t:equal(#names, answer.value)
      t:equal(#names, #answer.names)
      t:equal(0, t:code("OK", t.p:get_matching_paths(path .. "/modfs.check.none*")).value)
    end)
  end)

  case("slot.iteration.gives_each_name_once", "get_children", function(t)
    t:each_directory(function(directory, names)
      local answer = t:code("OK", t.p:open_directory(directory.uri))
      table.sort(answer.names)
      t:equal(names, answer.names)
    end)
  end)
end

local function mapped(case)
  case("slot.region.holds_what_is_read", mapping, function(t)
    t:each_full_file(function(file, content)
      local region = t:fine(t.p[mapping](t.p, file.uri))
      local answer = region:bytes()
      t:yes(answer.bytes:sub(1, #content) == content, file.uri .. " differs")
      t:yes(not file.whole or answer.length == #content, "the length of " .. file.uri)
      region:cleanup_region()
    end)
  end)
end

-- Statuses ---------------------------------------------------------------------------------

local questions = { "path_exists", "stat", "get_file_size" }

-- Hosts give each call a status that is OK, so what leaves it alone is no failure: it is told. An
-- empty slot and what is UNIMPLEMENTED say nothing.
local function told(t, operation, answer)
  if not answer or answer.code == "UNIMPLEMENTED" then
    return
  elseif answer.message == "as the call found it" then
    t.journal.tell("advice", operation)
  else
    t:code("OK", answer)
  end
  t.journal:serve(operation)
end

-- A failure with a code of its own.
local function failed(t, answer)
  if answer and answer.code ~= "UNIMPLEMENTED" then
    t:code("NOT_FOUND", answer)
  end
end

local function statuses(case)
  case("slot.statuses.say_what_happened", "path_exists", function(t)
    local file = t:any_file()
    local here, none = t:path(file.uri), t:path(t:at "none")
    local handle = t:fine(t.p:new_random_access_file(file.uri))
    t.runner.preset(true)
    for _, operation in ipairs(questions) do
      told(t, operation, t.plugin[operation](t.plugin, here))
      failed(t, t.plugin[operation](t.plugin, none))
    end
    for _, directory in ipairs(t.found.directories) do
      for _, operation in ipairs { "get_children", "is_directory" } do
        told(t, operation, t.plugin[operation](t.plugin, t:path(directory.uri)))
      end
    end
    told(t, "read", handle:read(0, 1))
    t.runner.preset(false)
    handle:cleanup_file()
  end)

  -- A failure leaves no trace in the answers that follow.
  case("slot.statuses.are_forgotten", "path_exists", function(t)
    t:each_full_file(function(file)
      local handle = t:fine(t.p:new_random_access_file(file.uri))
      for _ = 1, 3 do
        for _, operation in ipairs(questions) do
          failed(t, t.plugin[operation](t.plugin, t:path(t:at "none")))
          told(t, operation, t.plugin[operation](t.plugin, t:path(file.uri)))
          reads(t, handle, file, 0, 1)
        end
        failed(t, t.plugin:new_random_access_file(t:path(t:at "none")))
        reads(t, handle, file, #file.text, 1)
        reads(t, handle, file, #file.text - 1, 1)
      end
      handle:cleanup_file()
    end)
  end)
end

return function(case)
  for _, part in ipairs { reading, asking, failing, listing, mapped, statuses } do
    part(case)
  end
end
