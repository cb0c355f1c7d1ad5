-- Whole trees up to s3 and down again, by the library and by the command, beside another client.
--   MODFS_S3_FILES=100000 busted spec/s3_trees_spec.lua
local child = require "spec.support.child"
local codec = require "modfs.codec"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tfrecord = require "modfs.tfrecord"
local tmpdir = require "spec.support.tmpdir"

local many = tonumber(os.getenv "MODFS_S3_FILES") or 10000
local command = (os.getenv "LUA" or "lua5.4") .. " bin/modfs"

s3.describe("s3, whole trees:", { "trees", shards = 1 }, {}, function(ceph)
  local place, environment

  setup(function()
    place = tmpdir.large()
    environment = ("MODFS_S3_ENDPOINT=%s MODFS_S3_CA_FILE=%s MODFS_S3_ACCESS_KEY_ID=%s " ..
      "MODFS_S3_SECRET_ACCESS_KEY=%s"):format(ceph.https, ceph.ca, ceph.one.key, ceph.one.secret)
  end)

  teardown(function() tmpdir.remove(place) end)

  -- A tree whose names are not easy, but can be keys.
  local function plant(root)
    local names = { "plain", "with space", "plus+", "%25", "%2F", "ümläut", "\226\130\172", "a&b",
      "a=b?", "#", "~", "'quote\"", "back\\slash", "star*[x]", "-dash", ".hidden", "tab\t",
      "\1control", ("n"):rep(200), "semi;colon:", "<angle>", "(round)", "a..b", "..." }
    for i, name in ipairs(names) do
      local folder = ("%s/%s/%d"):format(root, names[1 + i * 7 % #names], i % 3)
      shell.output("mkdir -p --", folder)
      tmpdir.write(folder .. "/" .. name, name:rep(i * 50))
    end
    shell.output("mkdir", root .. "/empty folder")
    tmpdir.write(root .. "/empty", "")
    shell.output("head -c 20000000 /dev/urandom >" .. root .. "/large")
    shell.output("cp -r lua", root .. "/lua")
  end

  local function same(a, b)
    local status, out = shell.run("diff -r", a, b)
    assert.equal(0, status, out)
  end

  it("modfs cp -r takes a tree there and back, over TLS", function()
    plant(place .. "/tree")
    shell.output(environment .. " " .. command .. " cp -r", place .. "/tree", "s3://trees/up")
    shell.output(environment .. " " .. command .. " cp -r", "s3://trees/up", place .. "/back")
    same(place .. "/tree", place .. "/back")
    assert.equal(0, ceph.uploads "trees")
  end)

  it("modfs cp and mv take files into folders that are not there yet", function()
    tmpdir.write(place .. "/alone", "x")
    for i, name in ipairs { "cp", "mv" } do
      local folder = ("s3://trees/new%d/"):format(i)
      shell.output(environment .. " " .. command, name, place .. "/alone", folder)
      assert.equal("x", modfs.read(folder .. "alone"))
      assert(modfs.rmtree(folder))
    end
  end)

  it("another client finds the same there", function()
    shell.output("mkdir", place .. "/other")
    -- It stumbles over markers of directories, and goes on.
    ceph.s3cmd("get", "--recursive", "s3://trees/up/lua/", place .. "/other/")
    same("lua", place .. "/other")
    assert.equal(0, (ceph.s3cmd("get", "s3://trees/up/large", place .. "/other.large")))
    same(place .. "/tree/large", place .. "/other.large")
  end)

  it("what another client brought comes down", function()
    local status, _, err = ceph.s3cmd("put", "--recursive", "lua/", "s3://trees/brought/")
    assert.equal(0, status, err)
    assert(modfs.copytree("s3://trees/brought", place .. "/brought"))
    same("lua", place .. "/brought")
  end)

  it("sync carries what differs, and nothing else", function()
    local up, here = "s3://trees/up", place .. "/tree"
    local report = assert(modfs.sync(here, up, { delete = true, checksum = true }))
    assert.equal(0, report.copied + report.deleted)
    assert(modfs.write(up .. "/added", "one"))
    assert(modfs.write(up .. "/empty", "two"))
    assert(modfs.remove(up .. "/large"))
    report = assert(modfs.sync(up, here, { delete = true, checksum = true }))
    assert.equal(2, report.copied)
    assert.equal(1, report.deleted)
    assert.equal("one", tmpdir.content(here .. "/added"))
    assert.is_nil(tmpdir.content(here .. "/large"))
  end)

  it("records and compressed lines are read and written in place", function()
    local writer = assert(tfrecord.writer "s3://trees/data.tfrecord")
    for i = 1, 5000 do
      assert(writer:write("record " .. i))
    end
    assert(writer:close())
    assert.equal(5000, select(2, assert(tfrecord.verify "s3://trees/data.tfrecord")))
    local last
    for record in assert(tfrecord.reader "s3://trees/data.tfrecord") do
      last = record
    end
    assert.equal("record 5000", last)
    if codec.available "gzip" then
      local log = assert(codec.open("s3://trees/log.gz", "w", "gzip"))
      assert(log:write(("a line\n"):rep(100000)) and log:close())
      assert.equal(0, (ceph.s3cmd("get", "s3://trees/log.gz", place .. "/log.gz")))
      assert.equal("100000", shell.output("gzip -dc " .. place .. "/log.gz | wc -l"))
      shell.output("seq 100000 | gzip >" .. place .. "/seq.gz")
      assert.equal(0, (ceph.s3cmd("put", place .. "/seq.gz", "s3://trees/seq.gz")))
      local sum = 0
      for line in assert(codec.open("s3://trees/seq.gz", "r", "auto")):lines() do
        sum = sum + tonumber(line)
      end
      assert.equal(5000050000, sum)
    end
  end)

  it("the example works as it stands", function()
    for _, endpoint in ipairs { ceph.http, ceph.https } do
      local before = ("export AWS_ENDPOINT_URL=%s AWS_CA_BUNDLE=%s AWS_ACCESS_KEY_ID=%s " ..
        "AWS_SECRET_ACCESS_KEY=%s"):format(endpoint, ceph.ca, ceph.one.key, ceph.one.secret)
      local status, out, err = child([[arg = { [0] = "examples/5_s3.lua", "s3://trees/example" }
        dofile(arg[0])]], { before = before, seconds = 300 })
      assert.equal(0, status, out .. err)
      assert.equal("done\n", out:sub(-5))
    end
    assert.is_false(modfs.exists "s3://trees/example")
    assert.equal(0, ceph.uploads "trees")
  end)

  it(("%d objects go there, are listed, matched, and deleted"):format(many), function()
    local from = place .. "/many"
    shell.output(("mkdir -p %s/a %s/b && cd %s && seq %d | awk '{ f = ($1 %% 2 ? \"a\" : \"b\") " ..
      "\"/file\" $1; print $1 >f; close(f) }'"):format(from, from, from, many))
    local report = assert(modfs.copytree(from, "s3://trees/many"))
    assert.equal(many, report.files)
    assert.same({}, report.errors)
    assert.equal(many / 2, #assert(modfs.listdir "s3://trees/many/a"))
    assert.equal(many, assert(modfs.du "s3://trees/many").files)
    local ending = 0
    for i = 1, many do
      ending = ending + (i % 100 == 77 and 1 or 0)
    end
    assert.equal(ending, #assert(modfs.glob "s3://trees/many/*/file*77"))
    local _, listed = ceph.s3cmd("ls", "--recursive", "s3://trees/many/")
    local _, files = listed:gsub("/file%d+\n", "")
    assert.equal(many, files)
    assert.equal("77\n", modfs.read "s3://trees/many/a/file77")
    assert(modfs.rmtree "s3://trees/many")
    assert.is_false(modfs.exists "s3://trees/many")
  end)
end)
