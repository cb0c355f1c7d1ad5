-- Extended attributes that copytree, sync and cp keep, as rsync -X and cp -a do.
local bare = require "spec.support.bare"
local build = require "spec.fixtures.build"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local over_posix = require "spec.support.over_posix"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local program

local function set(path, name, value)
  shell.output(program, "set", path, name, value)
end

-- A line for each attribute of each entry: path below the first one, name, value.
local function dump(path)
  return shell.output(("%s dump %s | LC_ALL=C sort"):format(program, shell.quote(path)))
end

-- status, output and error output of a command of modfs.
local function command(words, ...)
  return shell.run(("%s bin/modfs %s"):format(os.getenv "LUA" or "lua5.4", words), ...)
end

local root, src, dst
local reason, shelf, bare_shelf

setup(function()
  program = build.compile("xattrs", "spec/fixtures/xattrs/program.c",
    { program = true, free = true })
  shelf, bare_shelf = over_posix("odd", "spec/fixtures/xattrs/odd.c"), bare()
  local path = tmpdir.new()
  if shell.run(program, "set", path, "user.some", "x") ~= 0 then
    reason = "the filesystem of temporary files has no extended attributes"
  end
  tmpdir.remove(path)
end)

teardown(function()
  shelf:remove()
  bare_shelf:remove()
end)

local function spec(title, run)
  it(title, function()
    if reason then
      return pending(reason)
    end
    run()
  end)
end

before_each(function()
  root = tmpdir.new()
  src, dst = root .. "/src", root .. "/dst"
end)
after_each(function()
  shell.run("chmod -R u+rwx", root)
  tmpdir.remove(root)
  modfs.rmtree "mem://xattrs"
end)

-- An access control list with one more user, as the kernel keeps it: version 2, then tag,
-- permissions and id of each entry.
local ACL = "hex:02000000" .. "01000600ffffffff" .. "0200040039300000" .. "04000400ffffffff"
  .. "10000400ffffffff" .. "20000000ffffffff"

local function plant()
  assert(modfs.makedirs(src .. "/dir/deep"))
  for _, name in ipairs { "file", "plain", "read", "dir/odd \n\t\255 name", "dir/deep/x" } do
    assert(modfs.write(src .. "/" .. name, name))
  end
  assert(modfs.symlink("file", src .. "/link"))
  set(src .. "/file", "user.comment", "a comment")
  set(src .. "/file", "user.Binary", "hex:00ff000a")
  set(src .. "/file", "user.empty", "")
  set(src .. "/read", "user.large", ("x"):rep(3000))
  set(src .. "/dir", "user.of.dir", "1")
  set(src .. "/dir/odd \n\t\255 name", "user.\228 odd = name", "2")
  if shell.output "id -u" == "0" then
    set(src .. "/dir/deep/x", "trusted.not.kept", "3")
  end
  assert(modfs.chmod(src .. "/read", 256))
  assert(modfs.chmod(src .. "/dir/deep", 365))
end

-- What is there but what nobody but rsync of root keeps.
local function kept(path)
  return (dump(path):gsub("[^\n]*trusted[^\n]*\n?", ""))
end

