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

describe("the counts of the bench", function()
  if _VERSION ~= "Lua 5.4" or sanitized then
    pending("tell what one operation takes: for Lua 5.4, and without a sanitizer")
    return
  end

  local place

  setup(function()
    place = shell.output "mktemp -d"
    shell.run(("cd %s && head -c 16777216 /dev/zero >file && touch whole lines sparse"):format(
      place))
  end)

  teardown(function()
    shell.run("rm -r", place)
  end)

  it("are of one operation", function()
    local rows = require "bench.counts".rows({ here = ".", build = build, disk = place },
      { { "read 4096 B", 200, "C", "modfs" } })
    local c, ours = rows[1], rows[2]
    assert.same({ 0, 0 }, { c.blocks, c.bytes })
    assert.same({ 1, 24 + 4096 + 1 }, { ours.blocks, ours.bytes })
    if ours.calls then
      assert.equal(1, c.calls)
      assert.truthy(ours.calls >= 1 and ours.calls < 1.2, ours.calls)
    end
    if shell.has "valgrind" then
      assert.truthy(c.instructions > 0 and c.instructions < 200, c.instructions)
      assert.truthy(ours.instructions > 1000 and ours.instructions < 10000, ours.instructions)
    end
  end)
end)
