-- Files inside tar archives, as GNU tar, bsdtar and Python's tarfile write them, and TensorFlow's
-- packages.
local check = require "modfs.check"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local made_archives = require "spec.support.made_archives"
local modfs = require "modfs"
local packed = require "spec.support.packed"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"

local place
local long = ("directory/"):rep(25) .. ("n"):rep(120)

local function content_of(name)
  return tmpdir.content(place .. "/" .. name)
end

local function run(line)
  return packed.run(place, line)
end

setup(function()
  place = packed.tree("mkdir -p t/" .. long:match "^(.*)/" .. " && printf long >t/" .. long
    .. " && ln t/a.txt t/hard && ln -s /etc/passwd t/out && touch -d @1234567890.25 t/a.txt")
end)

teardown(function() packed.remove(place) end)

local makers = {
  ["gnu.tar"] = "tar --format=gnu -cf gnu.tar -C t .",
  ["ustar.tar"] = "tar --format=ustar --exclude='n*n' -cf ustar.tar -C t .",
  ["posix.tar"] = "tar --format=posix -cf posix.tar -C t .",
  ["gnu.tar.gz"] = "tar -czf gnu.tar.gz -C t .",
  ["two.tgz"] = "tar -cf two.tar -C t . && head -c 1000000 two.tar | gzip >two.tgz && "
    .. "tail -c +1000001 two.tar | gzip >>two.tgz",
  ["gnu.tar.zst"] = "tar -cf - -C t . | zstd -q >gnu.tar.zst",
  ["bsd.tar"] = "bsdtar -cf bsd.tar -C t .",
  ["bsd.tgz"] = "bsdtar -czf bsd.tgz -C t .",
  ["bsd-ustar.tar"] = "bsdtar --format ustar --exclude 'n*n' -cf bsd-ustar.tar -C t .",
  ["python.tar"] = "python3 -c 'import tarfile; t = tarfile.open(\"python.tar\", \"w\"); "
    .. "t.add(\"t\", \"\"); t.close()'",
}

describe("tar:// shows what is in", function()
  for name, maker in pairs(makers) do
    it(name, function()
      if maker:find "^bsdtar" and not shell.has "bsdtar" then
        pending "libarchive-tools is not installed"
        return
      end
      run(maker)
      local root = "tar://" .. place .. "/" .. name .. "!/"
      assert.same({ "e", "link", "nothing", "numbers", "random", "ü [a]*" },
        modfs.listdir(root .. "d"))
      for _, file in ipairs { "a.txt", "hard", "d/numbers", "d/random", "d/nothing", "d/ü [a]*" } do
        assert.is_true(content_of("t/" .. file) == modfs.read(root .. file), file)
      end
      if not name:find "ustar" then
        assert.equal("long", modfs.read(root .. long))
      end
      assert.equal("../a.txt", modfs.readlink(root .. "d/link"))
      assert.equal("hello\n", modfs.read(root .. "d/link"))
      fails("FAILED_PRECONDITION", modfs.read(root .. "out"))
      local stat = modfs.stat(root .. "a.txt")
      assert.same({ 6, 416, 1234567890 }, { stat.length, stat.mode, math.floor(stat.mtime) })
      assert.is_true(modfs.isdir(root .. "empty"))
      fails("NOT_FOUND", modfs.read(root .. "none"))
    end)
  end

  it("an archive on another filesystem", function()
    assert(modfs.makedirs "mem://tars")
    for _, name in ipairs { "gnu.tar", "gnu.tar.gz" } do
      run(makers[name])
      assert(modfs.copy(place .. "/" .. name, "mem://tars/" .. name))
      local root = "tar+mem://tars/" .. name .. "!/"
      assert.is_true(content_of "t/d/random" == modfs.read(root .. "d/random"))
    end
  end)
end)

describe("tar:// takes", function()
  -- The content of "x", unless it is something else, its time, owner and group.
  local function described(name)
    local found = assert(modfs.lstat("tar://" .. place .. "/told.tar!/" .. name))
    return { found.kind, found.mtime_nsec / 1e9, found.owner, found.group }
  end

  -- Writes told.tar from Python's lines, in which add(name, ...) adds a member of one byte.
  local function told(lines)
    packed.python(place, [[
import io, tarfile
def add(name, type=tarfile.REGTYPE, **fields):
    info = tarfile.TarInfo(name)
    info.type, info.size = type, 1 if type == tarfile.REGTYPE else 0
    for key, value in fields.items(): setattr(info, key, value)
    t.addfile(info, io.BytesIO(b"x"))
]] .. lines .. "\nt.close()\n")
  end

  it("times before 1970 and beyond 2262, and large owners", function()
    for _, format in ipairs { "GNU", "PAX" } do
      told("t = tarfile.open('told.tar', 'w', format=tarfile." .. format .. "_FORMAT)\n"
        .. "add('a', mtime=-5)\nadd('b', mtime=2**34, uid=3000000, gid=2**31 + 5)\n"
        .. "add('c', mtime=2**33)\nadd('d', mtime=-2**34)")
      assert.same({ "file", -5, 0, 0 }, described "a", format)
      assert.same({ "file", 2 ^ 63 / 1e9, 3000000, 2 ^ 31 + 5 }, described "b", format)
      assert.same({ "file", 2 ^ 33, 0, 0 }, described "c", format)
      assert.same({ "file", -2 ^ 63 / 1e9, 0, 0 }, described "d", format)
    end
  end)

  it("what a header says of all members", function()
    told [[
t = tarfile.open("told.tar", "w", format=tarfile.PAX_FORMAT,
    pax_headers={"mtime": "1000.5", "uid": "77", "gid": "88"})
add("a", uid=1, mtime=5)
add("b", pax_headers={"mtime": "7.5", "gid": "9"})]]
    assert.same({ "file", 1000.5, 77, 88 }, described "a")
    assert.same({ "file", 7.5, 77, 9 }, described "b")
  end)

  it("a hard link to a link as another link", function()
    told [[
t = tarfile.open("told.tar", "w")
add("a")
add("link", tarfile.SYMTYPE, linkname="a")
add("hard", tarfile.LNKTYPE, linkname="link")
add("third", tarfile.LNKTYPE, linkname="hard")
add("lost", tarfile.LNKTYPE, linkname="none")]]
    for _, name in ipairs { "hard", "third" } do
      assert.equal("a", modfs.readlink("tar://" .. place .. "/told.tar!/" .. name))
    end
    assert.equal("other", described "lost" [1])
  end)

  it("zstd that begins with a frame to skip, as pzstd writes it", function()
    run "tar -cf - -C t a.txt >plain.tar && printf 'P*M\\030\\004\\0\\0\\0skip' >skip.tar.zst"
    fails("DATA_LOSS", modfs.listdir("tar://" .. place .. "/skip.tar.zst!/"))
    run "zstd -q <plain.tar >>skip.tar.zst"
    assert.equal("hello\n", modfs.read("tar://" .. place .. "/skip.tar.zst!/a.txt"))
  end)
end)

