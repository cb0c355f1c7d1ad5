-- The plugins under a host that does no more for them than TensorFlow does: its source is
-- spec/fixtures/tensorflow/host.c.
local build = require "spec.fixtures.build"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root = shell.output("realpath " .. (os.getenv "BUILD" or "build"))
local program, place

setup(function()
  program = build.compile("tensorflow_host", "spec/fixtures/tensorflow", { program = true,
    libraries = ("%s/modfs/libtensorflow_framework.so.2 -Wl,-rpath,%s/modfs"):format(root, root) })
  place = tmpdir.new()
end)

teardown(function() tmpdir.remove(place) end)

-- What the host says of each command, the registration first: { { code, text }, ... }
local function host(settings, plugin, taken, ...)
  local out = shell.output("env " .. settings .. " timeout 120 " .. program,
    ("%s/modfs/plugins/%s.so"):format(root, plugin), taken, ...)
  local answers = {}
  for code, text in (out .. "\n"):gmatch "(%d+)\t([^\n]*)\n" do
    answers[#answers + 1] = { tonumber(code), text }
  end
  return answers
end

-- The codes alone.
local function codes(answers)
  local list = {}
  for i, answer in ipairs(answers) do
    list[i] = answer[1]
  end
  return list
end

-- Each failure begins with the path, and has it once.
local function names_once(answer, path, code)
  assert.equal(code, answer[1], answer[2])
  assert.equal(path .. ": ", answer[2]:sub(1, #path + 2))
  local bare = path:gsub("^%w*://", "")
  assert.is_nil(answer[2]:sub(#path + 1):find(bare, 1, true), answer[2])
end

local function check_failures(settings, plugin, base)
  local none, dir, file = base .. "/none", base .. "/dir", base .. "/dir/file"
  local answers = host(settings, plugin, "", "makedirs", dir, ",", "write-close", file, "x", ",",
    "read", none, ",", "map", none, ",", "stat", none, ",", "size", none, ",", "exists", none, ",",
    "isdir", none, ",", "remove", none, ",", "rmdir", none, ",", "list", none, ",",
    "rmtree", none, ",", "mkdir", dir, ",", "rmdir", dir, ",", "write-close", dir, "x", ",",
    "append-close", dir, "x", ",", "makedirs", file .. "/below", ",", "list", file, ",",
    "size", dir, ",", "rename", none, none .. "2", ",", "copy", none, none .. "2", ",",
    "rename", file, dir, ",", "rmtree", base)
  local expected = { { none, 5 }, { none, 5 }, { none, 5 }, { none, 5 }, { none, 5 }, { none, 5 },
    { none, 5 }, { none, 5 }, { none, 5 }, { none, 5 }, { dir, 6 }, { dir, 9 }, { dir, 9 },
    { dir, 9 }, { file .. "/below", 9 }, { file, 9 }, { dir, 9 },
    { none .. " to " .. none .. "2", 5 }, { none .. " to " .. none .. "2", 5 },
    { file .. " to " .. dir, 9 } }
  assert.equal(0, answers[1][1])
  assert.equal(0, answers[2][1], answers[2][2])
  assert.equal(0, answers[3][1], answers[3][2])
  for i, row in ipairs(expected) do
    local answer = answers[i + 3]
    assert.equal(row[2], answer[1], ("%d: %s"):format(i, answer[2]))
    names_once(answer, row[1], row[2])
  end
  assert.equal(0, answers[#answers][1], answers[#answers][2])
end

describe("messages carry the path, once, of", function()
  it("mem", function() check_failures("", "mem", "mem://base") end)

  it("posix", function() check_failures("", "posix", place .. "/base") end)

  it("files that are closed", function()
    for plugin, path in pairs { mem = "mem://shut", posix = place .. "/shut" } do
      names_once(host("", plugin, "", "write-after", path, "x")[2], path, 9)
    end
  end)

  it("posix, of an open file", function()
    names_once(host("", "posix", "", "write-drop", "/dev/full", "x")[2], "/dev/full", 8)
  end)
end)

describe("over http", function()
  if not tmpdir.content(root .. "/modfs/plugins/http.so") then
    pending "built without libcurl4-openssl-dev"
    return
  end

  local nobody = "http://127.0.0.1:1/file"

  it("what can never work is UNIMPLEMENTED and says so, without a request", function()
    local answers = host("", "http", "", "write-close", nobody, "x", ",",
      "append-close", nobody, "x", ",", "mkdir", nobody, ",", "makedirs", nobody, ",",
      "remove", nobody, ",", "rmdir", nobody, ",", "rmtree", nobody, ",",
      "rename", nobody, nobody .. "2", ",", "copy", nobody, nobody .. "2")
    for i = 2, 10 do
      assert.equal(12, answers[i][1], answers[i][2])
      assert.truthy(answers[i][2]:find("read-only", 1, true), answers[i][2])
      assert.equal(nobody, answers[i][2]:sub(1, #nobody))
    end
  end)

  it("messages carry the URL once, and of a query no more than that it is there", function()
    local answers = host("MODFS_HTTP_RETRIES=0", "http", "", "read", nobody, ",",
      "stat", nobody .. "?token=secret", ",", "list", nobody)
    names_once(answers[2], nobody, 14)
    names_once(answers[3], nobody .. "?***", 14)
    assert.is_nil(answers[3][2]:find "secret")
    names_once(answers[4], nobody, 12)
  end)
end)

describe("s3 and gs", function()
  if s3.missing() then
    pending(s3.missing())
    return
  end

  it("are a library each, and one of them may be taken already", function()
    assert.same({ { 0, "registered" } }, host("", "s3", "gs,file"))
    assert.same({ { 6, "gs" } }, host("", "gs", "gs,file"))
    assert.same({ { 0, "registered" } }, host("", "gs", "s3"))
  end)
end)

describe("s3", function()
  local ceph, reason = s3.start { "hosted" }
  if not ceph then
    pending(reason)
    return
  end

  local settings
  setup(function()
    settings = ("MODFS_S3_ENDPOINT=%s MODFS_S3_ACCESS_KEY_ID=%s MODFS_S3_SECRET_ACCESS_KEY=%s " ..
      "MODFS_GS_PROTOCOL=xml MODFS_GS_ENDPOINT=%s MODFS_GS_ACCESS_KEY_ID=%s " ..
      "MODFS_GS_SECRET_ACCESS_KEY=%s"):format(
      ceph.http, ceph.one.key, ceph.one.secret, ceph.http, ceph.one.key, ceph.one.secret)
  end)

  teardown(function() ceph.stop() end)

  after_each(function() assert.equal(0, ceph.uploads "hosted") end)

  local function run(...)
    return host(settings, "s3", "gs", ...)
  end

  it("keeps what was written to a file that is dropped", function()
    for _, how in ipairs { "drop", "flush", "sync", "close" } do
      local uri = "s3://hosted/" .. how
      assert.same({ { 0, "registered" }, { 0, "" }, { 0, "new" }, { 0, "" }, { 0, "new and more" },
        { 0, "" }, { 0, "" } }, run("write-" .. how, uri, "new", ",", "read", uri, ",",
        "append-" .. how, uri, " and more", ",", "read", uri, ",", "write-" .. how, uri, "", ",",
        "read", uri))
    end
  end)

  it("keeps nothing of a file that only a child drops", function()
    local uri = "s3://hosted/child"
    assert.same({ 0, 0, 5 }, codes(run("write-child", uri, "new", ",", "read", uri)))
  end)

  it("says nothing was kept where the server refuses it", function()
    local out, err = select(2, shell.run("env " .. settings ..
      " MODFS_S3_STORAGE_CLASS=NOSUCHCLASS timeout 120 " .. program, root .. "/modfs/plugins/s3.so",
      "", "write-drop", "s3://hosted/refused", "x"))
    assert.truthy(out:find("\n0\t", 1, true), out)
    assert.truthy(err:find("s3://hosted/refused: not closed, content discarded: ", 1, true), err)
    assert.same({ 0, 5 }, codes(run("stat", "s3://hosted/refused")))
  end)

  it("carries the path in its messages, once", function()
    check_failures(settings, "s3", "s3://hosted/base")
  end)

  it("makes a bucket by mkdir of its name, and by nothing else", function()
    local uri = "s3://no-such-bucket"
    local answers = run("makedirs", uri, ",", "makedirs", uri .. "/a/b", ",",
      "write-close", uri .. "/a", "x", ",", "append-close", uri .. "/a", "x", ",",
      "mkdir", uri .. "/a", ",", "copy", "s3://hosted/close", uri .. "/a", ",", "stat", uri, ",",
      "mkdir", uri, ",", "makedirs", uri, ",", "rmdir", uri, ",", "makedirs", "s3://")
    for i = 2, 8 do
      assert.equal(5, answers[i][1], answers[i][2])
      assert.truthy(answers[i][2]:find("create the bucket first", 1, true), answers[i][2])
    end
    assert.same({ 0, 0, 0, 0 }, { select(9, (table.unpack or unpack)(codes(answers))) })
  end)

  it("is gs under its other name", function()
    assert.same({ { 0, "registered" }, { 0, "" }, { 0, "x" },
      { 12, "no such scheme is registered" } }, host(settings, "gs", "s3", "write-drop",
      "gs://hosted/gs", "x", ",", "read", "gs://hosted/gs", ",", "read", "s3://hosted/gs"))
  end)
end)
