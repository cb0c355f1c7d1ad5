-- examples/7_server.lua: 200 clients of a server in luv, whose files are in S3.
local child = require "spec.support.child"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local has_luv = child "require 'luv'" == 0
local missing = web.missing() or s3.missing() or not has_luv and "luv is not installed for this Lua"

local lua = os.getenv "LUA" or "lua5.4"

describe("a server in luv", function()
  if missing then
    return pending(missing)
  end
  local clients, stall = 200, 10 -- seconds
  local many = "ulimit -Sn $(ulimit -Hn)" -- descriptors
  local place, chaos

  setup(function()
    place, chaos = tmpdir.new(), web.chaos()
    chaos.put("s3-good/folder/small", ("a few words "):rep(100))
    chaos.put("s3-good/folder/large", ("0123456789abcdef"):rep(100000))
    chaos.put("s3-good/secret", "of another folder")
  end)
  teardown(function()
    chaos.stop()
    tmpdir.remove(place)
  end)

  local function launch(how)
    local name = place .. "/" .. how
    shell.run("rm -f " .. name)
    local pid = shell.output((many .. "; env LUA_PATH=%s LUA_CPATH=%s AWS_ENDPOINT_URL=%s "
      .. "AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=secret %s spec/children/luv_server.lua "
      .. "s3://s3-good/folder %s %s >%s.log 2>&1 & echo $!"):format(shell.quote(package.path),
      shell.quote(package.cpath), chaos.url, lua, name, how, name))
    shell.output(("for i in $(seq 600); do [ -e %s ] && exit 0; sleep 0.05; done; cat %s.log; "
      .. "exit 1"):format(name, name))
    return { pid = pid, name = name, port = tmpdir.content(name) }
  end

  -- By how many milliseconds its timer was late.
  local function stop(server)
    shell.run(("kill %s; while kill -0 %s 2>/dev/null; do sleep 0.02; done"):format(server.pid,
      server.pid))
    local log = tmpdir.content(server.name .. ".log")
    return (assert(tonumber(log:match "(%d+)\n$"), log))
  end

  -- Runs fn(port), and returns by how many milliseconds the server's timer was later than one in a
  -- process that has nothing else to do, as other processes may have the processor.
  local function serve(how, fn)
    local server, bare = launch(how), launch "bare"
    local fine, problem = pcall(fn, server.port)
    local late, usual = stop(server), stop(bare)
    assert(fine, problem)
    return late - usual
  end

  -- How many of 200 clients got all of a file, the sum of the bytes, and the slowest one's time.
  local function fetch(port, path)
    local status, out, err = child("spec/children/luv_clients.lua",
      { arguments = { tostring(clients), port, path }, seconds = 120, before = many })
    assert.equal(0, status, err)
    local good, bytes, slowest = out:match "^(%d+) (%d+) (%d+)\n$"
    return tonumber(good), tonumber(bytes), tonumber(slowest)
  end

  local function status_of(port, path)
    local words = "env -u LD_PRELOAD curl -s --path-as-is -o /dev/null -w '%%{http_code}' "
      .. "http://127.0.0.1:%s%s"
    return shell.output(words:format(port, path))
  end

  it("answers with files of its folder only", function()
    serve("jobs", function(port)
      assert.equal("200", status_of(port, "/small"))
      assert.equal("200", status_of(port, "/sm%61ll"))
      assert.equal("404", status_of(port, "/none"))
      assert.equal("404", status_of(port, "/../secret"))
      assert.equal("404", status_of(port, "/%2e%2e/secret"))
      assert.equal("400", status_of(port, "/small%00"))
      local good, bytes = fetch(port, "/large")
      assert.equal(clients, good)
      assert.equal(clients * 1600000, bytes)
    end)
  end)

  -- The lateness while 200 clients wait for a store that stalls.
  local function lateness(how, seconds)
    return serve(how, function(port)
      assert.equal("200", status_of(port, "/small"))
      shell.run(("kill -STOP %s; (sleep %d; kill -CONT %s) >/dev/null 2>&1 &"):format(chaos.process,
        seconds, chaos.process))
      local good, bytes, slowest = fetch(port, "/small")
      assert.equal(clients, good)
      assert.equal(clients * 1200, bytes)
      assert.is_true(slowest >= seconds * 1000 - 500)
    end)
  end

  it("keeps its time while the store stalls for 10 s", function()
    local least = math.huge
    for _ = 1, 5 do
      least = least > 20 and math.min(least, lateness("jobs", stall)) or least
    end
    assert.is_true(least <= 20, least .. " ms")
  end)

  it("would not, if it called without jobs", function()
    assert.is_true(lateness("plain", 2) >= 1000)
  end)
end)
