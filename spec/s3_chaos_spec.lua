-- Reading s3 from a server that answers badly: every fault is noticed, nothing comes short.
local async = require "modfs.async"
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

s3.describe_chaos("s3 before a server that answers badly,", {}, function(chaos)
  local file = "0123456789abcdef"
  local names = { "a", "b", "c", "d", "e f", "g" }

  local function configure(options)
    assert(modfs.config("s3", options))
  end

  setup(function()
    chaos.put("s3-good/file", file)
    chaos.put("s3-good/large", ("a"):rep(1000000))
    for _, name in ipairs(names) do
      chaos.put("s3-good/dir/" .. name:gsub(" ", "%%20"), name)
    end
  end)

  before_each(function()
    configure { retries = 0, idle_timeout_ms = 20000, total_timeout_ms = 60000 }
    modfs.flush_caches()
  end)

  local function read(bucket)
    return modfs.read("s3://" .. bucket .. "/file")
  end

  it("reads, tells and lists what is good (the control)", function()
    assert.equal(file, read "s3-good")
    assert.equal(16, assert(modfs.size "s3://s3-good/file"))
    assert.same(names, assert(modfs.listdir "s3://s3-good/dir"))
    assert.equal(file, read "get.slow.7")
    assert.same(names, assert(modfs.listdir "s3://list.slow.20/dir"))
  end)

  -- Asks for OPERATION.FAULT.N with N = 0, 1, 2, ... until it is fine, which is when all has come.
  local function at_every_byte(operation, fault, least, ask, assess)
    local codes, at = {}, 0
    while true do
      local got, _, code = ask(("s3://%s.%s.%d"):format(operation, fault, at))
      if got then
        assess(got)
        break
      end
      codes[code] = true
      at = at + 1
      assert.truthy(at < 2000)
    end
    assert.truthy(at > least, "good after " .. at .. " bytes")
    codes.DATA_LOSS, codes.UNAVAILABLE = nil, nil
    assert.is_nil(next(codes))
  end

  for _, fault in ipairs { "cut", "reset" } do
    it("notices that a read is " .. fault .. " at every byte", function()
      at_every_byte("get", fault, 100, function(bucket)
        return modfs.read(bucket .. "/file")
      end, function(got) assert.equal(file, got) end)
    end)

    it("notices that a listing is " .. fault .. " at every byte", function()
      at_every_byte("list", fault, 400, function(bucket)
        return modfs.listdir(bucket .. "/dir")
      end, function(got) assert.same(names, got) end)
    end)

    it("notices that a stat is " .. fault .. " at every byte", function()
      at_every_byte("all", fault, 50, function(bucket)
        return modfs.stat(bucket .. "/file")
      end, function(got) assert.equal(16, got.length) end)
    end)
  end

  it("waits for a stalled server no longer than it was told", function()
    configure { idle_timeout_ms = 1000 }
    for _, at in ipairs { 0, 20, 70, 100 } do
      fails("DEADLINE_EXCEEDED", read("get.stall." .. at))
      fails("DEADLINE_EXCEEDED", modfs.listdir(("s3://list.stall.%d/dir"):format(at)))
    end
    configure { total_timeout_ms = 500 }
    fails("DEADLINE_EXCEEDED", modfs.listdir "s3://list.slow.2/dir")
  end)

  it("notices lengths and ranges that are not those it asked for", function()
    for _, fault in ipairs { "longer", "shorter", "endless", "norange", "range.1-16z17",
      "range.0-14z15", "range.0-15z9", "range.5-2z16", "range.0-15z99999999999999999999",
      "bare.204", "short.1" } do
      fails("DATA_LOSS", read("get." .. fault))
    end
  end)

  it("never mixes versions, whatever the server says of them", function()
    for _, fault in ipairs { "newtag.x.on2", "status.412.on2", "status.404.on2" } do
      local reader = assert(modfs.open("s3://get." .. fault .. "/large"))
      assert.equal("a", assert(reader:pread(0, 1)))
      contains(fails("ABORTED", reader:pread(900000, 1)), "open it again")
      assert.equal("a", assert(reader:pread(1, 1)))
      reader:close()
    end
    local reader = assert(modfs.open "s3://get.whole.x.on2/large")
    fails("DATA_LOSS", reader:pread(900000, 1))
    reader:close()
  end)

  it("reads an object anew that was replaced while it was read at once", function()
    local whole = ("a"):rep(1000000)
    local function anew(fault)
      return "s3://get." .. fault .. "/large"
    end
    for _, fault in ipairs { "newtag.v.on2", "refuse.412-changed.on2" } do
      assert.is_true(whole == modfs.read(anew(fault)))
    end
    assert.is_true(whole == async.read(anew "newtag.u.on2"):wait())
    assert.is_true(modfs.copy(anew "newtag.y.on2", "mem://anew"))
    assert.is_true(whole == modfs.read "mem://anew")
    local told = {}
    assert.is_true(modfs.copy(anew "newtag.w.on2", "mem://told", {
      progress = function(done) told[#told + 1] = done end }))
    assert.equal(#whole, told[#told])
    local region = assert(modfs.map(anew "newtag.z.on2"))
    assert.is_true(whole == region:sub(1))
    region:close()
  end)

  describe("of a long object", function()
    local long

    setup(function()
      local lines = {}
      for i = 1, 700000 do
        lines[i] = ("%08d\n"):format(i)
      end
      long = table.concat(lines)
      chaos.put("s3-good/long", long)
    end)

    -- In order, a mebibyte at a time, which is long enough to be requested ahead.
    local function read_on(reader, pieces)
      repeat
        local piece, message, code = reader:read(1024 * 1024)
        pieces[#pieces + 1] = piece
        if message then
          return nil, message, code
        end
      until not piece
      return table.concat(pieces)
    end

    local function read_long(uri)
      local reader = assert(modfs.open(uri))
      local all, message = read_on(reader, {})
      reader:close()
      return assert(all, message)
    end

    it("reads on, whatever becomes of what it has requested ahead", function()
      configure { idle_timeout_ms = 500 }
      assert.is_true(long == read_long "s3://get.slow.9000000/long") -- the control
      local asked = chaos.seen "get.slow.9000000/get"
      assert.is_true(asked > 4 and asked < 10, asked)
      for _, fault in ipairs { "cut.0", "cut.90", "cut.500000", "short.1", "reset.500000",
        "stall.0", "stall.500000", "longer.x", "shorter.x", "endless.x", "norange.x", "notag.x",
        "newtag.n", "range.0-15z16", "whole.n", "bare.503", "refuse.403-skewed", "lost.x" } do
        for nth = 2, 4 do
          local uri = ("s3://get.%s.on%d/long"):format(fault, nth)
          assert.is_true(long == read_long(uri), uri)
        end
      end
    end)

    it("waits for what it has requested ahead no longer than for any request", function()
      configure { total_timeout_ms = 1500 }
      local begun = os.time()
      assert.is_true(long == read_long "s3://get.slow.1000.on2/long")
      assert.is_true(os.time() - begun < 8)
    end)

    it("reads on as that version alone which it has opened", function()
      chaos.put("s3-good/replaced", long)
      local reader = assert(modfs.open "s3://s3-good/replaced")
      assert.is_true(long:sub(1, 1024 * 1024) == assert(reader:read(1024 * 1024)))
      chaos.put("s3-good/replaced", (long:gsub("9", "8")))
      local pieces = {}
      contains(fails("ABORTED", read_on(reader, pieces)), "open it again")
      assert.is_true(#pieces > 0) -- of what was on its way by then
      assert.equal(1024 * 1024 + 1, (long:find(table.concat(pieces), 1024 * 1024 + 1, true)))
      reader:close()
    end)

    it("reads many files on, side by side", function()
      local readers, at = {}, 0
      for i = 1, 12 do
        readers[i] = assert(modfs.open "s3://s3-good/long")
      end
      configure { cache_bytes = 1024 * 1024 }
      while at < #long do
        local piece = long:sub(at + 1, at + 700000)
        for _, reader in ipairs(readers) do
          assert.is_true(piece == assert(reader:read(700000)))
        end
        at = at + 700000
      end
      for _, reader in ipairs(readers) do
        assert.is_nil(reader:read(1))
        reader:close()
      end
      configure { cache_bytes = 32 * 1024 * 1024 }
    end)
  end)

  it("gives up on an object that is replaced all the time", function()
    local always = "s3://get.newtags/large"
    fails("ABORTED", modfs.read(always))
    fails("ABORTED", async.read(always):wait())
    assert.is_true(chaos.seen "get.newtags/get" < 200)
    fails("ABORTED", modfs.copy(always, "mem://never"))
    assert.is_false(modfs.exists "mem://never")
    fails("ABORTED", modfs.map(always))
    assert.is_true(chaos.seen "get.newtags/get" < 300)
  end)

  it("takes nothing from a document that is none", function()
    for kind = 1, s3.malformations do
      local got, message, code = modfs.listdir(("s3://list.malformed.%d/dir"):format(kind))
      assert.is_nil(got, "kind " .. kind)
      assert.equal("DATA_LOSS", code, message)
    end
  end)

  it("notices listings that do not add up", function()
    for _, fault in ipairs { "notoken", "sametoken", "forever", "stranger", "badcode", "zero" } do
      local got, message, code = modfs.listdir("s3://list." .. fault .. "/dir")
      assert.is_nil(got, fault)
      assert.equal("DATA_LOSS", code, message)
    end
  end)

  it("knows an answer by what it holds, whatever its root is called", function()
    assert.same(names, modfs.listdir "s3://list.root.short/dir")
    assert.is_true(modfs.copy("s3://copy.root.response/file", "s3://copy.root.response/new"))
    contains(fails("PERMISSION_DENIED", read "get.renamed.403"), "AccessDenied: as asked")
  end)

  it("takes a listing that does not say whether there is more for the whole", function()
    assert.same(names, modfs.listdir "s3://list.plainlist/dir")
    assert.same(names, modfs.listdir "s3://list.truncated/dir") -- the token says that there is more
    assert.is_true(modfs.rmtree "s3://list.plainlist/dir")
    assert.is_false(modfs.exists "s3://list.plainlist/dir")
  end)

  it("takes no failure for a path that is not there", function()
    for _, pattern in ipairs { "*", "file", "dir/", "fi[l]e", "*/file", "dir/*" } do
      fails("UNAVAILABLE", modfs.glob("s3://all.status.500/" .. pattern))
    end
    assert.same({ "s3://s3-good/file" }, modfs.glob "s3://s3-good/file") -- the control
  end)

  it("maps what the server says to a code, with its own words", function()
    for status, code in pairs { ["400"] = "FAILED_PRECONDITION", ["403"] = "PERMISSION_DENIED",
      ["404"] = "NOT_FOUND", ["500"] = "UNAVAILABLE", ["503"] = "UNAVAILABLE" } do
      local message = fails(code, read("get.status." .. status))
      local bare = fails(code, read("get.bare." .. status))
      if status ~= "404" then -- which is looked into: is it a directory?
        contains(message, "HTTP status " .. status)
        contains(message, "req-1")
        contains(bare, "HTTP status " .. status)
      end
    end
    contains(fails("UNAUTHENTICATED", read "get.refuse.400-expired"), "ExpiredToken")
    contains(fails("UNAUTHENTICATED", read "get.refuse.403-skewed"), "RequestTimeTooSkewed")
    contains(fails("UNAUTHENTICATED", read "get.refuse.403-late"),
      "; the clock of this machine is 20 minutes behind the server's: set it")
    contains(fails("NOT_FOUND", read "all.refuse.404-nobucket"), "NoSuchBucket")
    contains(fails("FAILED_PRECONDITION", read "get.refuse.400-region"), "Malformed")
  end)

  it("sees the error in a success", function()
    fails("DATA_LOSS", modfs.listdir "s3://list.inside/dir")
    fails("DATA_LOSS", read "get.inside")
  end)

  it("tries again, as often as it was told", function()
    configure { retries = 2 }
    assert.equal(file, read "get.dropped.x.2")
    for _, fault in ipairs { "status.500", "status.503", "cut.30", "reset.130", "short.3" } do
      assert.equal(file, read("get." .. fault .. ".2"))
      assert.equal(3, chaos.seen("get." .. fault .. ".2/get"))
      local _, message = read("get." .. fault .. ".3")
      contains(message, "3 attempts")
      assert.same(names, modfs.listdir("s3://list." .. fault .. ".2/dir"))
    end
    fails("PERMISSION_DENIED", read "get.status.403.9")
    assert.equal(1, chaos.seen "get.status.403.9/get")
  end)

  it("waits as long as the server asks, within its time", function()
    configure { retries = 1 }
    local before = os.time()
    assert.equal(file, read "get.later.2.1")
    assert.truthy(os.time() - before >= 1)
    local message = fails("UNAVAILABLE", read "get.later.1000.1")
    contains(message, "503")
    contains(message, "; the server asks for a pause of 1000 s, beyond the timeout")
    assert.equal(1, chaos.seen "get.later.1000.1/get")
  end)

  it("signs anew, once, by another clock", function()
    assert.equal(file, read "get.refuse.403-skewed.1")
    assert.equal(2, chaos.seen "get.refuse.403-skewed.1/get")
  end)

  it("signs for the region that a bucket is in, once it is told", function()
    assert.equal(file, read "get.home.eu-west-9")
    assert.equal(16, assert(modfs.size "s3://all.home.ap-south-7/file"))
    assert.equal(file, read "all.home.ap-south-7")
  end)

  it("syncs nothing again that was uploaded within the second it was written in", function()
    local place = tmpdir.new()
    tmpdir.write(place .. "/a", "one")
    assert(modfs.utime(place .. "/a", 784111777500000000)) -- 784111777 s to the server
    assert(modfs.write("s3://control.good/synced/a", "one"))
    local function sync()
      return assert(modfs.sync(place, "s3://control.good/synced", { preserve = {} })).copied
    end
    assert.equal(0, sync())
    tmpdir.write(place .. "/a", "two")
    assert(modfs.utime(place .. "/a", 784111777500000000))
    assert.equal(1, sync())
    assert.equal("two", modfs.read "s3://control.good/synced/a")
    tmpdir.remove(place)
  end)

  it("takes no endpoint and no region that is none", function()
    for _, endpoint in ipairs { "127.0.0.1", "127.0.0.1:80", "ftp://host", "http://host?x",
      "http://", "http://host:port", "http://ho st", "http://host:123456" } do
      contains(fails("INVALID_ARGUMENT", modfs.config("s3", { endpoint = endpoint })), "endpoint")
    end
    for _, endpoint in ipairs { "http://user@host", "http://us3r:passw0rd@host/" } do
      local message = fails("INVALID_ARGUMENT", modfs.config("s3", { endpoint = endpoint }))
      contains(message, "access_key_id")
      assert.is_nil(message:find("passw0rd", 1, true), message)
    end
    for _, region in ipairs { "eu west", "", "EU", "eu/west", ("x"):rep(64) } do
      contains(fails("INVALID_ARGUMENT", modfs.config("s3", { region = region })), "region")
    end
    assert.equal(file, read "s3-good") -- what was refused has changed nothing
    configure { endpoint = chaos.url .. "/" }
    assert.equal(file, read "s3-good")
    configure { endpoint = "", region = "eu-west-1" }
    configure { endpoint = chaos.url, region = "us-east-1" }
    local _, _, err = child([[
      io.stderr:write((select(2, require("modfs").open "s3://bucket/x")))
    ]], { before = "export AWS_ENDPOINT_URL=http://us3r:passw0rd@host" })
    contains(err, "AWS_ENDPOINT_URL")
    assert.is_nil(err:find("passw0rd", 1, true), err)
  end)

  it("goes nowhere else, whatever the server says", function()
    for _, status in ipairs { 301, 302, 307, 308 } do
      contains(fails("FAILED_PRECONDITION", read("get.elsewhere." .. status)),
        "HTTP status " .. status)
      fails("FAILED_PRECONDITION", modfs.listdir(("s3://list.elsewhere.%d/dir"):format(status)))
      fails("FAILED_PRECONDITION", modfs.stat(("s3://all.elsewhere.%d/file"):format(status)))
    end
    assert.equal(0, chaos.seen "visits")
    shell.output("env -u LD_PRELOAD curl -s", chaos.second) -- the control
    assert.equal(1, chaos.seen "visits")
  end)
end)
