-- `modfs check` remembers which cases have failed, and says with its exit status whether it could
-- judge at all.
local check = require "modfs.check"
local contains = require "spec.support.contains"
local gallery = require "spec.check.gallery"
local shell = require "spec.support.shell"
local shelved = require "spec.support.shelved"
local tmpdir = require "spec.support.tmpdir"

local modfs = (os.getenv "BUILD" or "build") .. "/bin/modfs"
local mem = (os.getenv "BUILD" or "build") .. "/modfs/plugins/mem.so"
local shelf, put = shelved(function() return gallery.binary "memory" end)
local state

before_each(function()
  state = shelf.folder .. "/state"
end)

after_each(function()
  os.remove(state)
end)

local function names(report)
  local list = {}
  for i, result in ipairs(report.results) do
    list[i] = result.name
  end
  return list
end

local function run(file, options)
  options.file, options.state = file, state
  return check.run(options)
end

local failing = "upstream.087.TestGetFileSizeDirectory"

describe("check --since-failure", function()
  it("runs the cases that failed, and all again when they pass", function()
    local broken = put "size.directory"
    run(broken, { only = "^upstream%.08" })
    local report = run(broken, { since_failure = true })
    assert.same({ "load", failing }, names(report))
    assert.is_true(report.since_failure)
    assert.is_false(report.ok)
    -- A good plugin in the same place.
    tmpdir.write(state, (tmpdir.content(state):gsub("size%.directory", "good")))
    report = run(put "good", { since_failure = true })
    assert.same({ "load", failing }, names(report))
    assert.is_true(report.ok)
    report = run(shelf:path "good", { since_failure = true, only = "^upstream%.08[67]" })
    assert.equal(3, #report.results)
    assert.is_falsy(report.since_failure)
  end)

  it("keeps the failures of cases that were not run meanwhile", function()
    local broken = put "size.directory"
    run(broken, { only = "^upstream%.08" })
    run(broken, { only = "upstream.001.TestTranslateName" })
    assert.same({ "load", failing }, names(run(broken, { since_failure = true })))
    assert.same({ "load" }, names(run(broken, { since_failure = true, only = "upstream.001" })))
  end)

  it("runs both cases of an operation that is UNIMPLEMENTED in one of them", function()
    local failures = require "modfs.check.failures"
    local found = { name = "consistent.stat", verdict = "failed",
      needs = { "upstream.077.TestStatNonEmptyFile", "trees.deletes_once" } }
    assert.truthy(failures.write(state, { file = "/x.so", results = { found } }))
    assert.same({ "upstream.077.TestStatNonEmptyFile", "trees.deletes_once" },
      failures.read(state, "/x.so"))
  end)

  it("ignores entries for another plugin, and for cases that no longer exist", function()
    tmpdir.write(state, "/other.so\n" .. failing .. "\n")
    assert.equal(3, #run(mem, { since_failure = true, only = "^upstream%.08[67]" }).results)
    tmpdir.write(state, shell.output("realpath", mem) .. "\nupstream.000.None\n")
    assert.equal(3, #run(mem, { since_failure = true, only = "^upstream%.08[67]" }).results)
  end)

  it("has a file for each plugin below XDG_STATE_HOME, unless one is named", function()
    local home = tmpdir.new()
    local broken = put "size.directory"
    local words = { "check", broken, "--only", "upstream.086", "--only", failing, "--tap" }
    local function command(variable, ...)
      local _, text = shell.run(("XDG_STATE_HOME=%s %s"):format(shell.quote(variable), modfs), ...)
      return text
    end
    command(home, (table.unpack or unpack)(words))
    local file = shell.output("ls " .. home .. "/modfs/check/*")
    assert.is_truthy(file:find "/size%.directory%.so%-%x%x%x%x%x%x%x%x$", file)
    assert.equal(broken .. "\n" .. failing .. "\n", tmpdir.content(file))
    contains(command(home, "check", broken, "--since-failure", "--tap"), "1..2\n")
    contains(command(home, "check", broken, "--since-failure"),
      "only the cases that failed when it was last checked")
    command("/dev/null", "check", broken, "--only", failing, "--state", state)
    assert.equal(broken .. "\n" .. failing .. "\n", tmpdir.content(state))
    tmpdir.remove(home)
  end)

  it("ends with 1 when the file that is named cannot be written, and only then", function()
    local case = " check --only upstream.001 "
    local status, _, errors = shell.run(modfs .. case .. mem .. " --state /dev/null/x")
    assert.equal(1, status)
    contains(errors, "modfs: check: ")
    status, _, errors = shell.run("XDG_STATE_HOME=/dev/null " .. modfs .. case .. mem)
    assert.same({ 0, "" }, { status, errors })
  end)
end)

describe("check ends with 1 when it could test nothing:", function()
  local function nothing(words, reason)
    local status, text = shell.run(("XDG_STATE_HOME=%s %s check %s"):format(
      shell.quote(shelf.folder), modfs, words))
    assert.equal(1, status, text)
    contains(text, "nothing to test: " .. reason)
  end

  it("no case has such a name", function()
    nothing(mem .. " --only no.such.case", "no case has such a name")
  end)

  it("every case is refused", function()
    nothing(mem .. " --only raw.sync.reaches_the_storage", "the plugin implements no operation")
  end)

  it("only loading was asked for", function()
    nothing(mem .. " --strict 0", "the plugin implements no operation")
  end)

  it("the plugin implements nothing, or not what is asked for", function()
    nothing(put "hollow", "the plugin is read-only, and get_children is")
    nothing(mem .. " --platform NONE", "the plugin has nothing of that name")
  end)
end)