describe("tar:// says of", function()
  it("a sparse file that it cannot read it", function()
    run "truncate -s 10M t/sparse && printf x >>t/sparse"
    for _, format in ipairs { "gnu", "posix" } do
      run(("tar --format=%s -S -cf sparse.tar -C t sparse a.txt"):format(format))
      local root = "tar://" .. place .. "/sparse.tar!/"
      assert.equal(10 * 2 ^ 20 + 1, modfs.size(root .. "sparse"))
      contains(fails("UNIMPLEMENTED", modfs.read(root .. "sparse")), "sparse")
      assert.equal("hello\n", modfs.read(root .. "a.txt"))
    end
    os.remove(place .. "/t/sparse")
  end)

  it("other compressions which it reads", function()
    run "printf 'BZh91AY&SY' >a.tar.bz2"
    contains(fails("UNIMPLEMENTED", modfs.stat("tar://" .. place .. "/a.tar.bz2!/x")),
      "by bzip2; modfs reads gzip and zstd")
  end)

  it("anything else that it is no archive", function()
    contains(fails("DATA_LOSS", modfs.stat("tar://" .. place .. "/t/d/random!/x")), "checksum")
    contains(fails("DATA_LOSS", modfs.stat("tar://" .. place .. "/t/a.txt!/x")), "no tar archive")
    run "head -c 1000448 gnu.tar >cut.tar"
    contains(fails("DATA_LOSS", modfs.stat("tar://" .. place .. "/cut.tar!/x")), "cut off")
  end)
end)

describe("package:// shows", function()
  local regions = { { ".", "graph" }, { "w1", ("w"):rep(1000) }, { "w_2.b", "last" } }

  it("the regions of a package", function()
    tmpdir.write(place .. "/model.pb", made_archives.package(regions, true))
    local root = "package://" .. place .. "/model.pb!/"
    assert.same({ "graph.pb", "w1", "w_2.b" }, modfs.listdir(root))
    assert.equal("graph", modfs.read(root .. "graph.pb"))
    assert.equal(("w"):rep(1000), modfs.read(root .. "w1"))
    assert.equal("last", modfs.map(root .. "w_2.b"):sub(1))
  end)

  it("those of an old one, which tells no lengths", function()
    tmpdir.write(place .. "/old.pb", made_archives.package(regions, false))
    local root = "package://" .. place .. "/old.pb!/"
    assert.equal("graph" .. ("\0"):rep(59), modfs.read(root .. "graph.pb"))
    assert.equal("last", modfs.read(root .. "w_2.b"))
  end)

  it("and refuses what is none", function()
    fails("DATA_LOSS", modfs.stat("package://" .. place .. "/t/a.txt!/x"))
    fails("DATA_LOSS", modfs.stat("package://" .. place .. "/t/d/random!/x"))
    local good = made_archives.package(regions, true)
    tmpdir.write(place .. "/bad.pb", (good:gsub("w_2.b", "w_2/..", 1)))
    fails("DATA_LOSS", modfs.stat("package://" .. place .. "/bad.pb!/x"))
  end)
end)

describe("modfs check", function()
  it("finds nothing to fault in tar and package", function()
    local plugins = shell.output("realpath", os.getenv "BUILD" or "build") .. "/modfs/plugins/"
    run "tar -czf check.tgz -C t a.txt d/numbers d/nothing empty 'd/ü [a]*'"
    local regions = { { ".", "graph" }, { "w", ("w"):rep(99999) } }
    tmpdir.write(place .. "/check.pb", made_archives.package(regions, true))
    for scheme, name in pairs { tar = "check.tgz", package = "check.pb" } do
      local report = check.run { file = plugins .. scheme .. ".so", scheme = scheme, strict = 4,
        root = ("%s://%s/%s!/"):format(scheme, place, name) }
      assert.equal("", verdict.failures(report))
      assert.is_true(report.passed > 150, report.passed .. " passed")
    end
  end)
end)
