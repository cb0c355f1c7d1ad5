-- examples/nginx as its README starts it: a real nginx with LuaJIT on a loopback port.
local build = require "spec.fixtures.build"
local free_port = require "spec.support.free_port"
local nginx = require "spec.support.nginx"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

describe("nginx", function()
  local missing = nginx.missing()
  if missing then
    pending(missing)
    return
  end

  local server, place, base

  local function curl(...) return server:curl(...) end
  local function status_of(...) return server:status_of(...) end
  local function put(...) return server:put(...) end
  local function start(...) server:start(...) end
  local function stop() server:stop() end

  setup(function()
    server = nginx.new()
    place, base = server.place, server.base
    tmpdir.write(place .. "/body", ("0123456789"):rep(70000))
  end)

  teardown(function() server:remove() end)

  it("is not started with a folder whose name nginx.conf cannot have", function()
    for _, name in ipairs { 'a"b', "a\\b", "a$b", "a&b", "a{b", "a}b", "a@run@b" } do
      local folder = place .. "/" .. name
      shell.output("mkdir", folder)
      local status, out = shell.run("examples/nginx/serve.sh " .. shell.quote(folder) .. " " ..
        server.port .. " " .. shell.quote(place .. "/none") .. " 2>&1")
      assert.equal(2, status)
      assert.truthy(out:find("nginx.conf cannot have", 1, true), out)
    end
  end)

  local more_ways = [[
    location /memory/ {
      content_by_lua_block {
        require("store").serve { root = "mem://objects", prefix = "/memory/" }
      }
    }
    location /guarded/ {
      content_by_lua_block {
        require("store").serve { root = "mem://guarded", prefix = "/guarded/",
          auth = require("auth").writers "right" }
      }
    }]]

  describe("with modfs loaded in the master", function()
    setup(function() start("WORKERS=1 MOST=20m MORE=" .. shell.quote(more_ways)) end)
    teardown(stop)

    for _, way in ipairs { "files", "memory" } do
      it("stores and serves objects: " .. way, function()
        local url = ("%s/%s/%s/an%%20object.bin"):format(base, way, way)
        assert.equal(404, status_of(url))
        assert.equal(201, status_of("-T", place .. "/body", url))
        assert.equal(204, status_of("-T", place .. "/body", url))
        shell.output("env -u LD_PRELOAD curl -sS -o " .. place .. "/got", url)
        shell.output("cmp", place .. "/got", place .. "/body")
        assert.equal("204", shell.output(([[cat %s/body | env -u LD_PRELOAD curl -sS -T - %s \
          -o /dev/null -w '%%{http_code}']]):format(place, url)))
        shell.output("env -u LD_PRELOAD curl -sS -o " .. place .. "/got", url)
        shell.output("cmp", place .. "/got", place .. "/body")
        assert.equal(204, status_of("-X", "DELETE", url))
        assert.equal(404, status_of(url))
      end)

      it("serves ranges: " .. way, function()
        local url = ("%s/%s/ranges-%s"):format(base, way, way)
        assert.equal(201, status_of("-T", place .. "/body", url))
        assert.equal("56789", curl("-r", "5-9", url))
        assert.equal("89", curl("-r", "-2", url))
        assert.equal("9", curl("-r", "699999-", url))
        assert.equal(206, status_of("-r", "0-0", url))
        assert.equal(416, status_of("-r", "700000-", url))
        local several = status_of("-r", "0-1,4-5", url)
        assert.is_true(several == 200 or several == 206) -- nginx itself sends what is 2 s old
        assert.truthy(curl("-I", "-r", "5-9", url):lower()
          :find("content-range: bytes 5-9/700000", 1, true))
      end)
    end

    it("stores objects for their owner alone", function()
      put("secret", "/files/own/er")
      assert.equal("700\n600", shell.output(("stat -c %%a %s/folder/own %s/folder/own/er"):format(
        place, place)))
    end)

    it("follows no link", function()
      tmpdir.write(place .. "/outside", "outside")
      shell.output(("ln -s %s/outside %s/folder/link; ln -s %s %s/folder/up"):format(place, place,
        place, place))
      assert.equal(403, status_of(base .. "/files/link"))
      assert.equal(403, status_of(base .. "/files/up/outside"))
      assert.equal(403, put("changed", "/files/up/outside"))
      assert.equal(403, status_of("-X", "DELETE", base .. "/files/up/outside"))
      assert.equal("outside", tmpdir.content(place .. "/outside"))
    end)

    it("lets a token write", function()
      local url = base .. "/guarded/object"
      assert.equal(401, status_of("-T", place .. "/body", url))
      assert.equal(403, status_of("-H", "Authorization: Bearer wrong", "-T", place .. "/body", url))
      assert.equal(404, status_of(url))
      assert.equal(201, status_of("-H", "Authorization: Bearer right", "-T", place .. "/body", url))
      assert.equal(204, status_of("-H", "Authorization: bearer right", "-T", place .. "/body", url))
      assert.equal(200, status_of(url))
    end)

    it("refuses an upload that is too large", function()
      shell.output("truncate -s 21M", place .. "/large")
      assert.equal(413, status_of("-T", place .. "/large", base .. "/files/large"))
      assert.equal(404, status_of(base .. "/files/large"))
    end)

    it("keeps the old object when an upload breaks off", function()
      put("old", "/files/broken")
      shell.run(("env -u LD_PRELOAD curl -sS --max-time 0.5 --limit-rate 100k -T %s/body"):format(
        place), base .. "/files/broken")
      assert.equal("old", curl(base .. "/files/broken"))
    end)

    it("lets nginx send a large file that has not changed for long", function()
      local url = base .. "/files/direct"
      shell.output("head -c 3000000 /dev/urandom >" .. place .. "/large")
      assert.equal(201, status_of("-T", place .. "/large", url))
      shell.output("touch -d '1 hour ago'", place .. "/folder/direct")
      local tag = curl("-I", url):lower():match "\netag: ([^\r\n]+)"
      local headers = curl("-D", "-", "-o", place .. "/got", url):lower()
      shell.output("cmp", place .. "/got", place .. "/large")
      assert.equal(tag, headers:match "\netag: ([^\r\n]+)")
      assert.equal(206, status_of("-r", "5-9", "-H", "If-Range: " .. tag, url))
      assert.equal(200, status_of("-r", "5-9", "-H", 'If-Range: "no"', url))
      assert.equal(200, status_of("-H", "If-Match: " .. tag, url))
      assert.equal(404, status_of(base .. "/direct" .. place .. "/large"))
    end)

    it("loses no acknowledged upload when workers are killed", function()
      local kills = tonumber(os.getenv "NGINX_KILLS") or 10
      local out = shell.output(([[
        unset LD_PRELOAD
        ( i=0; while [ ! -e %s/enough ]; do
            i=$((i + 1))
            echo "object $i" | curl -sS -T - %s/files/killed/$i \
              -o /dev/null -w "$i %%{http_code}\n" 2>/dev/null
          done >%s/answers ) &
        for i in $(seq %d); do
          sleep 0.2
          pkill -KILL -o -P $(cat %s/run/nginx.pid)
        done
        touch %s/enough; wait
        lost=0; kept=0
        while read -r i code; do
          case $code in
            201 | 204) if [ "$(cat %s/folder/killed/$i)" = "object $i" ]; then kept=$((kept + 1))
              else lost=$((lost + 1)); fi ;;
          esac
        done <%s/answers
        echo "$lost $((kept > %d))"]]):format(place, base, place, kills, place, place, place, place,
          kills))
      assert.equal("0 1", out)
      shell.output("sleep 0.3; ! grep -E 'emerg' " .. place .. "/run/error.log")
      shell.output(": >" .. place .. "/run/error.log")
    end)

    it("redirects to the folder", function()
      assert.equal(301, status_of(base .. "/files"))
      assert.equal(301, status_of(base .. "/files/own"))
    end)

    it("answers conditions with a tag", function()
      put("tagged", "/files/tagged")
      local tag = curl("-I", base .. "/files/tagged"):lower():match "\netag: ([^\r\n]+)"
      assert.equal(304, status_of("-H", "If-None-Match: " .. tag, base .. "/files/tagged"))
      assert.equal(200, status_of("-H", 'If-None-Match: "other"', base .. "/files/tagged"))
      assert.equal(304, status_of("-H", 'If-None-Match: "other", ' .. tag, base .. "/files/tagged"))
      assert.equal(412, status_of("-H", 'If-Match: "other"', base .. "/files/tagged"))
      assert.equal(200, status_of("-H", "If-Match: " .. tag, base .. "/files/tagged"))
      assert.equal(206, status_of("-r", "0-1", "-H", "If-Range: " .. tag, base .. "/files/tagged"))
      assert.equal(200, status_of("-r", "0-1", "-H", 'If-Range: "no"', base .. "/files/tagged"))
      local date = curl("-I", base .. "/files/tagged"):match "\n[Ll]ast%-[Mm]odified: ([^\r\n]+)"
      assert.equal(304, status_of("-H", "If-Modified-Since: " .. date, base .. "/files/tagged"))
      assert.equal(412, status_of("-H", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
        base .. "/files/tagged"))
      assert.equal(412, status_of("-H", "If-None-Match: *", "-T", place .. "/body",
        base .. "/files/tagged"))
      assert.equal(412, status_of("-H", 'If-Match: "other"', "-X", "DELETE",
        base .. "/files/tagged"))
      assert.equal("tagged", curl(base .. "/files/tagged"))
    end)

    it("lists directories for programs and for people", function()
      put("12345", "/files/list/%3Cb%3E%22.txt")
      put("12345", "/files/list/sub/x")
      local json = curl("-H", "Accept: application/json",
        base .. "/files/list/")
      assert.truthy(json:find('"name":"<b>\\".txt"', 1, true), json)
      assert.truthy(json:find('"size":5', 1, true), json)
      assert.truthy(json:find('"type":"directory"', 1, true), json)
      local page = curl(base .. "/files/list/")
      assert.truthy(page:find("&lt;b&gt;&quot;.txt", 1, true), page)
      assert.truthy(page:find('href="./sub/"', 1, true), page)
      shell.output("mkdir", place .. "/folder/empty")
      assert.equal("[]", curl(base .. "/files/empty/?format=json"))
    end)

    it("lists names of any bytes as JSON", function()
      local name = "\255 \195\164 \1"
      shell.output(("mkdir %s/folder/bytes && touch"):format(place),
        ("%s/folder/bytes/%s"):format(place, name))
      local json = curl("-H", "Accept: application/json", base .. "/files/bytes/")
      assert.truthy(json:find('"name":"\\u00ff \195\164 \\u0001"', 1, true), json)
    end)

    it("takes no part of an object for the whole", function()
      status_of("-T", place .. "/body", base .. "/files/whole")
      tmpdir.write(place .. "/small", "part")
      assert.equal(400, status_of("-H", "Content-Range: bytes 0-3/700000", "-T",
        place .. "/small", base .. "/files/whole"))
      assert.equal("0123", curl("-r", "0-3", base .. "/files/whole"))
      assert.equal("700000", curl("-o", "/dev/null", "-w", "%{size_download}",
        base .. "/files/whole"))
    end)

    it("refuses what it cannot do", function()
      assert.equal(405, status_of("-X", "POST", base .. "/files/x"))
      assert.equal(400, status_of("--path-as-is", base .. "/files/%2e%2e/%2e%2e/etc/passwd"))
      assert.equal(409, put("part", "/files/list/sub/x/below"))
      assert.equal(409, status_of("-X", "DELETE", base .. "/files/list"))
    end)

    it("answers each request whole while it is reloaded", function()
      status_of("-T", place .. "/body", base .. "/files/held")
      shell.output(([[
        unset LD_PRELOAD
        for client in 1 2 3; do
          ( curl -sS --fail --max-time 30 -o '%s/held-'$client'-#1' '%s/files/held?[1-60]' &&
            curl -sS --fail --max-time 30 -o '%s/kept-'$client'-#1' '%s/files/held?[61-120]' ) \
            2>>%s/problems &
        done
        for reload in 1 2 3 4 5; do sleep 0.2; kill -HUP $(cat %s/run/nginx.pid); done
        wait
      ]]):format(place, base, place, base, place, place))
      assert.equal("", tmpdir.content(place .. "/problems"))
      assert.equal("360 same", shell.output(([[cd %s && for file in held-* kept-*; do
        cmp -s body $file && echo same || echo "$file differs"; done | sort | uniq -c]])
        :format(place)):match "^%s*(.*)")
    end)

    it("writes nothing but notices into its error log", function()
      assert.equal("", server:complaints())
    end)
  end)

  describe("with modfs loaded by each worker", function()
    setup(function() start "LAZY=1" end)
    teardown(stop)

    it("stores, serves and reloads", function()
      assert.equal(201, status_of("-T", place .. "/body", base .. "/files/lazy"))
      for _ = 1, 3 do
        server:signal "HUP"
        assert.equal("0123", curl("-r", "0-3", base .. "/files/lazy"))
      end
      assert.equal("", server:complaints())
    end)
  end)

  describe("with HTTP/2", function()
    local url

    setup(function()
      local port = free_port()
      start(("OPEN= MODFS_TOKEN=right WORKERS=1 MOST=20m MORE='listen 127.0.0.1:%d http2;'")
        :format(port))
      url = ("http://127.0.0.1:%d/files/"):format(port)
      shell.output(("head -c 10000000 /dev/zero >%s/many"):format(place))
    end)

    teardown(stop)

    local function status_over(...)
      return status_of("--http2-prior-knowledge", "-T", place .. "/many", ...)
    end

    it("answers before a large body has come", function()
      local token = "Authorization: Bearer right"
      local name = url .. "x"
      for _ = 1, 5 do
        assert.equal(401, status_over(name))
      end
      assert.equal(401, status_over("-H", "Content-Length:", name))
      assert.equal(400, status_over("-H", token, "-H", "Content-Range: bytes 0-1/2", name))
      assert.equal(405, status_over("-X", "POST", name))
      assert.equal(201, status_over("-H", token, name))
      assert.equal(412, status_over("-H", token, "-H", "If-None-Match: *", name))
    end)
  end)

  describe("with a request that goes on while its worker exits", function()
    local late = [[
      location /begun { return 200; }
      location /late {
        content_by_lua_block {
          io.open("@folder@/asked", "w"):close()
          repeat ngx.sleep(0.05) until ngx.worker.exiting()
          local async = require("modfs.async")
          assert(async.write("mem://late", "text"):await())
          ngx.say(async.read("mem://late"):await(), " ", ngx.worker.exiting())
        }
      }]]

    it("answers it, and leaves nothing behind", function()
      start("WORKERS=1 MORE=" .. shell.quote(late))
      assert.equal(200, status_of(base .. "/begun"))
      shell.output(("curl -sS --max-time 20 -o %s/answer %s/late & " ..
        "for i in $(seq 200); do [ ! -e %s/folder/asked ] || break; sleep 0.05; done; " ..
        "kill -QUIT $(cat %s/run/nginx.pid); wait"):format(place, base, place, place))
      stop()
      assert.equal("text true\n", tmpdir.content(place .. "/answer"))
      assert.equal("", server:complaints())
    end)
  end)

  describe("over a slow filesystem", function()
    local more = [[
      location /slow/ {
        content_by_lua_block { require("store").serve { root = "slow://", prefix = "/slow/" } }
      }
      location /blocking/ {
        content_by_lua_block {
          local async = require "modfs.async"
          async.use { wait = function() end }
          require("store").serve { root = "slow://", prefix = "/blocking/" }
          async.use "ngx"
        }
      }
      location /held/ {
        content_by_lua_block {
          for _ = 1, 15 do require("modfs").read "slow://x" end
        }
      }
      location /alias/ { alias @folder@/; }]]

    setup(function()
      local shelf = build.shelf()
      local plugin = shelf:put(build.compile("slow.so", "examples/nginx/slow.c",
        { flags = "-DWAIT_MSEC=100" }), "slow")
      start(('WORKERS=1 INIT="require(\'modfs\').load(\'%s\', { trust = true })" MORE=%s')
        :format(plugin, shell.quote(more)))
    end)
    teardown(stop)

    -- Milliseconds that eight reads at once take, of 100 each.
    local function wait_for_eight(location)
      return tonumber(shell.output(([[
        unset LD_PRELOAD
        before=$(date +%%s%%N)
        for i in 1 2 3 4 5 6 7 8; do curl -sS --fail -o /dev/null %s%sx$i & done; wait
        echo $(( ($(date +%%s%%N) - before) / 1000000 ))]]):format(base, location)))
    end

    -- The slowest of 30 small reads through modfs and of 30 by nginx itself, in turns, while eight
    -- clients read slowly; in seconds.
    local function slowest_beside(location)
      local out = shell.output(([[
        unset LD_PRELOAD
        for i in 1 2 3 4 5 6 7 8; do
          curl -sS --fail -o /dev/null '%s%s[1-12]' &
        done
        for i in $(seq 30); do
          curl -sS -o /dev/null -w 'files %%{time_total}\n' %s/files/small
          curl -sS -o /dev/null -w 'alias %%{time_total}\n' %s/alias/small
        done
        wait]]):format(base, location, base, base))
      local most = { files = 0, alias = 0 }
      for way, seconds in out:gmatch "(%l+) ([%d.]+)" do
        most[way] = math.max(most[way], tonumber(seconds))
      end
      return most.files, most.alias
    end

    it("makes small requests wait no longer than three times what nginx's own do", function()
      put("small", "/files/small")
      shell.output("chmod 644", place .. "/folder/small")
      assert.equal("small", curl(base .. "/alias/small"))
      local least = math.huge
      for _ = 1, 6 do
        local files, alias = slowest_beside "/slow/"
        least = least < 3 and least or math.min(least, files / alias)
      end
      assert.truthy(least < 3, least)
      assert.truthy((slowest_beside "/blocking/") > 0.09)
    end)

    -- The timer of the rest and the request come in one turn of the worker then.
    it("wakes a request that comes when the loop's rest is over", function()
      put("small", "/files/small")
      assert.equal("200 200", shell.output(([[
        unset LD_PRELOAD
        gcc -std=c11 -D_GNU_SOURCE -O2 bench/latency_client.c -o %s/client
        for i in 1 2; do
          ( sleep 0.2; curl -sS --max-time 10 -o /dev/null %s/held/ ) &
          timeout 10 %s/client %d 2 700 /files/small >/dev/null && printf '200 '
          wait
        done]]):format(place, base, place, server.port)):gsub(" $", ""))
    end)

    it("waits side by side", function()
      local blocking, waiting = math.huge, math.huge
      for _ = 1, 3 do
        blocking = math.min(blocking, wait_for_eight "/blocking/")
        waiting = math.min(waiting, wait_for_eight "/slow/")
      end
      assert.truthy(blocking >= 800, blocking .. " ms")
      assert.truthy(waiting < blocking * 0.7, ("%d ms, %d ms"):format(waiting, blocking))
    end)
  end)
end)
