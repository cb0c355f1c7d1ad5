-- How many directories an operation on a deep and narrow tree opens. Those that are begun ahead of
-- files would be closed meanwhile, and opened again by all names from the root: 10 to 27 times
-- each.
local modfs = require "modfs"
local over_posix = require "spec.support.over_posix"
local tmpdir = require "spec.support.tmpdir"

local DEPTH = 300
local shelf, root

setup(function()
  shelf = over_posix("opens", "spec/fixtures/opens/opens.c")
  root = tmpdir.new()
  local path = root .. "/src"
  for _ = 1, DEPTH do
    assert(modfs.makedirs(path))
    for i = 1, 3 do
      assert(modfs.write(path .. "/" .. i, "content"))
    end
    path = path .. "/d"
  end
end)
teardown(function()
  tmpdir.remove(root)
  shelf:remove()
end)

local function opened()
  return assert(modfs.space("opens://" .. root)).available
end

-- In each directory on each side: it is opened on the way down, and again on the way back.
local function each(threads, verb, dst)
  local before, options = opened(), { threads = threads }
  local counts = assert(modfs[verb]("opens://" .. root .. "/src", dst or options, options))
  assert.equal(3 * DEPTH, counts.kept or counts.files)
  return (opened() - before) / DEPTH
end

describe("a deep and narrow tree", function()
  for _, threads in ipairs { 1, 2, 4 } do
    it(("is worked on with few openings, threads = %d"):format(threads), function()
      local dst = "opens://" .. root .. "/dst"
      for _, verb in ipairs { "copytree", "sync" } do
        local openings = each(threads, verb, dst)
        assert.is_true(openings > 2 and openings < 5, openings)
      end
      local openings = each(threads, "du")
      assert.is_true(openings > 1 and openings < 2.5, openings)
      assert(modfs.rmtree(dst, { threads = threads }))
    end)
  end
end)
