-- Writing new archives, and what Info-ZIP, bsdtar, GNU tar and Python make of them.
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local packed = require "spec.support.packed"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local place
local long = ("directory/"):rep(12) .. ("n"):rep(150)

local function run(line)
  return packed.run(place, line)
end

-- What a tree is, for comparisons: kinds, modes, times in seconds, content.
local function describe_tree(name)
  return run("cd " .. name .. " && find . -mindepth 1 -printf '%P %y %m %l\\n' | LC_ALL=C sort && "
    .. "find . -mindepth 1 ! -type l -printf '%P %T@\\n' | sed 's/\\.[0-9]*$//' | LC_ALL=C sort && "
    .. "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum")
end

setup(function()
  place = packed.tree("mkdir -p t/" .. long:match "^(.*)/" .. " && printf long >t/" .. long
    .. " && chmod 750 t/d/e && touch -d @1234567890.25 t/a.txt t/d/e t/d")
end)

teardown(function() packed.remove(place) end)

local readers = {
  { "zip:", "a.zip", "unzip -q ../a.zip", "unzip" },
  { "zip:", "b.zip", "bsdtar -xpf ../b.zip", "bsdtar" },
  { "zip:", "c.zip", "python3 -m zipfile -t ../c.zip >../said && unzip -q ../c.zip", "python3" },
  { "tar:", "a.tar", "tar -xpf ../a.tar", "tar" },
  { "tar:", "a.tar.gz", "tar -xpzf ../a.tar.gz", "tar" },
  { "tar:", "b.tgz", "bsdtar -xpf ../b.tgz", "bsdtar" },
  { "tar:", "a.tar.zst", "zstd -dcq ../a.tar.zst | tar -xp", "zstd" },
  { "tar:", "c.tar", "python3 -c 'import tarfile; tarfile.open(\"../c.tar\").extractall()'",
    "python3" },
}

describe("copytree writes an archive that is read by", function()
  for _, reader in ipairs(readers) do
    local scheme, name, command, program = reader[1], reader[2], reader[3], reader[4]
    it(program .. ": " .. name, function()
      if not shell.has(program) then
        pending(program .. " is not installed")
        return
      end
      local root = scheme .. "//" .. place .. "/" .. name .. "!/"
      local counts = assert(modfs.copytree(place .. "/t", root))
      assert.same({}, counts.errors)
      run(("rm -rf x && mkdir x && cd x && %s"):format(command))
      assert.equal(describe_tree "t", describe_tree "x")
      run "rm -rf x"
      assert(modfs.copytree(root, place .. "/x"))
      assert.equal(describe_tree "t", describe_tree "x")
      run "rm -rf x"
    end)
  end

  it("modfs, from any filesystem", function()
    assert(modfs.makedirs "mem://written")
    assert(modfs.copytree(place .. "/t", "zip+mem://written/a.zip!/"))
    assert(modfs.copytree("zip+mem://written/a.zip!/d", "tar+mem://written/d.tar.gz!/"))
    assert.equal(tmpdir.content(place .. "/t/d/numbers"),
      modfs.read "tar+mem://written/d.tar.gz!/numbers")
    assert.equal("hello\n", modfs.read "zip+mem://written/a.zip!/a.txt")
  end)
end)

describe("copies from archive to archive", function()
  for _, scheme in ipairs { "zip", "tar" } do
    it("of one scheme, " .. scheme, function()
      local first, second, third = ("%s://%s/one.%s!/"):format(scheme, place, scheme),
        ("%s://%s/two.%s!/"):format(scheme, place, scheme),
        ("%s://%s/three.%s!/"):format(scheme, place, scheme)
      assert(modfs.copytree(place .. "/t", first))
      local copied = assert(modfs.copytree(first, second))
      assert.same({}, copied.errors)
      run "rm -rf x"
      assert(modfs.copytree(second, place .. "/x"))
      assert.equal(describe_tree "t", describe_tree "x")
      run "rm -rf x"
      assert(modfs.copy(first .. "a.txt", third .. "b.txt"))
      assert.equal("hello\n", modfs.read(third .. "b.txt"))
      fails("PERMISSION_DENIED", modfs.copy(first .. "a.txt", second .. "a.txt"))
      assert.is_true(modfs.copy(first .. "a.txt", first .. "a.txt"))
    end)
  end
end)

