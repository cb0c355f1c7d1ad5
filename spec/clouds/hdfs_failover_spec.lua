-- hdfs before a pair of name nodes and two data nodes, some of which are killed.
local fails = require "spec.support.fails"
local hadoop = require "spec.support.hadoop"
local modfs = require "modfs"
local random = require "spec.support.random"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

hadoop.describe("hdfs with a pair of name nodes", { name_nodes = 2, data_nodes = 2 }, function(hdfs)
  local root = "hdfs://pair/spec"
  local block = ("0123456789abcdef"):rep(65536)
  local active = 1

  local function inside(line)
    local status, out, err = hdfs.run(line)
    assert.equal(0, status, out .. err)
    return out
  end

  -- Kills the active name node, makes the other one active, and starts the first one anew.
  local function fail_over()
    local other = 3 - active
    inside(("kill_nn %d; activate %d"):format(active, other))
    inside(("start_nn %d"):format(active))
    active = other
  end

  before_each(function()
    if modfs.exists(root) then
      assert(modfs.rmtree(root))
    end
    assert(modfs.mkdir(root))
  end)

  it("finds the active one, whichever it is", function()
    assert(modfs.write(root .. "/a", "one"))
    fail_over()
    modfs.flush_caches()
    assert.equal("one", modfs.read(root .. "/a"))
    assert(modfs.write(root .. "/a", "two"))
    assert.equal("two", modfs.read "hdfs:///spec/a")
    assert.equal("two", hdfs.dfs("-cat", "hdfs://pair/spec/a"))
  end)

  it("goes on with a copy while the active one dies", function()
    local from = hdfs.place .. "/from"
    shell.output(("mkdir -p %s/a/b; for i in $(seq 120); do head -c $((i * 300)) " ..
      "/dev/urandom >%s/a/$i; done; head -c 40000000 /dev/urandom >%s/a/b/large")
      :format(from, from, from))
    local log = hdfs.place .. "/copy"
    shell.output(("(env MODFS_HDFS_CONF_DIR=%s MODFS_HDFS_USER=root %s bin/modfs cp -r %s " ..
      "%s/to >%s 2>&1; echo $? >%s.status) & sleep 0"):format(hdfs.conf,
      os.getenv "LUA" or "lua5.4", from, root, log, log))
    shell.run("sleep 0.7")
    fail_over()
    local ended = shell.run(("timeout 200 sh -c 'until [ -e %s.status ]; do sleep 0.1; done'")
      :format(log))
    assert.equal(0, ended)
    assert.equal("0", tmpdir.content(log .. ".status"):match "%d+", tmpdir.content(log))
    assert(modfs.copytree(root .. "/to", hdfs.place .. "/back"))
    assert.equal("", shell.output("diff -r", from, hdfs.place .. "/back"))
    for _, name in ipairs(modfs.listdir(root .. "/to/a")) do
      assert.is_nil(name:find("modfs", 1, true), name)
    end
  end)

  it("tells that none answers", function()
    assert(modfs.config("hdfs", { retries = 0 }))
    inside(("kill_nn %d"):format(active))
    local results = { modfs.read(root .. "/a") }
    assert(modfs.config("hdfs", { retries = 5 }))
    inside(("activate %d"):format(3 - active))
    inside(("start_nn %d"):format(active))
    active = 3 - active
    fails("UNAVAILABLE", table.unpack(results))
  end)

  it("writes a file as a whole or not at all, when both are away at a random moment", function()
    local draw = random(1)
    local old, new = ("old content "):rep(1000), block:rep(6)
    local told = 0
    assert(modfs.config("hdfs", { buffer_bytes = 65536 }))
    for round = 1, tonumber(os.getenv "MODFS_HDFS_KILLS" or 3) do
      for _, name in ipairs { "short", "long", "moved" } do
        assert(modfs.write(("%s/%s%d"):format(root, name, round), old))
      end
      inside(("(sleep %.3f; kill -KILL ${nn[%d]}) & true"):format(draw(600) / 1000, active))
      local results = {}
      assert(modfs.config("hdfs", { retries = 0, idle_timeout_ms = 5000 }))
      for i = 1, 20 do
        local number = round .. (i > 1 and "." .. i or "")
        results[#results + 1] = { modfs.write(root .. "/short" .. number, "new") }
        results[#results + 1] = { modfs.write(root .. "/long" .. number, new) }
        results[#results + 1] = { modfs.rename(root .. "/moved" .. round, root .. "/moved.to") }
        results[#results + 1] = { modfs.rename(root .. "/moved.to", root .. "/moved" .. round) }
        if not results[#results][1] then break end
      end
      for _, result in ipairs(results) do
        assert.truthy(result[1] or result[3] == "UNAVAILABLE" or result[3] == "NOT_FOUND" or
          result[3] == "DEADLINE_EXCEEDED", result[2])
        told = told + (result[1] and 0 or 1)
      end
      fail_over()
      assert(modfs.config("hdfs", { retries = 5, idle_timeout_ms = 60000 }))
      for _, name in ipairs(modfs.listdir(root)) do
        local content = not name:find "^%.modfs" and modfs.read(root .. "/" .. name)
        assert.is_true(not content or content == old or content == "new" or content == new, name)
      end
      local moved = modfs.exists(root .. "/moved" .. round)
      assert.is_true(moved ~= modfs.exists(root .. "/moved.to"), "moved once")
      assert(moved or modfs.remove(root .. "/moved.to"))
    end
    assert(modfs.config("hdfs", { buffer_bytes = 4194304 }))
    assert.is_true(told > 0, "the kills were noticed")
  end)

  it("keeps the old file when the data nodes die in the middle of an upload", function()
    assert(modfs.write(root .. "/a", "old content"))
    local writer = assert(modfs.open(root .. "/a", "w"))
    for _ = 1, 12 do
      assert(writer:write(block))
    end
    inside "kill_dn 1; kill_dn 2"
    local failed
    for _ = 1, 60 do
      local good, message, code = writer:write(block)
      if not good then
        failed = { good, message, code }
        break
      end
    end
    if not failed then
      failed = { writer:close() }
    end
    pcall(writer.close, writer)
    fails("UNAVAILABLE", table.unpack(failed, 1, 3))
    inside("start_dn 1; start_dn 2")
    assert.equal("old content", modfs.read(root .. "/a"))
    assert.same({ "a" }, modfs.listdir(root))
  end)

  it("sends a short file to another data node when one is dead", function()
    inside "kill_dn 1"
    for i = 1, 6 do
      assert(modfs.write(root .. "/" .. i, ("short %d"):format(i)))
      assert.equal(("short %d"):format(i), modfs.read(root .. "/" .. i))
    end
    inside "start_dn 1"
  end)

  it("reads on from another replica when a data node dies, and gives no wrong byte", function()
    local content = {}
    for i = 1, 48 do
      content[i] = ("%016d"):format(i):rep(65536)
    end
    content = table.concat(content)
    assert(modfs.config("hdfs", { replication = 2, cache_bytes = 2097152, retries = 20 }))
    assert(modfs.write(root .. "/twice", content))
    local reader = assert(modfs.open(root .. "/twice"))
    local first = reader:read(3000000)
    inside "kill_dn 2"
    local rest = assert(reader:read(#content))
    reader:close()
    inside "start_dn 2"
    assert(modfs.config("hdfs", { replication = 0, cache_bytes = 33554432, retries = 5 }))
    assert.is_true(first .. rest == content)
  end)

  it("tells that no replica is left", function()
    assert(modfs.config("hdfs", { retries = 0 }))
    assert(modfs.write(root .. "/once", block))
    inside "kill_dn 1; kill_dn 2"
    local results = { modfs.read(root .. "/once") }
    inside "start_dn 1; start_dn 2"
    assert(modfs.config("hdfs", { retries = 5 }))
    fails("UNAVAILABLE", table.unpack(results, 1, 3))
    assert.is_true(block == modfs.read(root .. "/once"))
  end)
end)
