-- Archives on a server that fails at its first, second, … answer: each fault is told, no byte is
-- wrong, and the next call finds all as it is.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local packed = require "spec.support.packed"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local options = { retries = 0, cache_bytes = 0, idle_timeout_ms = 20000, total_timeout_ms = 60000 }

s3.describe_chaos("an archive on a server that answers badly:", options, function(chaos)
  local place, contents
  local archives = { "zip:a.zip", "zip:stored.zip", "tar:a.tar", "tar:a.tar.gz", "tar:a.tar.zst" }
  local members = { "a.txt", "d/numbers", "d/random", "large" }

  -- "a.zip" has members that are read at once, and one that is read piece by piece.
  local function plant(salt)
    packed.run(place, ("rm -rf t && mkdir -p t/d && printf %%s 'one %s' >t/a.txt && "):format(salt)
      .. ("yes '%s numbers' | head -c 20000 >t/d/numbers && "):format(salt)
      .. ("yes '%s' | head -c 3000 >t/d/random && "):format(salt)
      .. ("seq -f '%s %%.0f' 300000 | head -c 1500000 >t/large && cd t && "):format(salt)
      .. "rm -f ../a.* ../stored.* && zip -qrX ../a.zip . && zip -qrX0 ../stored.zip . && "
      .. "tar cf ../a.tar . && "
      .. "tar czf ../a.tar.gz . && tar c . | zstd -q >../a.tar.zst")
    local found = {}
    for _, name in ipairs(members) do
      found[name] = tmpdir.content(place .. "/t/" .. name)
    end
    return found
  end

  local function put(bucket)
    for _, archive in ipairs(archives) do
      local name = archive:match ":(.*)"
      chaos.put(bucket .. "/" .. name, tmpdir.content(place .. "/" .. name))
    end
  end

  local function configure(more)
    assert(modfs.config("s3", more))
  end

  setup(function()
    place = tmpdir.new()
    contents = plant "x"
    put "s3-good"
  end)

  teardown(function() packed.remove(place) end)

  before_each(function()
    configure(options)
    modfs.flush_caches()
  end)

  local function root_of(archive, bucket)
    local scheme, name = archive:match "(.*):(.*)"
    return ("%s+s3://%s/%s!/"):format(scheme, bucket, name)
  end

  local may_be = { DATA_LOSS = true, UNAVAILABLE = true, ABORTED = true, DEADLINE_EXCEEDED = true,
    NOT_FOUND = true, PERMISSION_DENIED = true, INTERNAL = false }

  -- Reads all; whether all was there. What is read must be right, what is not must be told.
  local function read_all(root, right)
    local whole = true
    local names, message, code = modfs.listdir(root)
    assert.is_true(names ~= nil or may_be[code], message)
    if names then
      assert.same({ "a.txt", "d", "large" }, names)
    end
    for _, name in ipairs(members) do
      local got
      got, message, code = modfs.read(root .. name)
      assert.is_true(got == nil or got == right[name], root .. name .. " has wrong bytes")
      assert.is_true(got ~= nil or may_be[code], message)
      whole = whole and got ~= nil
    end
    return whole and names ~= nil, message
  end

  -- Lets the Nth answer fail, for each N until there are no more. Returns how many failed. Each
  -- archive counts in buckets of its own: on3, on03, on003, …
  local function at_each_answer(i, fault)
    local n, whole = 0, false
    while not whole do
      n = n + 1
      assert.is_true(n < 100)
      local root = root_of(archives[i], ("%s.on%s%d"):format(fault, ("0"):rep(i - 1), n))
      whole = read_all(root, contents)
      -- What failed is no part of what is kept: another call asks again. On a busy machine a good
      -- answer may be late, too.
      local again, tries = whole, 0
      while not again and tries < 5 do
        again, tries = read_all(root, contents), tries + 1
      end
      assert.is_true(again, root)
      modfs.flush_caches()
    end
    return n - 1
  end

  it("a good one is read (the control)", function()
    for _, archive in ipairs(archives) do
      assert.is_true(read_all(root_of(archive, "s3-good"), contents), archive)
      assert.is_false(pcall(read_all, root_of(archive, "s3-good"), { ["a.txt"] = "other" }))
    end
  end)

  for _, fault in ipairs { "get.cut.60", "get.cut.400", "get.reset.60", "get.reset.400",
    "get.short.1", "get.shorter.x", "get.longer.x", "get.norange.x", "get.whole.x",
    "get.status.500",
    "get.status.404", "get.status.403", "get.newtag.x", "get.status.412", "head.status.500",
    "head.cut.0", "head.reset.20" } do
    it(fault, function()
      local answers = 0
      for i in ipairs(archives) do
        answers = answers + at_each_answer(i, fault)
      end
      assert.is_true(answers >= #archives, answers .. " answers")
    end)
  end

  it("one that stalls is waited for as long as was told", function()
    configure { idle_timeout_ms = 300 }
    for _, i in ipairs { 1, 4 } do
      assert.is_true(at_each_answer(i, "get.stall.200") > 1)
    end
  end)

  it("one whose server dies, and comes again, is told and then read", function()
    if not (shell.has "nginx" and shell.has "openssl") then
      pending "nginx or openssl is not installed"
      return
    end
    assert(modfs.config("http", { retries = 0, cache_bytes = 0 }))
    local server = web.nginx()
    finally(function()
      server.stop()
      assert(modfs.config("http", { retries = 3, cache_bytes = 32 * 1024 * 1024 }))
    end)
    local nginx = ("nginx -c %s/conf -e %s/error.log -p %s"):format(server.place, server.place,
      server.place)
    for _, archive in ipairs(archives) do
      local scheme, name = archive:match "(.*):(.*)"
      server.write(name, tmpdir.content(place .. "/" .. name))
      local root = ("%s+%s/%s!/"):format(scheme, server.http, name)
      for reads = 0, #members do
        assert.same({ "a.txt", "d", "large" }, modfs.listdir(root))
        for i = 1, reads do
          assert.is_true(contents[members[i]] == modfs.read(root .. members[i]))
        end
        shell.kill(shell.output(("master=$(cat %s/nginx.pid); echo $master "
          .. "$(env -u LD_PRELOAD pgrep -P $master)"):format(server.place)))
        local whole = read_all(root, contents)
        shell.output("rm -f " .. server.place .. "/nginx.pid; " .. nginx)
        -- A compressed tar may be on the disk as a whole.
        assert.is_true(not whole or name:find "%.tar%." ~= nil, name)
        assert.is_true(read_all(root, contents), root)
        modfs.flush_caches()
      end
    end
  end)

  -- The server's times do not tell the new object from the old one, and its length is the same.
  describe("one that is replaced by another of its length", function()
    local before, after, other = "replaced.before", "replaced.after", nil

    setup(function()
      put(before)
      other = plant "y"
      put(after)
    end)

    local function replace(bucket, archive, by)
      local name = archive:match ":(.*)"
      shell.output(("env -u LD_PRELOAD curl -sf -X PUT -H 'x-amz-copy-source: /%s/%s' %s/%s/%s")
        :format(by, name, chaos.url, bucket, name))
    end

    for _, archive in ipairs { "zip:a.zip", "zip:stored.zip", "tar:a.tar" } do
      it("is one of them for each call, after any number of reads: " .. archive, function()
        for reads = 0, #members do
          local bucket = "replaced.now" .. reads
          replace(bucket, archive, before)
          local root = root_of(archive, bucket)
          assert.same({ "a.txt", "d", "large" }, modfs.listdir(root))
          for i = 1, reads do
            assert.is_true(contents[members[i]] == modfs.read(root .. members[i]))
          end
          local file = assert(modfs.open(root .. "large"))
          assert.equal(contents.large:sub(1, 10), file:pread(0, 10))
          replace(bucket, archive, after)
          for i = reads + 1, #members do
            local got, message, code = modfs.read(root .. members[i])
            assert.is_true(got == other[members[i]] or got == nil and code == "ABORTED",
              members[i] .. ": " .. tostring(message))
          end
          fails("ABORTED", file:pread(1400000, 10))
          file:close()
          assert.is_true(read_all(root, other), root)
          modfs.flush_caches()
        end
      end)
    end
  end)
end)
