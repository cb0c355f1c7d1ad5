-- The conformance runner of devices held to account: each mutant of the reference device is caught
-- by the case that is meant for it, and no crashing plugin ends the host.
local check = require "modfs.check"
local contains = require "spec.support.contains"
local gallery = require "spec.check.gallery"
local sanitized = require "spec.support.sanitized"
local shelved = require "spec.support.shelved"
local single = require "spec.check.single"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"

local _, put = shelved(function() return gallery.binary "device" end)

describe("check catches the mutant", function()
  local control

  local cases = {}
  for _, case in ipairs(require "modfs.check.device_cases") do
    cases[case.name] = case
  end

  -- The result of a case in a child of its own; where only loading or the whole run tells, that of
  -- `modfs check`. Threads that meet by chance meet in one of a few runs.
  local function assess(name, case)
    for _ = 1, not cases[case] and 0 or case:find "^device%.threads%." and 5 or 1 do
      local result = single { file = put(name), case = cases[case], seconds = 5 }
      if result.verdict == "failed" then
        return result
      end
    end
    local report = check.run { file = put(name), only = case, seconds = 5 }
    assert.is_false(report.ok)
    return verdict.of(report, case)
  end

  for _, row in ipairs(require "spec.check.device_mutants") do
    local name, case = row[1], row[2]
    it(name .. " by " .. case, function()
      if row.needs and not tmpdir.content(row.needs) then
        pending("there is no " .. row.needs)
        return
      end
      if sanitized and (case:find "^device%.heap%." or case:find "^device%.overlaps%.") then
        pending "a sanitizer's allocator does not count its bytes, nor stop a call"
        return
      end
      assert.equal("failed", assess(name, case).verdict)
      control = control or check.run { file = put "good" }
      assert.equal("passed", verdict.of(control, case).verdict, "the control")
    end)
  end
end)

describe("check lets pass, with all its locks,", function()
  for _, name in ipairs { "good.listed", "good.pooled", "good.cached" } do
    it(name, function()
      local report = check.run { file = put(name), only = "^device%.overlaps%." }
      assert.equal(0, report.failed, report.failed > 0 and verdict.failures(report) or nil)
      assert.is_true(sanitized or report.ok)
    end)
  end
end)

-- A sanitizer tells of a crash in its own way.

it("a good device passes a case in a child of its own: the control", function()
  for _, case in ipairs(require "modfs.check.device_cases") do
    if case.name == "device.upstream.07.Allocate" then
      local result = single { file = put "good", case = case }
      assert.equal("passed", result.verdict, result.why)
      return
    end
  end
  error "no such case"
end)

describe("check outlives", function()
  for _, row in ipairs(require "spec.check.device_crashing") do
    local name, case, words = row[1], row[2], row[3]
    it(name, function()
      local report = check.run { file = put(name), only = case,
        seconds = words == "hangs" and 1 or 10 }
      local result = verdict.of(report, case)
      assert.equal("failed", result.verdict)
      contains(result.why, sanitized and "" or words)
      assert.is_false(report.ok)
    end)
  end
end)