describe("copytree keeps in an archive", function()
  it("times that the plain fields cannot say", function()
    local times = { -100.5, -0.25, -3000000000, 2 ^ 31, 2 ^ 33, 8836128000.5 }
    assert(modfs.makedirs "mem://times")
    for i, time in ipairs(times) do
      assert(modfs.write("mem://times/" .. i, "x") and modfs.utime("mem://times/" .. i, time * 1e9))
    end
    assert(modfs.copytree("mem://times", "zip://" .. place .. "/times.zip!/"))
    assert(modfs.copytree("mem://times", "tar://" .. place .. "/times.tar!/"))
    for i, time in ipairs(times) do
      assert.equal(math.floor(time), modfs.stat("zip://" .. place .. "/times.zip!/" .. i).mtime)
      assert.equal(time, modfs.stat("tar://" .. place .. "/times.tar!/" .. i).mtime)
    end
    assert.equal("True", packed.python(place, "import tarfile\nprint("
      .. "[m.mtime for m in sorted(tarfile.open('times.tar'), key=lambda m: m.name) if m.isfile()]"
      .. " == [-100.5, -0.25, -3e9, 2**31, 2**33, 8836128000.5])"))
    if shell.has "unzip" then
      run "mkdir times && cd times && TZ=UTC unzip -q ../times.zip"
      assert.equal("2147483648", run "stat -c %Y times/4")
    end
  end)

  it("large owners", function()
    local root = "tar://" .. place .. "/owners.tar!/"
    packed.python(place, "import tarfile, io\nt = tarfile.open('from.tar', 'w')\n"
      .. "i = tarfile.TarInfo('a')\ni.uid, i.gid = 2097152, 2**32 - 2\nt.addfile(i)\nt.close()")
    local from = "tar://" .. place .. "/from.tar!/"
    assert.same({}, assert(modfs.copytree(from, root, { preserve = { "owner" } })).errors)
    assert.equal("2097152/4294967294",
      run "tar -tvf owners.tar --numeric-owner | grep 'a$' | awk '{print $2}'")
  end)
end)

