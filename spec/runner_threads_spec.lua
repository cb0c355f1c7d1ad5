-- The conformance runner's own threads: where one cannot be created, the case fails with the
-- reason. It neither hangs nor passes.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"

local library

setup(function()
  library = build.compile("few_threads.so", "spec/fixtures/few_threads", { free = true,
    libraries = "-ldl" })
end)

-- Verdict and reason of one case at a plugin, in a process that has these variables.
local function assess(plugin, case, variables)
  local folder = shell.output "pwd -P"
  local code = ([[
    local report = require "modfs.check".run { file = %q, only = %q, seconds = 10 }
    for _, result in ipairs(report.results) do
      if result.name == %q then print(result.verdict, result.why) end
    end
  ]]):format(("%s/modfs/plugins/%s.so"):format(os.getenv "BUILD" or "build", plugin), case, case)
  local status, out, err = child(code, { under = ("env LD_PRELOAD=%s/%s %s"):format(folder, library,
    variables) })
  assert.same({ 0, "" }, { status, err })
  return out
end

describe("the conformance runner", function()
  if sanitized then
    pending "a sanitizer stands in its place"
    return
  end

  local function fails(out)
    assert.truthy(out:find("^failed\t.*thread"), out)
  end

  for most = 0, 3 do
    it("fails a race when it can create only " .. most .. " threads", function()
      local only = "FEW_THREADS=" .. most
      for _, case in ipairs { "making_one_directory", "working_on_the_same_names" } do
        fails(assess("mem", "concurrency." .. case, only))
      end
    end)
  end

  it("fails a crowd at a device when it cannot create a thread", function()
    fails(assess("reference", "device.threads.copy_at_once", "FEW_THREADS=2"))
  end)

  it("fails a crowd at a device when it cannot allocate its threads", function()
    local out = assess("reference", "device.threads.copy_at_once", "NO_SEATS=1")
    assert.truthy(out:find("^failed\t.*memory"), out)
  end)

  it("passes them with threads enough (the control)", function()
    for case, plugin in pairs { ["concurrency.making_one_directory"] = "mem",
      ["device.threads.copy_at_once"] = "reference" } do
      assert.equal("passed\tnil\n", assess(plugin, case, "FEW_THREADS=4"))
    end
  end)
end)
