-- hdfs before a real cluster: reading, writing, listing, attributes, and what others see of it.
local fails = require "spec.support.fails"
local hadoop = require "spec.support.hadoop"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

hadoop.describe("hdfs", { data_nodes = 1 }, function(hdfs)
  local root = hdfs.uri .. "/spec"
  local block = ("0123456789abcdef"):rep(65536)

  before_each(function()
    if modfs.exists(root) then
      assert(modfs.rmtree(root))
    end
    assert(modfs.mkdir(root))
  end)

  it("writes what hdfs dfs reads, and reads what it writes", function()
    assert(modfs.write(root .. "/ours", "written by modfs\n"))
    tmpdir.write(hdfs.place .. "/theirs", "written by hdfs dfs\n")
    hdfs.dfs("-put", hdfs.place .. "/theirs", "/spec/theirs")
    assert.equal("written by modfs", hdfs.dfs("-cat", "/spec/ours"))
    assert.equal("written by hdfs dfs\n", modfs.read(root .. "/theirs"))
  end)

  it("serves webhdfs:// and the default filesystem as well", function()
    assert(modfs.write("webhdfs://" .. hdfs.web .. "/spec/a", "one"))
    assert.equal("one", modfs.read(root .. "/a"))
    assert.equal("one", modfs.read "hdfs:///spec/a")
  end)

  it("writes and reads large files over several blocks, at any offset", function()
    local content = block:rep(40) .. "end"
    assert(modfs.write(root .. "/large", content))
    assert.is_true(content == modfs.read(root .. "/large"))
    local file = assert(modfs.open(root .. "/large"))
    for _, at in ipairs { 0, 1, 16777215, 16777216, #content - 5, 30000001 } do
      assert.equal(content:sub(at + 1, at + 20), file:pread(at, 20))
    end
    file:close()
    assert.equal(#content, modfs.size(root .. "/large"))
  end)

  it("replaces a file in one step, and keeps its mode", function()
    assert(modfs.write(root .. "/a", "old"))
    assert(modfs.chmod(root .. "/a", tonumber("666", 8)))
    local reader = assert(modfs.open(root .. "/a"))
    local writer = assert(modfs.open(root .. "/a", "w"))
    assert(writer:write(block:rep(6)))
    assert.equal("old", modfs.read(root .. "/a"))
    assert(writer:close())
    assert.equal(6 * #block, modfs.size(root .. "/a"))
    assert.equal(tonumber("666", 8), modfs.stat(root .. "/a").mode)
    reader:close()
  end)

  it("keeps the version that a File has opened", function()
    assert(modfs.write(root .. "/a", block:rep(2)))
    local reader = assert(modfs.open(root .. "/a"))
    assert(modfs.write(root .. "/b", ("x"):rep(2 * #block)))
    assert(modfs.rename(root .. "/a", root .. "/moved"))
    assert(modfs.rename(root .. "/b", root .. "/a"))
    assert.equal(block, reader:read(#block))
    assert(modfs.remove(root .. "/moved"))
    modfs.flush_caches()
    fails("ABORTED", reader:pread(#block + 600000, 20))
    -- What is on its way already may still come, of this version alone.
    local rest, _, code = reader:read(#block)
    assert.is_true(rest == block or code == "ABORTED")
    reader:close()
  end)

  it("leaves nothing of a file that is given up", function()
    for _, content in ipairs { "short", block:rep(8) } do
      local writer = assert(modfs.open(root .. "/a", "w", { atomic = true }))
      assert(writer:write(content))
      assert(writer:abort())
    end
    assert.same({}, modfs.listdir(root))
  end)

  it("appends in place, and joins long appends in one step", function()
    assert(modfs.append(root .. "/a", "one"))
    assert(modfs.append(root .. "/a", " two"))
    assert.equal("one two", hdfs.dfs("-cat", "/spec/a"))
    assert(modfs.append(root .. "/a", block:rep(20)))
    assert.equal("one two" .. block:rep(20), modfs.read(root .. "/a"))
    assert(modfs.append(root .. "/a", " end"))
    assert.equal(" end", modfs.read(root .. "/a"):sub(-4))
    assert.same({ "a" }, modfs.listdir(root))
  end)

  it("refuses what cannot be", function()
    assert(modfs.write(root .. "/file", "text"))
    fails("NOT_FOUND", modfs.read(root .. "/none"))
    fails("NOT_FOUND", modfs.write(root .. "/none/a", "text"))
    fails("FAILED_PRECONDITION", modfs.write(root .. "/file/a", "text"))
    fails("FAILED_PRECONDITION", modfs.read(root .. "/file/a"))
    fails("FAILED_PRECONDITION", modfs.write(root, "text"))
    fails("FAILED_PRECONDITION", modfs.read(root))
    fails("ALREADY_EXISTS", modfs.mkdir(root))
    fails("NOT_FOUND", modfs.mkdir(root .. "/none/b"))
    fails("FAILED_PRECONDITION", modfs.rmdir(root))
    fails("FAILED_PRECONDITION", modfs.listdir(root .. "/file"))
    fails("INVALID_ARGUMENT", modfs.mkdir(root .. "/a:b"))
    fails("INVALID_ARGUMENT", modfs.read "hdfs://ann@127.0.0.1/a")
  end)

  it("keeps odd names", function()
    local names = { "a b", "a%20b", "a+b", "a&b=c", "a?b", "a#b", "a;b", "ümlaut", "'\"", "~",
      "a\\b", "*" }
    for _, name in ipairs(names) do
      assert(modfs.write(root .. "/" .. name, name))
    end
    table.sort(names)
    assert.same(names, modfs.listdir(root))
    for _, name in ipairs(names) do
      assert.equal(name, modfs.read(root .. "/" .. name))
      assert(modfs.remove(root .. "/" .. name))
    end
  end)

  it("lists long directories page by page", function()
    local status, _, err = hdfs.run("mkdir $place/many && cd $place/many && " ..
      "touch $(seq 1100) && cd / && dfs -put $place/many /spec/many")
    assert.equal(0, status, err)
    local names = modfs.listdir(root .. "/many")
    assert.equal(1100, #names)
    local seen = {}
    for _, name in ipairs(names) do
      assert.is_nil(seen[name])
      seen[name] = true
    end
  end)

  it("sets modes, times and owners", function()
    assert(modfs.write(root .. "/a", "text"))
    assert(modfs.chmod(root .. "/a", tonumber("1640", 8)))
    assert(modfs.utime(root .. "/a", 1500000000123000000))
    local stat = modfs.stat(root .. "/a")
    assert.equal(tonumber("640", 8), stat.mode % 512)
    assert.equal(1500000000123000000, stat.mtime_nsec)
    assert.truthy(hdfs.dfs("-stat", "%a %u", "/spec/a"):find "640 root")
  end)

  it("obeys permissions of the user that it names", function()
    assert(modfs.write(root .. "/secret", "text"))
    assert(modfs.chmod(root .. "/secret", tonumber("600", 8)))
    assert(modfs.config("hdfs", { user = "eve" }))
    local results = { modfs.read(root .. "/secret") }
    local more = { modfs.write(root .. "/other", "text") }
    assert(modfs.config("hdfs", { user = "root" }))
    fails("PERMISSION_DENIED", table.unpack(results))
    fails("PERMISSION_DENIED", table.unpack(more))
  end)

  it("copies trees there and back, with times, modes and extended attributes", function()
    local from, back = hdfs.place .. "/from", hdfs.place .. "/back"
    shell.output(("mkdir -p %s/dir/sub %s/empty; printf one >%s/a; printf '' >%s/dir/none; " ..
      "head -c 5000000 /dev/urandom >%s/dir/sub/large; chmod 640 %s/a; chmod 711 %s/dir; " ..
      "touch -d '2001-02-03 04:05:06.789' %s/a %s/dir/sub"):format(from, from, from, from, from,
      from, from, from, from))
    assert(modfs.copytree(from, root .. "/tree", { preserve = { "mtime", "mode" } }))
    assert(modfs.copytree(root .. "/tree", back, { preserve = { "mtime", "mode" } }))
    assert.equal("", shell.output("rsync -aniH --checksum --no-owner --no-group", from .. "/",
      back .. "/"))
    assert.equal(shell.output("cat", from .. "/dir/sub/large"), hdfs.dfs("-cat",
      "/spec/tree/dir/sub/large"))
  end)

  it("deletes trees at once", function()
    assert(modfs.makedirs(root .. "/x/y/z"))
    assert(modfs.write(root .. "/x/y/f", "text"))
    local ok, files, directories = modfs.rmtree(root .. "/x")
    assert.same({ true, 0, 0 }, { ok, files, directories })
    fails("NOT_FOUND", modfs.rmtree(root .. "/x"))
  end)

  it("shows the mount tables of viewfs as Hadoop does", function()
    assert(modfs.makedirs(hdfs.uri .. "/data/one"))
    assert(modfs.write(hdfs.uri .. "/data/one/a", "one"))
    assert(modfs.makedirs(hdfs.uri .. "/rest/logs"))
    assert(modfs.write(hdfs.uri .. "/rest/other", "rest"))
    local links = { ["link./mnt/one"] = "/data/one", ["link./mnt/deep/two"] = "/data",
      linkFallback = "/rest" }
    local properties = {}
    for name, path in pairs(links) do
      properties[#properties + 1] = ("<property><name>fs.viewfs.mounttable.t.%s</name><value>%s" ..
        "</value></property>"):format(name, hdfs.uri .. path)
    end
    local file = hdfs.conf .. "/core-site.xml"
    tmpdir.write(file, (tmpdir.content(file):gsub("</configuration>", function()
      return table.concat(properties) .. "</configuration>"
    end)))
    modfs.flush_caches()
    for _, path in ipairs { "/", "/mnt", "/mnt/one", "/mnt/deep", "/mnt/deep/two", "/logs" } do
      local theirs = {}
      for line in hdfs.dfs("-ls", "-C", "viewfs://t" .. path):gmatch "[^\n]+" do
        theirs[#theirs + 1] = line:match "([^/]+)$"
      end
      table.sort(theirs)
      assert.same(theirs, modfs.listdir("viewfs://t" .. path), path)
    end
    assert.equal("one", modfs.read "viewfs://t/mnt/deep/two/one/a")
    assert.equal("rest", modfs.read "viewfs://t/other")
    assert(modfs.write("viewfs://t/mnt/one/b", "new"))
    assert.equal("new", modfs.read(hdfs.uri .. "/data/one/b"))
    assert(modfs.rename("viewfs://t/mnt/one/b", "viewfs://t/mnt/one/c"))
    assert.is_true(modfs.isdir "viewfs://t/mnt")
    fails("PERMISSION_DENIED", modfs.rmtree "viewfs://t/mnt/one")
    fails("PERMISSION_DENIED", modfs.rmdir "viewfs://t/mnt")
    fails("NOT_FOUND", modfs.read "viewfs://t/mnt/none/a")
    fails("NOT_FOUND", modfs.read "viewfs://unknown/a")
  end)
end)
