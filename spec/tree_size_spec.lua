-- Directories of any width and trees of any depth: memory and descriptors stay small.
-- MODFS_TREE_FILES (as `make trees` sets it) takes the full sizes, a million and 20,000.
local child = require "spec.support.child"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local full = os.getenv "MODFS_TREE_FILES" ~= nil
local root

before_each(function()
  root = tmpdir.large()
end)
after_each(function()
  tmpdir.remove(root)
end)

-- Runs a scene of spec/children/tree_sizes.lua, which prints what it measures.
local function run(scene, count, options)
  options = options or { seconds = 300 }
  options.arguments = { root, count, scene }
  local status, out, err = child("spec/children/tree_sizes.lua", options)
  assert.equal(0, status, out .. err)
  if full then
    io.stderr:write("  ", out)
  end
end

describe("a wide directory", function()
  if sanitized then
    pending "a sanitizer keeps what is freed, and its size is not the program's"
    return
  end

  it("is iterated in less than 4 MB, on disk", function()
    local count = full and 1000000 or 50000
    shell.output(("cd %s && seq 1 %d | xargs touch"):format(shell.quote(root), count))
    run("wide_on_disk", count)
  end)

  it("is iterated in less than 4 MB, in memory", function()
    run("wide_in_memory", full and 1000000 or 100000)
  end)

  it("is measured, copied and deleted without a list of it", function()
    local count = full and 200000 or 20000
    shell.output(("mkdir %s/src && cd %s/src && seq 1 %d | xargs touch"):format(root, root, count))
    run("operations", count)
  end)
end)

describe("a deep tree", function()
  for _, scheme in ipairs { "on_disk", "in_memory" } do
    it("is worked on with few descriptors, " .. scheme:gsub("_", " "), function()
      run("deep_" .. scheme, full and 20000 or 1500,
        { descriptors = 24, seconds = 1200 })
    end)
  end

  it("costs as much for each level, however deep it is, on disk", function()
    run("levels", full and 20000 or 8000)
  end)
end)
