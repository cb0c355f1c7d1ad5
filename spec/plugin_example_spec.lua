-- docs/writing-a-plugin.md does what it says: its first command builds the example, its Lua runs.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local check = require "modfs.check"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"

local guide = assert(tmpdir.content "docs/writing-a-plugin.md")
local source = "examples/plugin/hello.c"

-- The blocks of a language, in their order.
local function blocks(language)
  local found = {}
  for block in guide:gmatch("```" .. language .. "\n(.-)```") do
    found[#found + 1] = block
  end
  return found
end

describe("the example of a plugin", function()
  local place

  setup(function()
    place = build.shelf()
    local command = blocks("sh")[1]:gsub("%-o hello%.so", "-o " .. place:path "hello")
    command = command:gsub("build/stub/%S+", build.stub)
    shell.output("umask 022; " .. command:gsub("^cc ", "cc -Wall -Wextra -Wpedantic -Werror "))
  end)

  teardown(function()
    place:remove()
  end)

  it("has the build line that the guide has", function()
    local function words(text)
      return (text:gsub("[%s\\*]+", " "))
    end
    local line = words(blocks("sh")[1]):gsub(" $", "")
    assert.is_truthy(words(assert(tmpdir.content(source))):find(line, 1, true))
  end)

  it("includes nothing but modfs's headers and the C library's", function()
    for header in assert(tmpdir.content(source)):gmatch "#include ([^\n]+)" do
      assert.is_truthy(header:find '^"modfs/' or header == "<stdlib.h>" or header == "<string.h>")
    end
  end)

  it("exports what the guide says", function()
    local symbols = shell.output("nm -D --defined-only", place:path "hello")
    local names = {}
    for name in symbols:gmatch " T (%S+)" do
      names[#names + 1] = name
    end
    table.sort(names)
    assert.same({ "TF_InitPlugin", "modfs_extension" }, names)
  end)

  it("does what the guide shows", function()
    local lua = blocks "lua"
    assert.equal(3, #lua)
    for _, block in ipairs(lua) do
      local status, _, err = child(block, { cwd = place.folder })
      assert.equal(0, status, err)
    end
  end)

  it("keeps the contract in its corners", function()
    local status, _, err = child("spec/children/hello.lua", { cwd = place.folder })
    assert.equal(0, status, err)
  end)

  it("fails no case of the check, by what it has", function()
    local report = check.run { file = place:path "hello" }
    assert.equal("", verdict.failures(report))
    assert.is_true(report.ok)
    assert.is_true(report.passed >= 90, report.passed .. " passed")
  end)

  it("can be linked to a stub made as the guide says", function()
    local stub = place.folder .. "/stub"
    shell.output("mkdir", stub)
    shell.output("cd " .. shell.quote(stub) .. " && " .. blocks("sh")[2])
    local dynamic = shell.output("readelf -d", stub .. "/libtensorflow_framework.so.2")
    assert.is_truthy(dynamic:find("soname: [libtensorflow_framework.so.2]", 1, true))
    assert.is_nil(dynamic:find "NEEDED")
  end)
end)
