-- What our own plugins promise beyond the contract, and what the host settles before it calls one:
-- cases in the form of the conformance runner's, run in this process only.
local assert = require "luassert"
local fails = require "spec.support.fails"

local function opened(t, content)
  return assert(t.raw:new_random_access_file(t:file("a_file", content)))
end

local function reading(case)
  case("knows the size of an open file", function(t)
    for _, size in ipairs { 0, 76800 } do
      local file = opened(t, ("x"):rep(size))
      assert.equal(size, file:size())
      file:close()
    end
  end)

  case("refuses a negative offset and a negative count", function(t)
    local file = opened(t, "test")
    fails("INVALID_ARGUMENT", file:pread(-1, 1))
    fails("INVALID_ARGUMENT", file:pread(0, -1))
    assert.equal("test", file:pread(0, 4))
    file:close()
  end)

  case("keeps an open file readable after its deletion and under another name", function(t)
    local file = opened(t, "test")
    assert.is_true(t.raw:delete_file(t:at "a_file"))
    assert.equal("test", file:pread(0, 4))
    file:close()
    file = opened(t, "test")
    assert.is_true(t.raw:rename_file(t:at "a_file", t:at "dst"))
    assert.equal("test", file:pread(0, 4))
    file:close()
  end)

  case("raises on use of a closed file and on a second close", function(t)
    local file = opened(t, "test")
    assert.is_true(file:close())
    assert.error_matches(function() file:pread(0, 1) end, "closed")
    assert.error_matches(function() file:close() end, "closed")
  end)
end

local function writing(case)
  case("shows a file before it is closed", function(t)
    local writable = assert(t.raw:new_writable_file(t:at "a_file"))
    assert.is_true(t.raw:path_exists(t:at "a_file"))
    assert.is_true(writable:close())
  end)

  case("raises on use of a closed writable file and on a second close", function(t)
    local writable = assert(t.raw:new_writable_file(t:at "a_file"))
    assert.is_true(writable:close())
    for _, method in ipairs { "write", "tell", "flush", "sync", "close" } do
      assert.error_matches(function() writable[method](writable, "x") end, "closed")
    end
    assert.equal("", t:content(t:at "a_file"))
  end)
end

local function names(case)
  case("refuses 256 bytes in a name", function(t)
    local uri = t:at(("n"):rep(256))
    fails("INVALID_ARGUMENT", t.raw:new_writable_file(uri))
    fails("INVALID_ARGUMENT", t.raw:create_dir(uri))
    fails("INVALID_ARGUMENT", t.raw:path_exists(uri))
    assert.same({}, t.raw:get_children(t.root))
  end)

  case("refuses an embedded NUL and touches nothing", function(t)
    local uri = t:file("a_file", "test")
    for _, bad in ipairs { uri .. "\0", uri .. "\0.txt", "\0" .. uri, t:at "a\0_file" } do
      fails("INVALID_ARGUMENT", t.raw:new_writable_file(bad))
      fails("INVALID_ARGUMENT", t.raw:delete_file(bad))
      fails("INVALID_ARGUMENT", t.raw:create_dir(bad))
      fails("INVALID_ARGUMENT", t.raw:path_exists(bad))
      fails("INVALID_ARGUMENT", t.raw:rename_file(uri, bad))
    end
    assert.equal("test", t:content(uri))
    assert.same({ "a_file" }, t.raw:get_children(t.root))
  end)

  case("keeps control characters and endless paths out of messages", function(t)
    local message = fails("NOT_FOUND", t.raw:stat(t:at "a\n\27[31mb\127"))
    assert.is_truthy(message:find("[31mb", 1, true), message)
    fails("NOT_FOUND", t.raw:stat(t:at((("n"):rep(200) .. "/"):rep(40))))
  end)

  case("describes a failure with operation and path", function(t)
    local message = fails("NOT_FOUND", t.raw:new_random_access_file(t:at "none"))
    assert.is_truthy(message:match "^NOT_FOUND: %S+ ")
    assert.is_truthy(message:find(t:at "none", 1, true))
  end)

  case("survives a pattern in the host part", function(t)
    if t.scheme ~= "" then
      local found, message, code = t.raw:get_matching_paths(t.scheme .. "://*")
      assert.is_true(type(found) == "table" or fails(code, found, message, code) ~= nil)
    end
  end)
end

local function replacing(case)
  for _, verb in ipairs { "rename_file", "copy_file" } do
    case(verb .. " onto itself keeps the times", function(t)
      local src = t:file("src", "test")
      local before = t.raw:stat(src)
      assert.is_true(t.raw[verb](t.raw, src, src))
      assert.is_true(t.raw[verb](t.raw, src, t:at ".//src"))
      assert.same(before, t.raw:stat(src))
    end)

    case(verb .. " leaves an open reader of the target its content", function(t)
      local dst = t:file("dst", "old")
      local file = assert(t.raw:new_random_access_file(dst))
      assert.is_true(t.raw[verb](t.raw, t:file("src", "new"), dst))
      assert.equal("old", file:pread(0, 10))
      file:close()
      assert.equal("new", t:content(dst))
    end)
  end
end

local function rest(case)
  case("tells modification times in nanoseconds that go on", function(t)
    local before = os.time()
    local uri = t:file("a_file", "test")
    local first = t.raw:stat(uri)
    assert.is_true(first.mtime >= before - 2 and first.mtime <= os.time() + 2)
    assert.is_true(math.abs(first.mtime_nsec / 1e9 - first.mtime) < 1e-3)
    local writable = assert(t.raw:new_appendable_file(uri))
    local later
    repeat
      writable:write "x"
      writable:flush()
      later = t.raw:stat(uri).mtime_nsec
    until later ~= first.mtime_nsec or os.time() > before + 5
    assert.is_true(later > first.mtime_nsec)
    assert.is_true(writable:close())
  end)

  case("has options, and a key for each", function(t)
    local options = assert(t.raw:get_filesystem_configuration())
    local keys = assert(t.raw:get_filesystem_configuration_keys())
    assert.is_true(#options > 0)
    assert.equal(#options, #keys)
    for i, option in ipairs(options) do
      assert.equal(option.name, keys[i])
    end
  end)
end

return function(case)
  reading(case)
  writing(case)
  names(case)
  replacing(case)
  rest(case)
end
