-- Files, written files and regions without a host: exact counts between guard pages, descriptors.
local keeps_descriptors = require("modfs.check.resources").keeps_descriptors

local mapping = "new_read_only_memory_region_from_file"

local function opened(t, content)
  return t:fine(t.p:new_random_access_file(t:file("a_file", content)))
end

local function reading(case)
  case("read.stays_in_its_buffer", "read", function(t)
    local content = "0123456789abcdef"
    local file = opened(t, content)
    for offset = 0, 18 do
      for n = 1, 18 do
        local left = math.max(0, math.min(n, #content - offset))
        local answer = t:code(left == n and "OK" or "OUT_OF_RANGE", file:read(offset, n))
        t:equal(left, answer.value)
        t:equal(content:sub(offset + 1, offset + n), answer.bytes)
      end
    end
    file:cleanup_file()
  end)

  case("read.takes_null_for_nothing", "read", function(t)
    local file = opened(t, "test")
    for offset = 0, 4 do
      t:equal(0, t:code("OK", file:read(offset, 0)).value)
    end
    file:cleanup_file()
  end)

  case("read.knows_offsets_to_the_last", "read", function(t)
    local file = opened(t, "test")
    local offsets = { 4, 5, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 32, 2 ^ 32 + 1, 2 ^ 53, 2 ^ 62, -1, -4096 }
    for _, offset in ipairs(offsets) do
      t:equal(0, t:code("OUT_OF_RANGE", file:read(offset, 3)).value, "offset " .. offset)
    end
    file:cleanup_file()
  end)

  case("read.crosses_pages", "read", function(t)
    local content = ("0123456789abcde\n"):rep(1024)
    local file = opened(t, content)
    for _, n in ipairs { 4095, 4096, 4097, 16384, 16385 } do
      local answer = file:read(0, n)
      t:equal(math.min(n, #content), answer.value)
      t:yes(answer.bytes == content:sub(1, n), "the content differs")
    end
    file:cleanup_file()
  end)
end

local function writing(case)
  case("append.stays_in_its_buffer", "append", function(t)
    local uri, content = t:at("a_file"), {}
    local file = t:fine(t.p:new_writable_file(uri))
    for _, n in ipairs { 1, 0, 7, 4096, 0, 4097, 65536, 3 } do
      content[#content + 1] = ("x"):rep(n)
      t:code("OK", file:append(content[#content]))
      t:equal(#table.concat(content), t:code("OK", file:tell()).value)
    end
    t:code("OK", file:close())
    file:cleanup_writable()
    t:yes(t:look(uri) == table.concat(content), "the content differs")
  end)

  case("tell.counts_from_the_start_of_the_file", "tell", function(t)
    local file = t:fine(t.p:new_appendable_file(t:file("a_file", "test")))
    t:equal(4, t:code("OK", file:tell()).value)
    t:code("OK", file:append("ing"))
    t:equal(7, t:code("OK", file:tell()).value)
    t:code("OK", file:close())
    file:cleanup_writable()
  end)

  -- TensorFlow closes no file that its user drops.
  case("cleanup.without_close_keeps_what_was_written", "new_writable_file", function(t)
    local uri = t:at("a_file")
    for _, verb in ipairs { "new_writable_file", "new_appendable_file" } do
      local file = t:fine(t.p[verb](t.p, uri))
      t:fine(file:append("test"))
      file:cleanup_writable()
    end
    t:equal("testtest", t:look(uri))
  end)

  -- No host promises to stop its user. A call after close ends well, without a crash, and either
  -- fails and changes nothing, or does what it says.
  case("close.ends_the_file", "close", function(t)
    local uri = t:at("a_file")
    local file = t:fine(t.p:new_writable_file(uri))
    t:fine(file:append("test"))
    t:code("OK", file:close())
    local added = file:append("more").code == "OK"
    local expected = added and "testmore" or "test"
    file:flush()
    file:sync()
    local told = file:tell()
    t:equal(told.code == "OK" and #expected or -1, told.value, "tell")
    file:cleanup_writable()
    t:equal(expected, t:look(uri), added and "after an append that gave OK"
      or "after an append that failed")
  end)
end

-- Descriptors ------------------------------------------------------------------------------

local function descriptors(case)
  case("cleanup.without_close_leaves_no_descriptor", "new_writable_file", function(t)
    for _, verb in ipairs { "new_writable_file", "new_appendable_file" } do
      keeps_descriptors(t, function()
        local file = t:fine(t.p[verb](t.p, t:at("a_file")))
        t:fine(file:append("test"))
        file:cleanup_writable()
      end)
    end
  end)

  case("cleanup.after_close_leaves_no_descriptor", "close", function(t)
    keeps_descriptors(t, function()
      t:content(t:file("a_file", "test"))
    end)
  end)

  case("cleanup.of_regions_leaves_no_descriptor", mapping, function(t)
    local uri = t:file("a_file", "test")
    keeps_descriptors(t, function()
      t:fine(t.p:new_read_only_memory_region_from_file(uri)):cleanup_region()
    end)
  end)

  case("failures.leave_no_descriptor", "new_random_access_file", function(t)
    local file, dir = t:file("a_file"), t:directory("a_dir")
    keeps_descriptors(t, function()
      for _, uri in ipairs { file .. "/below", dir, t:at("none/below") } do
        t.p:new_random_access_file(uri)
        t.p:new_writable_file(uri)
        t.p:new_appendable_file(uri)
        t.p:stat(uri .. "/below")
      end
    end)
  end)

  case("failed_regions.leave_no_descriptor", mapping, function(t)
    local empty, dir = t:file("a_file"), t:directory("a_dir")
    keeps_descriptors(t, function()
      t:code("INVALID_ARGUMENT", t.p:new_read_only_memory_region_from_file(empty))
      t:code("FAILED_PRECONDITION", t.p:new_read_only_memory_region_from_file(dir))
    end)
  end)

  for _, verb in ipairs { "new_random_access_file", "new_writable_file", "new_appendable_file" } do
    case(verb .. ".closes_on_exec", verb, function(t)
      local uri = t:file("a_file", "test")
      local _, before = t.runner.descriptors()
      local _, file = t.p[verb](t.p, uri)
      local _, loose = t.runner.descriptors()
      t:equal(before, loose, "descriptors that exec keeps")
      if verb == "new_random_access_file" then
        file:cleanup_file()
      else
        file:cleanup_writable()
      end
    end)
  end

  case("copy_file.closes_on_exec", "copy_file", function(t)
    t:need_shim()
    local src = t:file("src", "test")
    t.runner.arm("all", "EIO", 1, 0)
    t:code("OK", t.p:copy_file(src, t:at("dst")))
    t:code("OK", t.p:copy_file(src, t:at("dst")))
    local _, _, loose = t.runner.counts("all")
    t:equal(0, loose, "files opened without O_CLOEXEC")
  end)
end

local function regions(case)
  case("region.answers_the_same", mapping, function(t)
    local content = ("0123456789abcde\n"):rep(1000)
    local uri = t:file("a_file", content)
    local region = t:fine(t.p:new_read_only_memory_region_from_file(uri))
    for _ = 1, 3 do
      local answer = region:bytes()
      t:equal(#content, answer.length)
      t:yes(answer.bytes == content, "the content differs")
    end
    region:cleanup_region()
  end)
end

return function(case)
  for _, part in ipairs { reading, writing, descriptors, regions } do
    part(case)
  end
end
