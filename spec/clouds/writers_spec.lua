-- Two writers of one object at the same moment: with a condition exactly one of them wins, and
-- readers see whole objects alone.
local async = require "modfs.async"
local modfs = require "modfs"
local object_stores = require "spec.support.object_stores"

local MIB = 1024 * 1024
local rounds = tonumber(os.getenv "MODFS_ROUNDS" or 5)

-- What each checks no condition of: gcp-storage-emulator none at all, fake-gcs-server none of
-- a composition, moto no If-Match, radosgw none where an upload in parts ends (modfs asks before).
local lacks = { ["gcp-storage-emulator"] = { small = true, large = true, append = true,
    compose = true }, ["fake-gcs-server"] = { compose = true },
  moto = { large = true, append = true, compose = true },
  radosgw = { large = true, compose = true } }

local function content(letter, n) return letter:rep(n) end

for _, name in ipairs(object_stores.names) do
  describe("two writers before " .. name, function()
    local store, uri

    setup(function()
      store = object_stores.start(name)
      if store then
        uri = store.root .. "/"
        assert(modfs.config(uri:match "^%w+", { part_bytes = 5 * MIB }))
      end
    end)
    teardown(function()
      if store then
        assert(modfs.config(uri:match "^%w+", { if_none_match = 0, check_names = 1 }))
        store.stop()
      end
    end)

    local function checks(title, needs, body)
      if lacks[name] and lacks[name][needs] then
        return
      end
      object_stores.it(name, function() return store end, title, body)
    end

    -- Two files that are written and closed at once -> who won, and the other's code.
    local function race(open, n)
      local files, jobs, winner, code = {}, {}, nil, nil
      for i, letter in ipairs { "a", "b" } do
        files[i] = assert(open())
        assert(files[i]:write(content(letter, n)))
      end
      for i = 1, 2 do jobs[i] = async(files[i]):close() end
      for i = 1, 2 do
        local good, message, failed = jobs[i]:await()
        if good then
          assert.is_nil(winner, "both have won")
          winner = i == 1 and "a" or "b"
        else
          assert.is_nil(code, message)
          code = failed
        end
      end
      assert.truthy(winner, "nobody has won")
      return winner, code
    end

    for size, n in pairs { small = 1000, large = 6 * MIB } do
      checks("of a new object, " .. size .. ": one creates it", size, function()
        assert(modfs.config(uri:match "^%w+", { if_none_match = 1, check_names = 0 }))
        for i = 1, rounds do
          local path = uri .. size .. i
          local winner, code = race(function() return modfs.open(path, "w") end, n)
          assert.equal("ALREADY_EXISTS", code)
          assert.is_true(content(winner, n) == modfs.read(path))
        end
        assert(modfs.config(uri:match "^%w+", { if_none_match = 0, check_names = 1 }))
      end)
    end

    for needs, base in pairs { append = 10, compose = 6 * MIB } do
      checks(("that append to %d bytes: one does"):format(base), needs, function()
        for i = 1, rounds do
          local path = uri .. needs .. i
          assert(modfs.write(path, content("0", base)))
          local winner, code = race(function() return modfs.open(path, "a") end, 1000)
          assert.equal("ABORTED", code)
          assert.is_true(content("0", base) .. content(winner, 1000) == modfs.read(path))
        end
      end)
    end

    checks("that replace it, under a reader, who sees one or the other", "nothing", function()
      local path, n = uri .. "replaced", 300000
      assert(modfs.write(path, content("0", n)))
      local running, seen = 2, 0
      -- Goes on until the reader, which may meet an exchange each time, has read one.
      local function again(letter, left)
        if left <= 0 and (seen > 0 or left < -100 * rounds) then
          running = running - 1
          return
        end
        async.write(path, content(letter, n)):on_done(function(job)
          assert(job:await())
          again(letter, left - 1)
        end)
      end
      again("a", 4 * rounds)
      again("b", 4 * rounds)
      while running > 0 do
        modfs.flush_caches()
        local read, message, code = async.read(path):await()
        if read then
          assert.is_true(content(read:sub(1, 1), n) == read, "a mix")
          seen = seen + 1
        else
          assert.equal("ABORTED", code, message)
        end
      end
      assert.truthy(seen > 0)
    end)
  end)
end
