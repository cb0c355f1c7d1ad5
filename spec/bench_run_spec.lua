-- That the bench runs, tells what is missed, and writes what it is told to; times are not held to
-- anything.
local shell = require "spec.support.shell"

local sanitized = (os.getenv "LD_PRELOAD" or ""):find "san"

local function lua(...)
  return shell.run("lua5.4", ...)
end

local function content(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

describe("the bench", function()
  if _VERSION ~= "Lua 5.4" then
    pending("runs: it is for Lua 5.4")
    return
  elseif sanitized then
    pending("runs: its C modules are built without the sanitizer")
    return
  end

  local place

  setup(function()
    place = shell.output "mktemp -d"
  end)

  teardown(function()
    shell.run("rm -rf", place)
  end)

  it("prints each section, its aims and their sum", function()
    local status, out, err = lua("bench/run.lua", "--short", "files", "trees", "records", "async")
    assert.equal(0, status, out .. err)
    for _, title in ipairs { "files", "trees, per file", "without waiting" } do
      assert.truthy(out:find("| " .. title .. " |", 1, true), title)
    end
    local total = tonumber(out:match "\n(%d+) aims in all, %d+ missed[^\n]*\n")
    local _, at_least = out:gsub("| ≥ ", "")
    assert.equal(at_least, total)
    assert.truthy(total > 80)
  end)

  it("measures only the cases that are named", function()
    local status, out = lua("bench/run.lua", "--short", "files", "--", "exists")
    assert.equal(0, status)
    assert.truthy(out:find("| exists |", 1, true))
    assert.falsy(out:find("| stat |", 1, true))
  end)

  it("writes figures, charts, and tables between their marks", function()
    local docs = place .. "/docs.md"
    local file = assert(io.open(docs, "w"))
    assert(file:write "before\n<!-- bench:async -->\nold\n<!-- bench -->\nafter\n")
    assert(file:close())
    local status, out, err = lua("bench/run.lua", "--short", "--json", place .. "/figures.json",
      "--svg", place, "--docs", docs, "async")
    assert.equal(0, status, out .. err)
    assert.truthy(content(place .. "/async.svg"):find "^<svg .*</svg>\n$")
    local figures = content(place .. "/figures.json")
    assert.truthy(figures:find('"section":"async"', 1, true), figures)
    local text = content(docs)
    assert.truthy(text:find "^before\n<!%-%- bench:async %-%->\n\n| without waiting |", text)
    assert.truthy(text:find "\n\n<!%-%- bench %-%->\nafter\n$", text)
    assert.falsy(text:find("old", 1, true))
  end)

  it("by --check prints what is missed, and fails for that alone", function()
    local status, out = lua("bench/run.lua", "--check", "--short", "async")
    local missed = tonumber(out:match "(%d+) missed[^\n]*\n$")
    local _, lines = out:gsub("\n", "")
    assert.equal(missed > 0 and 1 or 0, status)
    assert.equal(missed + 1, lines)
  end)

  it("refuses an option that it does not know", function()
    local status, _, err = lua("bench/run.lua", "--fast")
    assert.equal(2, status)
    assert.truthy(err:find("unknown option --fast", 1, true))
  end)

  it("holds archives against other programs, by CPU time and on the wall", function()
    if not (shell.has "zip" and shell.has "unzip" and shell.has "bsdtar" and shell.has "zstd") then
      pending "zip, unzip, bsdtar or zstd is not installed"
      return
    end
    local status, out, err = lua("bench/run.lua", "--short", "archives", "--", "large, tar.gz",
      "small, zip")
    assert.equal(0, status, out .. err)
    for _, name in ipairs { "extract large, tar.gz", "create large, tar.gz", "create small" } do
      assert.truthy(out:find("| " .. name, 1, true), out)
    end
    assert.truthy(out:find("| extract small, zip | modfs | unzip | ≥ 3.00, wall |", 1, true), out)
  end)

  it("of growth tells for each topic what grows", function()
    local status, out, err = lua("bench/growth.lua", "--short", "--svg", place, "records", "depth")
    assert.equal(0, status, out .. err)
    assert.truthy(out:find("dearest / cheapest, from 100 | **", 1, true), out)
    assert.truthy(out:find "\n| by that of C | %d", out)
    assert.truthy(content(place .. "/growth-depth.svg"):find "polyline")
  end)
end)
