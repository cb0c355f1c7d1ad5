-- hdfs before a server that answers badly: every fault is told or repaired, and no secret is told.
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local hadoop = require "spec.support.hadoop"
local modfs = require "modfs"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local token = "cAnArY-ToKeN-9876543210"

describe("hdfs before a server that answers badly", function()
  local reason = hadoop.lacks_plugin() or web.missing()
  if reason then
    pending(reason)
    return
  end

  local place, pid, root, port
  local large = ("0123456789abcdef"):rep(65536)

  setup(function()
    place = tmpdir.new()
    local ports
    pid, ports = web.launch("spec/fixtures/hdfs_chaos.lua", place .. "/port", place)
    port = ports:match "%d+"
    root = "webhdfs://127.0.0.1:" .. port
    assert(modfs.config("webhdfs", { retries = 2, user = "root", buffer_bytes = 65536 }))
  end)

  teardown(function() web.stop(pid, place) end)

  local function seen(what)
    return shell.output("env -u LD_PRELOAD curl -sf", "http://127.0.0.1:" .. port .. "/" .. what)
  end

  it("reads and writes when all is well (the control)", function()
    for _, content in ipairs { "text", "", large } do
      assert(modfs.write(root .. "/good/a", content))
      assert.is_true(content == modfs.read(root .. "/good/a"))
    end
    assert.same({ "a" }, modfs.listdir(root .. "/good"))
  end)

  it("holds one page of a listing in memory, however many there are", function()
    local status, out, err = child([[
      local modfs = require "modfs"
      local function most()
        return modfs.read "/proc/self/status":match "VmHWM:%s*(%d+)"
      end
      local seen, first = 0, nil
      for _ in modfs.dir(...) do
        seen = seen + 1
        if seen == 2000 then
          first = most()
        end
      end
      print(seen, most() - first)
    ]], { arguments = { root .. "/pages" } })
    assert.equal(0, status, err)
    local count, more = out:match "(%d+)%s+(%d+)"
    assert.equal("100000", count)
    if not os.getenv "LD_PRELOAD" then -- a checker has memory of its own
      assert.is_true(tonumber(more) < 1024, more .. " KiB after the second page")
    end
  end)

  it("repeats what may be repeated", function()
    for _, fault in ipairs { "status.503", "status.500", "reset", "cut",
      "exception.StandbyException", "exception.RetriableException" } do
      for _, op in ipairs { "GETFILESTATUS", "CREATE", "OPEN", "RENAME", "DATA",
        "LISTSTATUS_BATCH" } do
        local folder = ("%s/%s.%s.1"):format(root, op, fault)
        if op ~= "DATA" or not fault:find "^exception" then
          assert(modfs.write(folder .. "/a", "text"))
          assert.equal("text", modfs.read(folder .. "/a"), folder)
          assert.same({ "a" }, modfs.listdir(folder))
        end
      end
    end
  end)

  it("tells what cannot be repaired, and publishes nothing", function()
    local codes = { ["status.401"] = "UNAUTHENTICATED", ["status.403"] = "PERMISSION_DENIED",
      ["status.503"] = "UNAVAILABLE", ["exception.AccessControlException"] = "PERMISSION_DENIED",
      ["exception.DSQuotaExceededException"] = "RESOURCE_EXHAUSTED",
      ["exception.SafeModeException"] = "UNAVAILABLE" }
    for fault, code in pairs(codes) do
      for _, op in ipairs { "CREATE", "DATA", "RENAME" } do
        for _, content in ipairs { "text", large } do
          local folder = ("%s/%s.%s"):format(root, op, fault)
          fails(code, modfs.write(folder .. "/a", content))
          assert.same({}, modfs.listdir(folder))
        end
      end
    end
  end)

  it("takes no answer that is not of the kind", function()
    for _, fault in ipairs { "garbage", "empty" } do
      fails("DATA_LOSS", modfs.stat(("%s/GETFILESTATUS.%s/a"):format(root, fault)))
      fails("DATA_LOSS", modfs.listdir(("%s/LISTSTATUS_BATCH.%s"):format(root, fault)))
    end
    fails("FAILED_PRECONDITION", modfs.write(root .. "/CREATE.none/a", "text"))
    fails("FAILED_PRECONDITION", modfs.write(root .. "/CREATE.bad/a", "text"))
  end)

  it("gives no short and no long content as a whole one", function()
    for _, fault in ipairs { "short", "long", "cut", "reset" } do
      for i, content in ipairs { "some text", large } do
        local path = ("%s/DATA.%s/a%d"):format(root, fault, i)
        shell.output("env -u LD_PRELOAD curl -s -o /dev/null -X PUT --data-binary @- " ..
          ("'http://127.0.0.1:%s/data/DATA.%s/a%d?op=CREATE'"):format(port, fault, i) ..
          " <<'END'\n" .. (i == 1 and content or "x") .. "\nEND\n true")
        local text, message, code = modfs.read(path)
        assert.is_nil(text)
        assert.truthy(code == "DATA_LOSS" or code == "UNAVAILABLE", message)
      end
    end
  end)

  -- What the first read of a File asks for at least, if it is to go on.
  local long = ("0123456789abcdef"):rep(65536):rep(8) .. "end"

  it("reads a long file by one request, whatever else is read of it between", function()
    assert(modfs.write(root .. "/good/long", long))
    local function requests() return tonumber(seen "seen/OPEN") end
    local before = requests()
    assert.is_true(long == modfs.read(root .. "/good/long"))
    assert.equal(before + 2, requests()) -- of the name node, and the data node
    modfs.flush_caches()
    local file = assert(modfs.open(root .. "/good/long"))
    local read = {}
    for i = 1, 90 do
      read[i] = file:read(100000)
      assert.equal("end", file:pread(8388608, 20))
    end
    file:close()
    assert.is_true(long == table.concat(read))
    assert.equal(before + 6, requests()) -- and one for the other place
  end)

  it("reads on in another request where one breaks off", function()
    assert(modfs.config("webhdfs", { retries = 5 }))
    for _, fault in ipairs { "cut", "half", "reset", "short", "long", "status.503", "garbage" } do
      local path = ("%s/CONTENT.%s.2/a"):format(root, fault)
      assert(modfs.write(path, long))
      assert.is_true(long == modfs.read(path), fault)
    end
    assert(modfs.config("webhdfs", { retries = 2 }))
  end)

  it("does not count it as an attempt when a request breaks off that went well before", function()
    assert(modfs.config("webhdfs", { retries = 0 }))
    local path = root .. "/CONTENT.half.1/a"
    assert(modfs.write(path, long))
    local file = assert(modfs.open(path))
    local first = file:read(1048576)
    assert.is_true(long == first .. assert(file:read(#long)))
    file:close()
    fails("UNAVAILABLE", modfs.write(root .. "/CREATE.status.503.1/a", "text"))
    assert(modfs.config("webhdfs", { retries = 2 }))
  end)

  it("lets a File rest for longer than its timeouts", function()
    assert(modfs.write(root .. "/good/rests", long))
    local before = seen "seen/OPEN"
    assert(modfs.config("webhdfs", { idle_timeout_ms = 2000, total_timeout_ms = 2000 }))
    local file = assert(modfs.open(root .. "/good/rests"))
    local first = file:read(1048576)
    shell.run "sleep 2.2"
    local rest = file:read(#long)
    assert(modfs.config("webhdfs", { idle_timeout_ms = 60000, total_timeout_ms = 300000 }))
    file:close()
    assert.is_true(long == first .. rest)
    assert.equal(tonumber(before) + 2, tonumber(seen "seen/OPEN"))
  end)

  it("serves threads that share a File, and children that fork between them", function()
    local crowd, why = web.crowd()
    if not crowd then
      pending(why)
      return
    end
    local shared = long:sub(1, 8000000)
    assert(modfs.write(root .. "/good/shared", shared))
    tmpdir.write(place .. "/right", shared)
    tmpdir.write(place .. "/wrong", (shared:gsub("9", "8")))
    for _, bytes in ipairs { 2097152, 33554432 } do
      local environment = "MODFS_HDFS_CACHE_BYTES=" .. bytes
      assert.equal(0, crowd(root .. "/good/shared", place .. "/right", environment))
      assert.equal(1, crowd(root .. "/good/shared", place .. "/wrong", environment))
    end
  end)

  it("sends the content to the data node alone, and nowhere without being told", function()
    local before = seen "tokens":match " (%d+)"
    fails("NOT_FOUND", modfs.write(root .. "/CREATE.elsewhere/a", "text"))
    assert.is_true(tonumber((seen "tokens":match " (%d+)")) > tonumber(before))
  end)

  it("tells its token in no word", function()
    local code = [[
      local modfs = require "modfs"
      local root = ...
      print(modfs.config("webhdfs", { token = %q, retries = 0 }))
      for _, folder in ipairs { "good", "all.token", "all.status.500", "all.garbage", "all.reset",
        "DATA.token", "CREATE.elsewhere", "OPEN.token", "RENAME.token" } do
        local path = root .. "/" .. folder .. "/a"
        print(modfs.write(path, "text"))
        print(modfs.append(path, "text"))
        print(modfs.read(path))
        print(modfs.listdir(root .. "/" .. folder))
        print(modfs.remove(path))
        print(modfs.mkdir(path .. "/b"))
      end
      for name, value in pairs(modfs.config "webhdfs") do print(name, value) end
    ]]
    local before = seen "tokens":match "%d+"
    local status, out, err = child(code:format(token), { arguments = { root }, seconds = 300,
      before = "export TF_CPP_MIN_LOG_LEVEL=0 TF_CPP_MAX_VLOG_LEVEL=9" })
    assert.equal(0, status, err)
    assert.truthy(#out > 2000)
    assert.is_true(tonumber((seen "tokens":match "%d+")) > tonumber(before) + 10)
    local at = (out .. err):find(token, 1, true)
    assert.is_nil(at, at and (out .. err):sub(at - 100, at + 100))
    assert.truthy(out:find("***", 1, true), "the server repeats it, and it is masked")
  end)

  it("keeps no token in memory that it has used", function()
    if sanitized then
      pending "a sanitizer keeps what was freed"
      return
    end
    tmpdir.write(place .. "/token", token .. "\n")
    local before = seen "tokens":match "%d+"
    local status, out, err = child(([[
      local modfs = require "modfs"
      local scan = dofile "spec/fixtures/s3/scan.lua"
      local root, file = ...
      modfs.config("webhdfs", { token_file = file, retries = 0, buffer_bytes = 65536 })
      for _, folder in ipairs { "good", "all.token", "all.status.500", "all.garbage", "all.reset",
        "DATA.token", "DATA.reset", "DATA.cut", "CREATE.elsewhere", "OPEN.token",
        "RENAME.token" } do
        local path = root .. "/" .. folder .. "/a"
        modfs.write(path, "text")
        modfs.write(path, ("text"):rep(100000))
        modfs.append(path, "text")
        modfs.read(path)
        modfs.listdir(root .. "/" .. folder)
        modfs.rename(path, path .. "b")
        modfs.utime(path, 0)
        modfs.remove(path)
        modfs.mkdir(path .. "/b")
      end
      assert(modfs.write(root .. "/good/b", "text"))
      assert(modfs.read(root .. "/good/b") == "text")
      local open = assert(modfs.open(root .. "/good/b"))
      local function look()
        print(table.concat(scan(%q, %q), " ") .. ".")
      end
      look() -- with connections and a file open
      open:close()
      modfs.flush_caches()
      look()
      modfs.config("webhdfs", { token = io.open(file):read "l" })
      collectgarbage()
      local held = io.open(file):read "a"
      look()
    ]]):format(token:sub(1, 10), token:sub(11)), { arguments = { root, place .. "/token" },
      seconds = 300 })
    assert.equal(0, status, err)
    assert.is_true(tonumber((seen "tokens":match "%d+")) > tonumber(before) + 10)
    local lines = {}
    for line in out:gmatch "[^\n]+" do
      lines[#lines + 1] = line
    end
    assert.truthy(lines[3]:find "%w", out) -- the control
    assert.same({ ".", "." }, { lines[1], lines[2] })
  end)
end)
