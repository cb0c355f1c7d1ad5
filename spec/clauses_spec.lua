-- docs/clauses.md is what `make clauses` prints; that takes a minute, so this holds it to the
-- headers' slots and to the names of the cases alone.
local tmpdir = require "spec.support.tmpdir"

local text = assert(tmpdir.content "docs/clauses.md")

local known = {}
for _, list in ipairs { "cases", "device_cases" } do
  for _, case in ipairs(require("modfs.check." .. list)) do
    known[case.name] = true
  end
end

describe("the table of clauses", function()
  it("has a row for each slot of the headers", function()
    for _, list in ipairs { "contract", "device_contract" } do
      for slot in pairs(require("modfs.check." .. list)) do
        assert.truthy(text:find(("| `%s` | OK |"):format(slot), 1, true), slot)
      end
    end
  end)

  it("names cases that exist", function()
    local count = 0
    for cells in text:gmatch "\n| `[%w_]+` | [^|]+ | ([^\n]+) |" do
      for name in cells:gmatch "`([^`]+)`" do
        assert.truthy(known[name] or name:find "^consistent%.", name)
        count = count + 1
      end
    end
    assert.is_true(count > 200, "names: " .. count)
  end)

  it("lists every empty row once more", function()
    local _, empty = text:gsub("%*%*none%*%*", "")
    local listed = 0
    for number in text:gmatch "Empty rows: (%d+)" do
      listed = listed + tonumber(number)
    end
    assert.equal(empty, listed)
  end)
end)
