-- The conformance runner is sharp: each mutant is caught by the case that is meant for it and fails
-- no others but those that the table names; the good plugin passes everything in each of its forms.
local batch = require "spec.check.batch"
local gallery = require "spec.check.gallery"
local report = require "spec.check.report"
local tmpdir = require "spec.support.tmpdir"

local shelf

setup(function()
  shelf = gallery.shelf()
end)

teardown(function()
  shelf:remove()
end)

-- Why a mutant cannot be caught on this very run, or nil.
local function cannot_catch(row, results)
  if row.name == "read.offset.63" and not math.maxinteger then
    return "this Lua has no integers of 64 bits"
  end
  if batch.sanitized and row.name == "append.after.close" then
    return "a checker of memory sees no writes of a plugin that was built without it"
  end
  for _, result in ipairs(results) do
    if batch.sanitized and result.name == row.case and result.verdict == "refused" then
      return "a checker of memory stands where the shim would"
    end
  end
end

describe("the conformance runner catches", function()
  local rows = gallery.part(false) -- spec/check_faults_spec.lua has the others
  local assess

  for _, row in ipairs(rows) do
    it(("%s (%s) by %s"):format(row.name, row.kind, row.case), function()
      assess = assess or gallery.assess(rows, shelf, gallery.half)
      local results = assess()
      local failed, reasons = batch.failed(results)
      local unable = cannot_catch(row, results)
      if unable then
        pending(unable)
      end
      assert.is_truthy(reasons[row.case], "not caught; failed: " .. table.concat(failed, " "))
      assert.is_truthy(reasons[row.case]:find(row.why or "", 1, true), reasons[row.case])
      if not batch.sanitized and math.maxinteger then
        assert.same(gallery.also(row), gallery.others(failed, row.case),
          "`make mutants-table` writes the table anew")
      end
    end)
  end
end)

describe("the conformance runner passes", function()
  local rows = gallery.forms()
  local assess

  for _, row in ipairs(rows) do
    it(("%s below %s://%s"):format(row.name, row.scheme or row.name, row.root or ""), function()
      assess = assess or gallery.assess(rows, shelf, gallery.half)
      local results = assess()
      local failed, reasons = batch.failed(results)
      assert.same({}, failed, reasons[failed[1]])
      assert.is_true(#results > 180)
    end)
  end
end)

describe("the table", function()
  it("is current", function()
    assert.equal(report.text(), tmpdir.content(report.file), "run make mutants-table")
  end)

  it("has at least 100 mutants", function()
    assert.is_true(#gallery.rows() >= 100)
  end)

  it("has a mutant for each class of bugs", function()
    local missing, found = {}, {}
    for _, row in ipairs(gallery.rows()) do
      found[row.class or 0] = true
    end
    assert.equal(36, #gallery.classes)
    for number, words in ipairs(gallery.classes) do
      if not found[number] then
        missing[#missing + 1] = ("%d: %s"):format(number, words)
      end
    end
    assert.same({}, missing)
  end)
end)
