-- The Ceph that the specs of s3 are tested with: real clients use it, and it leaves nothing behind.
local child = require "spec.support.child"
local radosgw = require "spec.support.radosgw"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

describe("radosgw", function()
  local ceph, reason = radosgw.start { "bucket-one", "bucket-two" }
  if not ceph then
    pending(reason)
    return
  end

  teardown(function() ceph.stop() end)

  local function curl(status, ...)
    local ended, out, err = ceph.curl("-w", "%{http_code}", ...)
    assert.equal(0, ended, err)
    assert.equal(status, out:sub(-3), out)
    return out:sub(1, -4)
  end

  it("stores and gives back what s3cmd brings", function()
    local name = ceph.place .. "/content"
    shell.output("head -c 20000000 /dev/urandom >" .. name) -- in two parts
    assert.equal(0, (ceph.s3cmd("put", name, "s3://bucket-one/a folder/ü+%")))
    assert.equal(0, (ceph.s3cmd("get", "s3://bucket-one/a folder/ü+%", name .. ".back")))
    assert.equal(0, (shell.run("cmp", name, name .. ".back")))
    local _, out = ceph.s3cmd("ls", "s3://bucket-one/a folder/")
    assert.truthy(out:find("20000000%s+s3://bucket%-one/a folder/ü%+%%\n"), out)
    assert.equal(0, ceph.uploads "bucket-one")
  end)

  it("counts uploads that nobody has ended", function()
    local answer = curl("200", "-X", "POST", ceph.http .. "/bucket-two/left?uploads=")
    assert.equal(1, ceph.uploads "bucket-two")
    local id = answer:match "<UploadId>(.-)<"
    curl("204", "-X", "DELETE", ceph.http .. "/bucket-two/left?uploadId=" .. id)
    assert.equal(0, ceph.uploads "bucket-two")
  end)

  it("refuses strangers, bad signatures and other users", function()
    local url = ceph.http .. "/bucket-one"
    assert.equal("403",
      shell.output("env -u LD_PRELOAD curl -s -o /dev/null -w '%{http_code}'", url))
    curl("403", "--user", ceph.one.key .. ":wrong", url)
    curl("403", "--user", ceph.two.key .. ":" .. ceph.two.secret, url)
    curl("200", "--user", ceph.two.key .. ":" .. ceph.two.secret, ceph.http .. "/")
  end)

  it("speaks TLS with a certificate for some names, not for others", function()
    local port = ceph.https:match "%d+$"
    curl("200", "--cacert", ceph.ca, ceph.https .. "/bucket-one")
    curl("200", "--cacert", ceph.ca, "https://bucket-one.localhost:" .. port .. "/")
    assert.equal(60, (ceph.curl(ceph.https .. "/bucket-one")))
    assert.equal(60, (ceph.curl("--cacert", ceph.ca, "https://wrong.localhost:" .. port)))
  end)

  it("gives credentials that end", function()
    local function listed(status, user)
      curl(status, "--user", user.key .. ":" .. user.secret,
        "-H", "x-amz-security-token: " .. user.token, ceph.http .. "/bucket-one")
    end
    local long, short = ceph.session(900), ceph.session(1)
    listed("200", long)
    shell.output "sleep 2" -- what ends them is the clock
    listed("403", short)
    long.secret = short.secret
    listed("403", long)
  end)

  it("crashes and comes back with what it had", function()
    curl("200", "-T", ceph.ca, ceph.http .. "/bucket-two/kept")
    assert.equal(0, (ceph.run "stop_rgw"))
    assert.equal(7, (ceph.curl(ceph.http)))
    assert.equal(0, (ceph.run "start_rgw"))
    assert.equal(tmpdir.content(ceph.ca), curl("200", ceph.http .. "/bucket-two/kept"))
  end)

  it("ends with the process that started it, however that ends", function()
    local status, out = child [[
      local ceph = assert(require("spec.support.radosgw").start {})
      print(ceph.place)
      print((select(2, ceph.run "readlink /proc/self/ns/pid")))
      io.stdout:flush()
      os.execute "kill -KILL $PPID"
    ]]
    assert.equal(137, status, out)
    local place, space = out:match "^(%S+).*(pid:%[%d+%])"
    assert.truthy(space, out)
    local left = "while readlink /proc/[0-9]*/ns/pid | grep -qxF '%s'; do sleep 0.1; done"
    assert.equal(0, (shell.run("timeout 120 bash -c", left:format(space))))
    assert.equal("", shell.output("ls -A " .. place .. "/cluster"))
    tmpdir.remove(place)
  end)
end)
