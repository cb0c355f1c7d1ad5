-- The judge of devices: good plugins pass, of every layout; what a plugin has not is refused.
local build = require "spec.fixtures.build"
local check = require "modfs.check"

local folder = (os.getenv "BUILD" or "build") .. "/modfs/plugins/"
local shelf

setup(function()
  shelf = build.shelf()
end)

teardown(function()
  shelf:remove()
end)

-- The results that failed, one a line.
local function failures(report)
  local lines = {}
  for _, result in ipairs(report.results) do
    if result.verdict == "failed" then
      lines[#lines + 1] = ("%s: %s"):format(result.name, result.why)
    end
  end
  return table.concat(lines, "\n")
end

local function passes(file, options)
  options = options or {}
  options.file = file
  local report = check.run(options)
  assert.equal("", failures(report))
  assert.is_true(report.ok)
  return report
end

describe("check passes", function()
  it("the reference device, and nothing is refused", function()
    local report = passes(folder .. "reference.so")
    assert.equal("REFERENCE", report.platform)
    assert.equal(0, report.refused)
    assert.equal("passed", report.operations.memcpy_dtoh.verdict)
  end)

  it("the null device, without timers and unified memory", function()
    local report = passes(folder .. "null.so")
    assert.equal("missing", report.operations.create_timer.source)
    assert.equal("refused", report.operations.create_timer.verdict)
    assert.equal("default", report.operations.memcpy_dtod.source)
    assert.equal("refused", report.operations.memcpy_dtod.verdict)
  end)
end)

describe("check chooses", function()
  it("by platform, and judges nothing under another name", function()
    local options = { file = folder .. "reference.so", platform = "REFERENCE",
      only = "^device.upstream.07" }
    local report = check.run(options)
    assert.equal(2, report.passed)
    options.platform = "ANOTHER"
    report = check.run(options)
    assert.is_false(report.judged)
  end)
end)

describe("the cases about devices", function()
  it("have names of their own, and all 33 of upstream are there", function()
    local seen, count = {}, 0
    for _, case in ipairs(require "modfs.check.device_cases") do
      assert.is_nil(seen[case.name], case.name)
      seen[case.name] = true
      count = count + (case.name:find "^device%.upstream%.%d%d%.%u" and 1 or 0)
    end
    assert.equal(33, count)
  end)

  it("quote the contract in its own words, and are about slots that it has", function()
    local file = assert(io.open("include/modfs/stream_executor.h"))
    local header = file:read("*a"):gsub("%s*\n%s*%*?%s*", " "):gsub("%s+", " ")
    file:close()
    local contract = require "modfs.check.device_contract"
    for name, words in pairs(contract) do
      assert.is_truthy(header:find(words.does, 1, true), name)
      assert.is_truthy(not words.errors or header:find(words.errors, 1, true), name)
      assert.is_truthy(header:find("(*" .. name .. ")(", 1, true), name)
    end
    for _, case in ipairs(require "modfs.check.device_cases") do
      assert.is_table(contract[case.operation], case.name)
    end
  end)
end)
