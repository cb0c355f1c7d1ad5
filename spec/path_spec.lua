local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local path = modfs.path

-- A test for each row: function, arguments, expected results.
local function rows(name, list)
  for _, row in ipairs(list) do
    local shown = type(row[1][1]) == "table" and row[1][1] or row[1]
    it(("%s(%s)"):format(name, table.concat(shown, ", ")), function()
      assert.same(row[2], { path[name]((table.unpack or unpack)(row[1])) })
    end)
  end
end

describe("modfs.path", function()
  rows("parse", {
    { { "" }, { "", "", "" } },
    { { "foo" }, { "", "", "foo" } },
    { { "/foo/bar" }, { "", "", "/foo/bar" } },
    { { "http://foo" }, { "http", "foo", "" } },
    { { "http://" }, { "http", "", "" } },
    { { "/encrypted/://foo" }, { "", "", "/encrypted/://foo" } },
    { { "/usr/local/foo" }, { "", "", "/usr/local/foo" } },
    { { "file:///usr/local/foo" }, { "file", "", "/usr/local/foo" } },
    { { "local.file:///usr/local/foo" }, { "local.file", "", "/usr/local/foo" } },
    { { "a-b:///foo" }, { "", "", "a-b:///foo" } },
    { { "a_b:///foo" }, { "", "", "a_b:///foo" } },
    { { "a+b:///foo" }, { "", "", "a+b:///foo" } },
    { { "zip+s3://b/a.zip!/x" }, { "zip+s3", "b", "/a.zip!/x" } },
    { { "zip+tar+mem:///x" }, { "zip+tar+mem", "", "/x" } },
    { { "zip+s:///x" }, { "", "", "zip+s:///x" } },
    { { "zip+://x" }, { "", "", "zip+://x" } },
    { { "+s3://x" }, { "", "", "+s3://x" } },
    { { "zip++s3://x" }, { "", "", "zip++s3://x" } },
    { { ":///foo" }, { "", "", ":///foo" } },
    { { "9dfd:///foo" }, { "", "", "9dfd:///foo" } },
    { { "d9:///foo" }, { "d9", "", "/foo" } },
    { { "file:/x" }, { "", "", "file:/x" } },
    { { "file:" }, { "", "", "file:" } },
    { { "hdfs://localhost:8020/path/to/file" }, { "hdfs", "localhost:8020", "/path/to/file" } },
    { { "hdfs://localhost:8020" }, { "hdfs", "localhost:8020", "" } },
    { { "hdfs://localhost:8020/" }, { "hdfs", "localhost:8020", "/" } },
    { { "mem://a/b://c" }, { "mem", "a", "/b://c" } },
  })

  rows("clean", {
    { { "" }, { "." } },
    { { "." }, { "." } },
    { { "x" }, { "x" } },
    { { "/" }, { "/" } },
    { { "//a//b/" }, { "/a/b" } },
    { { "/a/b/c/d/*" }, { "/a/b/c/d/*" } },
    { { "/.." }, { "/" } },
    { { "/../.." }, { "/" } },
    { { "/a/b/../../.." }, { "/" } },
    { { "//a//../x//" }, { "/x" } },
    { { "../../a/b/../c" }, { "../../a/c" } },
    { { "../../a/b/../c/../.." }, { "../.." } },
    { { "foo/../../../bar" }, { "../../bar" } },
    { { "a/./b/." }, { "a/b" } },
    { { "a/.." }, { "." } },
    { { "./." }, { "." } },
    { { "..a/b.." }, { "..a/b.." } },
    { { ".../a" }, { ".../a" } },
    { { "mem://notes//x/../a.txt" }, { "mem://notes/a.txt" } },
    { { "mem://notes/../../a" }, { "mem://notes/a" } },
    { { "mem://notes/./" }, { "mem://notes/" } },
    { { "mem:///../a/" }, { "mem:///a" } },
    { { "mem://notes" }, { "mem://notes" } },
    { { "mem://" }, { "mem://" } },
    { { "file://localhost/x" }, { "file://localhost/x" } },
    { { "mem:///" }, { "mem:///" } },
    { { "mem:/a//b" }, { "mem:/a/b" } },
  })

  rows("join", {
    { { "/foo", "/bar" }, { "/foo/bar" } },
    { { "/foo", "bar" }, { "/foo/bar" } },
    { { "foo", "bar" }, { "foo/bar" } },
    { { "foo", "/bar" }, { "foo/bar" } },
    { { "/foo/", "/bar" }, { "/foo/bar" } },
    { { "", "/bar" }, { "/bar" } },
    { { "", "bar" }, { "bar" } },
    { { "/foo", "" }, { "/foo" } },
    { { "/foo", "/bar/baz", "/blah" }, { "/foo/bar/baz/blah" } },
    { { "/foo", "", "blah", "//baz" }, { "/foo/blah//baz" } },
    { { "mem://a", "b" }, { "mem://a/b" } },
    { { "mem://", "a" }, { "mem://a" } },
    { { "s3://", "bucket" }, { "s3://bucket" } },
    { { "file://", "etc" }, { "file:///etc" } },
    { { "file://", "/etc", "x" }, { "file:///etc/x" } },
    { { "file:///", "etc" }, { "file:///etc" } },
    { { "file://localhost", "etc" }, { "file://localhost/etc" } },
    { { "", "file://" }, { "file://" } },
    { { "a" }, { "a" } },
    { {}, { "" } },
  })

  rows("dirname", {
    { { "/hello/" }, { "/hello" } },
    { { "/hello" }, { "/" } },
    { { "hello/world" }, { "hello" } },
    { { "hello/" }, { "hello" } },
    { { "world" }, { "" } },
    { { "/" }, { "/" } },
    { { "" }, { "" } },
    { { "a/b/c" }, { "a/b" } },
    { { "hdfs://127.0.0.1:9000/x" }, { "hdfs://127.0.0.1:9000/" } },
    { { "hdfs://127.0.0.1:9000/" }, { "hdfs://127.0.0.1:9000/" } },
    { { "hdfs://127.0.0.1:9000/a/b" }, { "hdfs://127.0.0.1:9000/a" } },
    { { "hdfs://127.0.0.1:9000" }, { "hdfs://127.0.0.1:9000" } },
  })

  rows("basename", {
    { { "/hello/" }, { "" } },
    { { "/hello" }, { "hello" } },
    { { "hello/world" }, { "world" } },
    { { "hello/" }, { "" } },
    { { "world" }, { "world" } },
    { { "/" }, { "" } },
    { { "" }, { "" } },
    { { "hdfs://127.0.0.1:9000/x" }, { "x" } },
    { { "hdfs://127.0.0.1:9000/" }, { "" } },
  })

  rows("extension", {
    { { "foo" }, { "" } },
    { { "foo." }, { "" } },
    { { "foo.bar" }, { "bar" } },
    { { "foo.bar.baz" }, { "baz" } },
    { { "/a/path.bar/to/foo" }, { "" } },
    { { "/a/path.bar/to/foo.txt" }, { "txt" } },
    { { "mem://host.name/foo" }, { "" } },
    { { "" }, { "" } },
  })

  rows("is_absolute", {
    { { "" }, { false } },
    { { "a" }, { false } },
    { { "./a" }, { false } },
    { { "../a" }, { false } },
    { { "/" }, { true } },
    { { "/a" }, { true } },
  })

  rows("stem", {
    { { "a/b.tar.gz" }, { "b.tar" } },
    { { "foo" }, { "foo" } },
    { { "foo." }, { "foo" } },
    { { ".bashrc" }, { ".bashrc" } },
    { { "..a.b" }, { "..a" } },
    { { ".." }, { ".." } },
    { { "a.b/" }, { "" } },
    { { "mem://host.name" }, { "" } },
    { { "mem://host.name/x.txt" }, { "x" } },
  })

  rows("split", {
    { { "a/b" }, { "a", "b" } },
    { { "/a" }, { "/", "a" } },
    { { "a" }, { "", "a" } },
    { { "a/" }, { "a", "" } },
    { { "" }, { "", "" } },
    { { "mem://a/b/c" }, { "mem://a/b", "c" } },
    { { "mem://a/b" }, { "mem://a/", "b" } },
    { { "mem://a" }, { "mem://a", "" } },
  })

  rows("relative", {
    { { "/a/b/c", "/a" }, { "b/c" } },
    { { "/a", "/a/b/c" }, { "../.." } },
    { { "/a/x/y", "/a/b//./c/" }, { "../../x/y" } },
    { { "/a", "/a/" }, { "." } },
    { { "/", "/a" }, { ".." } },
    { { "/ab", "/a" }, { "../ab" } },
    { { "a/b", "a/c" }, { "../b" } },
    { { "a", "." }, { "a" } },
    { { "a", "" }, { "a" } },
    { { "../a", "b" }, { "../../a" } },
    { { "../a", "../b" }, { "../a" } },
    { { "mem://h/a/b", "mem://h/a" }, { "b" } },
    { { "mem://h/a", "mem://h" }, { "a" } },
    { { "mem://h", "mem://h/a" }, { ".." } },
    { { "mem://", "mem:///" }, { "." } },
    { { "file:///a", "file:///b" }, { "../a" } },
  })

  rows("commonpath", {
    { { { "/a/b/c", "/a/b/d", "/a/b" } }, { "/a/b" } },
    { { { "/a/bc", "/a/bd" } }, { "/a" } },
    { { { "/a", "/b" } }, { "/" } },
    { { { "a/b/", "a//b/c" } }, { "a/b" } },
    { { { "a", "b" } }, { "" } },
    { { { "." } }, { "" } },
    { { { "a/../b", "b/c" } }, { "b" } },
    { { { "../a", "b" } }, { ".." } },
    { { { "b", "../../a", ".." } }, { "../.." } },
    { { { "mem://h/a/b", "mem://h/a/c" } }, { "mem://h/a" } },
    { { { "mem://h", "mem://h/a" } }, { "mem://h/" } },
    { { { "mem://h/a", "mem://h" } }, { "mem://h/" } },
    { { { 1, "1/2" } }, { "1" } },
  })

  rows("absolute", {
    { { "/a//b/../c/" }, { "/a/c" } },
    { { "mem://a/../b" }, { "mem://a/b" } },
    { { "file:///a/.." }, { "file:///" } },
  })

  it("absolute starts at the working directory", function()
    local here = shell.output "pwd -P"
    assert.equal(here, path.absolute "")
    assert.equal(here .. "/b", path.absolute "a/.././b")
    assert.equal(path.dirname(here), path.absolute "..")
  end)

  it("absolute fails where the working directory was deleted", function()
    local root = tmpdir.new()
    finally(function() tmpdir.remove(root) end)
    local status, out, err = child([[
      assert(os.execute "rmdir \"$PWD\"")
      local path = require "modfs".path
      print(select(3, path.absolute "a"), path.absolute "/a", path.absolute "mem://a")
    ]], { cwd = root })
    assert.same({ 0, "NOT_FOUND\t/a\tmem://a\n", "" }, { status, out, err })
  end)

  it("relative and commonpath refuse what only the working directory can tell", function()
    for _, pair in ipairs { { "/a", "a" }, { "a", "/a" }, { "mem://a/x", "mem://b/x" },
      { "mem://a/x", "s3://a/x" }, { "/x", "mem:///x" }, { "x", "mem://x" } } do
      fails("INVALID_ARGUMENT", path.relative(pair[1], pair[2]))
      fails("INVALID_ARGUMENT", path.commonpath(pair))
      fails("INVALID_ARGUMENT", path.commonpath { pair[1], pair[1], pair[2] })
    end
    fails("INVALID_ARGUMENT", path.relative("a", ".."))
    fails("INVALID_ARGUMENT", path.relative("..", "../.."))
    fails("INVALID_ARGUMENT", path.commonpath {})
    assert.equal("INVALID_ARGUMENT: relative mem://a/x: 's3://a' has another scheme or host",
      fails("INVALID_ARGUMENT", path.relative("mem://a/x", "s3://a")))
  end)

  it("commonpath raises for what is no list of paths", function()
    assert.error_matches(function() path.commonpath "a" end, "table expected, got string")
    assert.error_matches(function() path.commonpath { "a", true } end,
      "path #2: string expected, got boolean")
    fails("INVALID_ARGUMENT", path.commonpath { "a", "b\0c" })
  end)

  it("expanduser knows the own home and those of others", function()
    local code = [[
      local path = require "modfs".path
      print(path.expanduser "~", path.expanduser "~/x/", path.expanduser "~root/x",
        path.expanduser "~nosuchuser/x", path.expanduser "a/~", path.expanduser "mem://~")
    ]]
    local root = shell.output "echo ~root"
    for home, own in pairs { ["HOME=/h/"] = "/h\t/h/x/", ["HOME="] = "/\t/x/" } do
      local status, out = child(code, { under = "env " .. home })
      assert.same({ 0, own .. "\t" .. root .. "/x\t~nosuchuser/x\ta/~\tmem://~\n" },
        { status, out })
    end
    local own = shell.output 'getent passwd "$(id -u)" | cut -d: -f6'
    local _, out = child(code, { under = "env -u HOME" })
    assert.equal(own, out:match "^[^\t]*")
  end)

  it("cleans at any place of a path", function()
    for before = 0, 40 do
      for after = 1, 20 do
        local head, tail = before > 0 and "/" .. ("a"):rep(before) or "", ("b"):rep(after)
        assert.equal(head .. "/" .. tail, path.clean(head .. "//" .. tail))
        assert.equal(head .. "/" .. tail, path.clean(head .. "/./" .. tail))
        assert.equal(head .. "/." .. tail, path.clean(head .. "/." .. tail))
      end
    end
  end)

  it("join and dirname, basename take each other back", function()
    for _, uri in ipairs { "/a/b", "a/b", "mem://h/a/b", "file:///a/b/c" } do
      assert.equal(uri, path.join(path.dirname(uri), path.basename(uri)))
    end
  end)

  it("refuses an embedded NUL, never cutting there", function()
    for _, name in ipairs { "parse", "clean", "join", "dirname", "basename", "extension",
      "is_absolute", "stem", "split", "absolute", "expanduser" } do
      fails("INVALID_ARGUMENT", path[name] "a/b\0c")
    end
    fails("INVALID_ARGUMENT", path.relative("a", "b\0c"))
    fails("INVALID_ARGUMENT", path.relative("b\0c", "a"))
    fails("INVALID_ARGUMENT", path.join("a", "b\0c"))
    fails("INVALID_ARGUMENT", path.match("a\0", "a"))
    fails("INVALID_ARGUMENT", path.match("a", "a\0"))
  end)

  it("keeps every byte but NUL", function()
    for value = 1, 255 do
      local name = "x" .. string.char(value) .. "y"
      if name ~= "x/y" then
        assert.equal(name, path.basename("/a/" .. name))
        assert.equal("/a/" .. name, path.clean("/a//" .. name .. "/"))
      end
    end
  end)
end)

describe("a path of more than 1 MiB", function()
  local long = ("a/"):rep(600000)
  local one = { "open", "read", "exists", "isdir", "isfile", "stat", "lstat", "size", "map",
    "listdir", "dir", "walk", "watch", "glob", "du", "mkdir", "remove", "rmdir", "rmtree" }
  local two = { "copy", "rename", "copytree", "sync" }

  -- A result or a failure; a crash would end the process.
  local function survives(call, ...)
    local result, _, code = call(...)
    assert.is_true(result ~= nil or type(code) == "string")
    if type(result) == "userdata" then
      result:close()
    end
  end

  for _, scheme in ipairs { "", "file:///", "mem://" } do
    it("crashes no function of " .. scheme, function()
      for _, name in ipairs(one) do
        survives(modfs[name], scheme .. long)
      end
      for _, name in ipairs(two) do
        survives(modfs[name], scheme .. long, "mem://path_spec")
      end
    end)
  end
end)