describe("single attributes", function()
  -- Of the machine's files as its own program sees them; of mem:// as we do.
  for _, place in ipairs { "file", "mem" } do
    spec("of " .. place .. ":// are read, set and removed by name", function()
      local path = place == "mem" and "mem://xattrs/a" or root .. "/a"
      assert(modfs.makedirs "mem://xattrs")
      assert(modfs.write(path, "x"))
      assert.same({}, modfs.xattrs(path))
      local wanted = { ["user.b"] = "two", ["user.a"] = "\0\255\n", ["user.c"] = "" }
      for name, value in pairs(wanted) do
        assert.is_true(modfs.setxattr(path, name, value))
      end
      assert.same(wanted, modfs.xattrs(path))
      if place == "file" then
        assert.equal(" user.a 00ff0a\n user.b 74776f\n user.c ", dump(path))
      end
      wanted["user.b"], wanted["user.a"] = nil, "other"
      assert.is_true(modfs.setxattr(path, "user.b"))
      assert.is_true(modfs.setxattr(path, "user.a", "other"))
      assert.is_true(modfs.setxattr(path, "user.none", nil))
      assert.same(wanted, modfs.xattrs(path))
      assert.same(wanted, require("modfs.async").xattrs(path):await())
      assert.is_true(require("modfs.async").setxattr(path, "user.a", "later"):await())
      assert.equal("later", modfs.xattrs(path)["user.a"])
      if place == "mem" then -- which keeps any
        assert(modfs.setxattr(path, "object.content_type", "text/csv"))
        assert(modfs.setxattr(path, "object.content_type"))
        assert.is_nil(modfs.xattrs(path)["object.content_type"])
      end
    end)
  end

  spec("follow links, and belong to directories, too", function()
    assert(modfs.mkdir(src))
    assert(modfs.symlink("src", dst))
    assert(modfs.setxattr(dst, "user.a", "x"))
    assert.same({ ["user.a"] = "x" }, modfs.xattrs(src))
  end)

  spec("that cannot be are refused", function()
    assert(modfs.write(root .. "/a", "x"))
    fails("NOT_FOUND", modfs.xattrs(root .. "/none"))
    fails("NOT_FOUND", modfs.setxattr(root .. "/none", "user.a", "x"))
    fails("INVALID_ARGUMENT", modfs.setxattr(root .. "/a", "", "x"))
    fails("INVALID_ARGUMENT", modfs.setxattr(root .. "/a", "user.\0", "x"))
    fails("UNIMPLEMENTED", modfs.setxattr(root .. "/a", "a", "x"))
    fails("UNIMPLEMENTED", modfs.xattrs "package://x!/y")
    assert.has_error(function() modfs.setxattr(root .. "/a", "user.a", {}) end)
    assert.same({}, modfs.xattrs(root .. "/a"))
  end)
end)

local keep = { preserve = { "mtime", "mode", "xattrs" } }

