-- Copies that are told of: what progress hears, and what is left when it stops them.
local build = require "spec.fixtures.build"
local edited = require "spec.check.edited"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local PIECE = 128 * 1024
local shelf, root

setup(function()
  shelf = build.shelf()
  assert(modfs.load(shelf:put(build.compile("few.so", "spec/fixtures/defaults/few.c"), "few")))
end)
teardown(function()
  shelf:remove()
end)
before_each(function()
  root = tmpdir.new()
  assert(modfs.makedirs "mem://copy/in" and modfs.makedirs "mem://copy/out")
  assert(modfs.makedirs(root .. "/in") and modfs.makedirs(root .. "/out"))
end)
after_each(function()
  tmpdir.remove(root)
  modfs.rmtree "mem://copy"
end)

local function content(size)
  return (("0123456789abcdef"):rep(math.ceil(size / 16)):sub(1, size))
end

local function descriptors()
  return #modfs.listdir "/proc/self/fd"
end

-- Copies, and returns what progress heard of it, each as done, total, path.
local function copy_heard(src, dst)
  local heard = {}
  assert.is_true(modfs.copy(src, dst, { progress = function(...)
    heard[#heard + 1] = { ... }
    fails("NOT_FOUND", modfs.read "mem://copy/none")
  end }))
  return heard
end

-- From where to where; whether what stands there can be replaced in one step.
local ways = {
  ["memory to disk"] = { "mem://copy", "", true }, ["disk to memory"] = { "", "mem://copy", true },
  ["plain paths to file://"] = { "", "file://", true },
  ["memory to a filesystem that cannot replace"] = { "mem://copy", "few://", false },
  ["such a filesystem to itself"] = { "few://", "few://", false },
}

for name, way in pairs(ways) do
  describe("copying from " .. name, function()
    local src, out, dst
    before_each(function()
      src = (way[1] == "mem://copy" and way[1] or way[1] .. root) .. "/in/src"
      out = (way[2] == "mem://copy" and way[2] or way[2] .. root) .. "/out"
      dst = out .. "/dst"
    end)

    it("reports each piece once, up to the last byte", function()
      for _, size in ipairs { 0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 5 } do
        assert(modfs.write(src, content(size)))
        local heard, before = copy_heard(src, dst), -1
        assert.equal(math.max(1, math.ceil(size / PIECE)), #heard)
        for _, call in ipairs(heard) do
          assert.same({ size, src }, { call[2], call[3] })
          assert.is_true(call[1] > before)
          before = call[1]
        end
        assert.equal(size, before)
        assert.is_true(content(size) == modfs.read(dst))
      end
      assert.same({ "dst" }, modfs.listdir(out))
    end)

    it("leaves nothing when it is cancelled, at whichever piece", function()
      assert(modfs.write(src, content(3 * PIECE)))
      for last = 1, 3 do
        local calls, before = 0, descriptors()
        local message = fails("CANCELLED", modfs.copy(src, dst, { progress = function()
          calls = calls + 1
          return calls < last
        end }))
        assert.equal(("CANCELLED: copy %s to %s: cancelled by the progress callback"):format(src,
          dst), message)
        assert.equal(last, calls)
        assert.same({}, modfs.listdir(out))
        assert.equal(before, descriptors())
      end
      assert.is_true(content(3 * PIECE) == modfs.read(src))
      assert.is_true(modfs.copy(src, dst))
    end)

    it("raises the function's own error when all is closed and gone", function()
      assert(modfs.write(src, content(2 * PIECE)))
      for _, wrong in ipairs { "a string", { "a table" } } do
        local before = descriptors()
        local done, what = pcall(modfs.copy, src, dst,
          { progress = function() error(wrong, 0) end })
        assert.is_false(done)
        assert.equal(wrong, what)
        assert.same({}, modfs.listdir(out))
        assert.equal(before, descriptors())
      end
      assert.is_true(content(2 * PIECE) == modfs.read(src))
    end)

    it("keeps an old target until the end, where that can be", function()
      assert(modfs.write(src, content(2 * PIECE)))
      assert(modfs.write(dst, "old"))
      fails("CANCELLED", modfs.copy(src, dst, { progress = function() return false end }))
      assert.equal(way[3] and "old" or nil, (modfs.read(dst)))
      assert.same(way[3] and { "dst" } or {}, modfs.listdir(out))
    end)
  end)
end

describe("a copy with a progress function", function()
  local function never() error "called" end

  it("follows a file that grows or shrinks meanwhile", function()
    local src, heard = root .. "/in/src", {}
    assert(modfs.write(src, content(2 * PIECE)))
    assert(modfs.copy(src, "mem://copy/out/more", { progress = function(done, total)
      heard[#heard + 1] = ("%d/%d"):format(done, total)
      if #heard == 2 then assert(modfs.write(src, "more", { append = true })) end
    end }))
    assert.same({ "131072/262144", "262144/262144", "262148/262148" }, heard)
    assert.equal(2 * PIECE + 4, modfs.stat "mem://copy/out/more".length)
    heard = {}
    assert(modfs.copy(src, "mem://copy/out/less", { progress = function(done, total)
      heard[#heard + 1] = ("%d/%d"):format(done, total)
      if #heard == 1 then assert(modfs.write(src, "less")) end
    end }))
    assert.same({ "131072/262148", "131072/131072" }, heard)
  end)

  it("reports once where the filesystem copies by itself, and cannot cancel it", function()
    for _, top in ipairs { "mem://copy", root } do
      local src, dst, calls = top .. "/in/src", top .. "/out/dst", 0
      assert(modfs.write(src, content(3 * PIECE)))
      assert.is_true(modfs.copy(src, dst, { progress = function(done, total, path)
        calls = calls + 1
        assert.same({ 3 * PIECE, 3 * PIECE, src }, { done, total, path })
        return false
      end }))
      assert.equal(1, calls)
      assert.is_true(content(3 * PIECE) == modfs.read(dst))
      assert.error_matches(function() modfs.copy(src, dst, { progress = never }) end, "called")
      assert.same({ { 3 * PIECE, 3 * PIECE, src } }, copy_heard(src, src))
    end
    assert.equal(1, #copy_heard(root .. "/in/src", "file://" .. root .. "/in/src"))
    assert.is_true(content(3 * PIECE) == modfs.read(root .. "/in/src"))
  end)

  it("may copy inside the function, but not yield", function()
    assert(modfs.write("mem://copy/in/src", content(PIECE)))
    local inner
    assert(modfs.copy("mem://copy/in/src", root .. "/out/a", { progress = function()
      inner = copy_heard("mem://copy/in/src", root .. "/out/b")
    end }))
    assert.equal(1, #inner)
    local thread = coroutine.create(function()
      modfs.copy("mem://copy/in/src", root .. "/out/c", { progress = coroutine.yield })
    end)
    local done, message = coroutine.resume(thread)
    assert.is_false(done)
    assert.is_truthy(message:find "yield across")
    assert.same({ "a", "b" }, modfs.listdir(root .. "/out"))
  end)

  it("fails as any copy does, without a call of the function", function()
    assert(modfs.write(root .. "/in/src", "x"))
    local options = { progress = never }
    fails("NOT_FOUND", modfs.copy("mem://copy/none", root .. "/out/dst", options))
    fails("NOT_FOUND", modfs.copy(root .. "/none", root .. "/out/dst", options))
    fails("FAILED_PRECONDITION", modfs.copy("mem://copy", root .. "/out/dst", options))
    fails("FAILED_PRECONDITION", modfs.copy(root .. "/in/src", "mem://copy/out", options))
    fails("INVALID_ARGUMENT", modfs.copy("a\0b", root .. "/out/dst", options))
    assert.same({}, modfs.listdir(root .. "/out"))
  end)

  it("accepts no other options", function()
    for options, words in pairs {
      [{ progres = never }] = "bad argument #3 to 'copy' (unknown option 'progres')",
      [{ progress = true }] =
        "bad argument #3 to 'copy' (option 'progress': function expected, got boolean)",
      [1] = "bad argument #3 to 'copy' (table expected, got number)",
    } do
      local done, message = pcall(modfs.copy, "mem://copy/none", root .. "/out/dst", options)
      assert.is_false(done)
      assert.is_truthy(message:find(words, 1, true), message)
    end
    assert(modfs.write("mem://copy/in/src", "x"))
    assert.is_true(modfs.copy("mem://copy/in/src", root .. "/out/dst", {}))
  end)
end)

describe("two schemes of one plugin", function()
  local function write(uri, text)
    assert(modfs.write(uri, text))
  end

  before_each(function()
    local stores = build.compile("stores.so", "spec/fixtures/stores/stores.c")
    assert(modfs.load(shelf:put(stores, "stores")))
    for _, scheme in ipairs { "store", "other" } do
      for _, name in ipairs(assert(modfs.listdir(scheme .. ":///"))) do
        assert(modfs.remove(scheme .. ":///" .. name))
      end
    end
  end)

  it("may be two filesystems: what has one name in both is copied and moved", function()
    write("store:///a", "new")
    assert.is_true(modfs.copy("store:///a", "other:///a"))
    assert.equal("new", modfs.read "other:///a")
    write("store:///a", "last")
    assert.is_true(modfs.copy("store:///a", "other:///a"))
    assert.equal("last", modfs.read "other:///a")
    write("other:///a", "gone")
    assert.is_true(modfs.rename("store:///a", "other:///a"))
    assert.equal("last", modfs.read "other:///a")
    assert.is_false(modfs.exists "store:///a")
  end)

  it("may be two filesystems: trees, too", function()
    write("store:///a", "1")
    write("store:///b", "22")
    write("other:///b", "333")
    assert.same({ files = 2, dirs = 1, bytes = 3, errors = {} },
      modfs.copytree("store:///", "other:///"))
    assert.equal("22", modfs.read "other:///b")
    write("store:///b", "4444")
    assert.equal(1, modfs.sync("store:///", "other:///").copied)
    assert.equal("4444", modfs.read "other:///b")
  end)

  it("may be one filesystem: a file onto itself stays what it is", function()
    write("store:///a", "text")
    assert.is_true(modfs.copy("store:///a", "twin:///a"))
    assert.is_true(modfs.rename("store:///a", "twin:///a"))
    assert.equal("text", modfs.read "store:///a")
    assert.same({ files = 1, dirs = 1, bytes = 4, errors = {} },
      modfs.copytree("store:///", "twin:///"))
    assert.equal("text", modfs.read "twin:///a")
  end)
end)

-- As accounts of one cloud or clusters of one kind are: its own copies stay within a host.
describe("two hosts of one scheme", function()
  local refusal = [[
  if (strncmp(src, dst, sizeof "/one") != 0) {
    TF_SetStatus(status, TF_UNIMPLEMENTED, "stays within a host");
    return;
  }
]]
  local moving = "  struct memory_place from = {0}, to = {0};\n  memory_lock_tree();"
  local copying = "  struct copy_source source = {NULL, src};\n"

  setup(function()
    local file = edited.put({ name = "hosts", base = "memory", edits = {
      { "move.c", moving, refusal .. moving }, { "move.c", copying, refusal .. copying } } }, shelf)
    assert(modfs.load(file, { as = "hosts", scheme = "mem" }))
  end)

  before_each(function()
    for _, host in ipairs { "hosts://one", "hosts://two" } do
      modfs.rmtree(host)
      assert(modfs.makedirs(host))
    end
    assert(modfs.write("hosts://one/a", "text"))
  end)

  it("are copied between, by reading and writing", function()
    local fs = modfs.filesystem "hosts"
    fails("UNIMPLEMENTED", fs:copy_file("hosts://one/a", "hosts://two/a"))
    assert.is_true(modfs.copy("hosts://one/a", "hosts://two/a"))
    assert.equal("text", modfs.read "hosts://two/a")
    local heard = copy_heard("hosts://one/a", "hosts://two/b")
    assert.same({ 4, 4, "hosts://one/a" }, heard[#heard])
    assert.same({ files = 1, dirs = 1, bytes = 4, errors = {} },
      modfs.copytree("hosts://one", "hosts://two/tree"))
    assert.equal("text", modfs.read "hosts://two/tree/a")
  end)

  it("are renamed between", function()
    assert.is_true(modfs.rename("hosts://one/a", "hosts://two/a"))
    assert.equal("text", modfs.read "hosts://two/a")
    assert.is_false(modfs.exists "hosts://one/a")
  end)
end)
