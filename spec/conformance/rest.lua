local assert = require "luassert"
local fails = require "spec.support.fails"

local values = { int = "number", real = "number", buffer = "string" }

local function check_option(option)
  assert.is_string(option.name)
  assert.is_not_nil(values[option.type], "type of " .. option.name)
  if type(option.value) ~= "table" then
    assert.equal(values[option.type], type(option.value))
  end
end

return function(it)
  it("tells modification times in nanoseconds that go on", function(here)
    local before = os.time()
    local uri = here.file("a_file", "test")
    local first = here.fs:stat(uri)
    assert.is_true(first.mtime >= before - 2 and first.mtime <= os.time() + 2)
    assert.is_true(math.abs(first.mtime_nsec / 1e9 - first.mtime) < 1e-3)
    local writable = assert(here.fs:new_appendable_file(uri))
    local later
    repeat
      writable:write "x"
      writable:flush()
      later = here.fs:stat(uri).mtime_nsec
    until later ~= first.mtime_nsec or os.time() > before + 5
    assert.is_true(later > first.mtime_nsec)
    assert.is_true(writable:close())
  end)

  it("gives bare names without dots", function(here)
    here.directory "a_dir"
    here.file "a_dir/a_file"
    for _, name in ipairs(here.fs:get_children(here.root)) do
      assert.is_nil(name:find "/")
      assert.is_true(name ~= "." and name ~= "..")
    end
  end)

  it("flushes caches", function(here)
    assert.is_true(here.fs:flush_caches())
  end)

  it("lists its options, finds each by name, and keeps them when set as they are", function(here)
    local options = assert(here.fs:get_filesystem_configuration())
    local keys = assert(here.fs:get_filesystem_configuration_keys())
    assert.is_true(#options > 0)
    assert.equal(#options, #keys)
    for i, option in ipairs(options) do
      check_option(option)
      assert.equal(option.name, keys[i])
      assert.same(option, here.fs:get_filesystem_configuration_option(option.name))
      assert.is_true(here.fs:set_filesystem_configuration_option(option))
    end
    assert.is_true(here.fs:set_filesystem_configuration(options))
    assert.same(options, here.fs:get_filesystem_configuration())
  end)

  it("knows no option of a foreign name", function(here)
    fails("NOT_FOUND", here.fs:get_filesystem_configuration_option "no such option")
    local unknown = { name = "no such option", type = "int", value = 1 }
    fails("NOT_FOUND", here.fs:set_filesystem_configuration_option(unknown))
    fails("NOT_FOUND", here.fs:set_filesystem_configuration { unknown })
  end)

  it("describes a failure with operation and path", function(here)
    local message = fails("NOT_FOUND", here.fs:new_random_access_file(here.at "none"))
    assert.is_truthy(message:match "^NOT_FOUND: %S+ ")
    assert.is_truthy(message:find(here.at "none", 1, true))
  end)
end
