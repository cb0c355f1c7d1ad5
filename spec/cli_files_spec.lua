-- The commands on files: as processes on real folders beside the system's own tools, and in this
-- process on mem://.
local cli = require "modfs.cli"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs"

-- A command in a process of its own: output of one that succeeds.
local function output(...)
  local status, out, err = shell.run(command, ...)
  assert.equal(0, status, err)
  assert.equal("", err)
  return out
end

-- It fails with that status and one line; returns the line and the output.
local function fails(status, ...)
  local got, out, err = shell.run(command, ...)
  assert.equal(status, got, out .. err)
  assert.truthy(err:find "^modfs: [^\n]+\n$", err)
  return err, out
end

-- A command in this process, where mem:// stays: status, output, error output.
local function inside(...)
  local out, err = os.tmpname(), os.tmpname()
  local stderr, printed = io.stderr, assert(io.open(err, "w"))
  io.output(out)
  io.stderr = printed -- luacheck: ignore 122
  local fine, status = pcall(cli.main, { ... })
  io.stderr = stderr -- luacheck: ignore 122
  printed:close()
  io.close()
  io.output(io.stdout)
  assert(fine, status)
  local words, complaints = tmpdir.content(out), tmpdir.content(err)
  os.remove(out)
  os.remove(err)
  return status, words, complaints
end

-- A command in this process, with a function of modfs that must not be called: its one line.
local function refuses(name, ...)
  local whole = modfs[name]
  modfs[name] = function() error(name .. " was called", 0) end -- luacheck: ignore 122
  local fine, status, _, err = pcall(inside, ...)
  modfs[name] = whole -- luacheck: ignore 122
  assert(fine, status)
  assert.equal(1, status)
  assert.truthy(err:find "^modfs: [^\n]+\n$", err)
  assert.falsy(err:find("was called", 1, true), err)
  return err
end

local function prints(expected, ...)
  local status, out, err = inside(...)
  assert.equal("", err)
  assert.equal(0, status)
  assert.equal(expected, out)
end

