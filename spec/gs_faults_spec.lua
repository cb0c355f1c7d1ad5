-- gs before a server that keeps to Google's documentation, and fails when asked to: what is
-- published is whole, what is read is right, and each failure is told.
local fails = require "spec.support.fails"
local gs = require "spec.support.gs"
local modfs = require "modfs"
local shell = require "spec.support.shell"

local MIB = 1024 * 1024
local small = "<a few words>"

local function large(n)
  return ("0123456789abcde\n"):rep(math.ceil(n / 16)):sub(1, n)
end

local options = { part_bytes = 5 * MIB, parallel = 2, retries = 3, idle_timeout_ms = 2000,
  total_timeout_ms = 60000, if_none_match = 0, check_names = 1 }

gs.describe_server("gs before a server that answers badly,", options, function(server)
  before_each(function() assert(modfs.config("gs", options)) end)

  -- The names in a bucket, and how many sessions are open.
  local function state(bucket)
    local names, open = server.state(bucket):match "^(.*)\n(%d+)$"
    return names, tonumber(open)
  end

  -- Writes: afterwards the object is whole or, if that failed, not there; no session is left open.
  local function writes(bucket, content, code)
    local done, message, found = modfs.write("gs://" .. bucket .. "/new", content)
    local names, open = state(bucket)
    assert.equal(code, found, message)
    assert.equal(code and "" or "new", names, bucket)
    assert.equal(bucket:find "^begin.lost" and 1 or 0, open, bucket) -- of that nobody was told
    if done then
      assert.is_true(content == modfs.read("gs://" .. bucket .. "/new"), bucket)
    end
    return message
  end

  it("writes and reads all before one that does not (the control)", function()
    for _, content in ipairs { "", small, large(5 * MIB), large(12 * MIB + 5), large(15 * MIB) } do
      writes("control", content)
      assert(modfs.remove "gs://control/new")
    end
  end)

  it("sends a small file again after a failure on the way", function()
    for _, fault in ipairs { "put.status.503.2", "put.reset..1", "put.lost..1", "put.cut.30.1",
      "put.status.429.1", "put.stall..1" } do
      writes(fault, small)
    end
    writes("put.status.500", small, "UNAVAILABLE")
    writes("put.status.403", small, "PERMISSION_DENIED")
    for _, text in ipairs { "empty", "list", "half", "object", "words", "other", "bad" } do
      writes("put.json." .. text, small, "DATA_LOSS")
    end
  end)

  it("sends what a large file ends with in the request that completes it", function()
    for _, n in ipairs { 12 * MIB + 5, 15 * MIB, 15 * MIB + 5 } do
      local before = { chunk = server.seen "chunk", finish = server.seen "finish" }
      writes("counted", large(n))
      assert.equal((n - 1) // (5 * MIB), server.seen "chunk" - before.chunk, n)
      assert.equal(1, server.seen "finish" - before.finish, n)
      assert(modfs.remove "gs://counted/new")
    end
    assert.equal(0, server.seen "query")
  end)

  it("sends what comes while a chunk is on its way with one request, as far as memory allows",
    function()
      assert(modfs.config("gs", { parallel = 4 }))
      for size, chunks in pairs { [19] = 2, [31] = 3 } do -- one of which was stalled
        local before = { chunk = server.seen "chunk", finish = server.seen "finish" }
        assert.is_nil(writes(("chunk.stall.%d.1"):format(size), large(size * MIB)))
        assert.equal(chunks, server.seen "chunk" - before.chunk)
        assert.equal(1, server.seen "finish" - before.finish)
      end
    end)

  it("sends what has come as soon as the chunk before it is done", function()
    assert(modfs.config("gs", { parallel = 4 }))
    local before, uri = server.seen "chunk", "gs://chunk.stall..1/new"
    local file = assert(modfs.open(uri, "w"))
    assert(file:write(large(12 * MIB + 5)))
    for _ = 1, 500 do
      if server.seen "chunk" == before + 2 then break end -- the first of them was stalled
      shell.output "sleep 0.02"
    end
    shell.output "sleep 0.5" -- until the answer has come
    assert(file:write "more")
    assert(file:flush()) -- which sends nothing that can grow
    assert.equal(before + 3, server.seen "chunk")
    assert(file:close())
    assert.is_true(large(12 * MIB + 5) .. "more" == modfs.read(uri))
  end)

  it("goes on with a large file where the server is", function()
    for _, fault in ipairs { "chunk.status.503.2", "chunk.reset..1", "chunk.lost..1",
      "chunk.lost..on2", "chunk.half..1", "chunk.half..on2", "chunk.cut.20.1", "finish.lost..1",
      "finish.reset..1", "finish.status.500.2", "finish.half..1", "begin.status.503.1",
      "begin.lost..1", "chunk.stall..1", "query.status.503.1" } do
      local message = writes(fault, large(12 * MIB + 5))
      assert.is_nil(message, fault)
    end
  end)

  it("gives up a large file that the server does not take", function()
    for fault, code in pairs { ["chunk.status.503"] = "UNAVAILABLE",
      ["chunk.reset"] = "UNAVAILABLE",
      ["chunk.status.403.on2"] = "PERMISSION_DENIED", ["chunk.status.410"] = "ABORTED",
      ["chunk.json.object"] = "DATA_LOSS", ["finish.json.words"] = "DATA_LOSS",
      ["finish.json.other"] = "DATA_LOSS", ["finish.status.403"] = "PERMISSION_DENIED",
      ["finish.status.503"] = "UNAVAILABLE", ["begin.status.403"] = "PERMISSION_DENIED",
      ["begin.json.object"] = "DATA_LOSS", ["chunk.status.404"] = "ABORTED" } do
      local message = writes(fault, large(12 * MIB), code)
      assert.is_nil(message:find("s3ss10n", 1, true), message)
    end
  end)

  it("tells a written file from one that another has written", function()
    assert(modfs.config("gs", { if_none_match = 1, check_names = 0 }))
    writes("put.lost.again.1", small .. "2")
    assert(modfs.remove "gs://put.lost.again.1/new")
    assert(modfs.write("gs://put.lost.again.on3/new", "1"))
    fails("ALREADY_EXISTS", modfs.write("gs://put.lost.again.on3/new", "2"))
    assert.equal("1", modfs.read "gs://put.lost.again.on3/new")
    -- Both begin before either ends.
    local one = assert(modfs.open("gs://two-writers/new", "w"))
    local other = assert(modfs.open("gs://two-writers/new", "w"))
    assert(one:write(large(11 * MIB)))
    assert(other:write(large(12 * MIB)))
    assert(other:close())
    fails("ALREADY_EXISTS", one:close())
    assert.equal(12 * MIB, modfs.size "gs://two-writers/new")
  end)

  it("appends to the version that it found, and to no other", function()
    local uri = "gs://appending/file"
    for _, n in ipairs { 10, 6 * MIB } do
      assert(modfs.write(uri, large(n)))
      local one, other = assert(modfs.open(uri, "a")), assert(modfs.open(uri, "a"))
      assert(one:write "one")
      assert(other:write(large(6 * MIB)))
      assert(other:close())
      fails("ABORTED", one:close())
      assert.is_true(large(n) .. large(6 * MIB) == modfs.read(uri))
      assert.same({ "file" }, modfs.listdir "gs://appending")
    end
    assert(modfs.write("gs://compose.status.500/file", large(6 * MIB)))
    fails("UNAVAILABLE", modfs.append("gs://compose.status.500/file", "more"))
    assert.equal("file", (state "compose.status.500"))
    assert(modfs.write("gs://compose.status.503.1/file", large(6 * MIB)))
    assert(modfs.append("gs://compose.status.503.1/file", "more"))
    assert.is_true(large(6 * MIB) .. "more" == modfs.read "gs://compose.status.503.1/file")
    assert.equal("file", (state "compose.status.503.1"))
  end)

  it("keeps the type and the metadata of what it appends to, but for the times", function()
    local uri = "gs://appending/kept"
    local function has_all(length)
      assert.equal(length, modfs.size(uri))
      local seen = server.object("appending", "kept")
      assert.truthy(seen:find('"contentType":"text/csv"', 1, true), seen)
      assert.truthy(seen:find('"author":"Bob"', 1, true), seen)
      assert.truthy(seen:find('"mode":"33152"', 1, true), seen)
      assert.is_nil(seen:find("mtime", 1, true))
    end
    for _, n in ipairs { 0, 5, 5 * MIB - 1, 5 * MIB + 1 } do
      for _, more in ipairs { "more", large(9 * MIB) } do
        server.put("appending", large(n), '{"name":"kept","contentType":"text/csv",' ..
          '"metadata":{"author":"Bob","mode":"33152","mtime":"1500000000.5"}}', "text/csv")
        local file = assert(modfs.open(uri, "a"))
        assert(file:write(more))
        assert(file:sync())
        has_all(n + #more)
        assert(file:write(more))
        assert(file:close())
        has_all(n + 2 * #more)
      end
    end
  end)

  it("reads what is right, or tells why not", function()
    local content = large(3 * MIB)
    for _, fault in ipairs { "get.status.503.2", "get.reset..1", "get.cut.1000.1",
      "get.cut.40000.on2", "get.stall..1" } do
      assert(modfs.write("gs://" .. fault .. "/file", content))
      modfs.flush_caches()
      assert.is_true(content == modfs.read("gs://" .. fault .. "/file"), fault)
    end
    for fault, code in pairs { ["get.cut.40000"] = "UNAVAILABLE", ["get.json.other"] = "DATA_LOSS",
      ["get.status.403"] = "PERMISSION_DENIED", ["get.reset"] = "UNAVAILABLE",
      ["get.json.empty"] = "DATA_LOSS" } do
      assert(modfs.write("gs://" .. fault .. "/file", content))
      modfs.flush_caches()
      fails(code, modfs.read("gs://" .. fault .. "/file"))
    end
  end)

  it("takes no half of a listing for the whole", function()
    local function plant(bucket)
      for i = 1, 8 do assert(modfs.write(("gs://%s/d/%d"):format(bucket, i), "x")) end
    end
    for _, fault in ipairs { "list.status.503.on3", "list.cut.100.on3", "list.reset..on3" } do
      assert(modfs.config("gs", { check_names = 0 }))
      plant(fault)
      assert.equal(8, #assert(modfs.listdir("gs://" .. fault .. "/d")))
    end
    for _, text in ipairs { "empty", "list", "half", "object", "words", "other" } do
      plant("list.json." .. text .. ".on2")
      fails("DATA_LOSS", modfs.listdir("gs://list.json." .. text .. ".on2/d"))
    end
  end)

  it("copies and deletes all, whatever is lost on the way", function()
    local content = large(3 * MIB)
    for _, fault in ipairs { "rewrite.lost..1", "rewrite.status.503.on2", "delete.lost..1",
      "delete.status.500.1" } do
      local uri = "gs://" .. fault .. "/"
      assert(modfs.write(uri .. "file", content))
      assert(modfs.rename(uri .. "file", uri .. "other"))
      assert.equal("other", (state(fault)))
      assert.is_true(content == modfs.read(uri .. "other"))
    end
    for _, fault in ipairs { "rewrite.json.object", "rewrite.json.words" } do
      assert(modfs.write("gs://" .. fault .. "/file", content))
      fails("DATA_LOSS", modfs.rename("gs://" .. fault .. "/file", "gs://" .. fault .. "/other"))
      assert.equal("file", (state(fault)))
    end
    for _, fault in ipairs { "good.bucket", "batch.status.404", "batch.json.words",
      "batch.cut.200.1", "batch.status.503.1" } do
      for i = 1, 5 do assert(modfs.write(("gs://%s/d/%d"):format(fault, i), "x")) end
      assert.is_true(modfs.rmtree("gs://" .. fault .. "/d"))
      assert.equal("", (state(fault)))
    end
  end)

  it("changes attributes of the version that it found", function()
    assert(modfs.write("gs://patched/file", small))
    assert(modfs.utime("gs://patched/file", 1500000000123456789))
    assert.equal(1500000000123456789, modfs.stat "gs://patched/file".mtime_nsec)
    assert(modfs.chmod("gs://patched/file", 420))
    assert.equal(1500000000123456789, modfs.stat "gs://patched/file".mtime_nsec)
    assert(modfs.write("gs://patch.status.412/file", small))
    fails("ABORTED", modfs.chmod("gs://patch.status.412/file", 420))
    assert(modfs.append("gs://patched/file", large(6 * MIB)))
    assert.equal(420, modfs.stat "gs://patched/file".mode)
  end)
end)