describe("an archive", function()
  local root

  before_each(function()
    root = "zip://" .. place .. "/new.zip!/"
    os.remove(place .. "/new.zip")
  end)

  it("of one file is written like a file", function()
    assert(modfs.write(root .. "only", "one"))
    assert.equal("one", modfs.read(root .. "only"))
    contains(fails("PERMISSION_DENIED", modfs.write(root .. "second", "two")), "write a new one")
    contains(fails("PERMISSION_DENIED", modfs.mkdir(root .. "d")), "read-only")
    fails("UNIMPLEMENTED", modfs.remove(root .. "only"))
    fails("PERMISSION_DENIED", modfs.copytree(place .. "/t", root))
    assert.equal("one", modfs.read(root .. "only"))
  end)

  it("is not there before it is complete", function()
    local file = assert(modfs.open(root .. "only", "w"))
    assert(file:write(("x"):rep(5000000)))
    fails("NOT_FOUND", modfs.stat(place .. "/new.zip"))
    assert(file:close())
    assert.equal(5000000, modfs.size(root .. "only"))
  end)

  it("is not there after an abort", function()
    local file = assert(modfs.open(root .. "only", "w"))
    assert(file:write "x")
    assert(file:abort())
    fails("NOT_FOUND", modfs.stat(place .. "/new.zip"))
    assert.equal("", run "find . -name '.modfs*'")
  end)

  it("keeps its directories", function()
    local tx = modfs.filesystem("zip"):start_transaction()
    tx:add(root)
    assert(modfs.makedirs(root .. "d/e") and modfs.write(root .. "f", "old"))
    for _, name in ipairs { "d", "d/e" } do
      contains(fails("FAILED_PRECONDITION", modfs.write(root .. name, "x")), "is a directory")
      fails("FAILED_PRECONDITION", modfs.open(root .. name, "w", { atomic = true }))
      fails("FAILED_PRECONDITION", modfs.copy(place .. "/t/a.txt", root .. name))
    end
    local writer = assert(modfs.open(root .. "late", "w"))
    assert(modfs.mkdir(root .. "late"))
    contains(fails("FAILED_PRECONDITION", writer:close()), "is a directory")
    assert(modfs.write(root .. "f", "new") and tx:commit())
    assert.same({ "d", "f", "late" }, modfs.listdir(root))
    assert.equal("new", modfs.read(root .. "f"))
    assert.is_true(modfs.isdir(root .. "late") and modfs.isdir(root .. "d/e"))
  end)

  it("has no name that says another compression", function()
    for _, name in ipairs { "a.tar.xz", "a.tar.bz2", "a.txz" } do
      local path = place .. "/" .. name
      contains(fails("UNIMPLEMENTED", modfs.write("tar://" .. path .. "!/a", "x")), ".tar.zst")
      fails("UNIMPLEMENTED", modfs.copytree(place .. "/t", "tar://" .. path .. "!/"))
      assert.is_false(modfs.exists(path))
    end
    assert(modfs.write("zip://" .. place .. "/zip.xz!/a", "x"))
  end)

  it("needs its directories", function()
    fails("NOT_FOUND", modfs.write(root .. "none/only", "x"))
    fails("NOT_FOUND", modfs.stat(place .. "/new.zip"))
    fails("NOT_FOUND", modfs.write("zip://" .. place .. "/none/new.zip!/x", "x"))
  end)

  it("is written in a transaction", function()
    local fs = assert(modfs.filesystem "zip")
    local tx = assert(fs:start_transaction())
    assert(tx:add(root))
    assert(modfs.makedirs(root .. "a/b"))
    assert(modfs.write(root .. "a/b/c", "one"))
    assert(modfs.write(root .. "d", "two"))
    fails("ALREADY_EXISTS", modfs.mkdir(root .. "a"))
    fails("NOT_FOUND", modfs.write(root .. "x/y", "three"))
    assert.is_true(modfs.isdir(root .. "a/b"))
    fails("NOT_FOUND", modfs.read(root .. "d"))
    fails("NOT_FOUND", modfs.stat(place .. "/new.zip"))
    assert(tx:commit())
    assert.equal("one", modfs.read(root .. "a/b/c"))
    assert.same({ "a", "d" }, modfs.listdir(root))
  end)

  it("is given up with its transaction", function()
    local tx = assert(assert(modfs.filesystem "zip"):start_transaction())
    assert(tx:add(root))
    assert(modfs.write(root .. "d", "two"))
    assert(tx:abort())
    fails("NOT_FOUND", modfs.stat(place .. "/new.zip"))
    fails("NOT_FOUND", modfs.stat(root))
  end)

  describe("that cannot be published", function()
    local function lose_place()
      run "rm -rf gone"
    end

    before_each(function()
      run "mkdir gone"
    end)

    for _, threads in ipairs { 1, 2 } do
      it("is a failure of copytree and sync on threads: " .. threads, function()
        local target = "zip+file://" .. place .. "/gone/a.zip!/"
        for _, verb in ipairs { "copytree", "sync" } do
          run "mkdir -p gone"
          local results = { modfs[verb](place .. "/t", target,
            { progress = lose_place, threads = threads }) }
          fails("NOT_FOUND", (table.unpack or unpack)(results, 1, 3))
          assert.is_true(results[4].bytes > 0)
        end
      end)
    end

    it("is given up once, however its transaction ends", function()
      local target = "zip+file://" .. place .. "/gone/a.zip!/"
      for _, ending in ipairs { "abort", "close", "collected" } do
        run "mkdir -p gone"
        local tx = assert(modfs.filesystem("zip"):start_transaction())
        assert(tx:add(target))
        assert(modfs.write(target .. "x", "content"))
        lose_place()
        fails("NOT_FOUND", tx:commit())
        fails("DATA_LOSS", tx:commit())
        if ending ~= "collected" then
          assert(tx[ending](tx))
        end
        tx = nil -- luacheck: ignore
        collectgarbage()
      end
    end)
  end)

  it("of many small files is written by several threads", function()
    run "mkdir -p many"
    for i = 1, 3000 do
      tmpdir.write(("%s/many/%d"):format(place, i), tostring(i))
    end
    local counts = assert(modfs.copytree(place .. "/many", root))
    assert.equal(3000, counts.files)
    run "rm -rf x && mkdir x && cd x && unzip -q ../new.zip && diff -r . ../many"
    run "rm -rf x"
  end)

  describe("of tar has large files straight behind their headers", function()
    setup(function()
      run("mkdir -p large/d && head -c 9000000 /dev/urandom >large/d/a && "
        .. "head -c 3000001 /dev/zero >large/b && "
        .. "for i in $(seq 300); do seq $i 99 >large/d/$i; done")
    end)

    teardown(function() run "rm -rf large" end)

    local function compare(name)
      run(("rm -rf x && mkdir x && tar -xaf %s -C x && diff -r x large && rm -r x %s")
        :format(name, name))
    end

    local function write(name)
      return child([[
        local modfs = require "modfs"
        local done, message = modfs.copytree(arg[1], arg[2],
          { threads = 1, preserve = { "mtime" } })
        print(message or #done.errors == 0 and "done" or done.errors[1].message)
      ]], { arguments = { place .. "/large",
        ("%s://%s/%s!/"):format(name:match "%.(%a+)", place, name) },
        before = "export TMPDIR=" .. place .. "/missing" })
    end

    for _, name in ipairs { "s.tar", "s.tar.gz", "s.tar.zst" } do
      it("without a temporary file: " .. name, function()
        assert.same({ 0, "done\n", "" }, { write(name) })
        compare(name)
      end)
    end

    it("which a zip has not (the control)", function()
      local _, out = write "s.zip"
      contains(out, "DATA_LOSS")
    end)

    it("one at a time, whatever other threads write meanwhile", function()
      for _, name in ipairs { "s.tar", "s.tar.zst" } do
        local counts = assert(modfs.copytree(place .. "/large",
          ("tar://%s/%s!/"):format(place, name), { threads = 8 }))
        assert.same({}, counts.errors)
        compare(name)
      end
    end)
  end)

  it("takes no more memory for a long member than its README says", function()
    for _, name in ipairs { "zip://%s/long.zip!/x", "tar://%s/long.tar!/x",
      "tar://%s/long.tar.gz!/x", "tar://%s/long.tar.zst!/x" } do
      local status, out, err = child("spec/children/bounded_memory.lua",
        { arguments = { name:format(place), 64, "{ ratio = 1000000 }" } })
      assert.equal(0, status, err)
      local before, _, most = out:match "(%d+) (%d+) (%d+)"
      if not os.getenv "LD_PRELOAD" then -- a checker has memory of its own
        assert.is_true(most - before < 16 * 1024, name .. ": " .. out)
      end
    end
  end)

  it("is no package", function()
    contains(fails("UNIMPLEMENTED", modfs.write("package://" .. place .. "/new.pb!/x", "x")),
      "packages are read-only")
  end)
end)
