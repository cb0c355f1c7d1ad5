-- Links below the root of a copy: kept, followed or left out; within a filesystem and between two.
local bare = require "spec.support.bare"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local named_files = require "spec.support.named_files"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root, src, dst

local places = {
  disk = function(name) return root .. "/" .. name end,
  memory = function(name) return "mem://kept/" .. name end,
}

before_each(function()
  root = tmpdir.new()
  assert(modfs.mkdir "mem://kept")
end)
after_each(function()
  tmpdir.remove(root)
  modfs.rmtree "mem://kept"
end)

local function kind(path)
  local info = modfs.lstat(path)
  return info and info.kind
end

-- The failures as { path below src or dst = code }.
local function failures(report)
  local codes = {}
  for _, failure in ipairs(report.errors) do
    local path = failure.path
    for _, top in ipairs { src, dst } do
      path = path:sub(1, #top + 1) == top .. "/" and path:sub(#top + 2) or path
    end
    codes[path] = failure.code
  end
  return codes
end

-- Targets that any link may have, by the link's name.
local targets = { file = "a/one", up = "../outside", absolute = "/etc/none/x", none = "no/where",
  ["a/dir"] = "../a", itself = "itself", odd = "./a//../a/one",
  ["a/long"] = ("x/"):rep(500) .. "y" }

local function link_all(top)
  local count = 0
  for name, target in pairs(targets) do
    assert(modfs.symlink(target, top .. "/" .. name))
    count = count + 1
  end
  return count
end

local function check_links(top)
  for name, target in pairs(targets) do
    assert.equal(target, modfs.readlink(top .. "/" .. name))
  end
end

for from, source in pairs(places) do
  for to, target in pairs(places) do
    describe(("from %s to %s,"):format(from, to), function()
      local count

      before_each(function()
        src, dst = source "src", target "dst"
        named_files(src, { "a/one", "a/two" })
        named_files(source "", { "outside" })
        count = link_all(src)
      end)

      for _, threads in ipairs { 1, 4 } do
        it(("copytree keeps links with %d threads"):format(threads), function()
          local report = assert(modfs.copytree(src, dst, { threads = threads }))
          assert.same({}, report.errors)
          assert.equal(2 + count, report.files)
          assert.equal(10, report.bytes)
          check_links(dst)
          report = assert(modfs.copytree(src, dst, { threads = threads, links = "keep" }))
          assert.same({}, report.errors)
          check_links(dst)
        end)
      end

      it("sync keeps them, and the second run copies nothing", function()
        local report = assert(modfs.sync(src, dst))
        assert.same({}, report.errors)
        assert.equal(2 + count, report.copied)
        check_links(dst)
        report = assert(modfs.sync(src, dst, { delete = true }))
        assert.same({ 0, 2 + count, 0, 0 },
          { report.copied, report.kept, report.deleted, #report.errors })
      end)

      it("a link with another target is replaced", function()
        for _, copy in ipairs { modfs.copytree, modfs.sync } do
          modfs.rmtree(dst)
          assert(modfs.makedirs(dst .. "/a"))
          assert(modfs.symlink("elsewhere", dst .. "/file"))
          assert(modfs.symlink("/", dst .. "/a/dir"))
          assert.same({}, assert(copy(src, dst)).errors)
          check_links(dst)
          assert.equal("a absolute file itself none odd up",
            table.concat(modfs.listdir(dst), " "))
        end
      end)

      it("what else is where a link belongs is replaced by sync with delete alone", function()
        named_files(dst, { "file", "up/below" })
        local expected = { file = "FAILED_PRECONDITION", up = "FAILED_PRECONDITION" }
        local report = assert(modfs.copytree(src, dst))
        assert.same(expected, failures(report))
        assert.equal("file", modfs.read(dst .. "/file"))
        report = assert(modfs.sync(src, dst))
        assert.same(expected, failures(report))
        assert.equal("up/below", modfs.read(dst .. "/up/below"))
        report = assert(modfs.sync(src, dst, { delete = true, dry_run = true }))
        assert.same({ 2, 3 }, { report.copied, report.deleted })
        assert.equal("up/below", modfs.read(dst .. "/up/below"))
        report = assert(modfs.sync(src, dst, { delete = true }))
        assert.same({ {}, 2, 3 }, { report.errors, report.copied, report.deleted })
        check_links(dst)
      end)

      it("a dry run creates none", function()
        local report = assert(modfs.sync(src, dst, { dry_run = true }))
        assert.equal(2 + count, report.copied)
        assert.is_nil(kind(dst))
      end)

      it("links = \"skip\" leaves them out", function()
        for _, copy in ipairs { modfs.copytree, modfs.sync } do
          local report = assert(copy(src, dst, { links = "skip" }))
          assert.same({}, report.errors)
          assert.same({ "a" }, modfs.listdir(dst))
          assert.same({ "one", "two" }, modfs.listdir(dst .. "/a"))
        end
      end)

      it("links = \"follow\" copies what they lead to, also from outside", function()
        modfs.rmtree(src)
        named_files(src, { "a/one", "a/sub/two" })
        named_files(source "", { "far/away", "far/off/file" })
        for name, leads in pairs { file = "a/one", dir = "a/sub", out = "../far", again = "out" } do
          assert(modfs.symlink(leads, src .. "/" .. name))
        end
        for _, threads in ipairs { 1, 4 } do
          for _, copy in ipairs { modfs.copytree, modfs.sync } do
            local report = assert(copy(src, dst, { links = "follow", threads = threads }))
            assert.same({}, report.errors)
            for _, name in ipairs { "file", "dir/two", "out/away", "again/off/file" } do
              assert.equal("file", kind(dst .. "/" .. name), name)
            end
            assert.equal("directory", kind(dst .. "/again"))
            assert.equal("a/sub/two", modfs.read(dst .. "/dir/two"))
          end
          local report = assert(modfs.sync(src, dst, { links = "follow", delete = true }))
          assert.same({ 0, 0 }, { report.copied, report.deleted })
        end
      end)

      it("links = \"follow\" tells of circles and of links that lead nowhere", function()
        modfs.rmtree(src)
        named_files(src, { "a/one", "a/b/two" })
        for name, leads in pairs { ["a/b/up"] = "..", ["a/root"] = "../../src", none = "none",
          nowhere = "no" } do
          assert(modfs.symlink(leads, src .. "/" .. name))
        end
        local report = assert(modfs.copytree(src, dst, { links = "follow" }))
        assert.same({ ["a/b/up"] = "FAILED_PRECONDITION", ["a/root"] = "FAILED_PRECONDITION",
          none = "FAILED_PRECONDITION", nowhere = "NOT_FOUND" }, failures(report))
        assert.equal("a/b/two", modfs.read(dst .. "/a/b/two"))
      end)
    end)
  end
end

describe("to storage without links", function()
  local shelf

  setup(function()
    shelf = bare()
  end)
  teardown(function()
    shelf:remove()
  end)

  for from, source in pairs(places) do
    for name, copy in pairs { copytree = modfs.copytree, sync = modfs.sync } do
      it(("%s from %s copies what they lead to in the tree"):format(name, from), function()
        src, dst = source "src", "bare://" .. root .. "/dst"
        named_files(src, { "a/one", "a/b/two" })
        named_files(source "", { "outside" })
        local absolute = from == "disk" and src or "/kept/src"
        for link, leads in pairs { file = "a/one", ["a/two"] = "b/two", ["a/b/up"] = "../one",
          chain = "file", round = "a/b/../../a/./one", through = "a/way/two", ["a/way"] = "b",
          absolute = absolute .. "/a/one", out = "../outside", far = "/etc/passwd",
          back = "../src/a/one", dir = "a", none = "none", nowhere = "a/no", below = "a/one/x" } do
          assert(modfs.symlink(leads, src .. "/" .. link))
        end
        local report = assert(copy(src, dst))
        assert.same({ out = "FAILED_PRECONDITION", far = "FAILED_PRECONDITION",
          back = "FAILED_PRECONDITION", dir = "FAILED_PRECONDITION",
          ["a/way"] = "FAILED_PRECONDITION", none = "FAILED_PRECONDITION", nowhere = "NOT_FOUND",
          below = "FAILED_PRECONDITION" }, failures(report))
        for path, content in pairs { file = "a/one", ["a/two"] = "a/b/two", ["a/b/up"] = "a/one",
          chain = "a/one", round = "a/one", through = "a/b/two", absolute = "a/one" } do
          assert.equal(content, modfs.read(dst .. "/" .. path))
          assert.equal("file", kind(dst .. "/" .. path))
        end
        for _, failure in ipairs(report.errors) do
          assert.truthy(failure.message:find("^%u[%u_]+: " .. name .. " ") or
            failure.message:find(src, 1, true), failure.message)
        end
        report = assert(modfs.sync(src, dst))
        assert.equal(0, report.copied)
      end)
    end
  end
end)

it("a link that leads to a directory with a file's name is no file", function()
  src, dst = root .. "/src", root .. "/dst"
  named_files(src, { "a/one" })
  shell.output("ln -s a", src .. "/way")
  assert.same({}, assert(modfs.copytree(src, dst)).errors)
  assert.equal("a", modfs.readlink(dst .. "/way"))
end)

it("the option takes three words", function()
  for _, call in ipairs { modfs.copytree, modfs.sync } do
    for _, value in ipairs { "all", "", 1, true, {} } do
      assert.has_error(function() call(root, root .. "/x", { links = value }) end)
    end
  end
  assert.has_error(function() modfs.du(root, { links = "keep" }) end)
  fails("NOT_FOUND", modfs.copytree(root .. "/none", root .. "/x", { links = "keep" }))
end)
