-- modfs.interrupt: what SIGINT ends, and what goes on behind it.
local child = require "spec.support.child"

-- Runs Lua text in a child that has modfs, interrupt, and soon(), which sends a SIGINT later: it is
-- called where one is expected, as a busy machine may take longer to come there than that takes.
local function run(text)
  local status, out, err = child([[
    local modfs = require "modfs"
    local interrupt = require "modfs.interrupt"
    if jit then jit.off() end
    local function soon()
      os.execute "(sleep 0.3; kill -INT $PPID) &"
    end
  ]] .. text, { seconds = 60 })
  assert.equal(0, status, out .. err)
  return out
end

describe("interrupt.run", function()
  it("calls as pcall does", function()
    assert.equal("true\t1\tnil\t3\nfalse\toops\nfalse\n", run [[
      print(interrupt.run(function(...) return ... end, 1, nil, 3))
      print(interrupt.run(error, "oops", 0))
      print((pcall(interrupt.run)))
    ]])
  end)

  for what, line in pairs { ["a loop"] = "while true do end",
    ["a read"] = "modfs.read '/dev/zero'", ["a hash"] = "modfs.hash('/dev/zero', 'crc32c')",
    ["a copy"] = "modfs.copy('/dev/zero', 'mem://zeros')",
    ["a coroutine"] = "coroutine.wrap(function() while true do modfs.read '/dev/zero' end end)()",
    ["a loop in a coroutine"] = "local inherit = jit and pcall or interrupt.inherit "
      .. "local made = { inherit(coroutine.wrap, function() while true do end end) } "
      .. "made[#made]()" } do
    it("is ended by SIGINT: " .. what, function()
      assert.equal("false\ttrue\ntrue\n", run(([[
        local fine, why = interrupt.run(function() soon() %s end)
        print(fine, why:find "interrupted!$" ~= nil)
        print((interrupt.run(modfs.exists, "/")))
      ]]):format(line)))
    end)
  end

  it("raises once for a signal: what closes behind it works", function()
    assert.equal("false\ttrue\ttrue\n", run [[
      print(select(2, interrupt.run(function()
        soon()
        local fine, why = pcall(modfs.read, "/dev/zero")
        return fine, why:find "interrupted!$" ~= nil, modfs.exists "/"
      end)))
    ]])
  end)

  it("says how long that took", function()
    local wall, cpu = run [[
      interrupt.run(function() soon() modfs.read "/dev/zero" end)
      print(interrupt.delay())
    ]]:match "^(%S+)\t(%S+)\n$"
    assert.is_true(tonumber(wall) > 0 and tonumber(wall) < 5, wall)
    assert.is_true(tonumber(cpu) > 0 and tonumber(cpu) < 5, cpu)
  end)

  it("leaves SIGINT to others outside of it", function()
    local status = child([[
      local modfs = require "modfs"
      require("modfs.interrupt").run(modfs.exists, "/")
      os.execute "(sleep 0.3; kill -INT $PPID) &"
      while true do modfs.read "/dev/null" end
    ]], { seconds = 60 })
    assert.equal(1, status)
  end)
end)
