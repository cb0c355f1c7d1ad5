-- Every handle of a plugin is ended exactly once, and everything it allocated goes back to it:
-- by close, by the collector, and by the end of the Lua state. A plugin that ends the process at
-- the first wrong call is the checker.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local shell = require "spec.support.shell"

local shelf, checker

local nothing_left = "readers 0 writers 0 regions 0 listings 0 tokens 0 blocks 0 unclosed 0"

setup(function()
  shelf = build.shelf()
  checker = shelf:put(build.compile("checker.so", "spec/fixtures/checker/checker.c"), "checker")
end)

teardown(function()
  shelf:remove()
end)

-- Runs a scene of spec/children/plugin_handles.lua in a process of its own.
local function run(scene)
  return child("spec/children/plugin_handles.lua", { arguments = { checker, scene },
    before = "export CHECKER_REPORT=1; ulimit -c 0" })
end

local function passes(scene)
  local status, _, err = run(scene)
  assert.equal(0, status, err)
  assert.is_truthy(err:find(nothing_left, 1, true), err)
end

describe("the checker", function()
  local misuse

  setup(function()
    local runtime = shell.output("realpath", (os.getenv "BUILD" or "build")
      .. "/modfs/libtensorflow_framework.so.2")
    misuse = build.compile("misuse", "spec/fixtures/checker/misuse.c", { program = true,
      libraries = runtime .. " -Wl,-rpath," .. runtime:gsub("/[^/]*$", "") })
  end)

  it("lets a host pass that does nothing wrong", function()
    local status, _, err = shell.run(misuse, checker, "nothing")
    assert.equal(0, status, err)
  end)

  for deed, word in pairs {
    ["cleanup twice"] = "cleanup after the end, of readers",
    ["read after end"] = "read after the end, of readers",
    ["close twice"] = "close after close",
    ["data after end"] = "data after the end, of regions",
    ["free foreign"] = "foreign memory freed",
    ["free twice"] = "memory freed twice",
    ["stale status"] = "a status that is not fresh",
    ["commit twice"] = "end_transaction after the end, of tokens",
    ["cleanup registered"] = "cleanup of a registered filesystem",
  } do
    it("ends a host that does this: " .. deed, function()
      -- In a function, so that the shell's word about the signal goes where the output goes.
      local status, _, err = shell.run([[ulimit -c 0; run() { "$@"; return $?; }; run]], misuse,
        checker, deed)
      if err:find("AddressSanitizer", 1, true) then
        assert.equal("free twice", deed, err) -- it sees that before the checker can
        return
      end
      assert.equal(134, status, err)
      assert.is_truthy(err:find("checker: " .. word, 1, true), err)
    end)
  end

  it("counts what is left", function()
    local status, _, err = run "counts_what_is_left"
    assert.equal(0, status, err)
    assert.is_truthy(err:find("readers 1 writers 0", 1, true), err)
  end)
end)

describe("close", function()
  it("ends each kind, once", function()
    passes "close"
  end)

  it("makes every further use an error that the plugin does not see", function()
    passes "use_after_close"
  end)

  it("ends a writer whose writes failed, too", function()
    passes "close_of_failed_writer"
  end)

  it("of a region leaves a live slice its bytes", function()
    passes "slices"
  end)

  it("of a transaction is its abort; a commit ends it as well", function()
    passes "transactions"
  end)
end)

describe("the collector", function()
  it("ends what was dropped", function()
    passes "dropped"
  end)

  it("ends ten thousand files that nobody closed", function()
    passes "ten_thousand"
  end)

  it("ends things in any order of their making", function()
    passes "every_order"
  end)

  it("ends what a failing call left half made", function()
    passes "half_made"
  end)
end)

describe("an iteration", function()
  it("ends by itself, when it is left, and when its body fails", function()
    passes "iteration"
  end)

  it("does not ask beyond the last name", function()
    passes "beyond_the_last"
  end)

  it("of lines ends by itself, too", function()
    passes "lines"
  end)
end)

describe("the end of the Lua state", function()
  it("ends everything that is still open", function()
    passes "end_of_state"
  end)

  it("ends it after an error, too", function()
    local status, _, err = run "end_after_error"
    assert.equal(1, status, err)
    assert.is_truthy(err:find(nothing_left, 1, true), err)
  end)

  it("by os.exit with closing ends it; without, nothing is called and nothing breaks", function()
    if _VERSION ~= "Lua 5.1" then
      passes "exit_with_closing"
      passes "exit_in_a_coroutine"
    end
    local status, _, err = run "exit"
    assert.equal(0, status, err)
    assert.is_truthy(err:find("readers 1 writers 1 regions 1 listings 1 tokens 1", 1, true), err)
  end)

  it("ends what a finalizer has brought back", function()
    passes "revived"
  end)
end)

describe("lists and strings of the plugin", function()
  it("go back to it, whatever happens", function()
    passes "lists"
  end)
end)
