-- Costs that grow in proportion, over two decades of sizes.
local modfs = require "modfs"
local cost = require "spec.support.cost"
local place = require "modfs.place"
local random = require "spec.support.random"
local tfrecord = require "modfs.tfrecord"

local FLAT = 4 -- a clock on a busy machine is off by that much; what is quadratic is off by 100

describe("the cost", function()
  it("of a quadratic function is not flat", function()
    assert.is_true(cost.growth({ 200, 2000, 20000 }, function(n)
      return function()
        for _ = 1, n / 100 do
          for _ = 1, n do end -- luacheck: ignore 542
        end
      end
    end) > 20)
  end)

  describe("of a byte in tfrecord.salvage is flat", function()
    local pick = random(7)

    local function flip(bytes, at)
      return bytes:sub(1, at - 1) .. string.char((bytes:byte(at) + 128) % 256) .. bytes:sub(at + 1)
    end

    local function put(n, kind)
      local writer = assert(tfrecord.writer("mem://cost", { compression = kind }))
      for _ = 1, n do
        local bytes = {}
        for i = 1, 100 do
          bytes[i] = string.char(pick(256))
        end
        writer:write(table.concat(bytes))
      end
      writer:close()
      return modfs.read "mem://cost"
    end

    -- places(bytes): where a byte changes.
    local function growth(kind, places)
      return cost.growth({ 100, 1000, 10000 }, function(n)
        local bytes = put(n, kind)
        for _, at in ipairs(places(bytes)) do
          bytes = flip(bytes, at)
        end
        local path = "mem://cost." .. n
        modfs.write(path, bytes)
        return function()
          assert(tfrecord.salvage(path, "mem://cost.healed", { compression = kind }))
        end
      end)
    end

    for _, kind in ipairs { "GZIP", "ZLIB", "SNAPPY" } do
      it("after damage in the middle of a stream of " .. kind, function()
        assert.is_true(growth(kind, function(bytes) return { math.floor(#bytes / 2) } end) < FLAT)
      end)

      it("after damage at the end of a stream of " .. kind, function()
        assert.is_true(growth(kind, function(bytes) return { #bytes - 3 } end) < FLAT)
      end)
    end

    it("in a file with damage in every tenth record", function()
      assert.is_true(growth("", function(bytes)
        local places = {}
        for record = 0, math.min(#bytes / 116 - 1, 2000), 10 do
          places[#places + 1] = record * 116 + 1 + record % 116
        end
        return places
      end) < FLAT)
    end)
  end)

  it("of cleaning a path is the same for short names and long ones", function()
    local short, long = ("d/"):rep(20000) .. "d", (("n"):rep(199) .. "/"):rep(200) .. "n"
    assert.is_true(cost.ratio(function() modfs.path.clean(short) end,
      function() modfs.path.clean(long) end) < FLAT)
  end)

  describe("of a letter in a path that a drop-in is given is flat", function()
    for name, part in pairs { ["one word"] = "a", ["short names"] = "a/", ["colons"] = "a:",
      ["schemes"] = "mem:/", ["dots"] = "../", ["slashes"] = "/" } do
      it("for " .. name, function()
        assert.is_true(cost.growth({ 100, 1000, 10000 }, function(n)
          local path = part:rep(n)
          return function() place.find(path) end
        end) < FLAT)
      end)
    end
  end)
end)
