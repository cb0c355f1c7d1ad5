-- Files inside zip archives, as Info-ZIP and Python's zipfile write them, over several filesystems.
local check = require "modfs.check"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local packed = require "spec.support.packed"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"
local web = require "spec.support.web"

local place

local function python(text)
  return packed.python(place, text)
end

local function content_of(name)
  return tmpdir.content(place .. "/" .. name)
end

setup(function()
  place = packed.tree("ln -s /etc/passwd t/out && ln -s d/../../a.txt t/above && "
    .. "touch -d @1234567890 t/a.txt && cd t && zip -qry ../a.zip .")
end)

teardown(function() packed.remove(place) end)

describe("zip:// shows what Info-ZIP packed:", function()
  local root

  before_each(function() root = "zip://" .. place .. "/a.zip!/" end)

  it("its names", function()
    assert.same({ "a.txt", "above", "d", "empty", "out" }, modfs.listdir(root))
    assert.same({ "e", "link", "nothing", "numbers", "random", "ü [a]*" },
      modfs.listdir(root .. "d"))
    assert.same({}, modfs.listdir(root .. "empty/"))
    assert.same({ root .. "d/numbers" }, modfs.glob(root .. "*/num*"))
  end)

  it("its content, from start to end and in parts", function()
    for _, name in ipairs { "a.txt", "d/numbers", "d/random", "d/nothing", "d/ü [a]*" } do
      assert.is_true(content_of("t/" .. name) == modfs.read(root .. name), name)
    end
    for _, name in ipairs { "d/numbers", "d/random" } do
      local whole = content_of("t/" .. name)
      local file = assert(modfs.open(root .. name))
      for _, offset in ipairs { 2000000, 17, #whole - 5, 1000000, 0 } do
        assert.is_true(whole:sub(offset + 1, offset + 100000) == file:pread(offset, 100000), name)
      end
      assert.is_nil(file:pread(#whole, 1))
      file:close()
    end
  end)

  it("its times, modes and owners", function()
    local stat = modfs.stat(root .. "a.txt")
    assert.equal(6, stat.length)
    assert.equal(1234567890, stat.mtime)
    assert.equal(416, stat.mode)
    assert.equal(tonumber(shell.output "id -u"), stat.owner)
    assert.is_true(modfs.isdir(root .. "d"))
    assert.is_true(modfs.isdir((root:gsub("/$", ""))))
  end)

  it("its links, which lead nowhere outside", function()
    assert.equal("link", modfs.lstat(root .. "d/link").kind)
    assert.equal("../a.txt", modfs.readlink(root .. "d/link"))
    assert.equal("hello\n", modfs.read(root .. "d/link"))
    assert.equal("/etc/passwd", modfs.readlink(root .. "out"))
    contains(fails("FAILED_PRECONDITION", modfs.read(root .. "out")), "leads out of the archive")
    contains(fails("FAILED_PRECONDITION", modfs.read(root .. "above")), "leads out of the archive")
    fails("FAILED_PRECONDITION", modfs.readlink(root .. "a.txt"))
  end)

  it("its tree", function()
    local counts = assert(modfs.copytree(root, place .. "/copied"))
    assert.same({ 8, 4 }, { counts.files, counts.dirs })
    assert.equal("/etc/passwd", modfs.readlink(place .. "/copied/out"))
    for _, name in ipairs { "a.txt", "d/numbers", "d/random", "d/nothing", "d/link" } do
      assert.is_true(content_of("t/" .. name) == content_of("copied/" .. name), name)
    end
  end)

  it("and nothing that is not there", function()
    fails("NOT_FOUND", modfs.stat(root .. "none"))
    fails("NOT_FOUND", modfs.read(root .. "none/x"))
    fails("FAILED_PRECONDITION", modfs.read(root .. "a.txt/x"))
    fails("FAILED_PRECONDITION", modfs.read(root .. "d"))
    fails("NOT_FOUND", modfs.stat("zip://" .. place .. "/none.zip!/a"))
    fails("FAILED_PRECONDITION", modfs.stat("zip://" .. place .. "/t!/a"))
    contains(fails("DATA_LOSS", modfs.stat("zip://" .. place .. "/t/a.txt!/a")), "no zip archive")
    contains(fails("FAILED_PRECONDITION", modfs.stat("zip://" .. place .. "/a.zip")),
      "names no archive: write zip://ARCHIVE!/NAME")
  end)

  it("and sees that the archive is another one now", function()
    local name = place .. "/changing.zip"
    shell.output(("cd %s && printf one >1 && zip -q changing.zip 1"):format(place))
    assert.equal("one", modfs.read("zip://" .. name .. "!/1"))
    shell.output(("cd %s && printf three >1 && zip -q changing.zip 1"):format(place))
    assert.equal("three", modfs.read("zip://" .. name .. "!/1"))
  end)
end)

describe("an archive lies on any filesystem:", function()
  it("mem", function()
    assert(modfs.makedirs "mem://zips")
    assert(modfs.copy(place .. "/a.zip", "mem://zips/a.zip"))
    local root = "zip+mem://zips/a.zip!/"
    assert.is_true(content_of "t/d/random" == modfs.read(root .. "d/random"))
    assert.equal("hello\n", modfs.read(root .. "d/link"))
    assert.is_true(modfs.exists(root .. "d"))
    local same = "zip://" .. place .. "/a.zip!/"
    assert.same(assert(modfs.du(same)), assert(modfs.du(root)))
  end)

  it("file", function()
    assert.equal("hello\n", modfs.read("zip+file://" .. place .. "/a.zip!/a.txt"))
  end)

  it("another archive", function()
    shell.output(("cd %s && zip -q outer.zip a.zip && tar cf outer.tar a.zip"):format(place))
    local inner = place .. "/outer.zip!/a.zip!/d/link"
    assert.equal("hello\n", modfs.read("zip+zip://" .. inner))
    assert.equal("hello\n", modfs.read("zip+tar://" .. place .. "/outer.tar!/a.zip!/a.txt"))
    assert(modfs.copy(place .. "/outer.zip", "mem://zips/outer.zip"))
    assert.equal("hello\n", modfs.read "zip+zip+mem://zips/outer.zip!/a.zip!/a.txt")
  end)

  it("a web server", function()
    if not (shell.has "nginx" and shell.has "openssl" and web.can_launch()) then
      pending "nginx, openssl or luv for Lua 5.4 is not installed"
      return
    end
    local server = web.nginx()
    finally(server.stop)
    server.write("a.zip", content_of "a.zip")
    local root = "zip+" .. server.http .. "/a.zip!/"
    assert.equal("hello\n", modfs.read(root .. "d/link"))
    local counts = assert(modfs.copytree(root .. "d", "mem://web"))
    assert.same({}, counts.errors)
    assert.is_true(content_of "t/d/random" == modfs.read "mem://web/random")
    fails("NOT_FOUND", modfs.read("zip+" .. server.http .. "/none.zip!/x"))
  end)

  it("but not one that is unknown, or cannot be joined", function()
    contains(fails("UNIMPLEMENTED", modfs.read "zip+nope://a.zip!/x"), 'the scheme "nope"')
    contains(fails("UNIMPLEMENTED", modfs.read "mem+zip://a.zip!/x"),
      "mem:// reads nothing of another filesystem")
    fails("NOT_FOUND", modfs.read "zip+mem://zips/none.zip!/x")
  end)
end)

describe("zip:// takes", function()
  it("names in each of the three encodings", function()
    python [[
import zipfile, struct, zlib
names = ["flag-\u00e9\u6f22", "plain"]
with zipfile.ZipFile("names.zip", "w") as z:
    for n in names: z.writestr(n, n)
def rewrite(data, old, new, extra=b""):
    return data.replace(old, new)
# Code page 437: a name of MS-DOS, without the flag.
with zipfile.ZipFile("dos.zip", "w") as z:
    i = zipfile.ZipInfo("XY.TXT"); i.create_system = 0
    z.writestr(i, "dos")
d = open("dos.zip", "rb").read().replace(b"XY.TXT", b"\x81\x82.TXT")
open("dos.zip", "wb").write(d)
# One of Unix that is no UTF-8.
with zipfile.ZipFile("unix.zip", "w") as z: z.writestr("XY.TXT", "unix")
d = open("unix.zip", "rb").read().replace(b"XY.TXT", b"\xff\x82.TXT")
open("unix.zip", "wb").write(d)
# Info-ZIP's field beside a name that says nothing.
with zipfile.ZipFile("field.zip", "w") as z:
    i = zipfile.ZipInfo("U.TXT"); i.create_system = 0
    u = "\u6f22.txt".encode()
    i.extra = struct.pack("<HHBL", 0x7075, 5 + len(u), 1, zlib.crc32(b"U.TXT")) + u
    z.writestr(i, "field")
    i = zipfile.ZipInfo("V.TXT"); i.create_system = 0
    i.extra = struct.pack("<HHBL", 0x7075, 5 + len(u), 1, 12345) + u
    z.writestr(i, "stale")
]]
    local function zip(name) return "zip://" .. place .. "/" .. name .. "!/" end
    assert.same({ "flag-é漢", "plain" }, modfs.listdir(zip "names.zip"))
    assert.equal("dos", modfs.read(zip "dos.zip" .. "üé.TXT"))
    assert.equal("unix", modfs.read(zip "unix.zip" .. "\255\130.TXT"))
    assert.same({ "V.TXT", "漢.txt" }, modfs.listdir(zip "field.zip"))
    assert.equal("field", modfs.read(zip "field.zip" .. "漢.txt"))
  end)

  it("zip64, a comment, a program before it, and streamed members", function()
    python [[
import zipfile, io
z = zipfile.ZipFile("64.zip", "w", allowZip64=True)
with z.open("big", "w", force_zip64=True) as f: f.write(b"zip64")
for i in range(70000): z.writestr("m/%d" % i, b"")
z.comment = b"PK\5\6" + b"a comment" * 100
z.close()
open("self.zip", "wb").write(b"#!/bin/sh\nexit 1\n" * 99 + open("64.zip", "rb").read())
class Pipe(io.RawIOBase):
    def __init__(self, f): self.f = f
    def write(self, b): return self.f.write(b)
    def seekable(self): return False
    def writable(self): return True
with open("streamed.zip", "wb") as f:
    with zipfile.ZipFile(Pipe(f), "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("s", "streamed" * 1000)
]]
    for _, name in ipairs { "64.zip", "self.zip" } do
      local root = "zip://" .. place .. "/" .. name .. "!/"
      assert.equal("zip64", modfs.read(root .. "big"))
      assert.equal(70000, #modfs.listdir(root .. "m"))
    end
    assert.equal(("streamed"):rep(1000), modfs.read("zip://" .. place .. "/streamed.zip!/s"))
  end)

  it("zeros and line ends behind it, and nothing else", function()
    python [[
import zipfile
with zipfile.ZipFile("inner.zip", "w") as z: z.writestr("a", "one")
whole = open("inner.zip", "rb").read()
for name, more in ("zeros", b"\0" * 512), ("line", b"\r\n"), ("other", b"x"), ("after", b"\0x"):
    open(name + ".zip", "wb").write(whole + more)
with zipfile.ZipFile("outer.zip", "w") as z:
    z.writestr("inner.zip", whole)
    z.writestr("rest", "rest")
open("cut.zip", "wb").write(open("outer.zip", "rb").read()[:-30])
with zipfile.ZipFile("comment.zip", "w") as z:
    z.writestr("a", "one")
    z.comment = b"ends in a line\n"
]]
    local function zip(name) return "zip://" .. place .. "/" .. name .. ".zip!/" end
    for _, name in ipairs { "zeros", "line", "comment" } do
      assert.equal("one", modfs.read(zip(name) .. "a"), name)
    end
    for _, name in ipairs { "other", "after", "cut" } do
      contains(fails("DATA_LOSS", modfs.listdir(zip(name))), "cut off")
    end
  end)

  it("directories of Windows without a slash", function()
    python [[
import zipfile
with zipfile.ZipFile("windows.zip", "w") as z:
    for name, host, content in (("d", 0, ""), ("d/a", 0, "a"), ("n", 10, ""), ("f", 0, "f"),
                                ("u", 3, "")):
        i = zipfile.ZipInfo(name); i.create_system = host; i.external_attr = 0x10
        if name == "d/a": i.external_attr = 0x20
        z.writestr(i, content)
]]
    local root = "zip://" .. place .. "/windows.zip!/"
    assert.equal("a", modfs.read(root .. "d/a"))
    local kinds = {}
    for name, entry in modfs.dir(root) do kinds[name] = entry.kind end
    assert.same({ d = "directory", n = "directory", f = "file", u = "file" }, kinds)
  end)

  it("all that Python reads, and says what it does not", function()
    python [[
import zipfile
with zipfile.ZipFile("methods.zip", "w") as z:
    for name, method in (("stored", 0), ("deflated", 8), ("bzip2", 12), ("lzma", 14)):
        z.writestr(name, "words " * 999, method)
]]
    local root = "zip://" .. place .. "/methods.zip!/"
    assert.equal(("words "):rep(999), modfs.read(root .. "stored"))
    assert.equal(("words "):rep(999), modfs.read(root .. "deflated"))
    contains(fails("UNIMPLEMENTED", modfs.read(root .. "bzip2")), "method 12")
    contains(fails("UNIMPLEMENTED", modfs.read(root .. "lzma")), "method 14")
    shell.output(("cd %s && zip -q -P secret locked.zip t/a.txt"):format(place))
    contains(fails("UNIMPLEMENTED", modfs.read("zip://" .. place .. "/locked.zip!/t/a.txt")),
      "encrypted")
  end)
end)

describe("of a large archive", function()
  it("only the directory and the member are read", function()
    if not shell.has "strace" then
      pending "strace is not installed"
      return
    end
    if sanitized then
      pending "under strace the sanitizer is not loaded, and modfs is built for it"
      return
    end
    shell.output(("cd %s && head -c 20000000 /dev/urandom >rest && "
      .. "zip -q large.zip rest t/a.txt t/d/nothing"):format(place))
    local lua = os.getenv "LUA" or "lua5.4"
    local read = "assert(require 'modfs'.read(arg[1]) == 'hello\\n')"
    local _, _, err = shell.run(("env -u LD_PRELOAD strace -f -y -e trace=pread64 %s -e %s"):format(
      lua, shell.quote("arg = { [[zip://" .. place .. "/large.zip!/t/a.txt]] } " .. read)))
    local bytes = 0
    for n in err:gmatch "large%.zip>[^\n]*= (%d+)\n" do
      bytes = bytes + tonumber(n)
    end
    assert.is_true(bytes > 100 and bytes < 100000, bytes .. " bytes\n" .. err:sub(1, 500))
  end)
end)

describe("the command", function()
  it("takes archives as it takes directories", function()
    local command = (os.getenv "LUA" or "lua5.4") .. " bin/modfs "
    local root = shell.quote("zip://" .. place .. "/a.zip!/")
    local status, out = shell.run(command .. "ls " .. root)
    assert.equal(0, status)
    assert.equal("a.txt\nabove\nd\nempty\nout\n", out)
    assert.equal(0, (shell.run(command .. "cp -r " .. shell.quote("zip://" .. place
      .. "/a.zip!/d") .. " " .. place .. "/unpacked")))
    assert.is_true(content_of "t/d/random" == content_of "unpacked/random")
    local new = shell.quote("zip://" .. place .. "/packed.zip!")
    local code, _, err = shell.run(command .. "cp -r " .. place .. "/t/d " .. new)
    assert.equal(0, code, err)
    assert.equal("", packed.run(place, "mkdir p && cd p && unzip -q ../packed.zip && "
      .. "diff -r --no-dereference . ../t/d"))
  end)
end)

describe("modfs check", function()
  it("finds nothing to fault in zip", function()
    shell.output(("cd %s/t && zip -qr ../check.zip a.txt d empty -x d/random"):format(place))
    local file = shell.output("realpath", os.getenv "BUILD" or "build") .. "/modfs/plugins/zip.so"
    local report = check.run { file = file, scheme = "zip", strict = 4,
      root = "zip://" .. place .. "/check.zip!/" }
    assert.equal("", verdict.failures(report))
    assert.is_true(report.reads_only)
    assert.is_true(report.passed > 150, report.passed .. " passed")
  end)
end)

it("modfs doctor finds the plugin of joined schemes", function()
  local command = (os.getenv "LUA" or "lua5.4") .. " bin/modfs doctor "
  assert(modfs.copy(place .. "/a.zip", place .. "/b.zip"))
  local status, out = shell.run(command .. "zip+file://" .. place .. "/b.zip!/a.txt")
  assert.equal(0, status, out)
  contains(out, "/zip.so")
end)
