-- har: archives made by Hadoop's own tool, read from HDFS, from a local folder, and through memory.
local fails = require "spec.support.fails"
local hadoop = require "spec.support.hadoop"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

hadoop.describe("har", { data_nodes = 1 }, function(hdfs)
  local from, joined, own, here

  setup(function()
    from = hdfs.place .. "/from"
    shell.output(("mkdir -p '%s/dir/sub dir' %s/empty; printf one >%s/a; printf '' " ..
      ">%s/dir/none; head -c 300000 /dev/urandom >%s/dir/large; " ..
      "printf odd >'%s/dir/sub dir/a+b %% ü'; chmod 640 %s/a"):format(from, from, from, from, from,
      from, from))
    assert(modfs.copytree(from, hdfs.uri .. "/src", { preserve = { "mtime", "mode" } }))
    local status, out, err = hdfs.run("java_run org.apache.hadoop.tools.HadoopArchives " ..
      "-archiveName x.har -p / src /archives")
    assert.equal(0, status, out .. err)
    own = "har://" .. hdfs.uri:gsub("://", "-") .. "/archives/x.har/src"
    joined = "har+" .. hdfs.uri .. "/archives/x.har!/src"
    assert(modfs.copytree(hdfs.uri .. "/archives/x.har", hdfs.place .. "/x.har"))
    here = "har://" .. hdfs.place .. "/x.har!/src"
  end)

  it("reads whole trees, in each form of the name", function()
    for i, root in ipairs { own, joined, here, "har://" .. hdfs.place .. "/x.har/src" } do
      local back = ("%s/back%d"):format(hdfs.place, i)
      assert(modfs.copytree(root, back, { preserve = { "mtime", "mode" } }))
      local differences = shell.output("rsync -aniH --checksum --no-owner --no-group " ..
        "--modify-window=1", from .. "/", back .. "/")
      assert.equal("", (differences:gsub("%.d%.%.t[^\n]*\n?", "")))
    end
  end)

  it("agrees with hdfs dfs", function()
    local listed = {}
    for line in hdfs.dfs("-ls", "-C", own .. "/dir"):gmatch "[^\n]+" do
      listed[#listed + 1] = line:match "([^/]+)$"
    end
    table.sort(listed)
    assert.same(listed, modfs.listdir(own .. "/dir"))
    assert.equal(hdfs.dfs("-cat", own .. "/a"), modfs.read(own .. "/a"))
    assert.equal(tonumber(hdfs.dfs("-stat", "%b", own .. "/dir/large")),
      modfs.size(own .. "/dir/large"))
  end)

  it("reads any part of a member", function()
    local content = tmpdir.content(from .. "/dir/large")
    local file = assert(modfs.open(own .. "/dir/large"))
    assert.equal(content:sub(100001, 100100), file:pread(100000, 100))
    file:close()
  end)

  it("is read-only, and tells what is missing", function()
    fails("UNIMPLEMENTED", modfs.write(here .. "/new", "text"))
    fails("UNIMPLEMENTED", modfs.remove(here .. "/a"))
    fails("NOT_FOUND", modfs.read(here .. "/none"))
    fails("NOT_FOUND", modfs.read("har://" .. hdfs.place .. "/none.har!/a"))
    fails("FAILED_PRECONDITION", modfs.read(here .. "/a/b"))
  end)

  it("refuses what is damaged, and gives no wrong byte", function()
    local index = tmpdir.content(hdfs.place .. "/x.har/_index")
    local bad = hdfs.place .. "/bad.har"
    local function with(text, master)
      shell.output(("rm -rf %s; cp -r %s/x.har %s"):format(bad, hdfs.place, bad))
      tmpdir.write(bad .. "/_index", text)
      if master then
        tmpdir.write(bad .. "/_masterindex", master)
      end
      modfs.flush_caches()
      return modfs.read("har://" .. bad .. "!/src/a")
    end
    assert.equal("one", with(index))
    fails("DATA_LOSS", with((index:gsub("part%-0 %d+ 300000", "part-0 99999999 300000"))))
    fails("DATA_LOSS", with((index:gsub("part%-0", "part-7"))))
    fails("DATA_LOSS", with((index:gsub("part%-0", ".."))))
    fails("DATA_LOSS", with((index:gsub("%%2Fsrc%%2Fa ", "%%ZZ "))))
    fails("DATA_LOSS", with(index .. "%2F..%2Fb file part-0 0 1 x \n"))
    fails("DATA_LOSS", with(index, "none"))
    fails("UNIMPLEMENTED", with(index, "4 \n"))
  end)
end)
