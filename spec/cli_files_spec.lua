-- The commands on files: as processes on real folders beside the system's own tools, and in this
-- process on mem://. Lines are words with blanks between them, in which @ is the folder on disk.
local cli = require "modfs.cli"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs"
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local disk

local function at(text)
  return (text:gsub("@", disk))
end

local function words(line)
  local list = {}
  for word in line:gmatch "%S+" do
    list[#list + 1] = at(word)
  end
  return unpack(list)
end

local function contains(text, fragment)
  assert.truthy(text:find(fragment, 1, true), text)
end

-- A command in a process of its own: output of one that succeeds.
local function output(line)
  local status, out, err = shell.run(command, words(line))
  assert.equal(0, status, err)
  assert.equal("", err)
  return out
end

-- It fails with that status and one line, which has the fragment; returns the output.
local function fails(status, line, fragment)
  local got, out, err = shell.run(command, words(line))
  assert.equal(status, got, out .. err)
  assert.truthy(err:find "^modfs: [^\n]+\n$", err)
  contains(err, fragment or "")
  return out
end

-- A command in this process, where mem:// stays: status, output, error output.
local function inside(line)
  local out, err = os.tmpname(), os.tmpname()
  local stderr, printed = io.stderr, assert(io.open(err, "w"))
  io.output(out)
  io.stderr = printed -- luacheck: ignore 122
  local fine, status = pcall(cli.main, { words(line) })
  io.stderr = stderr -- luacheck: ignore 122
  printed:close()
  io.close()
  io.output(io.stdout)
  assert(fine, status)
  local told, complaints = tmpdir.content(out), tmpdir.content(err)
  os.remove(out)
  os.remove(err)
  return status, told, complaints
end

-- A command in this process that fails with one line, which has the fragment, and does not call a
-- function of modfs.
local function refuses(name, line, fragment)
  local whole = modfs[name]
  modfs[name] = function() error(name .. " was called", 0) end -- luacheck: ignore 122
  local fine, status, _, err = pcall(inside, line)
  modfs[name] = whole -- luacheck: ignore 122
  assert(fine, status)
  assert.equal(1, status)
  assert.truthy(err:find "^modfs: [^\n]+\n$", err)
  assert.falsy(err:find("was called", 1, true), err)
  contains(err, fragment or "")
end

local function prints(expected, line)
  local status, out, err = inside(line)
  assert.equal("", err)
  assert.equal(0, status)
  assert.equal(expected, out)
end

-- The same for cp and mv: a slash behind a name is for directories alone.
local function test_slashes(verb, wrong_ends, options)
  for _, top in ipairs { disk, "file://" .. disk, "mem://cli" } do
    for _, ends in ipairs(wrong_ends) do
      local status, _, err = inside(verb .. " " .. ends:gsub("TOP", top))
      assert.equal(1, status)
      assert.truthy(err:find("^modfs: " .. verb .. ": [^\n]+\n$"), err)
    end
    assert.is_false(modfs.exists(top .. "/new"))
    assert.equal("alpha\n", modfs.read(top .. "/a.txt"))
    assert.equal("beta\nbeta\n", modfs.read(top .. "/d/b.txt"))
    prints("", ("%s %s %s/d/ %s/new/"):format(verb, options, top, top))
    assert.equal("c", modfs.read(top .. "/new/sub/c.lua"))
    prints("", verb == "cp" and "rm -r " .. top .. "/new" or ("mv %s/new %s/d"):format(top, top))
  end
end

-- What the operating system says.
local function sh(line)
  return shell.output(at(line))
end

local function holds(content, path)
  assert.equal(content, path:find "^@" and tmpdir.content(at(path)) or (modfs.read(path)))
end

describe("the command", function()
  before_each(function()
    disk = tmpdir.new()
    sh "mkdir -p @/d/sub @/empty"
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
      assert.equal(sh "LC_ALL=C ls @" .. "\n", output "ls @")
      assert.equal(sh "ls @" .. "\n", output "ls file://@")
      assert.equal(sh "LC_ALL=C ls -A /" .. "\n", output "ls -A file://")
      assert.equal("a.txt\nd\nempty\n", output "ls @/")
      prints("a.txt\nd\nempty\n", "ls mem://cli")
      prints("", "ls mem://cli/empty")
      prints("mem://cli/a.txt\n", "ls mem://cli/a.txt")
    end)

    it("lists several, and patterns", function()
      prints("mem://cli/a.txt\n\nmem://cli/d:\nb.txt\nsub\n", "ls mem://cli/d mem://cli/*.txt")
      modfs.write("mem://cli/[x]", "")
      prints("mem://cli/[x]\n", "ls mem://cli/[x]") -- the name itself
    end)

    it("tells more with -l and --json", function()
      local _, out = inside "ls -l mem://cli"
      assert.truthy(out:find "^%-[^\n]* 6 %d+%-%d%d%-%d%d %d%d:%d%d a%.txt\nd[^\n]* 0 [^\n]+ d\nd",
        out)
      _, out = inside "ls --json mem://cli"
      contains(out, '"kind":"file","length":6,')
      contains(out, '"mtime":')
      contains(out, '"name":"d","path":"mem://cli/d"')
      prints("[]\n", "ls --json mem://cli/empty")
    end)

    it("fails for what is not there, after the rest", function()
      assert.equal(at "@/empty:\n", fails(1, "ls @/none @/empty", "NOT_FOUND: "))
      fails(1, "ls @/none*")
      fails(1, "ls nosuch://x")
      fails(2, "ls --nosuch")
    end)
  end)

  describe("cat", function()
    it("writes files and standard input", function()
      assert.equal("alpha\nbeta\nbeta\n", output "cat @/a.txt @/d/*.txt")
      assert.equal("in", sh("echo in | " .. command .. " cat"))
      assert.equal("alpha\nin", sh("echo in | " .. command .. " cat @/a.txt -"))
      prints("c", "cat mem://cli/d/sub/c.lua")
    end)

    it("passes any bytes", function()
      local bytes = {}
      for i = 1, 300000 do
        bytes[i] = string.char(i * 7 % 256)
      end
      tmpdir.write(disk .. "/bytes", table.concat(bytes))
      sh(command .. " cat @/bytes | cmp - @/bytes")
    end)

    it("fails for directories, missing files and a full disk", function()
      fails(1, "cat @")
      assert.equal("alpha\n", fails(1, "cat @/none @/a.txt", "NOT_FOUND"))
      local status, _, why = shell.run(at(command .. " cat @/a.txt >/dev/full"))
      assert.equal(1, status)
      contains(why, "No space left on device")
    end)
  end)

  for _, tool in ipairs { "head", "tail" } do
    describe(tool, function()
      it("writes what the system's does", function()
        local lines = {}
        for i = 1, 30000 do
          lines[i] = ("line %d"):format(i)
        end
        tmpdir.write(disk .. "/long", table.concat(lines, "\n"))
        tmpdir.write(disk .. "/ended", table.concat(lines, "\n") .. "\n")
        tmpdir.write(disk .. "/newlines", ("\n"):rep(20))
        local function same(options, file)
          local what = ("%s %s @%s | md5sum"):format(tool, options, file)
          local expected = sh(what)
          assert.equal(expected, sh(command .. " " .. what))
          assert.equal(expected, sh(("cat @%s | %s %s %s | md5sum"):format(file, command, tool,
            options)), "a pipe, " .. what)
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
        local several = tool .. " @/a.txt @/d/b.txt"
        assert.equal(sh(several) .. "\n", output(several))
        local endless = tool .. " -n 1 /proc/self/mounts"
        assert.equal(sh(endless), sh(command .. " " .. endless))
      end)

      it("fails for wrong counts and files", function()
        fails(2, tool .. " -n x @/a.txt")
        fails(2, tool .. " -n 1 -c 1 @/a.txt")
        fails(1, tool .. " @/none")
        fails(1, tool .. " @")
      end)
    end)
  end

  describe("cp", function()
    it("copies files to a name and into a directory", function()
      output "cp @/a.txt @/copy"
      output "cp @/a.txt @/d/b.txt @/empty"
      holds("alpha\n", "@/copy")
      holds("alpha\n", "@/empty/a.txt")
      holds("beta\nbeta\n", "@/empty/b.txt")
      prints("", "cp mem://cli/a.txt @/from-memory")
      holds("alpha\n", "@/from-memory")
      prints("", "cp mem://cli/d/* @/a.txt mem://cli/empty -r")
      assert.same({ "a.txt", "b.txt", "sub" }, modfs.listdir "mem://cli/empty")
    end)

    it("copies directories with -r alone", function()
      fails(1, "cp @/d @/e", "-r")
      output "cp -r @/d @/e"
      output "cp -r @/d @/empty/"
      sh "diff -r @/d @/e"
      sh "diff -r @/d @/empty/d"
      output "cp -r @/d/sub/.. @/empty/d"
      output "cp -r @/d/. @/empty/d"
      sh "diff -r @/d @/empty/d"
      assert.equal("./d\n./d/b.txt\n./d/sub\n./d/sub/c.lua", tmpdir.list(disk .. "/empty"))
      prints("", "cp -r @/d mem://cli/x")
      prints("", "cp -r mem://cli/x @/back")
      sh "diff -r @/d @/back"
    end)

    it("takes - for the standard streams", function()
      assert.equal("", sh("printf given | " .. command .. " cp - @/given"))
      holds("given", "@/given")
      assert.equal("alpha\n", output "cp @/a.txt -")
      fails(2, "cp - @/a.txt @/empty")
      fails(1, "cp - @/none/x")
    end)

    it("refuses what nobody means", function()
      sh "ln -s / @/l"
      local up = ("../"):rep(20)
      for _, root in ipairs { "/", "//", "/.", "/usr/..", "file:///", "file://", "/dev", "/proc/",
        "/sys", "/proc/self/", "/proc/self/task", "/sys/kernel", "file:///sys/kernel", up,
        up .. "proc", "@/l", "@/l/", "@/l/sys/kernel" } do
        refuses("copytree", ("cp -rL %s mem://cli/x"):format(root), "have no end")
        refuses("sync", ("sync -n %s mem://cli/x"):format(root), "have no end")
      end
      for _, inner in ipairs { "@/d/new", "@/d/sub", "@/d//sub/../x" } do
        fails(1, "cp -r @/d " .. inner, "into itself")
      end
      assert.equal("./b.txt\n./sub\n./sub/c.lua", tmpdir.list(disk .. "/d"))
      fails(1, "cp /dev/zero @/z", "device")
      sh "mkfifo @/pipe"
      fails(1, "cp @/pipe @/z", "pipe")
      fails(2, "cp @/a.txt @/d/b.txt @/none")
      fails(2, "cp @/a.txt")
      fails(1, "cp @/none @/z")
    end)

    it("keeps what it has just copied", function()
      sh "cp @/d/b.txt @/d/sub/a.txt"
      fails(1, "cp @/a.txt @/d/sub/a.txt @/d/b.txt @/empty", "just")
      holds("alpha\n", "@/empty/a.txt")
      holds("beta\nbeta\n", "@/empty/b.txt")
      output "cp @/d/sub/a.txt @/empty"
      holds("beta\nbeta\n", "@/empty/a.txt")
    end)

    it("takes a name with a slash behind it for a directory", function()
      test_slashes("cp", { "TOP/a.txt TOP/new/", "TOP/a.txt/ TOP/new", "TOP/a.txt TOP/d/b.txt/",
        "TOP/none/ TOP/new" }, "-r")
      for _, top in ipairs { disk, "file://" .. disk, "mem://cli" } do
        prints("", ("cp %s/a.txt %s/empty/"):format(top, top))
      end
      fails(1, "cp - @/new/")
      assert.is_false(modfs.exists(disk .. "/new"))
    end)

    it("ends where links lead in circles, and goes on behind what fails", function()
      sh "ln -s .. @/d/loop"
      output "cp -r @/d @/kept"
      assert.equal("..", modfs.readlink(disk .. "/kept/loop"))
      local status, _, err = shell.run(at("timeout 20 " .. command .. " cp -rL @/d @/e"))
      assert.equal(1, status, err)
      contains(err, "loop")
      holds("c", "@/e/sub/c.lua")
      sh "mkfifo @/d/sub/pipe"
      status, _, err = shell.run(at("timeout 20 " .. command .. " cp -r @/d/sub @/p"))
      assert.equal(1, status, err)
      contains(err, "/pipe")
      assert.equal("./c.lua", tmpdir.list(disk .. "/p"))
    end)
  end)

  describe("mv", function()
    it("renames and moves files", function()
      output "mv @/a.txt @/z.txt"
      holds(nil, "@/a.txt")
      holds("alpha\n", "@/z.txt")
      output "mv @/z.txt @/d/b.txt @/empty"
      assert.equal("./b.txt\n./z.txt", tmpdir.list(disk .. "/empty"))
      prints("", "mv mem://cli/a.txt @/from-memory")
      assert.is_false(modfs.exists "mem://cli/a.txt")
      holds("alpha\n", "@/from-memory")
    end)

    it("moves directories, within and between filesystems", function()
      local inode = sh "stat -c %i @/d"
      output "mv @/d @/e"
      assert.equal(inode, sh "stat -c %i @/e")
      output "mv @/e @/empty"
      holds("c", "@/empty/e/sub/c.lua")
      prints("", "mv mem://cli/d @/d2")
      assert.is_false(modfs.exists "mem://cli/d")
      sh "diff -r @/empty/e @/d2"
      prints("", "mv @/d2 mem://cli/back")
      assert.is_false(modfs.exists(disk .. "/d2"))
      holds("c", "mem://cli/back/sub/c.lua")
      prints("", "mv mem://cli/back mem://cli/there")
      holds("c", "mem://cli/there/sub/c.lua")
    end)

    it("keeps what it has just moved", function()
      sh "cp @/d/b.txt @/d/sub/a.txt"
      fails(1, "mv @/a.txt @/d/sub/a.txt @/d/b.txt @/empty", "just")
      holds("alpha\n", "@/empty/a.txt")
      holds("beta\nbeta\n", "@/d/sub/a.txt")
      holds("beta\nbeta\n", "@/empty/b.txt")
    end)

    it("takes a name with a slash behind it for a directory", function()
      test_slashes("mv", { "TOP/a.txt TOP/new/", "TOP/a.txt/ TOP/new", "TOP/a.txt TOP/d/b.txt/",
        "TOP/d TOP/a.txt/" }, "")
    end)

    it("copies a directory only where a rename cannot go", function()
      local rename, failure = os.rename, { nil, "x: Permission denied", 13 }
      finally(function() os.rename = rename end) -- luacheck: ignore 122
      os.rename = function() return failure[1], failure[2], failure[3] end -- luacheck: ignore 122
      refuses("copytree", "mv @/d @/e", "PERMISSION_DENIED: ")
      failure = { nil, "x: Device or resource busy", 16 }
      refuses("copytree", "mv @/d @/e", "busy")
      failure = { nil, "x: Invalid cross-device link", 18 }
      prints("", "mv @/d @/e")
      holds("c", "@/e/sub/c.lua")
      assert.is_false(modfs.exists(disk .. "/d"))
    end)

    it("refuses what would lose something", function()
      fails(1, "mv @/d mem://d", "lost")
      fails(1, "mv @/a.txt mem://a", "lost")
      fails(1, "mv @/d @/d/sub", "into itself")
      sh "mkdir @/empty/d"
      fails(1, "mv @/d @/empty", "ALREADY_EXISTS")
      holds("c", "@/d/sub/c.lua")
      fails(1, "mv @/none @/x")
      fails(2, "mv @/a.txt @/d/b.txt @/none")
      fails(2, "mv @/a.txt")
      holds("alpha\n", "@/a.txt")
    end)
  end)

  describe("rm", function()
    it("deletes files, and directories with -r", function()
      output "rm @/a.txt @/d/*.txt"
      assert.equal("./d\n./d/sub\n./d/sub/c.lua\n./empty", tmpdir.list(disk))
      fails(1, "rm @/d", "-r")
      output "rm -r @/d"
      assert.equal("./empty", tmpdir.list(disk))
      prints("", "rm -r mem://cli/d mem://cli/empty")
      assert.same({ "a.txt" }, modfs.listdir "mem://cli")
    end)

    it("deletes links, not what they lead to", function()
      sh "ln -s d @/link"
      output "rm @/link"
      holds("c", "@/d/sub/c.lua")
    end)

    it("deletes a link that leads nowhere by its name, also where that is a pattern", function()
      sh "touch @/x @/y && ln -s none '@/[xy]'"
      output "rm @/[xy]"
      assert.equal("./a.txt\n./d\n./d/b.txt\n./d/sub\n./d/sub/c.lua\n./empty\n./x\n./y",
        tmpdir.list(disk))
    end)

    it("refuses the root", function()
      sh "ln -s / @/l"
      for _, root in ipairs { "/", "//", "file:///", "file://", "/usr/..", ("../"):rep(20),
        ("../"):rep(20) .. "." } do
        refuses("rmtree", "rm -r -f " .. root)
        refuses("sync", "sync -d -n @/d " .. root)
        refuses("sync", "sync -d -n @/a.txt " .. root)
      end
      refuses("sync", "sync -d -n @/d @/l")
    end)

    it("refuses what is missing, unless -f", function()
      fails(1, "rm @/none")
      fails(1, "rm @/none*")
      output "rm -f @/none @/none*"
      fails(2, "rm")
    end)
  end)

  it("mkdir makes directories", function()
    output "mkdir @/new @/new/er"
    fails(1, "mkdir @/new")
    fails(1, "mkdir @/x/y")
    output "mkdir -p @/x/y @/x"
    fails(1, "mkdir -p @/a.txt/y")
    assert.is_true(modfs.isdir(disk .. "/new/er") and modfs.isdir(disk .. "/x/y"))
    prints("", "mkdir mem://cli/new")
    assert.is_true(modfs.isdir "mem://cli/new")
  end)

  describe("stat", function()
    it("tells what the system tells", function()
      local expected = sh("TZ=UTC stat -c 'path    @/a.txt\nkind    file\nlength  %s bytes\n"
        .. "mtime   %y\nmode    0%a\nowner   %u\ngroup   %g\ndevice  %d\ninode   %i\n"
        .. "links   %h' @/a.txt"):gsub("%.%d+ %+0000", " UTC")
      assert.equal(expected .. "\n", output "stat @/a.txt")
      local _, told = inside "stat mem://cli/d mem://cli/a.txt"
      contains(told, "kind    directory\n")
      contains(told, "\n\npath    mem://cli/a.txt\nkind    file\nlength  6 b")
      sh "ln -s a.txt @/link"
      contains(output "stat @/link", "kind    link")
    end)

    it("prints JSON, and fails for what is missing", function()
      local out = output "stat --json @/a.txt @/d"
      assert.truthy(out:find('^%[{"device":%d+,.-"kind":"file","length":6,.-},{.-}%]\n$'), out)
      if rawget(math, "type") then
        sh "touch -d 2026-11-22T01:02:03.123456789 @/a.txt"
        contains(output "stat --json @/a.txt", '23456789,')
      end
      fails(1, "stat @/none")
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
      sh "ln -s d @/link"
      for ours, theirs in pairs { [""] = "", ["-n '*.txt'"] = "-name '*.txt'",
        ["-t f"] = "-type f", ["-t d"] = "-type d", ["-t l"] = "-type l",
        ["-t f --name '[bc]*'"] = "-type f -name '[bc]*'", ["-n nosuch"] = "-name nosuch",
        ["-type d"] = "-type d", ["-name 'b*' -type f"] = "-name 'b*' -type f" } do
        assert.equal(sorted(sh("find @ " .. theirs)),
          sorted(sh(("%s find %s @"):format(command, ours))), ours)
      end
      assert.equal(at "@/a.txt\n", output "find @/a.txt")
      prints("mem://cli/d/sub/c.lua\n", "find mem://cli -n *.lua")
    end)

    it("prints JSON and zero bytes", function()
      prints('["mem://cli/d/b.txt"]\n', "find --json -n b* mem://cli")
      prints("mem://cli/a.txt\0", "find -0 -n a* mem://cli")
    end)

    it("fails for what is missing and for wrong types", function()
      fails(1, "find @/none")
      fails(2, "find -t x @")
      fails(2, "find @ -type x")
      fails(2, "find @ -named x")
      fails(1, "find -- -name", "NOT_FOUND")
    end)
  end)

  it("glob lists matches, and ends with 1 when there are none", function()
    assert.equal(at "@/a.txt\n", output "glob @/*.txt")
    prints('["mem://cli/a.txt","mem://cli/d"]\n', "glob --json mem://cli/[ad]*")
    prints("mem://cli/d/b.txt\nmem://cli/a.txt\n", "glob mem://cli/d/*.txt mem://cli/*.txt")
    assert.same({ 1, "", "" }, { inside "glob mem://cli/none*" })
    fails(2, "glob")
  end)

  it("du counts", function()
    assert.equal(at "17\t3 files\t4 dirs\t@\n", output "du @")
    prints("17\t3 files\t4 dirs\tmem://cli\n6\t1 files\t0 dirs\tmem://cli/a.txt\n",
      "du mem://cli mem://cli/a.txt")
    prints('[{"bytes":11,"dirs":2,"files":2,"path":"mem://cli/d"}]\n', "du --json mem://cli/d")
    modfs.write("mem://cli/big", ("x"):rep(1234567))
    prints("1.2M\t1 files\t0 dirs\tmem://cli/big\n", "du -H mem://cli/big")
    fails(1, "du @/none")
  end)

  it("du counts what it can read, and tells the rest", function()
    local du = modfs.du
    finally(function() modfs.du = du end) -- luacheck: ignore 122
    modfs.du = function(path) -- luacheck: ignore 122
      local counts = du(path)
      counts.errors = { { message = "PERMISSION_DENIED: du x" }, { message = "UNKNOWN: du y" } }
      return nil, counts.errors[1].message, "PERMISSION_DENIED", counts
    end
    local told = "modfs: du: PERMISSION_DENIED: du x\nmodfs: du: UNKNOWN: du y\n"
    assert.same({ 1, "11\t2 files\t2 dirs\tmem://cli/d\n6\t1 files\t0 dirs\tmem://cli/a.txt\n",
      told .. told }, { inside "du mem://cli/d mem://cli/a.txt" })
  end)

  describe("sync", function()
    it("makes one directory like another", function()
      output "sync @/d @/e"
      sh "diff -r @/d @/e"
      assert.equal("0 copied, 2 kept, 0 deleted, 0 B\n", output "sync @/d @/e")
      tmpdir.write(disk .. "/e/more", "x")
      assert.equal('{"bytes":0,"copied":0,"deleted":1,"errors":[],"kept":2}\n',
        output "sync -n -d --json @/d @/e")
      holds("x", "@/e/more")
      output "sync --delete @/d @/e"
      sh "diff -r @/d @/e"
      prints("2 copied, 0 kept, 0 deleted, 11 B\n", "sync mem://cli/d mem://cli/e")
    end)

    it("compares contents where it is told to", function()
      output "sync @/d @/e"
      tmpdir.write(disk .. "/e/sub/c.lua", "X")
      sh "touch -r @/d/sub/c.lua @/e/sub/c.lua"
      contains(output "sync @/d @/e", "0 copied")
      contains(output "sync -c @/d @/e", "1 copied")
      holds("c", "@/e/sub/c.lua")
    end)

    it("fails for what is missing", function()
      fails(1, "sync @/none @/e")
      fails(2, "sync @")
    end)
  end)

  it("sum prints a checksum that others know, and the length", function()
    tmpdir.write(disk .. "/check", "123456789") -- the check value of every table of CRCs
    assert.equal(at "e3069283  9  @/check\n", output "sum @/check")
    assert.equal("e3069283  9  -", sh("printf 123456789 | " .. command .. " sum"))
    modfs.write("mem://cli/zeros", ("\0"):rep(32))
    prints('[{"bytes":32,"crc32c":"8a9136aa","path":"mem://cli/zeros"}]\n',
      "sum --json mem://cli/zeros")
    local long = ("0123456789abcdef"):rep(200000)
    modfs.write("mem://cli/long", long)
    prints(("%08x  3200000  mem://cli/long\n"):format(modfs.crc32c(long)), "sum mem://cli/long")
    fails(1, "sum @/none")
    fails(1, "sum @")
  end)

  it("sum prints a hash as the system's programs do", function()
    for _, name in ipairs { "sha256", "sha512", "md5" } do
      assert.equal(sh(name .. "sum @/a.txt @/d/b.txt") .. "\n",
        output(("sum --%s @/a.txt @/d/b.txt"):format(name)))
    end
    prints('[{"md5":"9f9f90dbe3e5ee1218c86b8839db1995","path":"mem://cli/a.txt"}]\n',
      "sum --md5 --json mem://cli/a.txt")
    fails(1, "sum --sha512 @/none", "NOT_FOUND: sum ")
    fails(2, "sum --sha256 --md5 @/a.txt")
  end)

  it("tree draws directories", function()
    modfs.write("mem://cli/.hidden", "")
    prints([[
mem://cli
├── a.txt
├── d
│   ├── b.txt
│   └── sub
│       └── c.lua
└── empty

3 directories, 3 files
]], "tree mem://cli")
    prints("mem://cli/d\n├── b.txt\n└── sub\n\n1 directory, 1 file\n", "tree -L 1 mem://cli/d")
    prints("mem://cli/d\n└── sub\n\n1 directory\n", "tree -d mem://cli/d")
    contains(output "tree -a @", "3 directories, 3 files")
    local _, out = inside "tree --json -a mem://cli"
    contains(out, '{"kind":"file","name":".hidden","path":"mem://cli/.hidden"}')
    contains(out, '"contents":[],"kind":"directory","name":"empty"')
    fails(1, "tree @/none")
    fails(1, "tree @/a.txt")
    fails(2, "tree -L 0 @")
  end)

  it("diff compares trees of several filesystems", function()
    prints("", "diff @ mem://cli")
    modfs.write("mem://cli/d/b.txt", "gamma\ngama")
    modfs.write("mem://cli/new", "")
    modfs.remove "mem://cli/d/sub/c.lua"
    assert.same({ 1, at "Files @/d/b.txt and mem://cli/d/b.txt differ\n"
      .. at "Only in @/d/sub: c.lua\nOnly in mem://cli: new\n", "" }, { inside "diff @ mem://cli" })
    local status, out = inside "diff --json mem://cli @"
    assert.equal(1, status)
    contains(out, at '{"kind":"content","other":"@/d/b.txt","path":"mem://cli/d/b.txt"}')
    contains(out, '{"kind":"only","path":"mem://cli/new"}')
    fails(2, "diff @")
    fails(2, "diff @ @/none", "NOT_FOUND")
  end)

  it("diff goes on behind what it cannot read", function()
    sh "mkdir @/e @/f && echo x >@/e/b && echo y >@/f/b && echo z >@/e/a && echo z >@/f/a"
    local open = modfs.open
    finally(function() modfs.open = open end) -- luacheck: ignore 122
    modfs.open = function(path) -- luacheck: ignore 122
      if path:find "/a$" then
        return nil, "PERMISSION_DENIED: open " .. path
      end
      return open(path)
    end
    local status, out, err = inside "diff @/e @/f"
    assert.same({ 2, at "Files @/e/b and @/f/b differ\n" }, { status, out })
    contains(err, "PERMISSION_DENIED")
  end)

  it("devices lists what there is", function()
    contains(output "devices", "REFERENCE:0  REFERENCE  reference device\n")
    local out = output "devices --json"
    contains(out, '"name":"REFERENCE:0"')
    assert.truthy(out:find '"memory_total":%d+', out)
    fails(2, "devices more")
  end)

  it("plugins lists what is loaded", function()
    contains(output "plugins", "mem.so")
  end)
end)
