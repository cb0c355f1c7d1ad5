local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local of_path = require "spec.support.of_path"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

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
  end)

  describe("links:", function()
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
  end)

  it("a tree is deleted with its root by a path that leads through a link inside it", function()
    local ways = { {}, { threads = 1 }, { threads = 4 }, { exclude = "nothing" },
      { progress = function() end } }
    for _, options in ipairs(ways) do
      assert(modfs.makedirs(at "a/sub"))
      assert(modfs.write(at "a/file", "x"))
      assert(modfs.symlink("..", at "a/up"))
      assert.is_true(modfs.rmtree(at "a/up/a", next(options) and options or nil))
      assert.equal("", tmpdir.list(root))
    end
  end)

  it("isfile tells files, and links to them, from all other kinds", function()
    modfs.write(at "target", "test")
    shell.output("ln -s target", at "link")
    shell.output("ln -s link", at "second")
    for _, name in ipairs { "target", "link", "second" } do
      assert.is_true(modfs.isfile(at(name)), name)
    end
    shell.output("mkfifo", at "fifo")
    shell.output("ln -s nowhere", at "broken")
    shell.output("ln -s .", at "to_dir")
    for _, name in ipairs { "", "fifo", "broken", "to_dir", "target/x", "link/x" } do
      assert.is_false(modfs.isfile(at(name)), name)
    end
    assert.is_false(modfs.isfile "/dev/null")
    assert.is_true(modfs.isfile "/proc/self/status")
  end)

  it("refuses a host in file:// but localhost", function()
    modfs.write(at "a_file", "test")
    assert.equal("test", modfs.read("file://" .. at "a_file"))
    assert.equal("test", modfs.read("file://localhost" .. at "a_file"))
    local bad = "file://host" .. at "a_file"
    local file_scheme = modfs.filesystem "file"
    for _, method in ipairs(of_path) do
      assert.truthy(fails("INVALID_ARGUMENT", file_scheme[method](file_scheme, bad)):find "host")
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
    assert.is_true(modfs.rmdir "mem://posix_spec_private")
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

  describe("answers for paths that lead nowhere:", function()
    it("the empty path is NOT_FOUND", function()
      for _, method in ipairs(of_path) do
        fails("NOT_FOUND", posix[method](posix, ""))
      end
    end)

    it("a name of more than 255 bytes is INVALID_ARGUMENT", function()
      for _, method in ipairs(of_path) do
        fails("INVALID_ARGUMENT", posix[method](posix, at(("n"):rep(256))))
      end
    end)

    it("links in a circle are no file and no directory", function()
      local entry = { create_dir = "ALREADY_EXISTS", delete_file = "OK", delete_recursively = "OK" }
      for _, method in ipairs(of_path) do
        shell.output("ln -sfn loop", at "loop")
        fails("FAILED_PRECONDITION", posix[method](posix, at "loop/below"))
        local code = entry[method] or "FAILED_PRECONDITION"
        if code == "OK" then
          assert.is_true((posix[method](posix, at "loop")), method)
        else
          fails(code, posix[method](posix, at "loop"))
        end
        os.remove(at "loop")
      end
    end)
  end)
end)
