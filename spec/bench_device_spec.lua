-- That the bench of devices runs, and finds its copies, callbacks and files complete; times are not
-- held to anything.
local shell = require "spec.support.shell"

local sanitized = (os.getenv "LD_PRELOAD" or ""):find "san"

local function bench(environment)
  return shell.run(environment .. " lua5.4 bench/run.lua --short devices")
end

describe("the bench of devices", function()
  if _VERSION ~= "Lua 5.4" then
    pending("runs: it is for Lua 5.4")
    return
  elseif sanitized then
    pending("runs: its C modules are built without the sanitizer")
    return
  end

  it("measures everybody, and tests every aim", function()
    local status, out, err = bench ""
    assert.equal(0, status, out .. err)
    local everybody = { "ring", "plugin", "core", "memcpy", "bare", "thread", "condition", "read",
      "one thread", "two readers" }
    for _, who in ipairs(everybody) do
      assert.truthy(out:find("| " .. who .. " |", 1, true), who .. " is missing in " .. out)
    end
    local _, at_least = out:gsub("| ≥ ", "")
    local _, at_most = out:gsub("| ≤ ", "")
    local total = at_least + at_most
    assert.equal(total, tonumber(out:match "\n(%d+) aims, %d+ missed"))
    assert.truthy(total >= 10)
  end)

  it("fails when a device does not copy", function()
    local status, out, err = bench "MODFS_REFERENCE_FAULTS=copy:20+"
    assert.not_equal(0, status, out .. err)
    assert.truthy(err:find("injected failure (MODFS_REFERENCE_FAULTS)", 1, true), err)
  end)

  it("leaves no file behind", function()
    local function files()
      local _, out = shell.run("ls /dev/shm /tmp | grep -c '^modfs-bench-device[.]' || true")
      return out
    end
    local before = files()
    bench ""
    bench "MODFS_REFERENCE_FAULTS=copy:20+"
    assert.equal(before, files())
  end)
end)
