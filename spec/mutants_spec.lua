-- How `make mutants` tries one build: cases in one process, which the good plugins pass.
local batch = require "scripts.mutants.batch"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"

local build = shell.output "pwd -P" .. "/" .. (os.getenv "BUILD" or "build")

describe("cases of make mutants in one process", function()
  local function try(plugin, scheme, kind, names)
    if sanitized then
      pending "a sanitizer reserves more memory than a trial may have"
    end
    local tests = batch.open(("%s/modfs/plugins/%s.so"):format(build, plugin), scheme,
      build .. "/?.so")
    local results, failure = tests:run(kind, names)
    tests:close()
    assert.same({}, failure or {})
    local verdicts = {}
    for i, result in ipairs(results) do
      verdicts[i] = result.verdict
    end
    return verdicts
  end

  local two = { "passed", "passed" }

  it("are passed by the good plugins", function()
    assert.same(two, try("mem", "mem", "hosted", { "upstream.002.TestCreateFile",
      "reading.keeps_every_byte" }))
    assert.same(two, try("posix", "file", "hosted", { "upstream.002.TestCreateFile",
      "reading.keeps_every_byte" }))
    assert.same(two, try("posix", "file", "native", { "raw.append.fails_when_writing_fails",
      "state.append.shows_at_every_size" }))
  end)

  it("are passed by the good device", function()
    assert.same(two, try("reference", "", "device", { "device.upstream.01.SuccessfulRegistration",
      "device.upstream.02.NameNotSet" }))
  end)
end)
