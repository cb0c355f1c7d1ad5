-- The judge of failing system calls, threads, storage and large files: each mutant is caught by the
-- case that is meant for it, and the plugins that they were made from pass.
local build = require "spec.fixtures.build"
local check = require "modfs.check"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local sources = { file = "plugins/posix", mem = "plugins/memory" }
local binaries, shelves, place = {}, {}, nil

setup(function()
  for base, folder in pairs(sources) do
    binaries[base] = build.compile("faulty." .. base .. ".so", folder .. " spec/check/faulty",
      { flags = "-DTF_InitPlugin=base_init_plugin -Dmodfs_extension=base_extension -pthread "
        .. ([[-DBASE='"%s"']]):format(base) })
    shelves[base] = build.shelf()
  end
  place = tmpdir.new()
end)

teardown(function()
  for _, shelf in pairs(shelves) do
    shelf:remove()
  end
  tmpdir.remove(place)
end)

local function judge(base, name, only, strict, seconds)
  return check.run { file = shelves[base]:put(binaries[base], name), only = only, strict = strict,
    root = base == "file" and ("%s://%s"):format(name, place) or nil, seconds = seconds or 10 }
end

local function find(report, name)
  for _, result in ipairs(report.results) do
    if result.name == name then
      return result
    end
  end
  error("no result for " .. name)
end

describe("check catches the fault", function()
  local controls = {}

  for _, row in ipairs(require "spec.check.faulty") do
    local base, name, case = row[1], row[2], row[3]
    it(("%s (%s) by %s"):format(name, base, case), function()
      local report = judge(base, name, case, nil, row.seconds)
      local found = find(report, case)
      if report.without_shim and (found.why or ""):find "shim" then
        pending("a checker of memory stands where the shim would")
        return
      end
      assert.equal("failed", found.verdict, found.why)
      controls[base] = controls[base] or judge(base, "good", nil, 5)
      local control = find(controls[base], case)
      assert.equal("passed", control.verdict, control.why)
    end)
  end

  it("and the good ones pass everything", function()
    for _, report in pairs(controls) do
      for _, result in ipairs(report.results) do
        assert.are_not.equal("failed", result.verdict, result.name .. ": " .. (result.why or ""))
      end
    end
  end)
end)

describe("the faults", function()
  it("stand for the classes of bugs that need files, failing calls or threads", function()
    local found = {}
    for _, row in ipairs(require "spec.check.faulty") do
      found[row.class or 0] = true
    end
    for class in pairs(require("spec.check.gallery").awaiting) do
      assert.is_true(found[class], "class " .. class)
    end
  end)
end)

describe("the report", function()
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
