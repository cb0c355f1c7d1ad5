local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

-- A leak checker in the child could not work under strace.
local counting_syncs = "env ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=fsync,fdatasync -o "

describe("posix", function()
  local root, posix

  before_each(function()
    root = tmpdir.new()
    posix = modfs.filesystem ""
  end)
  after_each(function()
    tmpdir.remove(root)
  end)

  local function at(relative)
    return root .. "/" .. relative
  end

  local function mode(path)
    return shell.output("stat -c %a", path)
  end

  describe("meets what is no regular file:", function()
    -- In a child with a limit: a call that waits for a writer would never come back.
    local function refused_in_child(path)
      local status, out, err = child(([[
        local modfs = require "modfs"
        local function code(...) return (select(3, ...)) end
        local path = %q
        print(code(modfs.open(path)), code(modfs.open(path, "w")), code(modfs.open(path, "a")),
          code(modfs.read(path)), code(modfs.map(path)), code(modfs.copy(path, path .. ".copy")))
      ]]):format(path), { seconds = 10 })
      assert.equal(0, status, err)
      assert.equal(("FAILED_PRECONDITION "):rep(6), out:gsub("%s", " "))
      assert.is_false(modfs.exists(path .. ".copy"))
    end

    it("a FIFO is refused and never waited for", function()
      shell.output("mkfifo", at "fifo")
      refused_in_child(at "fifo")
    end)

    it("a socket is refused", function()
      if not shell.has "perl" then
        return pending "perl is not there to make a socket"
      end
      shell.output("perl -MSocket -e "
        .. "'socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])) or die $!'",
        at "socket")
      refused_in_child(at "socket")
    end)

    it("they exist, are no directories, and can be deleted", function()
      shell.output("mkfifo", at "fifo")
      assert.is_true(modfs.exists(at "fifo"))
      assert.is_false(modfs.isdir(at "fifo"))
      assert.is_false(modfs.stat(at "fifo").is_directory)
      assert.is_true(modfs.remove(at "fifo"))
    end)

    it("a character device opens and reads", function()
      local file = assert(modfs.open "/dev/zero")
      assert.equal(("\0"):rep(1000), file:read(1000))
      assert.is_true(file:close())
      assert.equal("", modfs.read "/dev/null")
      local sink = assert(modfs.open("/dev/null", "w"))
      assert.equal(sink, sink:write "gone")
      assert.is_true(sink:close())
    end)

    it("a full device fails with RESOURCE_EXHAUSTED", function()
      local writable = assert(modfs.open("/dev/full", "w"))
      writable:write "x"
      fails("RESOURCE_EXHAUSTED", writable:close())
      fails("RESOURCE_EXHAUSTED", modfs.write("/dev/full", ("x"):rep(100000)))
    end)
  end)

  describe("/proc:", function()
    it("files of size 0 are read to their end", function()
      assert.equal(0, modfs.size "/proc/self/status")
      assert.is_truthy(modfs.read("/proc/self/status"):find("^Name:"))
      assert.is_truthy(assert(modfs.map "/proc/version"):sub(1) == modfs.read "/proc/version")
      assert.is_truthy(#modfs.map "/proc/self/mountinfo" > 0)
      local file = assert(modfs.open "/proc/cpuinfo")
      assert.equal(tmpdir.content("/proc/cpuinfo"):match "[^\n]*\n", file:read "L")
      file:close()
    end)

    it("a real read error is a failure", function()
      local file = assert(modfs.open "/proc/self/mem")
      local data, message, code = file:pread(0, 16)
      fails(code, data, message, code)
      assert.not_equal("OUT_OF_RANGE", code)
      file:close()
    end)
  end)

  describe("links:", function()
    it("are never followed by rmtree", function()
      modfs.makedirs(at "outside/dir")
      modfs.write(at "outside/canary", "alive")
      modfs.write(at "outside/dir/canary", "alive")
      modfs.makedirs(at "tree/sub")
      shell.output("ln -s ../outside", at "tree/to_dir")
      shell.output("ln -s ../../outside/canary", at "tree/sub/to_file")
      shell.output("ln -s nowhere", at "tree/dangling")
      shell.output("ln -s .", at "tree/loop")
      assert.same({ true, 0, 0 }, { modfs.rmtree(at "tree") })
      assert.is_false(modfs.exists(at "tree"))
      assert.equal("alive", tmpdir.content(at "outside/canary"))
      assert.equal("alive", tmpdir.content(at "outside/dir/canary"))
    end)

    it("are what rmtree of a link deletes", function()
      modfs.makedirs(at "outside")
      modfs.write(at "outside/canary", "alive")
      shell.output("ln -s outside", at "link")
      assert.same({ true, 0, 0 }, { modfs.rmtree(at "link") })
      assert.equal("./outside\n./outside/canary", tmpdir.list(root))
      assert.equal("alive", tmpdir.content(at "outside/canary"))
    end)

    it("lead to what they name for reading, writing and asking", function()
      modfs.write(at "target", "test")
      shell.output("ln -s target", at "link")
      assert.equal("test", modfs.read(at "link"))
      assert.equal(4, modfs.size(at "link"))
      assert.is_true(modfs.write(at "link", "more", { append = true }))
      assert.equal("testmore", tmpdir.content(at "target"))
      assert.is_true(modfs.remove(at "link"))
      assert.equal("testmore", tmpdir.content(at "target"))
    end)

    it("that lead to a directory are no target of rename or copy", function()
      modfs.makedirs(at "a_dir")
      modfs.write(at "a_file", "test")
      shell.output("ln -s a_dir", at "link")
      fails("FAILED_PRECONDITION", modfs.rename(at "a_file", at "link"))
      fails("FAILED_PRECONDITION", modfs.copy(at "a_file", at "link"))
      assert.equal("./a_dir\n./a_file\n./link", tmpdir.list(root))
      assert.is_true(modfs.isdir(at "link"))
    end)

    it("that go round are failures", function()
      shell.output("ln -s two", at "one")
      shell.output("ln -s one", at "two")
      local _, message, code = modfs.read(at "one")
      fails(code, nil, message, code)
      assert.same({ true, 0, 0 }, { modfs.rmtree(at "one") })
    end)

    it("to the same file: copy keeps the content", function()
      modfs.write(at "a_file", "test")
      shell.output(("ln %s"):format(shell.quote(at "a_file")), at "hard")
      shell.output("ln -s a_file", at "soft")
      for _, other in ipairs { "hard", "soft" } do
        assert.is_true(modfs.copy(at "a_file", at(other)))
        assert.is_true(modfs.copy(at(other), at "a_file"))
        assert.equal("test", tmpdir.content(at "a_file"))
        assert.equal("test", tmpdir.content(at(other)))
      end
    end)
  end)

  describe("options:", function()
    local saved
    before_each(function()
      saved = assert(modfs.config "")
    end)
    after_each(function()
      assert.is_true(modfs.config("", saved))
    end)

    it("file_mode is the mode of new files", function()
      for _, wanted in ipairs { "600", "640", "700" } do
        assert.is_true(modfs.config("", { file_mode = tonumber(wanted, 8) }))
        assert.equal(tonumber(wanted, 8), modfs.config("").file_mode)
        modfs.write(at(wanted), "test")
        assert.equal(wanted, mode(at(wanted)))
        assert.is_true(modfs.open(at(wanted .. "a"), "a"):close())
        assert.equal(wanted, mode(at(wanted .. "a")))
      end
    end)

    it("file_mode leaves the mode of existing files", function()
      modfs.write(at "a_file", "test")
      shell.output("chmod 604", at "a_file")
      assert.is_true(modfs.config("", { file_mode = tonumber("600", 8) }))
      modfs.write(at "a_file", "other")
      assert.equal("604", mode(at "a_file"))
    end)

    it("directory_mode is the mode of new directories", function()
      for _, wanted in ipairs { "700", "750" } do
        assert.is_true(modfs.config("", { directory_mode = tonumber(wanted, 8) }))
        assert.is_true(modfs.mkdir(at(wanted)))
        assert.is_true(modfs.makedirs(at(wanted .. "x/y")))
        assert.equal(wanted, mode(at(wanted)))
        assert.equal(wanted, mode(at(wanted .. "x/y")))
      end
    end)

    it("refuse what is no mode, and change nothing then", function()
      for _, bad in ipairs { -1, tonumber("200000", 8) } do
        fails("INVALID_ARGUMENT", modfs.config("", { file_mode = bad }))
        fails("INVALID_ARGUMENT", modfs.config("", { directory_mode = bad }))
      end
      fails("INVALID_ARGUMENT", modfs.config("", { sync_on_close = 2 }))
      assert.error_matches(function() modfs.config("", { file_mode = "rw-r--r--" }) end,
        "file_mode")
      assert.same(saved, modfs.config "")
    end)

    -- How often a child that writes one file asks for its durability.
    local function syncs(setting)
      local log = at "strace.log"
      local status, _, err = child(([[
        local modfs = require "modfs"
        assert(modfs.config("", { sync_on_close = %d }))
        local writable = assert(modfs.open(%q, "w"))
        writable:write "test"
        assert(writable:close())
      ]]):format(setting, at "synced"), { under = counting_syncs .. log })
      assert.equal(0, status, err)
      return select(2, tmpdir.content(log):gsub("f%a*sync%(", ""))
    end

    it("sync_on_close syncs on close, and only when it is set", function()
      if shell.run("strace -o /dev/null true") ~= 0 then
        return pending "strace is not there, or may not trace"
      end
      assert.equal(0, syncs(0))
      assert.is_true(syncs(1) > 0)
    end)
  end)

  it("sync syncs", function()
    if shell.run("strace -o /dev/null true") ~= 0 then
      return pending "strace is not there, or may not trace"
    end
    local log = at "strace.log"
    local status, _, err = child(([[
      local writable = assert(require("modfs").open(%q, "w"))
      writable:write "test"
      assert(writable:sync())
      writable:close()
    ]]):format(at "synced"), { under = counting_syncs .. log })
    assert.equal(0, status, err)
    assert.is_truthy(tmpdir.content(log):find "f%a*sync%(")
  end)

  it("lets no descriptor through to other programs", function()
    local status, out, err = child(([[
      local modfs = require "modfs"
      local path = %q
      local keep = { modfs.open(path, "w"), modfs.open(path, "a"), modfs.open(path) }
      keep[1]:write "x" keep[1]:flush()
      keep[4] = modfs.map(path)
      if modfs.dir then keep[5] = modfs.dir %q end
      os.execute "ls -l /proc/self/fd"
      print(#keep)
    ]]):format(at "a_file", root))
    assert.equal(0, status, err)
    assert.is_nil(out:find(root, 1, true), out)
  end)

  it("refuses a host in file:// but localhost", function()
    modfs.write(at "a_file", "test")
    assert.equal("test", modfs.read("file://" .. at "a_file"))
    assert.equal("test", modfs.read("file://localhost" .. at "a_file"))
    local bad = "file://host" .. at "a_file"
    for _, name in ipairs { "open", "read", "exists", "stat", "isdir", "remove", "mkdir" } do
      fails("INVALID_ARGUMENT", modfs[name](bad))
    end
    fails("INVALID_ARGUMENT", modfs.rename(at "a_file", bad))
    fails("INVALID_ARGUMENT", modfs.open("file://a_file"))
    assert.equal("test", tmpdir.content(at "a_file"))
  end)

  it("tells the modification time to the nanosecond", function()
    modfs.write(at "a_file", "test")
    shell.output("touch -d '2001-02-03 04:05:06.123456789 UTC'", at "a_file")
    local expected = shell.output("stat -c %.9Y", at "a_file")
    local stat = modfs.stat(at "a_file")
    local whole, fraction = expected:match "^(%d+)%.(%d+)$"
    assert.equal("123456789", fraction)
    assert.equal(tonumber(whole .. fraction), stat.mtime_nsec)
    assert.is_true(math.abs(tonumber(expected) - stat.mtime) < 1e-6)
  end)

  it("tells a time before 1970", function()
    modfs.write(at "a_file", "test")
    shell.output("touch -d '1960-01-01 00:00:00.5 UTC'", at "a_file")
    assert.equal(-315619199.5, modfs.stat(at "a_file").mtime)
  end)

  describe("with a large tree", function()
    local large
    before_each(function()
      large = tmpdir.large()
    end)
    after_each(function()
      tmpdir.remove(large)
    end)

    it("removes 20,000 levels", function()
      if not shell.has "perl" then
        return pending "perl is not there to make the tree"
      end
      shell.output("perl -e 'chdir $ARGV[0] or die; for (1..20000) "
        .. "{ mkdir q(d) or die; chdir q(d) or die } open F, q(>), q(leaf)'", large)
      assert.same({ true, 0, 0 }, { modfs.rmtree(large .. "/d") })
      assert.equal("", tmpdir.list(large))
    end)

    it("takes paths longer than the kernel does", function()
      local deep = large .. "/" .. ("d/"):rep(3000)
      fails("NOT_FOUND", modfs.open(deep .. "a_file", "w"))
      assert.is_false(modfs.exists(deep))
      assert.is_true(modfs.makedirs(deep))
      assert.is_true(modfs.write(deep .. "a_file", "deep"))
      assert.is_true(modfs.rename(deep .. "a_file", large .. "/moved"))
      assert.is_true(modfs.copy(large .. "/moved", deep .. "copied"))
      assert.same({ "copied" }, modfs.listdir(deep))
      assert.equal("deep", tmpdir.content(large .. "/moved"))
      assert.same({ true, 0, 0 }, { modfs.rmtree(large .. "/d") })
      assert.equal("./moved", tmpdir.list(large))
    end)
  end)

  it("counts what it may not delete", function()
    local runs_as_nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    local is_root = shell.output "id -u" == "0"
    if is_root and shell.run(runs_as_nobody .. " true") ~= 0 then
      return pending "root may delete everything, and setpriv is not there to become nobody"
    end
    modfs.makedirs(at "tree/locked/inner")
    modfs.write(at "tree/locked/one", "1")
    modfs.write(at "tree/locked/two", "2")
    modfs.write(at "tree/free", "3")
    shell.output("chmod 755", root)
    if is_root then
      shell.output("chown -R 65534:65534", root)
    end
    shell.output("chmod 555", at "tree/locked")
    local status, out, err = child(("print(require('modfs').rmtree(%q))"):format(at "tree"),
      { under = is_root and runs_as_nobody or nil })
    shell.output("chmod 755", at "tree/locked")
    if is_root and status ~= 0 and err:find "module 'modfs" then
      return pending "nobody may not read the place where modfs is built"
    end
    assert.equal(0, status, err)
    local code, files, directories = out:match "\t([%u_]+)\t(%d+)\t(%d+)\n$"
    assert.same({ "PERMISSION_DENIED", "2", "3" }, { code, files, directories })
    assert.is_false(modfs.exists(at "tree/free"))
    assert.is_true(modfs.exists(at "tree/locked/one"))
  end)

  it("makes private directories, whatever the mask", function()
    local status, out, err = child(([[
      local modfs = require "modfs"
      assert(modfs.mkdir(%q, { private = true }))
      assert(modfs.mkdir(%q, { private = false }))
      print(modfs.tempdir())
    ]]):format(at "private", at "public"), { before = "umask 0; export TMPDIR=" .. root })
    assert.equal(0, status, err)
    local modes = shell.output("stat -c %a", at "private", at "public", out:sub(1, -2))
    assert.equal("700\n777\n700", modes)
    fails("ALREADY_EXISTS", modfs.mkdir(at "private", { private = true }))
    assert.is_true(modfs.mkdir("mem://posix_spec_private", { private = true }))
    assert.has_error(function() modfs.mkdir(at "x", { privat = true }) end)
  end)

  it("works relative to the working directory", function()
    local status, out, err = child([[
      local modfs = require "modfs"
      assert(modfs.write("a_file", "test"))
      assert(modfs.mkdir "a_dir")
      print(modfs.read "./a_file", modfs.isdir "a_dir", table.concat(modfs.listdir ".", ","),
        table.concat(modfs.listdir "a_dir/..", ","))
    ]], { cwd = root })
    assert.equal(0, status, err)
    assert.equal("test\ttrue\ta_dir,a_file\ta_dir,a_file\n", out)
  end)

  it("answers the empty path with NOT_FOUND", function()
    fails("NOT_FOUND", posix:path_exists "")
    fails("NOT_FOUND", posix:stat "")
    fails("NOT_FOUND", posix:new_random_access_file "")
    fails("NOT_FOUND", posix:delete_file "")
  end)
end)
