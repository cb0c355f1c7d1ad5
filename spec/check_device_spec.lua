-- The conformance runner of devices: good plugins pass, of every layout; what a plugin has not is
-- refused.
local build = require "spec.fixtures.build"
local check = require "modfs.check"
local contains = require "spec.support.contains"
local gallery = require "spec.check.gallery"
local shelved = require "spec.support.shelved"
local verdict = require "spec.support.verdict"

local folder = (os.getenv "BUILD" or "build") .. "/modfs/plugins/"
local shelf, put = shelved(function() return gallery.binary "device" end)

local function passes(file, options)
  options = options or {}
  options.file = file
  local report = check.run(options)
  assert.equal("", verdict.failures(report))
  assert.is_true(report.ok)
  return report
end

describe("check passes", function()
  it("the reference device, and nothing is refused", function()
    local report = passes(folder .. "reference.so", { strict = 6 })
    assert.is_true(report.passed >= 130, report.passed .. " passed")
    assert.is_true(report.assertions >= 50000, report.assertions .. " assertions")
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

-- At level 1, whose cases call each slot of each layout.
describe("check passes frozen plugins of layout", function()
  local layouts = { { "rfc", "", refused = 1 }, { "rfc", "-DSTORE", refused = 1 },
    { "merged", "", refused = 1 }, { "a", "", refused = 0 }, { "b", "-DDIVIDE", refused = 0 },
    { "c", "", refused = 0 }, { "c", "-DUNTOUCHED -DDIVIDE -DGROW", refused = 0 },
    { "a", "-DBARE", refused = 6 } }

  for i, layout in ipairs(layouts) do
    it(("%s %s"):format(layout[1], layout[2]), function()
      local one = "spec/fixtures/abi/device_"
      local sources = table.concat({ one .. layout[1] .. ".c", one .. layout[1] .. ".h",
        one .. "common.h", one .. "body.h", one .. "shipped.h" }, " ")
      local file = build.compile(("tested_device_%d.so"):format(i), sources,
        { flags = layout[2] .. " '-DNAME=\"FROZEN\"'" })
      local report = passes(shelf:put(file, "frozen" .. i), { strict = 1 })
      assert.equal(layout.refused, report.refused)
      assert.equal(34, report.passed + report.refused)
    end)
  end
end)

describe("random schedules", function()
  local function assess(name, seed)
    return check.run { file = put(name), strict = 6, only = "^device%.random", seed = seed }
  end

  local function is_short(script)
    return select(2, script:gsub("\n", "")) < 30
  end

  local function are_short(failed)
    for _, result in ipairs(failed) do
      if not is_short(result.script) then
        return false
      end
    end
    return #failed > 0
  end

  it("pass on good plugins, whatever the seed", function()
    for seed = 1, 3 do
      local report = assess("good", seed)
      assert.equal("", verdict.failures(report))
      assert.is_true(report.assertions > 1000)
    end
  end)

  for name, words in pairs { ["depend.nothing"] = ":wait(s[", ["event.wait.nothing"] = ":wait(e[",
    ["htod.early"] = ":copy(m[", ["dtod.swapped"] = ":copy(m[",
    ["callback.twice"] = ":callback(function() end)",
    ["done.nothing"] = ":synchronize()" } do
    it("catch " .. name .. " and shrink it to a few steps", function()
      local failed
      local seed = 0
      repeat -- what depends on time goes wrong now and then only, with few steps, too
        seed = seed + 1
        failed = verdict.failed(assess(name, seed))
      until are_short(failed) or seed == 8
      assert.is_true(#failed > 0)
      for _, result in ipairs(failed) do
        contains(result.script, words)
        assert.is_truthy((loadstring or load)(result.script))
        assert.is_true(is_short(result.script), result.script)
      end
    end)
  end

  it("are the same for the same seed, and others for another", function()
    local schedule = require "modfs.check.device_random"
    assert.same(schedule.sequence(7, 50), schedule.sequence(7, 50))
    assert.are_not.same(schedule.sequence(7, 50), schedule.sequence(8, 50))
  end)
end)

describe("the model", function()
  local model = require "modfs.check.device_model"

  local function values(self, read)
    self:settle()
    local list = {}
    for value in pairs(self:allowed(read)) do
      list[#list + 1] = value
    end
    table.sort(list)
    return list
  end

  it("allows the last write of the same stream, and no other", function()
    local self = model.new(2, 1)
    self:write(1, 1, 7)
    self:write(1, 1, 8)
    assert.same({ 8 }, values(self, self:read(1, 1)))
  end)

  it("allows either of two streams without order, and the later one with it", function()
    local self = model.new(2, 1)
    self:write(1, 1, 7)
    self:write(2, 1, 8)
    assert.same({ 7, 8 }, values(self, self:read(2, 1)))
    self:follow(1, 2)
    self:write(1, 1, 9)
    assert.same({ 9 }, values(self, self:read(1, 1)))
  end)

  it("knows the record that was there when a stream began to wait", function()
    local self = model.new(2, 1)
    self:write(1, 1, 7)
    self:record(1, 1)
    self:wait(2, 1)
    self:write(1, 1, 8)
    assert.same({ 7, 8 }, values(self, self:read(2, 1)))
  end)

  it("follows values through copies", function()
    local self = model.new(2, 2)
    self:write(1, 1, 7)
    self:copy(2, 2, 1)
    assert.same({ 0, 7 }, values(self, self:read(2, 2)))
    self:see_all()
    assert.same({ 0, 7 }, values(self, self:read(0, 2)))
  end)
end)

describe("check sees through", function()
  -- Its platform and its devices' descriptions are there: what is said of them holds.
  it("an executor that does nothing: none of its slots passes", function()
    local report = check.run { file = put "hollow", seconds = 5 }
    assert.is_false(report.ok)
    for _, result in ipairs(report.results) do
      local about_platform = result.name == "load" or result.name:find "^device%.tables%."
        or result.name:find "%.0[1-5]%." or result.name:find "%.3[23]%."
      assert.is_true(result.verdict ~= "passed" or about_platform ~= nil, result.name)
    end
  end)

  it("a platform without devices: nothing to test", function()
    local report = check.run { file = put "hollow.empty" }
    assert.is_false(report.tested)
    assert.is_false(report.ok)
  end)
end)

describe("check chooses", function()
  it("by platform, and tests nothing under another name", function()
    local options = { file = folder .. "reference.so", platform = "REFERENCE",
      only = "^device.upstream.07" }
    local report = check.run(options)
    assert.equal(2, report.passed)
    options.platform = "ANOTHER"
    report = check.run(options)
    assert.is_false(report.tested)
  end)
end)
