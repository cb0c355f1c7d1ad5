-- Plugins that cannot write before `modfs check`: one like tar, one like http and the example are
-- tested by what they have; each fault of the first is caught by the case that is meant for it.
local build = require "spec.fixtures.build"
local check = require "modfs.check"
local contains = require "spec.support.contains"
local faults = require "spec.check.readonly"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local verdict = require "spec.support.verdict"

local shelf, samples
local source = "spec/fixtures/readonly/"

-- A copy that the loader trusts.
local function put(name, file, as)
  return shelf:put(build.compile(name .. ".so", file), as or name)
end

local function archive(fault)
  return put("archive", source .. "archive.c", "archive." .. fault)
end

local function remote()
  return put("remote", source .. "remote.c")
end

setup(function()
  shelf = build.shelf()
  samples = { "remote://host/data.bin", "remote://host/data.bin?part=2", "remote://host/empty",
    "remote://other/stream" }
end)

teardown(function()
  shelf:remove()
end)

-- Tests, and asserts that nothing failed and that much was looked at.
local function passes(options, least)
  local report = check.run(options)
  assert.equal("", verdict.failures(report))
  assert.is_true(report.ok)
  assert.is_true(report.passed >= (sanitized and least / 2 or least), report.passed .. " passed")
  return report
end

describe("a plugin that cannot write is tested by what it has:", function()
  it("one like tar, whose directories are listed", function()
    local report = passes({ file = archive(0) }, 190)
    assert.is_true(report.reads_only)
    assert.equal("7 files and 4 directories", report.found)
    for _, name in ipairs { "get_children", "stat", "path_exists", "get_matching_paths",
      "new_read_only_memory_region_from_file", "delete_file", "rename_file" } do
      assert.equal("passed", report.operations[name].verdict, name)
    end
  end)

  it("one like http, whose files have to be named", function()
    local report = passes({ file = remote(), samples = samples }, 100)
    assert.equal("4 files and 0 directories", report.found)
    assert.equal("refused", report.operations.get_children.verdict)
  end)

  it("the example, whose tables are nearly empty", function()
    local report = passes({ file = put("hello", "examples/plugin/hello.c") }, 130)
    assert.equal("3 files and 1 directory", report.found)
  end)

  it("from a root that is given", function()
    local report = check.run { file = archive(0), root = "archive:///docs",
      only = "^existing.list" }
    assert.equal("", verdict.failures(report))
    assert.equal("3 files and 2 directories", report.found)
  end)

  it("by samples alone", function()
    local report = check.run { file = archive(0), samples = { "/docs/read.me", "docs/deep" },
      only = "^existing.read" }
    assert.equal("", verdict.failures(report))
    assert.equal("3 files and 1 directory", report.found)
  end)
end)

describe("there is nothing to test", function()
  it("where nothing is listed or named", function()
    local report = check.run { file = remote() }
    assert.is_false(report.tested)
    assert.is_false(report.ok)
    contains(report.nothing, "--sample")
    contains(require "modfs.check.report_text" (report), "nothing to test: the plugin is "
      .. "read-only, and get_children is UNIMPLEMENTED")
  end)

  it("where the root cannot be listed", function()
    local report = check.run { file = archive(0), root = "archive:///none" }
    assert.is_false(report.tested)
    contains(report.nothing, "NOT_FOUND")
  end)

  it("where a sample is missing, which is a failure", function()
    local report = check.run { file = remote(), samples = { "remote://host/none" } }
    assert.is_false(report.ok)
    contains(verdict.of(report, "existing.survey").why, "the sample: NOT_FOUND")
  end)
end)

describe("a plugin that writes", function()
  local plugins = (os.getenv "BUILD" or "build") .. "/modfs/plugins/"
  local file = plugins .. "posix.so"

  it("is also tested by its samples, which stay as they are", function()
    local path = shelf:write("kept.txt", "what is here stays\n")
    local report = check.run { file = file, samples = { path }, only = "^existing.re" }
    assert.equal("", verdict.failures(report))
    assert.is_false(report.reads_only)
    assert.is_true(report.passed > 15, report.passed .. " passed")
    contains(verdict.of(report, "existing.refuses.delete_file").why, "the plugin can write")
    assert.equal("what is here stays\n", require("modfs").read(path))
  end)

  it("is tested by samples below the root itself", function()
    local report = check.run { file = plugins .. "mem.so", root = "mem:///", only = "upstream.09" }
    assert.equal("", verdict.failures(report))
    assert.is_true(report.passed > 9)
  end)

  it("is tested as before without samples", function()
    local report = check.run { file = file, strict = 1, only = "^existing" }
    assert.is_nil(report.found)
    assert.equal(1, #report.results)
  end)
end)

describe("check catches the fault of a reader:", function()
  it("at least 20 of them", function()
    assert.is_true(#faults >= 20)
  end)

  for number, row in ipairs(faults) do
    local words, case = row[1], "existing." .. row[2]
    it(words, function()
      local unable = sanitized and (case:find "memory" or case:find "blocks")
      if unable then
        pending "a checker of memory stands where the shim would"
      end
      local report = check.run { file = archive(number), only = case }
      -- A heap that the plugin spoils may end the survey, before any case is put to it.
      local survey = verdict.of(report, "existing.survey")
      local crashed = survey.verdict == "failed" and survey.why:find "^crashes: SIG"
      assert.equal("failed", (crashed and survey or verdict.of(report, case)).verdict)
      assert.is_false(report.ok)
    end)
  end
end)

describe("modfs check of a plugin that cannot write", function()
  local command = (os.getenv "LUA" or "lua5.4") .. " bin/modfs check "

  it("says what it was tested by, and how to repeat a case", function()
    local path = archive(23)
    local status, out, err = shell.run(command .. shell.quote(path)
      .. " --root archive:/// --only existing.get_file_size")
    assert.equal(1, status, err)
    contains(out, "read-only; tested with existing data: 7 files and 4 directories\n")
    contains(out, "--root archive:/// --only existing.get_file_size.refuses_directories\n")
    assert.equal("", err)
  end)

  it("takes samples, more than one", function()
    local words = {}
    for _, sample in ipairs(samples) do
      words[#words + 1] = "--sample " .. shell.quote(sample)
    end
    local status, out, err = shell.run(("%s%s %s --only existing.read"):format(command,
      shell.quote(remote()), table.concat(words, " ")))
    assert.equal(0, status, out .. err)
    contains(out, "4 files and 0 directories")
  end)

  it("ends with 1 where nothing could be tested", function()
    local status, out = shell.run(command .. shell.quote(remote()))
    assert.equal(1, status)
    contains(out, "nothing to test: ")
  end)
end)

describe("the cases about existing files", function()
  it("are joined by those that need no file", function()
    local count = 0
    for _, case in ipairs(require "modfs.check.existing_cases") do
      count = count + (case.existing and 0 or 1)
    end
    assert.equal(11, count)
  end)
end)