describe("the command", function()
  local disk
  before_each(function()
    disk = tmpdir.new()
    shell.output("mkdir -p", disk .. "/d/sub", disk .. "/empty")
    tmpdir.write(disk .. "/a.txt", "alpha\n")
    tmpdir.write(disk .. "/d/b.txt", "beta\nbeta\n")
    tmpdir.write(disk .. "/d/sub/c.lua", "c")
    assert(modfs.makedirs "mem://cli")
    assert(modfs.copytree(disk, "mem://cli"))
  end)
  after_each(function()
    tmpdir.remove(disk)
    modfs.rmtree "mem://cli"
  end)

  describe("ls", function()
    it("lists names, as the system does", function()
      assert.equal(shell.output("LC_ALL=C ls", disk) .. "\n", output("ls", disk))
      assert.equal(shell.output("ls", disk) .. "\n", output("ls", "file://" .. disk))
      assert.equal(shell.output "LC_ALL=C ls -A /" .. "\n", output("ls", "file://"))
      assert.equal("a.txt\nd\nempty\n", output("ls", disk .. "/"))
      prints("a.txt\nd\nempty\n", "ls", "mem://cli")
      prints("", "ls", "mem://cli/empty")
      prints("mem://cli/a.txt\n", "ls", "mem://cli/a.txt")
    end)

    it("lists several, and patterns", function()
      prints("mem://cli/a.txt\n\nmem://cli/d:\nb.txt\nsub\n", "ls", "mem://cli/d",
        "mem://cli/*.txt")
      modfs.write("mem://cli/[x]", "")
      prints("mem://cli/[x]\n", "ls", "mem://cli/[x]") -- the name itself
    end)

    it("tells more with -l and --json", function()
      local _, out = inside("ls", "-l", "mem://cli")
      assert.truthy(out:find "^%-%s+6 %d+%-%d%d%-%d%d %d%d:%d%d a%.txt\nd%s+0 [^\n]+ d\nd", out)
      _, out = inside("ls", "--json", "mem://cli")
      assert.truthy(out:find('"kind":"file","length":6,"mtime":', 1, true), out)
      assert.truthy(out:find('"name":"d","path":"mem://cli/d"', 1, true), out)
      prints("[]\n", "ls", "--json", "mem://cli/empty")
    end)

    it("fails for what is not there, after the rest", function()
      local err, out = fails(1, "ls", disk .. "/none", disk .. "/empty")
      assert.truthy(err:find("NOT_FOUND: ", 1, true), err)
      assert.equal("", out)
      fails(1, "ls", disk .. "/none*")
      fails(1, "ls", "nosuch://x")
      fails(2, "ls", "--nosuch")
    end)
  end)

  describe("cat", function()
    it("writes files and standard input", function()
      assert.equal("alpha\nbeta\nbeta\n", output("cat", disk .. "/a.txt", disk .. "/d/*.txt"))
      assert.equal("in\n", shell.output("echo in | " .. command, "cat") .. "\n")
      assert.equal("alpha\nin", shell.output("echo in | " .. command, "cat", disk .. "/a.txt", "-"))
      prints("c", "cat", "mem://cli/d/sub/c.lua")
    end)

    it("passes any bytes", function()
      local bytes = {}
      for i = 1, 300000 do
        bytes[i] = string.char(i * 7 % 256)
      end
      tmpdir.write(disk .. "/bytes", table.concat(bytes))
      shell.output(command .. (" cat %s/bytes | cmp - %s/bytes"):format(disk, disk))
    end)

    it("fails for directories, missing files and a full disk", function()
      fails(1, "cat", disk)
      local err, out = fails(1, "cat", disk .. "/none", disk .. "/a.txt")
      assert.truthy(err:find("NOT_FOUND", 1, true))
      assert.equal("alpha\n", out)
      local status, _, why = shell.run(command .. " cat " .. disk .. "/a.txt >/dev/full")
      assert.equal(1, status)
      assert.truthy(why:find("No space left on device", 1, true), why)
    end)
  end)

  for name, tool in pairs { head = "head", tail = "tail" } do
    describe(name, function()
      it("writes what the system's does", function()
        local lines = {}
        for i = 1, 30000 do
          lines[i] = ("line %d"):format(i)
        end
        tmpdir.write(disk .. "/long", table.concat(lines, "\n"))
        tmpdir.write(disk .. "/ended", table.concat(lines, "\n") .. "\n")
        tmpdir.write(disk .. "/newlines", ("\n"):rep(20))
        local function same(options, file)
          file = disk .. file
          local what = ("%s %s"):format(options, file)
          local expected = shell.output(("%s %s | md5sum"):format(tool, what))
          assert.equal(expected, shell.output(("%s %s %s | md5sum"):format(command, name, what)))
          assert.equal(expected, shell.output(("cat %s | %s %s %s | md5sum"):format(file, command,
            name, options)), "a pipe, " .. what)
        end
        for _, options in ipairs { "", "-n 0", "-n 1", "-n 20000", "-n 40000", "-c 200000" } do
          same(options, "/long")
        end
        for _, options in ipairs { "-n 3", "-c 0", "-c 900000" } do
          same(options, "/ended")
        end
        same("-n 3", "/newlines")
      end)

      it("names several files", function()
        local expected = shell.output(tool, disk .. "/a.txt", disk .. "/d/b.txt") .. "\n"
        assert.equal(expected, output(name, disk .. "/a.txt", disk .. "/d/b.txt"))
        assert.equal(shell.output(tool .. " -n 1 /proc/self/mounts"),
          shell.output(command .. " " .. name .. " -n 1 /proc/self/mounts"))
      end)

      it("fails for wrong counts and files", function()
        fails(2, name, "-n", "x", disk .. "/a.txt")
        fails(2, name, "-n", "-1", disk .. "/a.txt")
        fails(2, name, "-n", "1", "-c", "1", disk .. "/a.txt")
        fails(1, name, disk .. "/none")
        fails(1, name, disk)
      end)
    end)
  end

  describe("cp", function()
    it("copies files to a name and into a directory", function()
      output("cp", disk .. "/a.txt", disk .. "/copy")
      output("cp", disk .. "/a.txt", disk .. "/d/b.txt", disk .. "/empty")
      assert.equal("alpha\n", tmpdir.content(disk .. "/copy"))
      assert.equal("alpha\n", tmpdir.content(disk .. "/empty/a.txt"))
      assert.equal("beta\nbeta\n", tmpdir.content(disk .. "/empty/b.txt"))
      prints("", "cp", "mem://cli/a.txt", disk .. "/from-memory")
      assert.equal("alpha\n", tmpdir.content(disk .. "/from-memory"))
      prints("", "cp", "mem://cli/d/*", disk .. "/a.txt", "mem://cli/empty", "-r")
      assert.same({ "a.txt", "b.txt", "sub" }, modfs.listdir "mem://cli/empty")
    end)

    it("copies directories with -r alone", function()
      local err = fails(1, "cp", disk .. "/d", disk .. "/e")
      assert.truthy(err:find("-r", 1, true), err)
      output("cp", "-r", disk .. "/d", disk .. "/e")
      output("cp", "-r", disk .. "/d", disk .. "/empty/")
      shell.output("diff -r", disk .. "/d", disk .. "/e")
      shell.output("diff -r", disk .. "/d", disk .. "/empty/d")
      output("cp", "-r", disk .. "/d/sub/..", disk .. "/empty/d")
      output("cp", "-r", disk .. "/d/.", disk .. "/empty/d")
      shell.output("diff -r", disk .. "/d", disk .. "/empty/d")
      assert.equal("./d\n./d/b.txt\n./d/sub\n./d/sub/c.lua", tmpdir.list(disk .. "/empty"))
      prints("", "cp", "-r", disk .. "/d", "mem://cli/x")
      prints("", "cp", "-r", "mem://cli/x", disk .. "/back")
      shell.output("diff -r", disk .. "/d", disk .. "/back")
    end)

    it("takes - for the standard streams", function()
      assert.equal("", shell.output("printf given | " .. command, "cp", "-", disk .. "/given"))
      assert.equal("given", tmpdir.content(disk .. "/given"))
      assert.equal("alpha\n", output("cp", disk .. "/a.txt", "-"))
      fails(2, "cp", "-", disk .. "/a.txt", disk .. "/empty")
      fails(1, "cp", "-", disk .. "/none/x")
    end)

    it("refuses what nobody means", function()
      shell.output("ln -s /", disk .. "/l")
      local up = ("../"):rep(20)
      for _, root in ipairs { "/", "//", "/.", "/usr/..", "file:///", "file://", "/dev", "/proc/",
        "/sys", "/proc/self", "/proc/self/task", "/sys/kernel", "file:///sys/kernel", up,
        up .. "proc", disk .. "/l", disk .. "/l/", disk .. "/l/sys/kernel" } do
        local err = refuses("copytree", "cp", "-r", root, "mem://cli/x")
        assert.truthy(err:find("have no end", 1, true), err)
        err = refuses("sync", "sync", "-n", root, "mem://cli/x")
        assert.truthy(err:find("have no end", 1, true), err)
      end
      for _, inner in ipairs { disk .. "/d/new", disk .. "/d/sub", disk .. "/d//sub/../x" } do
        local err = fails(1, "cp", "-r", disk .. "/d", inner)
        assert.truthy(err:find("into itself", 1, true), err)
      end
      assert.equal("./b.txt\n./sub\n./sub/c.lua", tmpdir.list(disk .. "/d"))
      assert.truthy(fails(1, "cp", "/dev/zero", disk .. "/z"):find("device", 1, true))
      shell.output("mkfifo", disk .. "/pipe")
      assert.truthy(fails(1, "cp", disk .. "/pipe", disk .. "/z"):find("pipe", 1, true))
      fails(2, "cp", disk .. "/a.txt", disk .. "/d/b.txt", disk .. "/none")
      fails(2, "cp", disk .. "/a.txt")
      fails(1, "cp", disk .. "/none", disk .. "/z")
    end)

    it("keeps what it has just copied", function()
      shell.output("cp", disk .. "/d/b.txt", disk .. "/d/sub/a.txt")
      local err = fails(1, "cp", disk .. "/a.txt", disk .. "/d/sub/a.txt", disk .. "/d/b.txt",
        disk .. "/empty")
      assert.truthy(err:find("just", 1, true), err)
      assert.equal("alpha\n", tmpdir.content(disk .. "/empty/a.txt"))
      assert.equal("beta\nbeta\n", tmpdir.content(disk .. "/empty/b.txt"))
      output("cp", disk .. "/d/sub/a.txt", disk .. "/empty")
      assert.equal("beta\nbeta\n", tmpdir.content(disk .. "/empty/a.txt"))
    end)

    it("takes a name with a slash behind it for a directory", function()
      for _, top in ipairs { disk, "file://" .. disk, "mem://cli" } do
        for _, words in ipairs { { "/a.txt", "/new/" }, { "/a.txt/", "/new" },
          { "/a.txt", "/d/b.txt/" }, { "/none/", "/new" } } do
          local status, _, err = inside("cp", top .. words[1], top .. words[2])
          assert.equal(1, status)
          assert.truthy(err:find "^modfs: cp: [^\n]+\n$", err)
        end
        assert.is_false(modfs.exists(top .. "/new"))
        assert.equal("beta\nbeta\n", modfs.read(top .. "/d/b.txt"))
        prints("", "cp", top .. "/a.txt", top .. "/empty/")
        prints("", "cp", "-r", top .. "/d/", top .. "/new/")
        assert.equal("c", modfs.read(top .. "/new/sub/c.lua"))
        modfs.rmtree(top .. "/new")
      end
      fails(1, "cp", "-", disk .. "/new/")
      assert.is_false(modfs.exists(disk .. "/new"))
    end)

    it("ends where links lead in circles, and goes on behind what fails", function()
      shell.output("ln -s ..", disk .. "/d/loop")
      local status, _, err = shell.run("timeout 20 " .. command, "cp", "-r", disk .. "/d",
        disk .. "/e")
      assert.equal(1, status, err)
      assert.truthy(err:find("loop", 1, true), err)
      assert.equal("c", tmpdir.content(disk .. "/e/sub/c.lua"))
      shell.output("mkfifo", disk .. "/d/sub/pipe")
      status, _, err = shell.run("timeout 20 " .. command, "cp", "-r", disk .. "/d/sub",
        disk .. "/p")
      assert.equal(1, status, err)
      assert.truthy(err:find("/pipe", 1, true), err)
      assert.equal("./c.lua", tmpdir.list(disk .. "/p"))
    end)
  end)

  describe("mv", function()
    it("renames and moves files", function()
      output("mv", disk .. "/a.txt", disk .. "/z.txt")
      assert.is_nil(tmpdir.content(disk .. "/a.txt"))
      assert.equal("alpha\n", tmpdir.content(disk .. "/z.txt"))
      output("mv", disk .. "/z.txt", disk .. "/d/b.txt", disk .. "/empty")
      assert.equal("./b.txt\n./z.txt", tmpdir.list(disk .. "/empty"))
      prints("", "mv", "mem://cli/a.txt", disk .. "/from-memory")
      assert.is_false(modfs.exists "mem://cli/a.txt")
      assert.equal("alpha\n", tmpdir.content(disk .. "/from-memory"))
    end)

    it("moves directories, within and between filesystems", function()
      local inode = shell.output("stat -c %i", disk .. "/d")
      output("mv", disk .. "/d", disk .. "/e")
      assert.equal(inode, shell.output("stat -c %i", disk .. "/e"))
      output("mv", disk .. "/e", disk .. "/empty")
      assert.equal("c", tmpdir.content(disk .. "/empty/e/sub/c.lua"))
      prints("", "mv", "mem://cli/d", disk .. "/d2")
      assert.is_false(modfs.exists "mem://cli/d")
      shell.output("diff -r", disk .. "/empty/e", disk .. "/d2")
      prints("", "mv", disk .. "/d2", "mem://cli/back")
      assert.is_false(modfs.exists(disk .. "/d2"))
      assert.equal("c", modfs.read "mem://cli/back/sub/c.lua")
      prints("", "mv", "mem://cli/back", "mem://cli/there")
      assert.equal("c", modfs.read "mem://cli/there/sub/c.lua")
    end)

    it("keeps what it has just moved", function()
      shell.output("cp", disk .. "/d/b.txt", disk .. "/d/sub/a.txt")
      local err = fails(1, "mv", disk .. "/a.txt", disk .. "/d/sub/a.txt", disk .. "/d/b.txt",
        disk .. "/empty")
      assert.truthy(err:find("just", 1, true), err)
      assert.equal("alpha\n", tmpdir.content(disk .. "/empty/a.txt"))
      assert.equal("beta\nbeta\n", tmpdir.content(disk .. "/d/sub/a.txt"))
      assert.equal("beta\nbeta\n", tmpdir.content(disk .. "/empty/b.txt"))
    end)

    it("takes a name with a slash behind it for a directory", function()
      for _, top in ipairs { disk, "file://" .. disk, "mem://cli" } do
        for _, words in ipairs { { "/a.txt", "/new/" }, { "/a.txt/", "/new" },
          { "/a.txt", "/d/b.txt/" }, { "/d", "/a.txt/" } } do
          local status, _, err = inside("mv", top .. words[1], top .. words[2])
          assert.equal(1, status)
          assert.truthy(err:find "^modfs: mv: [^\n]+\n$", err)
        end
        assert.is_false(modfs.exists(top .. "/new"))
        assert.equal("alpha\n", modfs.read(top .. "/a.txt"))
        assert.equal("beta\nbeta\n", modfs.read(top .. "/d/b.txt"))
        prints("", "mv", top .. "/d/", top .. "/new/")
        assert.equal("c", modfs.read(top .. "/new/sub/c.lua"))
        prints("", "mv", top .. "/new", top .. "/d")
      end
    end)

    it("copies a directory only where a rename cannot go", function()
      local rename, failure = os.rename, { nil, "x: Permission denied", 13 }
      finally(function() os.rename = rename end) -- luacheck: ignore 122
      os.rename = function() return failure[1], failure[2], failure[3] end -- luacheck: ignore 122
      local err = refuses("copytree", "mv", disk .. "/d", disk .. "/e")
      assert.truthy(err:find("PERMISSION_DENIED: ", 1, true), err)
      failure = { nil, "x: Device or resource busy", 16 }
      err = refuses("copytree", "mv", disk .. "/d", disk .. "/e")
      assert.truthy(err:find("busy", 1, true), err)
      failure = { nil, "x: Invalid cross-device link", 18 }
      prints("", "mv", disk .. "/d", disk .. "/e")
      assert.equal("c", tmpdir.content(disk .. "/e/sub/c.lua"))
      assert.is_false(modfs.exists(disk .. "/d"))
    end)

    it("refuses what would lose something", function()
      local err = fails(1, "mv", disk .. "/d", "mem://d")
      assert.truthy(err:find("lost", 1, true), err)
      assert.truthy(fails(1, "mv", disk .. "/a.txt", "mem://a"):find("lost", 1, true))
      err = fails(1, "mv", disk .. "/d", disk .. "/d/sub")
      assert.truthy(err:find("into itself", 1, true), err)
      shell.output("mkdir", disk .. "/empty/d")
      err = fails(1, "mv", disk .. "/d", disk .. "/empty")
      assert.truthy(err:find("ALREADY_EXISTS", 1, true), err)
      assert.equal("c", tmpdir.content(disk .. "/d/sub/c.lua"))
      fails(1, "mv", disk .. "/none", disk .. "/x")
      fails(2, "mv", disk .. "/a.txt", disk .. "/d/b.txt", disk .. "/none")
      fails(2, "mv", disk .. "/a.txt")
      assert.equal("alpha\n", tmpdir.content(disk .. "/a.txt"))
    end)
  end)

  describe("rm", function()
    it("deletes files, and directories with -r", function()
      output("rm", disk .. "/a.txt", disk .. "/d/*.txt")
      assert.equal("./d\n./d/sub\n./d/sub/c.lua\n./empty", tmpdir.list(disk))
      assert.truthy(fails(1, "rm", disk .. "/d"):find("-r", 1, true))
      output("rm", "-r", disk .. "/d")
      assert.equal("./empty", tmpdir.list(disk))
      prints("", "rm", "-r", "mem://cli/d", "mem://cli/empty")
      assert.same({ "a.txt" }, modfs.listdir "mem://cli")
    end)

    it("deletes links, not what they lead to", function()
      shell.output("ln -s d", disk .. "/link")
      output("rm", disk .. "/link")
      assert.equal("c", tmpdir.content(disk .. "/d/sub/c.lua"))
    end)

    it("refuses the root", function()
      shell.output("ln -s /", disk .. "/l")
      for _, root in ipairs { "/", "//", "file:///", "file://", "/usr/..", ("../"):rep(20),
        ("../"):rep(20) .. "." } do
        refuses("rmtree", "rm", "-r", "-f", root)
        refuses("sync", "sync", "-d", "-n", disk .. "/d", root)
        refuses("sync", "sync", "-d", "-n", disk .. "/a.txt", root)
      end
      refuses("sync", "sync", "-d", "-n", disk .. "/d", disk .. "/l")
    end)

    it("refuses what is missing, unless -f", function()
      fails(1, "rm", disk .. "/none")
      fails(1, "rm", disk .. "/none*")
      output("rm", "-f", disk .. "/none", disk .. "/none*")
      fails(2, "rm")
    end)
  end)

  it("mkdir makes directories", function()
    output("mkdir", disk .. "/new", disk .. "/new/er")
    fails(1, "mkdir", disk .. "/new")
    fails(1, "mkdir", disk .. "/x/y")
    output("mkdir", "-p", disk .. "/x/y", disk .. "/x")
    fails(1, "mkdir", "-p", disk .. "/a.txt/y")
    assert.is_true(modfs.isdir(disk .. "/new/er") and modfs.isdir(disk .. "/x/y"))
    prints("", "mkdir", "mem://cli/new")
    assert.is_true(modfs.isdir "mem://cli/new")
  end)

  describe("stat", function()
    it("tells what the system tells", function()
      local out = output("stat", disk .. "/a.txt")
      local expected = shell.output("TZ=UTC stat -c 'kind    file\nlength  %s bytes\nmtime   %y\n"
        .. "mode    0%a\nowner   %u\ngroup   %g\ndevice  %d\ninode   %i\nlinks   %h'",
        disk .. "/a.txt")
      expected = expected:gsub("%.%d+ %+0000", " UTC")
      assert.equal("path    " .. disk .. "/a.txt\n" .. expected .. "\n", out)
      local _, words = inside("stat", "mem://cli/d", "mem://cli/a.txt")
      assert.truthy(words:find("kind    directory\n", 1, true), words)
      assert.truthy(words:find("\n\npath    mem://cli/a.txt\nkind    file\nlength  6 b", 1, true))
      shell.output("ln -s a.txt", disk .. "/link")
      assert.truthy(output("stat", disk .. "/link"):find("kind    link", 1, true))
    end)

    it("prints JSON, and fails for what is missing", function()
      local out = output("stat", "--json", disk .. "/a.txt", disk .. "/d")
      assert.truthy(out:find('^%[{"device":%d+,.-"kind":"file","length":6,.-},{.-}%]\n$'), out)
      if rawget(math, "type") then
        shell.output("touch -d 2026-11-22T01:02:03.123456789", disk .. "/a.txt")
        assert.truthy(output("stat", "--json", disk .. "/a.txt"):find('23456789,', 1, true))
      end
      fails(1, "stat", disk .. "/none")
      fails(2, "stat")
    end)
  end)

  describe("find", function()
    local function sorted(text)
      local lines = {}
      for line in text:gmatch "[^\n]+" do
        lines[#lines + 1] = line
      end
      table.sort(lines)
      return table.concat(lines, "\n")
    end

    it("finds what the system's does", function()
      shell.output("ln -s d", disk .. "/link")
      for ours, theirs in pairs { [""] = "", ["-n '*.txt'"] = "-name '*.txt'",
        ["-t f"] = "-type f", ["-t d"] = "-type d", ["-t l"] = "-type l",
        ["-t f --name '[bc]*'"] = "-type f -name '[bc]*'", ["-n nosuch"] = "-name nosuch",
        ["-type d"] = "-type d", ["-name 'b*' -type f"] = "-name 'b*' -type f" } do
        local expected = shell.output("find " .. disk .. " " .. theirs)
        assert.equal(sorted(expected), sorted(shell.output(("%s find %s %s"):format(command, ours,
          disk))), ours)
      end
      assert.equal(disk .. "/a.txt\n", output("find", disk .. "/a.txt"))
      local status, out = inside("find", "mem://cli", "-n", "*.lua")
      assert.equal(0, status)
      assert.equal("mem://cli/d/sub/c.lua\n", out)
    end)

    it("prints JSON and zero bytes", function()
      prints('["mem://cli/d/b.txt"]\n', "find", "--json", "-n", "b*", "mem://cli")
      prints("mem://cli/a.txt\0", "find", "-0", "-n", "a*", "mem://cli")
    end)

    it("fails for what is missing and for wrong types", function()
      fails(1, "find", disk .. "/none")
      fails(2, "find", "-t", "x", disk)
      fails(2, "find", disk, "-type", "x")
      fails(2, "find", disk, "-named", "x")
      assert.truthy(fails(1, "find", "--", "-name"):find("NOT_FOUND", 1, true))
      fails(2, "find")
    end)
  end)

  it("glob lists matches, and ends with 1 when there are none", function()
    assert.equal(disk .. "/a.txt\n", output("glob", disk .. "/*.txt"))
    prints('["mem://cli/a.txt","mem://cli/d"]\n', "glob", "--json", "mem://cli/[ad]*")
    prints("mem://cli/d/b.txt\nmem://cli/a.txt\n", "glob", "mem://cli/d/*.txt", "mem://cli/*.txt")
    local status, out, err = inside("glob", "mem://cli/none*")
    assert.same({ 1, "", "" }, { status, out, err })
    fails(2, "glob")
  end)

  it("du counts", function()
    assert.equal(("17\t3 files\t4 dirs\t%s\n"):format(disk), output("du", disk))
    prints("17\t3 files\t4 dirs\tmem://cli\n6\t1 files\t0 dirs\tmem://cli/a.txt\n", "du",
      "mem://cli", "mem://cli/a.txt")
    prints('[{"bytes":11,"dirs":2,"files":2,"path":"mem://cli/d"}]\n', "du", "--json",
      "mem://cli/d")
    modfs.write("mem://cli/big", ("x"):rep(1234567))
    prints("1.2 MB\t1 files\t0 dirs\tmem://cli/big\n", "du", "-H", "mem://cli/big")
    fails(1, "du", disk .. "/none")
  end)

  it("du counts what it can read, and tells the rest", function()
    local du = modfs.du
    finally(function() modfs.du = du end) -- luacheck: ignore 122
    modfs.du = function(path) -- luacheck: ignore 122
      local counts = du(path)
      counts.errors = { { message = "PERMISSION_DENIED: du x" }, { message = "UNKNOWN: du y" } }
      return nil, counts.errors[1].message, "PERMISSION_DENIED", counts
    end
    local results = { inside("du", "mem://cli/d", "mem://cli/a.txt") }
    local told = "modfs: du: PERMISSION_DENIED: du x\nmodfs: du: UNKNOWN: du y\n"
    assert.same({ 1, "11\t2 files\t2 dirs\tmem://cli/d\n6\t1 files\t0 dirs\tmem://cli/a.txt\n",
      told .. told }, results)
  end)

  describe("sync", function()
    it("makes one directory like another", function()
      output("sync", disk .. "/d", disk .. "/e")
      shell.output("diff -r", disk .. "/d", disk .. "/e")
      assert.equal("0 copied, 2 kept, 0 deleted, 0 B\n", output("sync", disk .. "/d", disk .. "/e"))
      tmpdir.write(disk .. "/e/more", "x")
      local out = output("sync", "-n", "-d", "--json", disk .. "/d", disk .. "/e")
      assert.equal('{"bytes":0,"copied":0,"deleted":1,"errors":[],"kept":2}\n', out)
      assert.equal("x", tmpdir.content(disk .. "/e/more"))
      output("sync", "--delete", disk .. "/d", disk .. "/e")
      shell.output("diff -r", disk .. "/d", disk .. "/e")
      prints("2 copied, 0 kept, 0 deleted, 11 B\n", "sync", "mem://cli/d", "mem://cli/e")
    end)

    it("compares contents where it is told to", function()
      output("sync", disk .. "/d", disk .. "/e")
      tmpdir.write(disk .. "/e/sub/c.lua", "X")
      assert.truthy(output("sync", disk .. "/d", disk .. "/e"):find("0 copied", 1, true))
      assert.truthy(output("sync", "-c", disk .. "/d", disk .. "/e"):find("1 copied", 1, true))
      assert.equal("c", tmpdir.content(disk .. "/e/sub/c.lua"))
    end)

    it("fails for what is missing", function()
      fails(1, "sync", disk .. "/none", disk .. "/e")
      fails(2, "sync", disk)
    end)
  end)

  it("sum prints a checksum that others know, and the length", function()
    tmpdir.write(disk .. "/check", "123456789") -- the check value of every table of CRCs
    assert.equal(("e3069283  9  %s\n"):format(disk .. "/check"), output("sum", disk .. "/check"))
    assert.equal("e3069283  9  -", shell.output("printf 123456789 | " .. command .. " sum"))
    modfs.write("mem://cli/zeros", ("\0"):rep(32))
    prints('[{"bytes":32,"crc32c":"8a9136aa","path":"mem://cli/zeros"}]\n', "sum", "--json",
      "mem://cli/zeros")
    local long = ("0123456789abcdef"):rep(200000)
    modfs.write("mem://cli/long", long)
    prints(("%08x  3200000  mem://cli/long\n"):format(modfs.crc32c(long)), "sum", "mem://cli/long")
    fails(1, "sum", disk .. "/none")
    fails(1, "sum", disk)
  end)

  it("devices lists what there is", function()
    local out = output "devices"
    assert.truthy(out:find("REFERENCE:0  REFERENCE  reference device\n", 1, true), out)
    out = output("devices", "--json")
    assert.truthy(out:find('"name":"REFERENCE:0"', 1, true), out)
    assert.truthy(out:find '"memory_total":%d+', out)
    fails(2, "devices", "more")
  end)

  it("plugins lists what is loaded", function()
    assert.truthy(output "plugins":find("mem.so", 1, true))
  end)
end)
