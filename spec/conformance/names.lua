local assert = require "luassert"
local fails = require "spec.support.fails"

-- Makes, finds, lists and deletes a file and a directory of that name.
local function lives(here, name)
  local uri = here.file(name, "content of it")
  assert.is_true(here.fs:path_exists(uri), "path_exists")
  assert.equal("content of it", here.content(uri))
  assert.same({ name }, here.fs:get_children(here.root))
  assert.is_true(here.fs:delete_file(uri))
  here.directory(name)
  assert.same({ name }, here.fs:get_children(here.root))
  assert.is_true(here.fs:delete_dir(uri))
  assert.same({}, here.fs:get_children(here.root))
end

return function(it)
  it("takes every byte but NUL and the slash in a name", function(here)
    for value = 1, 255 do
      local byte = string.char(value)
      if byte ~= "/" then
        lives(here, "a" .. byte .. "b")
        if byte ~= "." then
          lives(here, byte)
        end
      end
    end
  end)

  it("takes names that look like something else", function(here)
    for _, name in ipairs { "...", "..a", ".hidden", " ", "a b", "-rf", "~", "a:b", "C:", "a://b",
      "%2e%2e", "%00", "a\\b", "[x]", "*", "?", "file:", "mem:", "#", "a?b#c", "\226\130\172" } do
      if not name:find "/" then
        lives(here, name)
      end
    end
  end)

  it("takes 255 bytes in a name and refuses 256", function(here)
    lives(here, ("n"):rep(255))
    local uri = here.at(("n"):rep(256))
    fails("INVALID_ARGUMENT", here.fs:new_writable_file(uri))
    fails("INVALID_ARGUMENT", here.fs:create_dir(uri))
    fails("INVALID_ARGUMENT", here.fs:path_exists(uri))
    assert.same({}, here.fs:get_children(here.root))
  end)

  it("refuses an embedded NUL and touches nothing", function(here)
    local uri = here.file("a_file", "test")
    for _, bad in ipairs { uri .. "\0", uri .. "\0.txt", "\0" .. uri, here.at "a\0_file" } do
      fails("INVALID_ARGUMENT", here.fs:new_writable_file(bad))
      fails("INVALID_ARGUMENT", here.fs:delete_file(bad))
      fails("INVALID_ARGUMENT", here.fs:create_dir(bad))
      fails("INVALID_ARGUMENT", here.fs:path_exists(bad))
      fails("INVALID_ARGUMENT", here.fs:rename_file(uri, bad))
    end
    assert.equal("test", here.content(uri))
    assert.same({ "a_file" }, here.fs:get_children(here.root))
  end)

  it("keeps control characters and endless paths out of messages", function(here)
    local message = fails("NOT_FOUND", here.fs:stat(here.at "a\n\27[31mb\127"))
    assert.is_truthy(message:find("[31mb", 1, true), message)
    fails("NOT_FOUND", here.fs:stat(here.at((("n"):rep(200) .. "/"):rep(40))))
  end)

  it("cleans paths by their text", function(here)
    local uri = here.file("a_file", "test")
    here.directory "a_dir"
    for _, other in ipairs { "./a_file", ".//a_file", "a_dir/../a_file", "none/../a_file" } do
      assert.equal("test", here.content(here.at(other)))
    end
    assert.equal("test", here.content(uri))
  end)
end
