-- What the bench counts exactly is held here; times are not.
local shell = require "spec.support.shell"

local build = os.getenv "BUILD" or "build"
local sanitized = (os.getenv "LD_PRELOAD" or ""):find "san"

local function count(...)
  local library = shell.output("realpath", build .. "/bench/malloc_count.so")
  return shell.run("LD_PRELOAD=" .. shell.quote(library) .. " lua5.4 bench/allocations.lua", ...)
end

describe("a pread of 4 KiB", function()
  if _VERSION ~= "Lua 5.4" then
    pending("takes nothing from the heap but its string: the bench is for Lua 5.4")
    return
  elseif sanitized then
    pending("takes nothing from the heap but its string: a sanitizer's heap cannot be counted")
    return
  end

  it("takes nothing from the heap but its string", function()
    local status, out, err = count()
    assert.equal(0, status, out .. err)
    assert.truthy(out:find("posix: ", 1, true) and out:find("mem: ", 1, true))
  end)

  it("would be found to take more: io.read does", function()
    local status, out = count("io")
    assert.equal(1, status, out)
    assert.truthy(out:find("MORE", 1, true))
  end)
end)
