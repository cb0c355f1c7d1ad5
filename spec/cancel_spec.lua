-- Jobs that are cancelled while a server, or a large file, keeps them: they end within 100 ms.
local cancels = require "spec.support.cancels"
local build = require "spec.fixtures.build"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local LIMIT = 100 -- milliseconds
local missing = cancels.missing() or s3.missing() or web.missing()

-- Others use the machine, too: one of a few trials must be in time. A server that stalls has done
-- what it was asked for, and one that answers later does so once: each trial has a bucket or path
-- of its own, by zeros before the number.
local function ends_in_time(environment, call, src, ...)
  local best = math.huge
  for trial = 1, 12 do
    local zeros = "%0" .. ("0"):rep(trial - 1)
    local again = src:gsub("^s3://%w+%.stall%.", zeros):gsub("/later/", zeros)
    local code, took, _, err = cancels.once(200, environment, call, again, ...)
    assert.equal("CANCELLED", code, err)
    best = math.min(best, took)
    if best < LIMIT then
      return
    end
  end
  error(("it took %.0f ms"):format(best), 2)
end

describe("a cancelled job", function()
  if missing then
    return pending(missing)
  end
  local chaos, options, place

  setup(function()
    chaos = web.chaos()
    place = tmpdir.new()
    options = ("MODFS_S3_ENDPOINT=%s AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=secret "
      .. "MODFS_S3_PART_BYTES=5242880 MODFS_S3_RETRIES=99"):format(chaos.url)
    chaos.put("s3-good/old", ("x"):rep(3000000))
    for i = 1, 7 do
      chaos.put("s3-good/dir/" .. i, "abc")
    end
  end)

  teardown(function()
    chaos.stop()
    tmpdir.remove(place)
  end)

  -- http: before the response, in its head, in its body, in a retry's pause
  for _, path in ipairs { "stall/0", "stall/20", "stall/90", "later/9", "heals/99" } do
    it("ends while http reads " .. path, function()
      ends_in_time("MODFS_HTTP_RETRIES=99", "read", chaos.url .. "/" .. path)
    end)
  end

  it("ends while a TLS server says nothing", function()
    ends_in_time("", "read", (chaos.url:gsub("http", "https")) .. "/stall/0")
  end)

  it("ends while nobody accepts the connection", function()
    local pid, ports = web.launch("spec/fixtures/http/full.lua", place .. "/port", place)
    finally(function() shell.run("kill " .. pid) end)
    ends_in_time("", "read", "http://127.0.0.1:" .. ports:match "%d+" .. "/x")
  end)

  it("ends while the host is being resolved", function()
    local library = build.compile("slow_names.so", "spec/fixtures/http/slow_names.c",
      { free = true })
    ends_in_time("LD_PRELOAD=" .. library, "read", "http://nowhere.example/x")
  end)

  -- s3: each operation, with the server silent or deaf at a byte of it
  for _, case in ipairs {
    { "stat", "head.stall.0", "/old" }, { "read", "get.stall.0", "/old" },
    { "read", "get.stall.300", "/old" }, { "read", "get.stall.300.on2", "/old" },
    { "read", "all.status.503", "/old" }, { "list", "list.stall.0", "/dir" },
    { "list", "list.stall.200", "/dir" }, { "write", "create.stall.0", "/new" },
    { "write", "part.stall.0", "/new" }, { "write", "part.stall.0.on2", "/new" },
    { "write", "part.deaf", "/new" }, { "write", "part.status.503", "/new" },
    { "write", "complete.stall.0", "/new" }, { "write", "complete.inside", "/new" },
    { "atomic", "part.deaf", "/new" }, { "remove", "delete.stall.0", "/old" },
    { "mkdir", "put.stall.0", "/new/folder" }, { "rmtree", "delete.stall.0", "/dir" },
    { "rmtree", "list.stall.0", "/dir" }, { "du", "list.stall.0", "/dir" } } do
    local call, bucket, name = case[1], case[2], case[3]
    it(("ends while s3 does %s and meets %s"):format(call, bucket), function()
      ends_in_time(options, call, "s3://" .. bucket .. name)
    end)
  end

  for _, case in ipairs { { "copy", "copy.stall.0", "/old" },
    { "copytree", "copy.stall.0", "/dir" }, { "copytree", "list.stall.0", "/dir" } } do
    it(("ends while s3 does %s and meets %s"):format(case[1], case[2]), function()
      local bucket = "s3://" .. case[2]
      ends_in_time(options, case[1], bucket .. case[3], bucket .. "/" .. case[1])
    end)
  end

  it("ends while it reads what has no end", function()
    shell.output("truncate -s 1T " .. place .. "/sparse")
    ends_in_time("", "copy", place .. "/sparse", place .. "/sparse-copy")
    shell.run(("rm -f %s/sparse*"):format(place))
  end)

  for _, call in ipairs { "write", "atomic" } do
    it("ends in the middle of a large " .. call, function()
      for _, name in ipairs { place .. "/large", "mem://large" } do
        ends_in_time("CANCELS_SIZE=8000000000", call, name)
      end
      assert.equal(call == "write" and 0 or 1, (shell.run("test -e " .. place .. "/large")))
      shell.run("rm -f " .. place .. "/large")
    end)
  end

  it("ends while threads of a tree are in requests", function()
    ends_in_time(options, "copytree", "s3://get.stall.20/dir", place .. "/copy")
  end)

  -- But for one whose beginning was cancelled, so that nobody was told of it.
  local function uploads(bucket)
    return chaos.state(bucket):gsub("upload new 0", ""):match "upload[^\n]*"
  end

  it("leaves no upload", function()
    ends_in_time(options, "write", "s3://part.stall.1/new")
    assert.is_nil(uploads "part.stall.1")
  end)

  it("does not wait for the answer to the abort of its upload", function()
    local code, took
    for after = 5, 200, 5 do
      local before = chaos.seen "abort.stall.0/abort"
      code, took = cancels.once(after, options, "write", "s3://abort.stall.0/new")
      if chaos.seen "abort.stall.0/abort" > before and took < 2 * LIMIT then
        break
      end
    end
    assert.is_true(chaos.seen "abort.stall.0/abort" > 0)
    assert.equal("CANCELLED", code)
    assert.is_true(took < 2 * LIMIT, took)
    assert.is_nil(uploads "abort.stall.0")
  end)
end)