describe("with preserve = { \"xattrs\" },", function()
  for name, copy in pairs { copytree = modfs.copytree, sync = modfs.sync } do
    spec(name .. " keeps extended attributes, as rsync -aX does", function()
      plant()
      shell.output("rsync -aX", src .. "/", root .. "/rsync")
      assert.same({}, assert(copy(src, dst, keep)).errors)
      local seen = dump(dst)
      assert.truthy(seen:find("user.comment", 1, true))
      assert.falsy(seen:find("trusted", 1, true))
      assert.equal(kept(root .. "/rsync"), seen)
      assert.equal(256, modfs.stat(dst .. "/read").mode)
      assert.equal(365, modfs.stat(dst .. "/dir/deep").mode)
    end)

    spec(name .. " keeps them through mem://", function()
      plant()
      assert.same({}, assert(copy(src, "mem://xattrs/a", keep)).errors)
      assert.same({}, assert(copy("mem://xattrs/a", "mem://xattrs/b", keep)).errors)
      assert.same({}, assert(copy("mem://xattrs/b", dst, keep)).errors)
      shell.output("rsync -aX", src .. "/", root .. "/rsync")
      assert.equal(kept(root .. "/rsync"), dump(dst))
      assert.equal("", shell.output("rsync -aniH --checksum", src .. "/", dst))
    end)

    spec(name .. " does not keep them by default", function()
      plant()
      assert.same({}, assert(copy(src, dst)).errors)
      assert.equal("", dump(dst))
    end)

    spec(name .. " takes those away that the source does not have", function()
      plant()
      assert(modfs.makedirs(dst .. "/dir"))
      assert(modfs.write(dst .. "/file", "other content"))
      set(dst .. "/file", "user.surplus", "x")
      set(dst .. "/file", "user.comment", "another one")
      set(dst .. "/dir", "user.surplus", "x")
      assert.same({}, assert(copy(src, dst, keep)).errors)
      local seen = dump(dst)
      assert.falsy(seen:find("surplus", 1, true))
      assert.equal(kept(src), seen)
    end)

    spec(name .. " keeps those of a single file", function()
      plant()
      assert.same({}, assert(copy(src .. "/file", dst, keep)).errors)
      assert.truthy(dump(dst):find("user.Binary 00ff000a", 1, true))
    end)

    spec(name .. " keeps those of what links lead to", function()
      plant()
      local options = { preserve = keep.preserve, links = "follow" }
      assert.same({}, assert(copy(src, dst, options)).errors)
      assert.truthy(dump(dst):find("/link user.comment", 1, true))
      modfs.rmtree(dst)
      assert.same({}, assert(copy(src, "mem://xattrs/a", options)).errors)
      assert.same({}, assert(copy("mem://xattrs/a", dst, keep)).errors)
      assert.truthy(dump(dst):find("/link user.comment", 1, true))
    end)

    spec(name .. " refuses a side without any before anything is written", function()
      plant()
      for _, pair in ipairs { { src, "bare://" .. dst }, { "bare://" .. src, dst } } do
        local done, message = copy(pair[1], pair[2], keep)
        fails("UNIMPLEMENTED", done, message, "UNIMPLEMENTED")
        assert.truthy(message:find("bare:// has no extended attributes", 1, true), message)
        assert.is_nil(modfs.lstat(dst))
      end
      local options = { preserve = { "mtime?", "mode?", "xattrs?" }, links = "skip" }
      assert.same({}, assert(copy(src, "bare://" .. dst, options)).errors)
      assert.equal("plain", modfs.read(dst .. "/plain"))
    end)

    spec(name .. " keeps access control lists", function()
      plant()
      if shell.run(program, "set", src .. "/plain", "system.posix_acl_access", ACL) ~= 0 then
        return pending "no access control lists here"
      end
      set(src .. "/dir", "system.posix_acl_default", ACL)
      assert.same({}, assert(copy(src, dst, keep)).errors)
      shell.output("rsync -aXA", src .. "/", root .. "/rsync")
      local expected = kept(root .. "/rsync")
      assert.truthy(expected:find("posix_acl_default", 1, true))
      assert.equal(expected, dump(dst))
      -- What a new file gets by a list of its directory is not the source's.
      modfs.rmtree(dst)
      assert(modfs.mkdir(dst))
      set(dst, "system.posix_acl_default", ACL)
      assert.same({}, assert(copy(src, dst .. "/below", keep)).errors)
      assert.equal(expected, dump(dst .. "/below"))
    end)
  end

  spec("sync sets what differs without a copy, and the second run nothing", function()
    plant()
    assert(modfs.sync(src, dst))
    local report = assert(modfs.sync(src, dst, { preserve = keep.preserve, dry_run = true }))
    assert.equal(0, report.copied)
    assert.equal("", dump(dst))
    assert.equal(0, assert(modfs.sync(src, dst, keep)).copied)
    assert.equal(kept(src), dump(dst))
    local before = shell.output("cd " .. dst .. " && find . -type f -exec stat -c '%z %n' {} +")
    assert.equal(0, assert(modfs.sync(src, dst, keep)).copied)
    assert.equal(before,
      shell.output("cd " .. dst .. " && find . -type f -exec stat -c '%z %n' {} +"))
  end)

  spec("what a file cannot keep is an error of its own, or none with ?", function()
    local codes = { cannot = "UNIMPLEMENTED", fails = "DATA_LOSS", full = "RESOURCE_EXHAUSTED" }
    assert(modfs.mkdir(src))
    for name in pairs(codes) do
      assert(modfs.write(src .. "/" .. name, name))
      set(src .. "/" .. name, "user.a", "1")
    end
    set(src, "user.a", "1")
    for _, copy in ipairs { modfs.copytree, modfs.sync } do
      local report = assert(copy(src, "odd://" .. dst, keep))
      local found = {}
      for _, failure in ipairs(report.errors) do
        found[modfs.path.basename(failure.path)] = failure.code
      end
      assert.same(codes, found)
      assert.equal(" user.a 31", dump(dst))
      assert.equal("full", modfs.read(dst .. "/full"))
      report = assert(copy(src, "odd://" .. dst, { preserve = { "xattrs?" } }))
      assert.same({}, report.errors)
    end
  end)

  spec("a plugin's block that is none is a breach", function()
    for _, name in ipairs { "null", "short", "long", "nameless", "unsorted", "twice" } do
      modfs.rmtree(src)
      modfs.rmtree(dst)
      assert(modfs.mkdir(src))
      assert(modfs.write(src .. "/" .. name, name))
      local report = assert(modfs.copytree("odd://" .. src, dst, keep))
      assert.equal(1, #report.errors, name)
      assert.equal("INTERNAL", report.errors[1].code)
      assert.truthy(report.errors[1].message:find("get_xattrs returned", 1, true))
      assert.equal(name, modfs.read(dst .. "/" .. name))
      assert.same({}, assert(modfs.copytree("odd://" .. src, dst,
        { preserve = { "xattrs?" } })).errors)
    end
  end)

  spec("they count towards the limit of mem://, and end with their file", function()
    plant()
    assert.same({}, assert(modfs.copytree(src, "mem://xattrs/a")).errors)
    local plain = modfs.du("mem://").bytes
    finally(function() assert(modfs.config("mem", { limit_bytes = 0 })) end)
    assert(modfs.config("mem", { limit_bytes = plain + 1000 }))
    local report = assert(modfs.sync(src, "mem://xattrs/a", keep))
    assert.equal("RESOURCE_EXHAUSTED", report.errors[1].code)
    assert(modfs.config("mem", { limit_bytes = 0 }))
    assert.same({}, assert(modfs.sync(src, "mem://xattrs/a", keep)).errors)
    assert(modfs.config("mem", { limit_bytes = plain + 10000 }))
    for _ = 1, 10 do
      assert(modfs.rmtree "mem://xattrs")
      assert.same({}, assert(modfs.copytree(src, "mem://xattrs/a", keep)).errors)
    end
  end)

  spec("a transaction of mem:// keeps them, and shows new ones at its end", function()
    plant()
    assert.same({}, assert(modfs.copytree(src, "mem://xattrs/a", keep)).errors)
    set(src .. "/plain", "user.new", "1")
    local fs = modfs.filesystem "mem"
    local transaction = assert(fs:start_transaction())
    assert(fs:add_to_transaction("mem://xattrs/a", transaction))
    assert(modfs.append("mem://xattrs/a/file", "more"))
    assert.same({}, assert(modfs.copytree(src .. "/plain", "mem://xattrs/a/plain", keep)).errors)
    assert.same({}, assert(modfs.copytree("mem://xattrs/a", root .. "/before", keep)).errors)
    assert(fs:end_transaction(transaction))
    assert.same({}, assert(modfs.copytree("mem://xattrs/a", dst, keep)).errors)
    assert.equal(kept(src), kept(dst))
    assert.falsy(kept(root .. "/before"):find("user.new", 1, true))
  end)
end)

describe("cp", function()
  spec("-a keeps them, as cp -a does", function()
    plant()
    shell.output("cp -a", src, root .. "/coreutils")
    assert.equal(0, (command("cp -a", src, dst)))
    assert.equal(kept(root .. "/coreutils"), kept(dst))
    assert.equal(0, (command("cp -p -r", src, root .. "/p")))
    assert.equal("", dump(root .. "/p"))
    assert.equal(0, (command("cp -a", src .. "/file", root .. "/one")))
    assert.truthy(dump(root .. "/one"):find("user.Binary", 1, true))
  end)

  spec("-a says nothing where the target has none", function()
    plant()
    local cp = require "modfs.cli.cp"
    assert.equal(0, cp.main { "-a", src .. "/plain", "bare://" .. dst })
    assert.equal("plain", modfs.read(dst))
  end)
end)
