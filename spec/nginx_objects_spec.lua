-- What strangers ask of examples/nginx: odd names, uploads that break off or are too large, ranges
-- and conditions, of files that nginx sends itself and of others.
local nginx = require "spec.support.nginx"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

describe("objects of nginx", function()
  local missing = nginx.missing()
  if missing then
    pending(missing)
    return
  end

  local server, place, base

  -- Runs a script: $U is the URL of the objects, $F their folder, $T the place, c requests
  -- something and prints the status, and left prints what uploads leave for longer than 10 s.
  local function run(script)
    return (shell.output(([[
      unset LD_PRELOAD
      U=%s/files; M=%s/memory; F=%s/folder; T=%s
      c() { curl -sS --max-time 20 -o $T/got -w '%%{http_code} ' "$@" 2>>$T/problems; }
      found() { ls -A $F $T/run/body | grep '^[^/]'; }
      left() { for i in $(seq 100); do found >$T/left || break; sleep 0.1; done; cat $T/left; }
      ]]):format(base, base, place, place) .. script):gsub(" +$", ""))
  end

  -- An object that is not of today is sent by nginx itself, another one by modfs.
  local function is_of_old(name)
    shell.output("touch -d '1 hour ago'", place .. "/folder/" .. name)
  end

  local more = [[
    location /past/ { content_by_lua_block { ngx.exec("/direct@folder@" .. ngx.var.uri:sub(6)) } }
    location /followed/ { alias @folder@/; }
    location /memory/ {
      content_by_lua_block { require("store").serve { root = "mem://o", prefix = "/memory/" } }
    }]]

  setup(function()
    server = nginx.new()
    place, base = server.place, server.base
    tmpdir.write(place .. "/body", ("0123456789"):rep(70000))
    server:start("WORKERS=1 MOST=5m MORE=" .. shell.quote(more))
  end)

  teardown(function()
    server:stop()
    server:remove()
  end)

  it("are not there after an upload that is too large", function()
    assert.equal("413 413 413", run [[
      head -c 6000000 /dev/zero >$T/large
      c -T $T/large $U/large; c -T - $U/large <$T/large
      c -H Expect: -H 'Transfer-Encoding: chunked' -T $T/large $U/large
      left]])
  end)

  it("are not there after an upload that breaks off", function()
    assert.equal("28 28", run [[
      curl -s --max-time 0.3 --limit-rate 100k -T $T/body $U/broken; printf "$? "
      curl -s --max-time 0.3 --limit-rate 100k -T - $U/broken <$T/body; printf "$? "
      left]])
  end)

  it("are one of two that are stored at once", function()
    assert.equal("", run [[
      head -c 3000000 /dev/urandom >$T/one; head -c 3000000 /dev/zero >$T/other
      for i in 1 2 3 4 5; do
        curl -sS --fail -T $T/one $U/two & curl -sS --fail -T $T/other $U/two & wait
        cmp -s $F/two $T/one || cmp -s $F/two $T/other || echo mixed
      done]])
  end)

  it("may be empty", function()
    assert.equal("201 200 416 201 200 416", run [[
      c -X PUT $U/empty; c $U/empty; c -r 0-1 $U/empty
      c -X PUT $M/empty; c $M/empty; c -r 0-1 $M/empty]])
  end)

  it("are stored while nginx is reloaded", function()
    assert.equal("201 same", run [[
      c --limit-rate 300k -T $T/body $U/reloaded &
      for i in 1 2 3; do sleep 0.4; kill -HUP $(cat $T/run/nginx.pid); done; wait
      cmp $F/reloaded $T/body && printf same]])
  end)

  it("replace no directory and are not below a file", function()
    assert.equal("201 409 409 409 409 409 409 409 404 404 404", run [[
      p() { c -d x -X PUT "$@"; }
      p $U/directory/file; p $U/directory; p $U/directory/; p $U/; p $U/directory/file/below
      c -X DELETE $U/directory; c -X DELETE $U/directory/; c -X DELETE $U/
      c -X DELETE $U/directory/file/below; c $U/directory/file/; c $U/directory/file/below]])
  end)

  it("have names of any bytes", function()
    assert.equal("", run [[
      for name in a%20b q%3Fx h%23x p%25x plus+x %C3%A4 %FF 'semi;x' "q'x" dq%22x bs%5Cx nl%0Ax \
          '~x' ':x' x%2525 a%26b c%3A%2F%2Fx - %20 .hidden; do
        curl -sS -X PUT -d "$name" "$U/odd/$name"
        [ "$(curl -sS "$U/odd/$name")" = "$name" ] || echo "fresh: $name"
        find $F/odd -type f -exec touch -d '1 hour ago' {} +
        [ "$(curl -sS "$U/odd/$name")" = "$name" ] || echo "old: $name"
      done
      curl -sS "$U/odd/" | grep -c '<tr>' | grep -vx 20 || true]])
  end)

  it("are below the folder", function()
    tmpdir.write(place .. "/outside", "outside")
    assert.equal("200 400 400 400 400", run [[
      c --path-as-is $U/directory%2Ffile; c --path-as-is $U/%2e%2e/%2e%2e/outside
      c --path-as-is $U/..%2f..%2foutside; c --path-as-is $U/a%00b
      c $U/$(printf 'x%.0s' $(seq 300))]])
    assert.equal("404", run "c --path-as-is $U/../outside")
    run ": >$T/run/error.log" -- of that one nginx says what it has not found
  end)

  it("are not reached through links", function()
    assert.equal("403 403 403 403 403 403 403 outside", run [[
      ln -s $T/outside $F/link; ln -s $T $F/up; ln -s nowhere $F/dangling
      c $U/link; c $U/up/outside; c $U/up/; c -T $T/body $U/link; c -T $T/body $U/dangling
      c -T $T/body $U/up/outside; c -X DELETE $U/link
      test ! -e $F/nowhere && cat $T/outside]])
  end)

  it("are not reached through a link that is made after the look", function()
    assert.equal("200 403 404 200", run [[
      R=${U%files}; chmod 644 $T/outside
      c $R/past/directory/file; c $R/past/link; c $R/past/up/outside; c $R/followed/link
      : >$T/run/error.log]])
  end)

  it("are files", function()
    assert.equal("404 409", run "mkfifo $F/fifo; c $U/fifo; c -X PUT -d x $U/fifo")
  end)

  local function ranges(url)
    return run(([[
      for range in 0-0 -5 5-9 699999-900000 700000- -0 5-2 x 9999999999999999999-; do
        c -H "Range: bytes=$range" %s; printf "$(wc -c <$T/got) "
      done
      c -H 'Range: lines=1-2' %s]]):format(url, url))
  end

  it("are served in ranges, by whoever sends them", function()
    local expected = "206 1 206 5 206 5 206 1 416 13 416 13 200 700000 200 700000 416 13 200"
    run "c -T $T/body $U/ranges; c -T $T/body $M/ranges"
    assert.equal(expected, ranges "$U/ranges")
    assert.equal(expected, ranges "$M/ranges")
    is_of_old "ranges"
    assert.equal(expected, ranges "$U/ranges")
    assert.equal("206 200", run "c -r 0-1,4-5 $U/ranges; c -r 0-1,4-5 $M/ranges")
  end)

  local function conditions(url)
    return run(([[
      for method in -G -I; do
        h() { c $method -r 5-9 -H "$1" %s; }
        tag=$(curl -sI %s | tr -d '\r' | awk 'tolower($1) == "etag:" { print $2 }')
        date=$(curl -sI %s | tr -d '\r' | sed -n 's/^[Ll]ast-[Mm]odified: //p')
        h "If-None-Match: $tag"; h "If-None-Match: W/$tag"; h 'If-None-Match: "x"'
        h "If-Match: $tag"; h "If-Match: W/$tag"; h 'If-Match: "x"'; h "If-Modified-Since: $date"
        h "If-Unmodified-Since: $date"; h 'If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT'
        h "If-Range: $tag"; h 'If-Range: "x"'; h "If-Range: $date"
        h 'If-Range: Sun, 06 Nov 1994 08:49:37 GMT'
      done]]):format(url, url, url))
  end

  it("are served on conditions, by whoever sends them", function()
    local expected = "304 304 206 206 412 412 304 206 412 206 200 206 200"
    expected = expected .. " " .. expected
    run "c -T $T/body $U/conditions; c -T $T/body $M/conditions"
    assert.equal(expected, conditions "$U/conditions")
    assert.equal(expected, conditions "$M/conditions")
    is_of_old "conditions"
    assert.equal(expected, conditions "$U/conditions")
  end)

  it("are listed, 50,000 of them", function()
    assert.equal("200 50000 50000 200 sorted", run [[
      mkdir $F/many; (cd $F/many; seq -f 'name-%06g' 50000 | xargs touch)
      c "$U/many/?format=json"; grep -o '"name"' $T/got | wc -l | tr '\n' ' '
      grep -o 'name-[0-9]*' $T/got | sort -u | wc -l | tr '\n' ' '
      c $U/many/; grep -o '>name-[0-9]*' $T/got | sort -c && printf sorted]])
  end)

  it("are stored without a complaint in the error log", function()
    assert.equal("", server:complaints())
  end)

  describe("on a full disk", function()
    local disk

    setup(function()
      disk = place .. "/folder/disk"
      if shell.run(("mkdir %s && mount -t tmpfs -o size=1m,mode=777 tmpfs %s"):format(disk, disk))
          ~= 0 then
        disk = nil
      end
    end)

    teardown(function() return disk and shell.output("umount", disk) end)

    it("are refused, and the old ones stay", function()
      if not disk then
        pending "cannot mount a small file system here"
        return
      end
      assert.equal("201 507 507 204 0", run [[
        head -c 300000 $T/body >$T/small; head -c 4000000 /dev/zero >$T/large
        c -T $T/small $U/disk/object; c -T $T/large $U/disk/object
        c -T - $U/disk/object <$T/large; cmp $F/disk/object $T/small
        c -T $T/small $U/disk/object; ls -A $F/disk | grep -vc '^object$' || true]])
      assert.truthy(server:complaints():find("RESOURCE_EXHAUSTED: write .-/disk/object"))
    end)
  end)
end)
