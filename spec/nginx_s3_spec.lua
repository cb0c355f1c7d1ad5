-- examples/nginx over s3, a real Ceph.
local nginx = require "spec.support.nginx"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"

s3.describe("nginx over s3", { "objects" }, {}, function(ceph)
  local missing = nginx.missing()
  if missing then
    pending(missing)
    return
  end

  local server, place

  -- Runs a script: $U is the URL of the objects, $T the place, c requests something and prints the
  -- status.
  local function run(script)
    return (shell.output(([[
      unset LD_PRELOAD
      U=%s/files; T=%s
      c() { curl -sS --max-time 30 -o $T/got -w '%%{http_code} ' "$@" 2>>$T/problems; }
      ]]):format(server.base, place) .. script):gsub("%s+$", ""))
  end

  setup(function()
    server = nginx.new()
    place = server.place
    local init = ([[require("modfs").config("s3", { endpoint = "%s", access_key_id = "%s",
      secret_access_key = "%s" })]]):format(ceph.http, ceph.one.key, ceph.one.secret)
    server:start("WORKERS=1 INIT=" .. shell.quote(init), "s3://objects/top")
    shell.output("head -c 30000000 /dev/urandom >" .. place .. "/body")
  end)

  teardown(function()
    server:stop()
    server:remove()
  end)

  it("stores, serves, lists and deletes objects", function()
    assert.equal("201 200 same 204 200 30000000", run [[
      c -T $T/body $U/a/large; c $U/a/large; cmp $T/got $T/body && printf 'same '
      c -T - $U/a/large <$T/body; c -I $U/a/large
      tr -d '\r' <$T/got | awk 'tolower($1) == "content-length:" { print $2 }']])
    assert.equal('200 "name":"large"', run [[
      c "$U/a/?format=json"; grep -o '"name":"[^"]*"' $T/got]])
    assert.equal("204 404 404", run "c -X DELETE $U/a/large; c $U/a/large; c -X DELETE $U/a/large")
  end)

  it("serves ranges on conditions", function()
    assert.equal("201 206 same 304 412 200 416", run [[
      c -T $T/body $U/part; c -r 20000000-20999999 $U/part
      tail -c +20000001 $T/body | head -c 1000000 | cmp - $T/got && printf 'same '
      tag=$(curl -sSI $U/part | tr -d '\r' | awk 'tolower($1) == "etag:" { print $2 }')
      c -H "If-None-Match: $tag" $U/part; c -H 'If-Match: "x"' -T $T/body $U/part
      c -r 0-9 -H 'If-Range: "x"' $U/part; c -r 30000000- $U/part]])
  end)

  it("keeps the old object when an upload breaks off", function()
    assert.equal("201 old", run [[
      printf old >$T/old; c -T $T/old $U/broken
      curl -sS --max-time 1 --limit-rate 5M -T $T/body $U/broken 2>/dev/null
      sleep 1; curl -sS $U/broken]])
    for _ = 1, 100 do -- the worker may not have come to it
      if ceph.uploads "objects" == 0 then
        return
      end
      shell.run "sleep 0.1"
    end
    assert.equal(0, ceph.uploads "objects")
  end)

  it("writes nothing but notices into its error log", function()
    assert.equal("", server:complaints())
  end)
end)
