-- Streams and record files, mutated at random: whatever comes of it is the content, or DATA_LOSS.
--   MODFS_FUZZ_ROUNDS=100000 MODFS_FUZZ_SEED=1 busted spec/codec_fuzz_spec.lua
local modfs = require "modfs"
local codec = require "modfs.codec"
local tfrecord = require "modfs.tfrecord"

local rounds = tonumber(os.getenv "MODFS_FUZZ_ROUNDS") or 300
local seed = tonumber(os.getenv "MODFS_FUZZ_SEED") or os.time() % 1000000

local names = { "gzip", "zlib", "deflate", "zstd", "snappy" }
local checked = { gzip = true, zlib = true, zstd = true }

local random = require "spec.support.random"(seed)

local function random_bytes(n)
  local bytes = {}
  for i = 1, n do
    bytes[i] = string.char(random(256))
  end
  return table.concat(bytes)
end

local function content()
  local kinds = {
    function() return random_bytes(random(2000)) end,
    function() return ("some text, "):rep(random(500)) end,
    function() return random_bytes(random(50)):rep(random(300)) end,
  }
  return kinds[random(#kinds) + 1]()
end

local mutations = {
  function(s, at) return s:sub(1, at - 1) .. string.char(random(256)) .. s:sub(at + 1) end,
  function(s, at) return s:sub(1, at - 1) .. s:sub(at + 1 + random(8)) end,
  function(s, at) return s:sub(1, at - 1) .. random_bytes(random(8)) .. s:sub(at) end,
  function(s, at) return s:sub(1, at) end,
  function(s, at) return s:sub(1, at) .. s:sub(math.max(1, at - random(64))) end,
  function(s, at) return s:sub(1, at - 1) .. ("\255"):rep(4) .. s:sub(at + 4) end,
  function(s, at) return s:sub(1, at - 1) .. ("\0"):rep(4) .. s:sub(at + 4) end,
}

local function mutate(s)
  for _ = 0, random(3) do
    if #s > 0 then
      s = mutations[random(#mutations) + 1](s, random(#s) + 1)
    end
  end
  return s
end

local function encode(name, bytes)
  local file = assert(codec.open("mem://fuzz", "w", name))
  assert(file:write(bytes) and file:close())
  return assert(modfs.read "mem://fuzz")
end

-- Reads on in odd steps, back and forth.
local function decode(bytes, name)
  local file, message, code = codec.wrap(modfs.buffer(bytes), name)
  if not file then
    return nil, message, code
  end
  file:pread(random(3000), random(100) + 1)
  local whole, why, kind = file:read "a"
  file:pread(random(3000), random(100) + 1)
  if whole then
    local again, broken = file:pread(0, #whole + 1)
    assert(broken == nil and (again or "") == whole, "two reads, two contents")
  end
  file:close()
  return whole, why, kind
end

local function peak()
  return tonumber((modfs.read "/proc/self/status" or ""):match "VmHWM:%s*(%d+)") or 0
end

describe(("fuzz, seed %d"):format(seed), function()
  for _, name in ipairs(names) do
    it("of " .. name, function()
      local before, caught = peak(), 0
      for round = 1, rounds do
        local plain = content()
        local whole = encode(name, plain)
        assert.is_true(decode(whole, name) == plain)
        local got, message, code = decode(mutate(whole), name)
        local where = ("%s, seed %d, round %d: "):format(name, seed, round)
        if got == nil then
          caught = caught + 1
          assert.equal("DATA_LOSS", code, where .. tostring(message))
        elseif checked[name] then
          -- A stream may have been doubled or have lost all but its empty start.
          local n = #plain > 0 and #got / #plain or 1
          assert.is_true(n % 1 == 0 and got == plain:rep(n), where .. #got .. " of " .. #plain)
        end
      end
      assert.is_true(caught > rounds / 4, caught .. " caught")
      assert.is_true(peak() - before < 256 * 1024, "memory")
    end)
  end

  it("of auto", function()
    for _ = 1, rounds do
      local whole = encode(names[random(#names) + 1], content())
      local got, message, code = decode(mutate(whole), "auto")
      if got == nil then
        assert.is_truthy(code == "DATA_LOSS" or code == "INVALID_ARGUMENT", message)
      end
    end
  end)

  it("of records", function()
    for round = 1, rounds do
      local known = {}
      local writer = assert(tfrecord.writer "mem://fuzz")
      for _ = 0, random(10) do
        local record = content()
        known[record] = true
        writer:write(record)
      end
      writer:close()
      assert(modfs.write("mem://fuzz", mutate(assert(modfs.read "mem://fuzz"))))
      local where = ("seed %d, round %d: "):format(seed, round)
      local sound, message, code = tfrecord.verify "mem://fuzz"
      assert.is_true(sound or code == "DATA_LOSS", where .. tostring(message))
      local result = assert(tfrecord.salvage("mem://fuzz", "mem://fuzz.healed"))
      local sound_after, count = tfrecord.verify "mem://fuzz.healed"
      assert.is_true(sound_after and count == result.records, where)
      assert.equal(modfs.size "mem://fuzz", modfs.size "mem://fuzz.healed" + result.lost_bytes)
      assert.is_true(sound and result.gaps == 0 or not sound and result.gaps > 0, where)
      for record in assert(tfrecord.reader "mem://fuzz.healed") do
        assert.is_true(known[record], where .. "a record that nobody wrote")
      end
    end
  end)
end)
