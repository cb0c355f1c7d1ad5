-- Trees in which something is wrong: counts and messages say what was done, and what was not.
local modfs = require "modfs"
local named_files = require "spec.support.named_files"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local quote = shell.quote
local root

before_each(function()
  root = tmpdir.new()
end)
after_each(function()
  shell.run("chmod -R u+rwx --", root)
  tmpdir.remove(root)
  modfs.rmtree "mem://bad"
end)

local function find_error(report, path)
  for _, failure in ipairs(report.errors) do
    if failure.path == path then
      assert.equal(failure.code, failure.message:match "^[A-Z_]+")
      assert.is_nil(failure.message:find "%c", failure.message)
      return failure
    end
  end
  error("no error for " .. path .. " among " .. #report.errors)
end

local function tasks()
  return select(2, shell.output("ls /proc/$PPID/task"):gsub("%S+", ""))
end

for _, scheme in ipairs { "", "mem://" } do
  describe(("on %q,"):format(scheme), function()
    local top

    before_each(function()
      top = scheme == "" and root or "mem://bad"
      named_files(top .. "/src", { "one", "a/two", "a/b/three", "z/four" })
    end)

    it("a file where a directory should be, above the target, is reported at once", function()
      for i, name in ipairs { "x", "x/y", "x/y/z" } do
        local dst = ("%s/%d/x/y/z"):format(top, i)
        named_files(top .. "/" .. i, { name })
        for _, operation in ipairs { "copytree", "sync" } do
          local message = fails("FAILED_PRECONDITION", modfs[operation](top .. "/src", dst))
          assert.is_truthy(message:find(operation .. " " .. dst, 1, true), message)
        end
        assert.same({ files = 1, dirs = i, bytes = #name }, modfs.du(top .. "/" .. i))
      end
    end)

    it("a file where a directory should be, below it, costs what lies there", function()
      named_files(top .. "/dst", { "a" })
      local report = assert(modfs.copytree(top .. "/src", top .. "/dst"))
      assert.same({ 2, 2, 9, 1 }, { report.files, report.dirs, report.bytes, #report.errors })
      assert.equal("FAILED_PRECONDITION", find_error(report, top .. "/dst/a").code)
      assert.equal("a", modfs.read(top .. "/dst/a"))
      assert.equal("z/four", modfs.read(top .. "/dst/z/four"))
      report = assert(modfs.sync(top .. "/src", top .. "/dst"))
      assert.same({ 0, 2, 0, 1 }, { report.copied, report.kept, report.deleted, #report.errors })
      report = assert(modfs.sync(top .. "/src", top .. "/dst", { delete = true }))
      assert.same({ 2, 2, 1, 0 }, { report.copied, report.kept, report.deleted, #report.errors })
      assert.equal("a/b/three", modfs.read(top .. "/dst/a/b/three"))
    end)

    it("a directory where a file should be stays, unless sync may delete it", function()
      named_files(top .. "/dst", { "one/in/it" })
      local report = assert(modfs.copytree(top .. "/src", top .. "/dst"))
      assert.same({ 3, 4, 1 }, { report.files, report.dirs, #report.errors })
      assert.equal("FAILED_PRECONDITION", find_error(report, top .. "/src/one").code)
      assert.equal("one/in/it", modfs.read(top .. "/dst/one/in/it"))
      report = assert(modfs.sync(top .. "/src", top .. "/dst", { delete = true, dry_run = true }))
      assert.same({ 1, 3, 3 }, { report.copied, report.kept, report.deleted })
      report = assert(modfs.sync(top .. "/src", top .. "/dst", { delete = true }))
      assert.same({ 1, 3, 3, 0 }, { report.copied, report.kept, report.deleted, #report.errors })
      assert.equal("one", modfs.read(top .. "/dst/one"))
    end)

    it("sources that are missing, or files, and targets of the other kind", function()
      for _, operation in ipairs { "copytree", "sync" } do
        local message = fails("NOT_FOUND", modfs[operation](top .. "/none", top .. "/dst"))
        assert.is_truthy(message:find(operation .. " " .. top .. "/none", 1, true), message)
        assert.is_false(modfs.exists(top .. "/dst"))
        fails("FAILED_PRECONDITION", modfs[operation](top .. "/src/one", top .. "/src/a"))
        fails("FAILED_PRECONDITION", modfs[operation](top .. "/src/a", top .. "/src/one"))
        local report = assert(modfs[operation](top .. "/src/one", top .. "/" .. operation))
        assert.equal(3, report.bytes)
        assert.equal("one", modfs.read(top .. "/" .. operation))
      end
    end)

    it("a copy into itself is refused before anything is written", function()
      local before = modfs.du(top)
      for _, operation in ipairs { "copytree", "sync" } do
        for _, dst in ipairs { "/src", "/src/", "/src/a/new", "/src/./a/../x", "//src//y" } do
          fails("INVALID_ARGUMENT", modfs[operation](top .. "/src", top .. dst))
        end
      end
      fails("INVALID_ARGUMENT", modfs.sync(top .. "/src/a", top .. "/src", { delete = true }))
      assert.same(before, modfs.du(top))
      local report = assert(modfs.copytree(top .. "/src/a", top .. "/src-and-more"))
      assert.same({ 2, {} }, { report.files, report.errors })
    end)

    it("a file that vanishes during a copy is reported, and the rest is copied", function()
      local removed
      local report = assert(modfs.copytree(top .. "/src", top .. "/dst", { threads = 1,
        progress = function()
          if not removed then
            removed = {}
            for _, name in ipairs { "one", "a/two", "a/b/three", "z/four" } do
              if not modfs.exists(top .. "/dst/" .. name) then
                assert(modfs.remove(top .. "/src/" .. name))
                removed[#removed + 1] = name
              end
            end
          end
        end }))
      assert.equal(3, #removed)
      assert.equal(1, report.files)
      assert.equal(report.files, modfs.du(top .. "/dst").files)
      assert.equal(report.bytes, modfs.du(top .. "/dst").bytes)
      for _, failure in ipairs(report.errors) do
        assert.equal("NOT_FOUND", failure.code)
      end
    end)

    it("directories that vanish during a walk are reported to onerror", function()
      local told, seen = {}, {}
      for folder in modfs.walk(top .. "/src", { onerror = function(message, code, path)
        told[#told + 1] = code .. " " .. path
        assert.is_truthy(message:find("NOT_FOUND: walk " .. path, 1, true), message)
      end }) do
        seen[#seen + 1] = folder:sub(#top + 1)
        modfs.rmtree(top .. "/src/a/b")
        modfs.rmtree(top .. "/src/z")
      end
      assert.same({ "/src", "/src/a" }, seen)
      assert.same({ "NOT_FOUND " .. top .. "/src/z" }, told)
      assert.error_matches(function()
        named_files(top .. "/src", { "z/four" })
        for _ in modfs.walk(top .. "/src") do
          modfs.rmtree(top .. "/src/z")
        end
      end, "NOT_FOUND: walk")
    end)

    for _, threads in ipairs { 1, 4 } do
      it("a cancel on " .. threads .. " threads stops with true counts", function()
        for i = 1, 300 do
          named_files(top .. "/many", { ("%d/%d"):format(i % 7, i) })
        end
        local calls, before = 0, tasks()
        local result, message, code, report = modfs.copytree(top .. "/many", top .. "/dst",
          { threads = threads, progress = function(done, total)
            calls = calls + 1
            assert.is_true(done <= total)
            return calls < 20
          end })
        fails("CANCELLED", result, message, code)
        assert.is_truthy(message:find(top .. "/many to " .. top .. "/dst", 1, true), message)
        assert.is_true(report.files >= 20 and report.files < 300, report.files)
        local there = modfs.du(top .. "/dst")
        assert.same({ there.files, there.dirs, there.bytes },
          { report.files, report.dirs, report.bytes })
        assert.equal(before, tasks())
        result, message, code = modfs.rmtree(top .. "/many", { threads = threads,
          progress = function() return false end })
        fails("CANCELLED", result, message, code)
        assert.is_true(modfs.exists(top .. "/many"))
      end)
    end

    it("an error in the progress function is passed on, and no thread stays", function()
      for i = 1, 200 do
        named_files(top .. "/many", { tostring(i) })
      end
      local before = tasks()
      assert.error_matches(function()
        modfs.copytree(top .. "/many", top .. "/dst", { threads = 8, progress = function()
          error "enough"
        end })
      end, "enough")
      assert.equal(before, tasks())
      local tree = assert(modfs.tree("copytree", top .. "/many", top .. "/dst2",
        { threads = 8, progress = true }))
      assert.is_number((tree:step()))
      assert.is_truthy(tostring(tree):find "open")
      assert.is_true(tree:close())
      assert.equal(before, tasks())
      assert.has_error(function() tree:step() end)
    end)
  end)
end

describe("options:", function()
  it("threads is an integer of at least 1", function()
    for _, wrong in ipairs { 0, -1, 1.5, "2", true } do
      assert.error_matches(function()
        modfs.copytree(root, root .. "2", { threads = wrong })
      end, "threads")
      assert.error_matches(function() modfs.du(root, { threads = wrong }) end, "threads")
      assert.error_matches(function() modfs.rmtree(root, { threads = wrong }) end, "threads")
    end
    assert.error_matches(function() modfs.tree("copy", root) end, "bad argument #1 to 'tree'")
    assert.error_matches(function() modfs.tree("du", root, { thread = 1 }) end, "thread")
    assert.is_table(modfs.du(root, { threads = 1000 }))
  end)
end)

describe("links", function()
  local function ln(to, from)
    shell.output("ln -s --", to, root .. "/" .. from)
  end

  before_each(function()
    named_files(root .. "/src", { "file", "dir/inner" })
    named_files(root .. "/outside", { "precious" })
    ln("../outside", "src/out")
    ln("../outside/precious", "src/to_file")
    ln("self", "src/self")
    ln("pair2", "src/pair1")
    ln("pair1", "src/pair2")
    ln("nowhere", "src/dangling")
    ln(".", "src/dot")
    ln("..", "src/dir/up")
    for i = 1, 45 do
      ln(i == 45 and "../file" or "chain" .. i + 1, "src/dir/chain" .. i)
    end
  end)

  it("in loops and chains are kept as they are", function()
    local report = assert(modfs.copytree(root .. "/src", root .. "/dst"))
    assert.same({}, report.errors)
    assert.equal("", shell.output("diff -r --no-dereference", root .. "/src", root .. "/dst"))
    assert.equal(report.files, modfs.du(root .. "/dst").files)
    assert.equal(2 + 7 + 1 + 45, report.files)
  end)

  it("in loops and chains that are followed end a copy with one error each", function()
    local report = assert(modfs.copytree(root .. "/src", root .. "/dst", { links = "follow" }))
    for _, name in ipairs { "dot", "dir/up" } do
      local failure = find_error(report, root .. "/src/" .. name)
      assert.equal("FAILED_PRECONDITION", failure.code)
      assert.is_truthy(failure.message:find "link to a directory", failure.message)
    end
    for _, name in ipairs { "self", "pair1", "pair2", "dangling" } do
      find_error(report, root .. "/src/" .. name)
    end
    assert.equal("precious", modfs.read(root .. "/dst/to_file"))
    assert.equal("precious", modfs.read(root .. "/dst/out/precious"))
    assert.equal(report.files, modfs.du(root .. "/dst").files)
    assert.equal(2 + 7 + 1 + 45, report.files + #report.errors)
    assert.same({ files = 1, dirs = 1, bytes = 8 }, modfs.du(root .. "/outside"))
  end)

  it("are not gone through by walk, du, glob, rmtree and sync", function()
    local found = shell.output("find " .. quote(root .. "/src") .. " ! -type d | wc -l")
    assert.equal(tonumber(found), modfs.du(root .. "/src").files)
    for folder in modfs.walk(root .. "/src") do
      assert.is_truthy(folder == root .. "/src" or folder == root .. "/src/dir")
    end
    assert.same({}, modfs.glob(root .. "/src/**/precious"))
    assert.same({ root .. "/src/out/precious" }, modfs.glob(root .. "/src/*/precious"))
    assert.same({ root .. "/src/dir/inner" }, modfs.glob(root .. "/src/**/inner"))
    named_files(root, { "void/file" })
    local report = assert(modfs.sync(root .. "/void", root .. "/src", { delete = true }))
    assert.same({}, report.errors)
    assert.same({ "file" }, modfs.listdir(root .. "/src"))
    named_files(root .. "/src", { "dir/inner" })
    ln("../outside", "src/out")
    assert.same({ true, 0, 0 }, { modfs.rmtree(root .. "/src", { threads = 2 }) })
    assert.equal("precious", modfs.read(root .. "/outside/precious"))
  end)

  it("cannot hide that the target lies in the source", function()
    ln("src/dir/new", "alias")
    assert(modfs.mkdir(root .. "/src/dir/new"))
    named_files(root .. "/src", { "dir/new/own" })
    for _, operation in ipairs { "copytree", "sync" } do
      local report = assert(modfs[operation](root .. "/src", root .. "/alias"))
      local failure = find_error(report, root .. "/src/dir/new")
      assert.equal("INVALID_ARGUMENT", failure.code)
      assert.equal("file", modfs.read(root .. "/src/dir/new/file"))
      assert.is_false(modfs.exists(root .. "/src/dir/new/dir/new/dir"))
    end
  end)
end)

describe("names", function()
  it("with newlines and invalid UTF-8 come through, and errors carry them", function()
    local odd = { "new\nline", "\255\254", "a\127b", " ", "\1", "tab\there", ("x"):rep(255) }
    named_files(root .. "/src", odd)
    named_files(root .. "/dst", { odd[1] .. "/in/the/way" })
    local report = assert(modfs.copytree(root .. "/src", root .. "/dst"))
    assert.equal(#odd - 1, report.files)
    find_error(report, root .. "/src/" .. odd[1])
    for i = 2, #odd do
      assert.equal(odd[i], modfs.read(root .. "/dst/" .. odd[i]))
      assert.same({ root .. "/dst/" .. odd[i], root .. "/src/" .. odd[i] },
        modfs.glob(root .. "/**/" .. modfs.escape(odd[i])))
    end
  end)
end)

-- A scene of spec/children/permissions.lua, run by a user who may not read everything: our own, or
-- nobody where we are root.
local function as_user(scene)
  local is_root = shell.output "id -u" == "0"
  shell.output("chmod 755 --", root)
  if is_root then
    shell.output("chown -R 65534:65534 --", root)
  end
  local status, out, err = child("spec/children/permissions.lua", { arguments = { root, scene },
    under = is_root and "setpriv --reuid=65534 --regid=65534 --clear-groups" or nil })
  assert.equal(0, status, out .. err)
  return out
end

describe("missing permissions", function()
  before_each(function()
    named_files(root .. "/src", { "a/one", "b/two", "c/three", "d/four" })
    shell.output("chmod 000 --", root .. "/src/b")
    shell.output("chmod 000 --", root .. "/src/c/three")
    shell.output("chmod 500 --", root .. "/src/d")
  end)

  it("are reported by copytree, du and walk, and the rest is done", function()
    assert.equal("", as_user "reads")
  end)

  it("are counted by rmtree in both ways", function()
    assert.equal("", as_user "rmtree")
    assert.equal("four", tmpdir.content(root .. "/src/d/four"):match "%a+$")
  end)

  it("keep sync from deleting what it cannot compare", function()
    named_files(root .. "/dst", { "b/two", "a/extra", "e/five" })
    assert.equal("", as_user "sync")
  end)

  it("keep what sync could not delete from being counted", function()
    named_files(root .. "/dst", { "e/five", "e/f/six" })
    shell.output("chmod 500 --", root .. "/dst")
    assert.equal("", as_user "sync_counts")
    shell.output("chmod 700 --", root .. "/dst")
    shell.output("chmod 500 --", root .. "/dst/e/f")
    assert.equal("", as_user "sync_below")
  end)
end)

describe("a disk that fills up in the middle", function()
  local mounted

  before_each(function()
    shell.output("mkdir --", root .. "/small")
    mounted = shell.run("mount -t tmpfs -o size=400k,nr_inodes=1000 modfs-spec",
      root .. "/small") == 0
  end)
  after_each(function()
    if mounted then
      shell.run("umount --", root .. "/small")
    end
  end)

  it("leaves whole files, and an error for each that is missing", function()
    if not mounted then
      pending "cannot mount a small tmpfs here: not root, or no right to mount"
      return
    end
    for i = 1, 20 do
      assert(modfs.makedirs(root .. "/src/" .. i % 3))
      assert(modfs.write(("%s/src/%d/%d"):format(root, i % 3, i), ("x"):rep(40000)))
    end
    for _, operation in ipairs { "copytree", "sync" } do
      for _, threads in ipairs { 1, 4 } do
        local dst = root .. "/small/dst"
        local report = assert(modfs[operation](root .. "/src", dst, { threads = threads }))
        local copied = report.files or report.copied
        assert.is_true(copied > 3 and copied < 20, copied)
        assert.equal(20 - copied, #report.errors)
        for _, failure in ipairs(report.errors) do
          assert.equal("RESOURCE_EXHAUSTED", failure.code)
          assert.is_false(modfs.exists(dst .. failure.path:sub(#root + 5)))
        end
        assert.same({ files = copied, dirs = 4, bytes = 40000 * copied }, modfs.du(dst))
        assert.equal(40000 * copied, report.bytes)
        modfs.rmtree(dst)
      end
    end
  end)
end)
