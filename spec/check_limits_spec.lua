-- The limits of time that `modfs check` sets its children, and how it runs several at a time.
local check = require "modfs.check"
local gallery = require "spec.check.gallery"
local shell = require "spec.support.shell"
local shelved = require "spec.support.shelved"
local verdict = require "spec.support.verdict"
local watch = require "modfs.check.watch"

local mem = (os.getenv "BUILD" or "build") .. "/modfs/plugins/mem.so"
local _, put = shelved(function() return gallery.binary "memory" end)

-- A child that is watched for 100 seconds, of which it runs, waits for a processor, or sleeps such
-- shares; the verdict on it, and after how many seconds.
local function watched(running, waiting)
  local now = 0
  local watching = watch.new { clock = function() return now end,
    times = function() return now * running, now * waiting end }
  local child = { seconds = 10, results = "none" }
  watching:begin(child)
  for second = 1, 100 do
    now = second
    local why = watching:verdict(child)
    if why then
      return why, second
    end
  end
end

describe("the limit of time of a child", function()
  it("is CPU time", function()
    assert.same({ "hangs: killed after 10 s of CPU time", 10 }, { watched(1, 0) })
    assert.same({ "hangs: killed after 10 s of CPU time", 40 }, { watched(0.25, 0.75) })
  end)

  it("does not count how long it waits for a processor", function()
    assert.is_nil(watched(0.05, 0.95))
    assert.is_nil(watched(0.09, 0.4))
  end)

  it("is six times as long for one that sleeps", function()
    assert.same({ "hangs: killed after it was asleep for 60 s", 60 }, { watched(0, 0) })
    assert.same({ "hangs: killed after it was asleep for 60 s", 61 }, { watched(0.001, 0) })
  end)

  it("is no higher than that of the system, nor are its other limits", function()
    local _, output = shell.run(("setpriv --bounding-set=-sys_resource sh -c "
      .. "'ulimit -Hn 200 -Hf 1000000; %s bin/modfs check %s --only upstream.001'"):format(
      os.getenv "LUA" or "lua5.4", mem))
    assert.is_truthy(output:find(" passed, 0 failed", 1, true), output)
  end)

  it("is kept for a loop, and for a deadlock", function()
    local report = check.run { file = put "loop.in.path.exists", seconds = 1,
      only = "upstream.069.TestFileExists" }
    assert.equal("hangs: killed after 1 s of CPU time",
      verdict.of(report, "upstream.069.TestFileExists").why)
    report = check.run { file = put "deadlock.in.delete.file", seconds = 1,
      only = "upstream.034.TestDeleteFile" }
    assert.equal("hangs: killed after it was asleep for 6 s",
      verdict.of(report, "upstream.034.TestDeleteFile").why)
  end)

  it("is one second for a slot in which another case hung; after three its cases are left out",
    function()
      local report = check.run { file = put "loop.in.path.exists", seconds = 2,
        jobs = 1, only = { "FileExists", "upstream.077" } }
      local first = "upstream.069.TestFileExists"
      assert.equal("hangs: killed after 2 s of CPU time", verdict.of(report, first).why)
      for _, name in ipairs { "upstream.070.TestFileExistsButIsDirectory",
        "upstream.071.TestFileExistsNotFound" } do
        local result = verdict.of(report, name)
        assert.equal("failed", result.verdict)
        assert.equal("hangs in path_exists, as in " .. first .. ": killed after 1 s", result.why)
      end
      local left = verdict.of(report, "upstream.072.TestFileExistsPathIsInvalid")
      assert.equal("refused", left.verdict)
      assert.equal("not run: path_exists hung in 3 cases, first in " .. first, left.why)
      assert.equal("passed", verdict.of(report, "upstream.077.TestStatNonEmptyFile").verdict)
    end)
end)

describe("check --jobs", function()
  local function names(jobs)
    local report = check.run { file = mem, only = { "^upstream%.0[12]", "^raw%.lists" },
      jobs = jobs }
    assert.equal("", verdict.failures(report))
    local list = {}
    for i, result in ipairs(report.results) do
      list[i] = result.name .. " " .. result.verdict
    end
    return list
  end

  it("does not change the order of results", function()
    local one_by_one = names(1)
    assert.is_true(#one_by_one > 20)
    assert.same(one_by_one, names(5))
  end)

  -- Each of these sleeps for six seconds; one after the other they would take four times as long.
  it("has that many children at a time", function()
    local began = os.time()
    local report = check.run { file = put "deadlock.in.delete.file", seconds = 1,
      jobs = 4, only = { "upstream.034", "upstream.035", "upstream.036", "upstream.038" } }
    assert.is_true(report.failed >= 3, verdict.failures(report))
    assert.is_true(os.time() - began < 15)
  end)

  it("is the number of processors, unless it is given", function()
    assert.equal(tonumber(shell.output "nproc"), require("modfs.runner").processors())
  end)
end)

describe("check", function()
  it("leaves no child behind when it is interrupted", function()
    local file = put "deadlock.in.rename.file"
    local count = 0
    local fine, problem = pcall(check.run, { file = file, only = "^upstream%.0[56]", jobs = 3,
      seconds = 1, progress = function()
        count = count + 1
        if count == 4 then
          error("stopped", 0)
        end
      end })
    assert.same({ false, "stopped" }, { fine, problem })
    local _, left = shell.run
      "LD_PRELOAD= grep -las '[d]eadlock.in.rename.file' /proc/[0-9]*/cmdline | wc -l"
    assert.equal("0", (left:gsub("%s", "")))
  end)

  it("takes several names and patterns, of which a whole name stands for its case alone", function()
    local report = check.run { file = mem, strict = 1,
      only = { "upstream.022.TestCreateDir", "upstream%.00[12]", "random.sequence_1" } }
    local list = {}
    for i, result in ipairs(report.results) do
      list[i] = result.name
    end
    assert.same({ "load", "upstream.001.TestTranslateName", "upstream.002.TestCreateFile",
      "upstream.022.TestCreateDir", "random.sequence_1" }, list)
  end)
end)
