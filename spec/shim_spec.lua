-- The library that `modfs check` preloads into its children: what it says of faults made on
-- purpose, and that it says nothing of what is right.
local build = require "spec.fixtures.build"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local library = (os.getenv "BUILD" or "build") .. "/modfs/shim.so"
local program, place

setup(function()
  program = build.compile("probe", "spec/fixtures/shim src/check/shim/shim.h",
    { program = true, flags = "-Isrc -pthread -fno-builtin" })
  place = tmpdir.new()
end)

teardown(function()
  tmpdir.remove(place)
end)

-- What the program prints for these words.
local function probe(...)
  local words = { shell.quote(program) }
  for i, word in ipairs { ... } do
    words[i + 1] = shell.quote(word)
  end
  local _, text = shell.run(("LD_PRELOAD=%s %s"):format(shell.quote(shell.output("realpath",
    library)), table.concat(words, " ")))
  return (text:gsub("\n$", ""))
end

describe("the shim", function()
  if sanitized then
    pending "a sanitizer stands in its place"
    return
  end

  it("is not there where it is not preloaded", function()
    local _, text = shell.run("LD_PRELOAD= " .. shell.quote(program))
    assert.equal("no shim\n", text)
  end)

  it("says nothing of what is right", function()
    assert.equal("nothing", probe "right")
  end)

  for what, words in pairs { twice = "a block was freed twice",
    interior = "free of an address inside a block",
    foreign = "free of an address that malloc never gave",
    resized = "free of an address that malloc never gave",
    overrun = "a block was written to beyond its end",
    ["overrun.alive"] = "a block was written to beyond its end",
    late = "a block was written to after it was freed" } do
    it("names the fault " .. what, function()
      assert.equal(words, (probe(what):gsub(" %(0x%x+%)$", "")))
    end)
  end

  it("knows the blocks that were made inside, and where they begin", function()
    assert.equal("2 1 1 1 0 nothing", probe "blocks")
  end)

  it("lets one allocation fail, and only inside", function()
    assert.equal("11101 1 1", probe "shortage")
  end)

  it("is malloc with all of its family", function()
    assert.equal("0 0 testtestte 0 1 1 100000 nothing", probe "family")
  end)

  it("counts system calls, and lets them fail or do less", function()
    local expected = { "7 7 -1 1 7 1 3 1", "3 3 4", "0 0 1", "-1 -1", "1 0", "7 0" }
    assert.equal(table.concat(expected, "\n"), probe("calls", place .. "/file"))
  end)

  it("holds under threads", function()
    assert.equal("0 nothing", probe "threads")
  end)

  it("lets a child allocate that was forked while other threads allocate", function()
    assert.equal("0 of 200 nothing", probe "forks")
  end)
end)
