-- The conformance runner is sharp: one mutant for each case fails it, and the good plugin passes
-- every case in each of its forms. What a case finds by itself is found in one child; the rest
-- takes all of `modfs check`, as do the mutants that are more for the same case: `make gallery`.
local gallery = require "spec.check.gallery"
local sanitized = require "spec.support.sanitized"
local verdict = require "spec.support.verdict"

local shelf

setup(function()
  shelf = gallery.shelf()
end)

teardown(function()
  shelf:remove()
end)

-- Why a mutant cannot be caught by this very run, or nil.
local function cannot_catch(row)
  if row.name == "read.offset.63" and not math.maxinteger then
    return "this Lua has no integers of 64 bits"
  end
  if sanitized and row.name == "append.after.close" then
    return "a sanitizer sees no writes of a plugin that was built without it"
  end
end

describe("the conformance runner catches", function()
  local controls = {}

  -- Cases of levels 4 and 5 are not among those that the good plugin's forms are put to below.
  local function assert_good_passes(row)
    local key = row.kind .. (row.base or "") .. row.case
    controls[key] = controls[key] or gallery.try(row, shelf, true)
    assert.equal("passed", controls[key].verdict, controls[key].why)
  end

  for _, row in ipairs(gallery.sample()) do
    it(("%s (%s) by %s"):format(row.name, row.kind, row.case), function()
      local unable, result = cannot_catch(row), nil
      -- Where other programs have the processors, threads do not always meet.
      local tries = unable and 0 or row.case:find "^concurrency%." and 5 or 1
      for _ = 1, tries do
        result = gallery.try(row, shelf)
        if result and result.verdict == "failed" then
          break
        end
      end
      if not unable and not (result and result.verdict == "failed") then
        result, unable = gallery.assess(row, shelf)
      end
      if unable then
        pending(unable)
      end
      assert.equal("failed", result.verdict, result.why)
      assert.is_truthy(result.why:find "%S")
      if row.case:find "^concurrency%." or row.case:find "^durability%." then
        assert_good_passes(row)
      end
    end)
  end
end)

-- The way in which most mutants above are tried.
describe("one case in a child of its own passes", function()
  local good = { { kind = "memory" }, { kind = "file" }, { kind = "mem" },
    { kind = "edit", base = "memory", edits = {} }, { kind = "edit", base = "posix", edits = {} } }
  for _, row in ipairs(good) do
    for _, case in ipairs { "upstream.002.TestCreateFile", "state.append.shows_at_every_size" } do
      it(("the good plugin: %s of %s %s"):format(case, row.kind, row.base or ""), function()
        row.name, row.case = row.base or "good", case
        local result = gallery.try(row, shelf, true)
        assert.equal("passed", result.verdict, result.why)
      end)
    end
  end
end)

describe("the conformance runner passes", function()
  it("nothing where a child does not run all its cases", function()
    local crashing = { kind = "memory", name = "crash.in.rename.file", halves = "hosted" }
    assert.error_matches(function() gallery.pass(crashing, shelf) end,
      "the hosted child ran %d+ of %d+ cases and ended in upstream%.052")
  end)

  for _, form in ipairs(gallery.forms()) do
    it(("%s (%s) below %s://%s"):format(form.name, form.kind, form.scheme or form.name,
      form.root or ""), function()
      local results = gallery.pass(form, shelf)
      assert.equal("", verdict.failures { results = results })
      assert.is_true(#results > 180, #results .. " results")
    end)
  end
end)

describe("the mutants", function()
  it("are at least 100, one for each class of bugs", function()
    local missing, found = {}, {}
    local rows, classes = gallery.rows(), require "spec.check.classes"
    assert.is_true(#rows >= 100)
    for _, row in ipairs(rows) do
      found[row.class or 0] = true
    end
    assert.equal(36, #classes)
    for number, words in ipairs(classes) do
      if not found[number] then
        missing[#missing + 1] = ("%d: %s"):format(number, words)
      end
    end
    assert.same({}, missing)
  end)
end)
