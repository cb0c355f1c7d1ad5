-- Where a conformance case runs: a filesystem and a fresh root directory in it.
local assert = require "luassert"
local modfs = require "modfs"

return function(place)
  local here = { modfs = modfs }
  local clean

  function here.open()
    here.fs, here.root, clean = place()
    assert.is_true(here.fs:create_dir(here.root))
  end

  function here.close()
    here.fs:delete_recursively(here.root)
    clean()
  end

  -- The URI of a path below the root.
  function here.at(relative)
    return here.root .. "/" .. relative
  end

  -- Makes a file with that content and returns its URI.
  function here.file(relative, content)
    local uri = here.at(relative)
    local writable = assert(here.fs:new_writable_file(uri))
    assert.equal(writable, writable:write(content or ""))
    assert.is_true(writable:close())
    return uri
  end

  -- Makes a directory and returns its URI.
  function here.directory(relative)
    local uri = here.at(relative)
    assert.is_true(here.fs:create_dir(uri))
    return uri
  end

  function here.content(uri)
    local file = assert(here.fs:new_random_access_file(uri))
    local content = file:read("a")
    file:close()
    return content
  end

  function here.exists(uri)
    local found, message, code = here.fs:path_exists(uri)
    assert(found or code == "NOT_FOUND", message)
    return found == true
  end

  return here
end
