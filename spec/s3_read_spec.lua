-- What the plugin of s3 and gs reads, from a real Ceph.
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local reads_anywhere = require "spec.support.reads_anywhere"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

s3.describe("s3, reading", { "reading", "other", "names" }, {}, function(ceph)
  local content, uri

  local function configure(options)
    assert(modfs.config("s3", options))
  end

  -- Puts an object there by another client; the key is encoded by it.
  local function put(key, data)
    tmpdir.write(ceph.place .. "/body", data)
    local status, _, err = ceph.s3cmd("put", ceph.place .. "/body", "s3://reading/" .. key)
    assert(status == 0, err)
  end

  setup(function()
    local pieces = {}
    for i = 1, 300000 do
      pieces[i] = ("%08d\n"):format(i)
    end
    content = table.concat(pieces)
    uri = "s3://reading/"
    put("large", content)
    put("small", "a few words\n")
    put("empty", "")
    put("dir/file", "inside\n")
  end)

  it("knows buckets and directories that no object stands for", function()
    assert.is_true(modfs.isdir "s3://")
    assert.is_true(modfs.isdir "s3://reading")
    assert.is_true(modfs.isdir "s3://reading/")
    assert.is_true(modfs.isdir(uri .. "dir"))
    assert.is_true(modfs.isdir(uri .. "dir/"))
    assert.is_true(math.abs(os.time() - assert(modfs.stat(uri .. "large")).mtime) < 3600)
    assert.is_false(modfs.exists "s3://no-such-bucket/x")
    fails("NOT_FOUND", modfs.listdir "s3://no-such-bucket")
    fails("FAILED_PRECONDITION", modfs.open(uri .. "small/"))
  end)

  it("reads as a seeded crowd of offsets wants it", function()
    local file = assert(modfs.open(uri .. "large"))
    reads_anywhere(file, content, 100)
    file:close()
  end)

  it("reads in order with any cache, and any number of requests in flight", function()
    for _, cache in ipairs { 0, 1000000, 64 * 1024 * 1024 } do
      for _, parallel in ipairs { 1, 3, 64 } do
        configure { cache_bytes = cache, parallel = parallel }
        modfs.flush_caches()
        local file, buffer, at = assert(modfs.open(uri .. "large")), modfs.buffer(300001), 0
        local pieces = {}
        repeat
          local n = assert(file:readinto(buffer, at))
          pieces[#pieces + 1] = n > 0 and buffer:sub(1, n) or nil
          at = at + n
        until n == 0
        file:close()
        assert.is_true(content == table.concat(pieces), cache .. ", " .. parallel)
      end
    end
    configure { cache_bytes = 64 * 1024 * 1024, parallel = 4 }
  end)

  it("leaves to others what they keep, when a file is read in order that is larger", function()
    configure { cache_bytes = 8 * 256 * 1024 }
    modfs.flush_caches()
    put("kept", content:sub(1, 600000))
    local kept, file = assert(modfs.open(uri .. "kept")), assert(modfs.open(uri .. "large"))
    assert(kept:pread(500000, 1))
    ceph.s3cmd("del", uri .. "kept")
    local pieces = {}
    repeat
      pieces[#pieces + 1] = assert(file:read(64 * 1024))
    until file:seek() == #content
    assert.is_true(content == table.concat(pieces))
    assert.equal(content:sub(500002, 500002), assert(kept:pread(500001, 1)))
    for at = #content - 1, 0, -100000 do
      assert(file:pread(at, 1))
    end
    fails("ABORTED", kept:pread(500002, 1))
    file:close()
    kept:close()
    configure { cache_bytes = 64 * 1024 * 1024 }
  end)

  it("reads gs by the same protocol, with options of its own", function()
    assert(modfs.config("gs", { protocol = "xml" }))
    local google = modfs.config "gs"
    assert.equal("https://storage.googleapis.com", google.endpoint)
    assert.equal("auto", google.region)
    assert.equal("", google.access_key_id)
    contains(fails("UNAUTHENTICATED", modfs.read "gs://reading/small"), "HMAC")
    assert(modfs.config("gs", { endpoint = ceph.http, access_key_id = ceph.one.key,
      secret_access_key = ceph.one.secret }))
    assert.equal("a few words\n", assert(modfs.read "gs://reading/small"))
    assert.same({ "file" }, modfs.listdir "gs://reading/dir")
    assert.equal(ceph.http, modfs.config "s3".endpoint)
    fails("NOT_FOUND", modfs.open "gs://under_score/x")
    fails("INVALID_ARGUMENT", modfs.open "s3://under_score/x")
    assert(modfs.config("gs", { endpoint = google.endpoint, access_key_id = "",
      secret_access_key = "" }))
  end)

  it("serves threads that share a file, and children that fork between them", function()
    local crowd, why = web.crowd()
    if not crowd then
      pending(why)
      return
    end
    local environment = ("MODFS_S3_ENDPOINT=%s MODFS_S3_ACCESS_KEY_ID=%s " ..
      "MODFS_S3_SECRET_ACCESS_KEY=%s"):format(ceph.http, ceph.one.key, shell.quote(ceph.one.secret))
    tmpdir.write(ceph.place .. "/large", content)
    tmpdir.write(ceph.place .. "/wrong", (content:gsub("9", "8")))
    assert.equal(0, crowd(uri .. "large", ceph.place .. "/large", environment))
    assert.equal(1, crowd(uri .. "large", ceph.place .. "/wrong", environment))
  end)

  describe("of names", function()
    -- Objects that only differ where paths are difficult; made by curl, which is told the path.
    local keys = { "a", "a-b", "a/x", "a b", "a+b", "%20", "caf\195\169", "q?a=b&c", "#hash",
      "quote'\"", "\1control", "tab\tkey", "back\\slash", "sub/one", "sub/two", "sub/deep/three",
      "marker/", "~tilde", "*star", "[list]", ("long"):rep(256) }

    local function encoded(key)
      return (key:gsub("[^%w%-_.~/]", function(c) return ("%%%02X"):format(c:byte()) end))
    end

    local function put_at(bucket, key, data)
      tmpdir.write(ceph.place .. "/body", data)
      local status, _, err = ceph.curl("-f", "--path-as-is", "-X", "PUT", "--data-binary",
        "@" .. ceph.place .. "/body", ceph.http .. bucket .. encoded(key))
      assert(status == 0, key .. ": " .. err)
    end

    setup(function()
      for i, key in ipairs(keys) do
        put_at("/names/", key, "object " .. i)
      end
    end)

    it("reads each, byte by byte its own", function()
      for i, key in ipairs(keys) do
        if key:sub(-1) ~= "/" then
          assert.equal("object " .. i, assert(modfs.read("s3://names/" .. key)), key)
        end
      end
    end)

    it("reads keys that no listing can tell", function()
      for _, key in ipairs { "up/../x", "up/./x", "up//x", "/first" } do
        put_at("/other/", key, key)
        assert.equal(key, assert(modfs.read("s3://other/" .. key)))
      end
      assert.same({}, modfs.listdir "s3://other/up")
      assert.same({ "up" }, modfs.listdir "s3://other")
      assert.same({ "first" }, modfs.listdir "s3://other//")
    end)

    it("lists a directory, each name once", function()
      local expected = {}
      for _, key in ipairs(keys) do
        local name = key:match "^[^/]+"
        if name ~= "a" or key == "a" then
          expected[name] = true
        end
      end
      local names = assert(modfs.listdir "s3://names")
      for _, name in ipairs(names) do
        assert.is_true(expected[name], name .. " is unknown, or told twice")
        expected[name] = nil
      end
      assert.is_nil((next(expected)))
      assert.same({ "deep", "one", "two" }, modfs.listdir "s3://names/sub")
      assert.same({ "deep", "one", "two" }, modfs.listdir "s3://names/sub/")
      assert.same({}, modfs.listdir "s3://names/marker")
    end)

    it("tells what each name is", function()
      local kinds = {}
      for name, stat in modfs.dir "s3://names/sub" do
        kinds[name] = stat and stat.is_directory
      end
      assert.same({ deep = true, one = false, two = false }, kinds)
      assert.is_true(modfs.isdir "s3://names/marker")
    end)

    it("lists buckets", function()
      assert.same({ "names", "other", "reading" }, modfs.listdir "s3://")
    end)

    it("goes on from page to page, also at keys with control characters", function()
      local status, _, err = ceph.curl("-f", "--no-progress-meter", "-X", "PUT", "--data-binary",
        "", ceph.http .. "/other/pages/%0[1-8]k[100-249]",
        ceph.http .. "/other/pages/%0[1-8]d[1-9]/x")
      assert(status == 0, err)
      local files, directories, last = 0, 0, ""
      for name, stat in modfs.dir "s3://other/pages" do
        assert.is_true(name > last)
        last = name
        if stat and not name:find "d%d$" then
          files = files + 1
        else
          directories = directories + 1
        end
      end
      assert.same({ 1200, 72 }, { files, directories })
    end)

    it("matches buckets and directories by patterns", function()
      local fs = modfs.filesystem "s3"
      assert.same({ "s3://names/sub/deep/three" },
        assert(fs:get_matching_paths "s3://n*s/s?b/d[a-f]ep/t*"))
      assert.same({}, assert(fs:get_matching_paths "s3://names/sub/*/none"))
      assert.same({}, assert(fs:get_matching_paths "s3://names/none/*"))
      assert.same({ "s3://names/sub/one", "s3://names/sub/two" },
        assert(fs:get_matching_paths "s3://names/sub/*o*"))
      assert.same({ "s3://names/*star" }, assert(fs:get_matching_paths "s3://names/\\**"))
      assert.same({ "s3://names/sub/deep/three", "s3://names/sub/one", "s3://names/sub/two" },
        assert(modfs.glob "s3://names/sub/**/*[eo]"))
    end)
  end)
end)
