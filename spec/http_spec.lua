-- The plugin of http and https: against a real nginx, and against a server that answers badly.
local check = require "modfs.check"
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local reads_anywhere = require "spec.support.reads_anywhere"
local shell = require "spec.support.shell"
local verdict = require "spec.support.verdict"
local web = require "spec.support.web"

local missing
local found, plugins = false, modfs.available()
for _, plugin in ipairs(plugins) do
  found = found or plugin.name == "http"
end
if not found then
  missing = "modfs was built without libcurl4-openssl-dev"
elseif not (shell.has "nginx" and shell.has "openssl" and web.can_launch()) then
  missing = "nginx, openssl or luv for Lua 5.4 is not installed"
end

describe("http", function()
  if missing then
    pending(missing)
    return
  end

  local server, content

  setup(function()
    server = web.nginx()
    local pieces = {}
    for i = 1, 300000 do
      pieces[i] = ("%08d\n"):format(i)
    end
    content = table.concat(pieces)
    server.write("large", content)
    server.write("small", "a few words\n")
    server.write("medium", content:sub(1, 70000))
    server.write("empty", "")
  end)

  teardown(function() server.stop() end)

  after_each(function()
    modfs.config("http", { cache_bytes = 64 * 1024 * 1024, whole_bytes = 64 * 1024 * 1024 })
    modfs.flush_caches()
  end)

  describe("over nginx", function()
    it("is found at the first use of its scheme, under both names", function()
      assert.equal("a few words\n", assert(modfs.read(server.http .. "/small")))
      local schemes = table.concat(modfs.schemes(), " ")
      contains(schemes, "http")
      contains(schemes, "https")
    end)

    it("passes modfs check by its files", function()
      local report = check.run { scheme = "http", seconds = 30,
        file = shell.output("realpath", os.getenv "BUILD" or "build") .. "/modfs/plugins/http.so",
        samples = { server.http .. "/small", server.http .. "/empty", server.http .. "/medium" } }
      assert.equal("", verdict.failures(report))
      assert.is_true(report.ok)
      assert.is_true(report.passed > (os.getenv "LD_PRELOAD" and 90 or 120), report.passed)
    end)

    it("reads as a seeded crowd of offsets wants it", function()
      local file = assert(modfs.open(server.http .. "/large"))
      reads_anywhere(file, content, 200)
      file:close()
    end)

    it("reads in order with a tiny cache, too", function()
      modfs.config("http", { cache_bytes = 0 })
      local lines = 0
      for _ in modfs.lines(server.http .. "/large") do
        lines = lines + 1
      end
      assert.equal(300000, lines)
    end)

    it("reports the server's time", function()
      local mtime = tonumber(shell.output("stat -c %Y " .. server.place .. "/files/large"))
      assert.equal(mtime, assert(modfs.stat(server.http .. "/large")).mtime)
      assert.is_false(modfs.exists(server.http .. "/nothing"))
    end)

    it("reads a file whole where the server has no ranges, up to whole_bytes", function()
      assert.is_true(content == assert(modfs.read(server.http .. "/plain/large")))
      modfs.config("http", { whole_bytes = 1000 })
      local message = fails("FAILED_PRECONDITION", modfs.read(server.http .. "/plain/large"))
      contains(message, "whole_bytes")
      assert.equal(#content, assert(modfs.stat(server.http .. "/plain/large")).length)
    end)

    it("names the URL once, then method and status", function()
      local message = fails("NOT_FOUND", modfs.open(server.http .. "/x?token=s3cret"))
      contains(message, ": open " .. server.http .. "/x?token=s3cret: GET: HTTP status 404")
      fails("PERMISSION_DENIED", modfs.open(server.http .. "/secret/x"))
      fails("UNAUTHENTICATED", modfs.open(server.http .. "/login/x"))
    end)

    it("shows the signature of a presigned URL in no message", function()
      local secret = "0123456789abcdef0123456789abcdef"
      assert(modfs.config("http", { retries = 0 }))
      local tail = "X-Amz-Date=now&X-Amz-Signature=" .. secret
      for _, query in ipairs { tail, tail .. "&x=1", "sig=" .. secret, "a=b&Signature=" .. secret,
        "X-Amz-Security-Token=" .. secret .. "#x" } do
        for _, url in ipairs { server.http .. "/none?" .. query, "nosuch://h/none?" .. query,
          "http://127.0.0.1:1/x?" .. query, "http://no host/x?" .. query, "/no/file?" .. query } do
          for _, call in ipairs { modfs.read, modfs.open, modfs.stat, modfs.listdir, modfs.remove,
            modfs.map, modfs.rmtree } do
            local _, message = call(url)
            assert.is_nil(tostring(message):find(secret, 1, true), message)
          end
          local _, message = modfs.copy(url, "mem://copy")
          assert.is_nil(message:find(secret, 1, true), message)
          local report, why = modfs.copytree(url, "mem://tree")
          message = report and table.concat(report.errors[1], " ") or why
          assert.is_nil(message:find(secret, 1, true), message)
        end
      end
      contains(fails("NOT_FOUND", modfs.open(server.http .. "/none?" .. tail .. "&x=1")),
        "X-Amz-Signature=***&x=1: GET: HTTP status 404")
      assert(modfs.config("http", { retries = 3 }))
    end)

    it("is read-only", function()
      local file, none = server.http .. "/small", server.http .. "/none"
      local function read_only(...)
        contains(fails("UNIMPLEMENTED", ...), "read-only")
      end
      for _, url in ipairs { file, none } do
        read_only(modfs.write(url, "x"))
        read_only(modfs.open(url, "a"))
        read_only(modfs.remove(url))
        read_only(modfs.rmtree(url))
        read_only(modfs.mkdir(url))
        read_only(modfs.makedirs(url))
        read_only(modfs.rmdir(url))
        read_only(modfs.rename(url, none .. "2"))
        read_only(modfs.copy(url, none .. "2"))
      end
      read_only(modfs.copy("/etc/hostname", none))
      contains(fails("UNIMPLEMENTED", modfs.listdir(server.http .. "/")), "listing directories")
      assert.equal("a few words\n", modfs.read(server.http .. "/small"))
    end)

    it("never mixes two versions of a file", function()
      server.write("changing", ("a"):rep(1000000))
      local file = assert(modfs.open(server.http .. "/changing"))
      assert.equal("a", assert(file:pread(0, 1)))
      server.write("changing", ("b"):rep(1000001))
      contains(fails("ABORTED", file:pread(900000, 1)), "open it again")
      file:close()
      assert.equal("b", (assert(modfs.read(server.http .. "/changing")):sub(1, 1)))
    end)

    it("trusts no certificate that it was not told to trust", function()
      local script = ([[
        local modfs = require "modfs"
        print(select(3, modfs.read %q))
        modfs.config("https", { ca_file = %q })
        print(modfs.read %q)
        print(select(3, modfs.read %q))
        print((select(2, modfs.read %q)))
      ]]):format(server.https .. "/small", server.ca, server.https .. "/small",
        server.wrong_host .. "/small", server.https .. "/down/x")
      local _, out = child(script)
      local first, second, third, fourth = out:match "^(.-)\n(.-)\n+(.-)\n(.-)\n"
      assert.equal("FAILED_PRECONDITION", first)
      assert.equal("a few words", second)
      assert.equal("FAILED_PRECONDITION", third)
      contains(fourth, "from https to http")
    end)
  end)

  it("serves threads and forked children side by side", function()
    local crowd, why = web.crowd()
    if not crowd then
      pending(why)
      return
    end
    local files = server.place .. "/files/"
    assert.equal(0, crowd(server.http .. "/large", files .. "large"))
    server.write("other", (content:gsub("9", "8")))
    assert.equal(1, crowd(server.http .. "/large", files .. "other"))
  end)

  describe("options", function()
    it("are set, kept and refused", function()
      local options = modfs.config "http"
      assert.equal(5000, options.connect_timeout_ms)
      assert.equal("modfs", options.user_agent)
      assert(modfs.config("http", { user_agent = "tester", retries = 0 }))
      assert.equal("tester", modfs.config("http").user_agent)
      assert.equal(0, modfs.config("http").retries)
      fails("INVALID_ARGUMENT", modfs.config("http", { retries = -1 }))
      fails("INVALID_ARGUMENT", modfs.config("http", { user_agent = "a\r\nX: y" }))
      fails("NOT_FOUND", modfs.config("http", { verify = 0 }))
      assert(modfs.config("http", { user_agent = "modfs", retries = 3 }))
    end)

    it("come from the environment, where a bad value fails the plugin", function()
      local _, out = child([[io.write(require("modfs").config("http").retries)]],
        { before = "export MODFS_HTTP_RETRIES=7" })
      assert.equal("7", out)
      local _, _, err = child([[
        io.stderr:write((select(2, require("modfs").open "http://127.0.0.1:1/")))
      ]], { before = "export MODFS_HTTP_RETRIES=x" })
      contains(err, "MODFS_HTTP_RETRIES")
    end)
  end)

  describe("over a server that answers badly", function()
    local chaos, url

    setup(function()
      chaos = web.chaos()
      url = chaos.url
    end)

    teardown(function() chaos.stop() end)

    before_each(function()
      local short = { retries = 0, idle_timeout_ms = 1000, total_timeout_ms = 8000 }
      assert(modfs.config("http", short))
    end)

    after_each(function()
      local usual = { retries = 3, idle_timeout_ms = 30000, total_timeout_ms = 300000 }
      assert(modfs.config("http", usual))
    end)

    local function read(path)
      return modfs.read(url .. path)
    end

    local function contacts(what)
      return tonumber((assert(read("/seen/" .. what))))
    end

    it("reads what is good (the control)", function()
      assert.equal("0123456789abcdef", read "/good/x")
      assert.equal("0123456789abcdef", read "/whole/x")
      assert.equal("0123456789abcdef", read "/chunks/x")
      assert.equal("", read "/empty/x")
    end)

    for _, way in ipairs { "cut", "cutchunks", "reset" } do
      it("notices a cut at every byte: " .. way, function()
        local codes, at = {}, 0
        while true do
          local got, _, code = read(("/%s/%d"):format(way, at))
          if got then
            assert.equal("0123456789abcdef", got)
            break
          end
          codes[code] = true
          at = at + 1
          assert.truthy(at < 300)
        end
        assert.truthy(at > 70, "good after " .. at .. " bytes")
        codes.DATA_LOSS, codes.UNAVAILABLE = nil, nil
        assert.is_nil(next(codes))
      end)
    end

    it("waits for a stalled server no longer than it was told", function()
      for _, at in ipairs { 0, 20, 70, 90 } do
        local before = os.time()
        fails("DEADLINE_EXCEEDED", read("/stall/" .. at))
        assert.truthy(os.time() - before <= 9)
      end
    end)

    it("notices lengths and ranges that are not those it asked for", function()
      for _, path in ipairs { "/long/x", "/short/x", "/longchunks/x", "/shortchunks/x",
        "/nocontentrange/x",
        "/range/1-16_17", "/range/0-15_*", "/range/0-14_15", "/range/0-15_9",
        "/range/5-2_16", "/range/0-99999999999999999999_16", "/range/apples",
        "/garbage/x", "/odd/x" } do
        fails("DATA_LOSS", read(path))
      end
      fails("FAILED_PRECONDITION", read "/zipped/x")
    end)

    it("never mixes versions, whatever the server says of them", function()
      for _, way in ipairs { "newtag", "weaktag", "newdate", "newlength", "conflict", "shrunk" } do
        local file = assert(modfs.open(url .. "/" .. way .. "/x"))
        assert.equal("a", assert(file:pread(0, 1)))
        fails("ABORTED", file:pread(900000, 1))
        assert.equal("a", assert(file:pread(1, 1)))
        file:close()
      end
    end)

    it("finds a range in a whole file, where the server ignores what it was asked for", function()
      local file = assert(modfs.open(url .. "/forgets/x"))
      assert.equal("b", assert(file:pread(900000, 1)))
      assert.equal("a", assert(file:pread(1, 1)))
      file:close()
    end)

    it("reads whole files wherever curl does", function()
      for _, path in ipairs { "/unframed/x", "/unframedpart/x", "/few/1", "/few/7", "/star/x",
        "/starlater/x", "/none/x", "/unranged/x", "/norange/403", "/norange/416" } do
        local got, message = read(path)
        assert.equal("0123456789abcdef", got, path .. ": " .. tostring(message))
        local file = assert(modfs.open(url .. path))
        assert.equal("567", assert(file:pread(5, 3)))
        file:close()
        if not path:find "unframed/" then
          assert.equal(16, assert(modfs.stat(url .. path)).length, path)
        end
      end
      assert.equal("", read "/noempty/x")
      assert.equal(0, assert(modfs.stat(url .. "/noempty/x")).length)
      contains(fails("UNIMPLEMENTED", modfs.stat(url .. "/unframed/x")), "report the length")
    end)

    it("passes modfs check by files of such servers", function()
      local report = check.run { scheme = "http", seconds = 30,
        file = shell.output("realpath", os.getenv "BUILD" or "build") .. "/modfs/plugins/http.so",
        samples = { url .. "/few/7", url .. "/star/x", url .. "/none/x", url .. "/norange/403",
          url .. "/noempty/x" } }
      assert.equal("", verdict.failures(report))
      assert.is_true(report.ok)
    end)

    it("says what a server lacks where a file is too large for reading it whole", function()
      assert(modfs.config("http", { whole_bytes = 15 }))
      for _, path in ipairs { "/unframed/x", "/chunks/x", "/whole/x", "/none/x", "/norange/403" } do
        contains(fails("FAILED_PRECONDITION", read(path)), "does not support ranges")
      end
      contains(fails("FAILED_PRECONDITION", read "/star/x"), "length of the file")
      assert.equal("0123456789abcdef", read "/few/3")
    end)

    it("reads a file anew that has changed while it was read at once", function()
      local whole = ("b"):rep(1000000)
      assert.is_true(whole == read "/newtag/read")
      assert.is_true(modfs.copy(url .. "/newtag/copied", "mem://copied"))
      assert.is_true(whole == modfs.read "mem://copied")
      local region = assert(modfs.map(url .. "/newtag/mapped"))
      assert.is_true(whole == region:sub(1))
      region:close()
      fails("ABORTED", read "/conflict/always")
    end)

    it("shares blocks between readers of one version", function()
      local first = assert(modfs.open(url .. "/same/x"))
      assert.equal("a", assert(first:pread(900000, 1)))
      local before = contacts "same"
      assert.equal("a", assert(first:pread(900001, 1)))
      assert.equal(before, contacts "same")
      local second = assert(modfs.open(url .. "/same/x"))
      assert.equal("a", assert(second:pread(900002, 1)))
      assert.equal(before + 1, contacts "same")
      modfs.flush_caches()
      assert.equal("a", assert(second:pread(900003, 1)))
      assert.equal(before + 2, contacts "same")
      first:close()
      second:close()
    end)

    it("maps each status to a code", function()
      for status, code in pairs { [400] = "FAILED_PRECONDITION", [401] = "UNAUTHENTICATED",
        [403] = "PERMISSION_DENIED", [404] = "NOT_FOUND", [410] = "NOT_FOUND",
        [416] = "OUT_OF_RANGE",
        [429] = "UNAVAILABLE", [500] = "UNAVAILABLE", [503] = "UNAVAILABLE",
        [504] = "DEADLINE_EXCEEDED" } do
        contains(fails(code, read("/status/" .. status)), "HTTP status " .. status)
      end
    end)

    it("tries again, as often as it was told", function()
      assert(modfs.config("http", { retries = 2 }))
      assert.equal("0123456789abcdef", read "/heals/2?a")
      assert.equal("0123456789abcdef", read "/healscut/2?a")
      contains(fails("UNAVAILABLE", read "/heals/3?b"), "3 attempts")
      local before = contacts "status"
      fails("NOT_FOUND", read "/status/404?once")
      assert.equal(before + 1, contacts "status")
    end)

    it("waits as long as the server asks, within its time", function()
      assert(modfs.config("http", { retries = 2 }))
      local before = os.time()
      assert.equal("0123456789abcdef", read "/later/2")
      assert.truthy(os.time() - before >= 1)
      before = os.time()
      contains(fails("UNAVAILABLE", read "/later/100"),
        "status 503; the server asks for a pause of 100 s, beyond the timeout")
      assert.truthy(os.time() - before <= 9)
    end)

    it("follows five redirects, and no bad one", function()
      assert.equal("0123456789abcdef", read "/hops/5")
      contains(fails("FAILED_PRECONDITION", read "/hops/6"), "more than 5 redirects")
      fails("FAILED_PRECONDITION", read "/loop/0")
      fails("FAILED_PRECONDITION", read "/nowhere/x")
      fails("FAILED_PRECONDITION", read "/to/file_!!!etc!passwd")
      contains(fails("FAILED_PRECONDITION", read "/to/http_!!user_pass@127.0.0.1!x"), "user")
      assert.equal("0123456789abcdef", read "/away/x")
      assert.equal(1, contacts "second")
      assert.equal(0, contacts "secrets")
    end)

    it("sends who asks, and what it wants", function()
      local head = read "/head/x"
      contains(head, "User-Agent: modfs\r\n")
      contains(head, "Range: bytes=0-262143\r\n")
      contains(head, "Accept-Encoding: identity\r\n")
    end)

    it("refuses invalid URLs", function()
      for _, bad in ipairs { "user:pass@127.0.0.1/x", "127.0.0.1/a b", "127.0.0.1/a\r\nX: y",
        "", "/127.0.0.1/x", "?x", "#x" } do
        fails("INVALID_ARGUMENT", modfs.open("http://" .. bad))
      end
      for _, bad in ipairs { "a\1b", "a\nb?q", "a b" } do -- the path is named once
        local _, count = fails("INVALID_ARGUMENT", modfs.open("http://127.0.0.1/" .. bad))
          :gsub("127%.0%.0%.1", "")
        assert.equal(1, count, bad)
      end
      fails("UNAVAILABLE", modfs.open("http://127.0.0.1:1/x"))
    end)
  end)
end)
