-- The conformance runner of threads and storage: each mutant is caught by the case that is meant
-- for it, which the plugin that it was made from passes, and fails of the others called without a
-- host only those that the table names. spec/check_mutants_spec.lua has the mutants of levels 1 to
-- 3.
local batch = require "spec.check.batch"
local check = require "modfs.check"
local gallery = require "spec.check.gallery"
local shell = require "spec.support.shell"

local shelf

setup(function()
  shelf = gallery.shelf()
end)

teardown(function()
  shelf:remove()
end)

-- What one case says of a row's plugin, or of the unmutated one; nil without the shim.
local function assess(row, name)
  local one = { kind = row.kind, name = name, case = row.case }
  local file, folder = shelf:put(one)
  local report = check.run { file = file, only = row.case, root = gallery.root(one, folder),
    seconds = row.seconds or 10 }
  for _, result in ipairs(report.results) do
    if result.name == row.case then
      local unable = report.without_shim and (result.why or ""):find "shim"
      return not unable and result or nil
    end
  end
  error("no result for " .. row.case)
end

describe("check catches the fault", function()
  local rows = gallery.part(true)
  local following, controls = nil, {}

  -- What the plugin fails at levels 1 to 3; a row at a time, in their order.
  local function besides()
    following = following or gallery.assess(rows, shelf, gallery.half)
    return (batch.failed(following()))
  end

  -- Threads that meet by chance meet in one of a few runs.
  local function assess_often(row)
    local left = row.case:find "^concurrency%." and 5 or 1
    local found
    repeat
      found = assess(row, row.name)
      left = left - 1
    until not found or found.verdict == "failed" or left == 0
    return found
  end

  for _, row in ipairs(rows) do
    it(("%s (%s) by %s"):format(row.name, row.kind, row.case), function()
      local failed, found = besides(), assess_often(row)
      if not found then
        pending("a checker of memory stands where the shim would")
      end
      assert.equal("failed", found.verdict, found.why)
      local key = row.kind .. row.case
      controls[key] = controls[key] or assess(row, "good")
      assert.equal("passed", controls[key].verdict, controls[key].why)
      if not batch.sanitized and math.maxinteger then
        assert.same(gallery.also(row), failed, "`make mutants-table` writes the table anew")
      end
    end)
  end
end)

describe("the report", function()
  if batch.sanitized then
    pending "modfs that was built for a sanitizer does not run without it"
    return
  end

  local memory = (os.getenv "BUILD" or "build") .. "/modfs/plugins/mem.so"

  -- What modfs check prints when LD_PRELOAD is that.
  local function printed(preload, only)
    local call = ("os.exit(require('modfs.check').main{%q, '--only', '%s'})"):format(memory, only)
    local _, text = shell.run(("eval \"$(scripts/env.sh %s)\"; LD_PRELOAD=%s %s -e %s"):format(
      shell.quote(os.getenv "BUILD" or "build"), preload, os.getenv "LUA" or "lua5.4",
      shell.quote(call)))
    return text
  end

  it("says when memory and system calls are not watched", function()
    local words = "memory and system calls are not watched: a checker of memory stands there"
    local text = printed("/none/vgpreload.so", "raw.lists.lose_nothing")
    assert.is_truthy(text:find(words, 1, true), text)
    assert.is_truthy(text:find("1 refused", 1, true), text)
    text = printed("''", "raw.lists.lose_nothing")
    assert.is_nil(text:find(words, 1, true), text)
    assert.is_truthy(text:find("2 passed", 1, true), text)
  end)

  it("gives advice about statuses, which is no failure", function()
    local text = printed("''", "raw.statuses.say_what_happened")
    assert.is_truthy(text:find("advice", 1, true), text)
    assert.is_truthy(text:find("2 passed", 1, true), text)
  end)
end)
