-- Links that stand in a target: what they lead to stays as it is, whatever is copied there.
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root, src, dst, victim

-- The victim, with all that is in it, and when its directories were changed.
local function state()
  return shell.output("cd " .. shell.quote(victim) .. " && find . -printf '%p %y %s %T@ %C@\\n' "
    .. "-type f -exec cat {} + | LC_ALL=C sort")
end

local function plant(top, names)
  for _, name in ipairs(names) do
    local path = top .. "/" .. name
    assert(modfs.makedirs((path:gsub("/[^/]*$", ""))))
    assert(modfs.write(path, top:match "[^/]*$" .. "/" .. name))
  end
end

before_each(function()
  root = tmpdir.new()
  src, dst, victim = root .. "/src", root .. "/dst", root .. "/victim"
  plant(src, { "a/sub/one", "a/sub/deep/two", "a/file", "top" })
  plant(victim, { "one", "deep/two", "kept", "file" })
end)
after_each(function()
  tmpdir.remove(root)
  modfs.rmtree "mem://links"
end)

local function command(...)
  return shell.run(("%s bin/modfs %s"):format(os.getenv "LUA" or "lua5.4",
    table.concat({ ... }, " ")))
end

local function kind(path)
  return assert(modfs.lstat(path)).kind
end

-- Where the copy comes from: the same filesystem, another scheme of its plugin, another plugin.
local sources = {
  disk = function() return src end,
  ["file://"] = function() return "file://" .. src end,
  memory = function()
    assert(modfs.copytree(src, "mem://links"))
    return "mem://links"
  end,
}

local modes = { plain = {}, ["on threads"] = { threads = 4 }, ["with progress"] = {
  progress = function() end } }

local function with(mode, more)
  local options = more or {}
  for key, value in pairs(modes[mode]) do
    options[key] = value
  end
  return options
end

for name, source in pairs(sources) do
  for mode in pairs(modes) do
    describe(("from %s, %s,"):format(name, mode), function()
      local before

      before_each(function()
        assert(modfs.makedirs(dst .. "/a"))
        shell.output("ln -s", victim, dst .. "/a/sub")
        shell.output("ln -s", victim .. "/file", dst .. "/a/file")
        before = state()
      end)

      local function check_links(report, files)
        assert.equal(before, state())
        assert.equal("link", kind(dst .. "/a/sub"))
        assert.equal("link", kind(dst .. "/a/file"))
        assert.equal(files, report.files or report.copied)
        assert.equal(2, #report.errors)
        for _, failure in ipairs(report.errors) do
          assert.equal("FAILED_PRECONDITION", failure.code)
          assert.is_truthy(failure.message:find("symbolic link", 1, true), failure.message)
          assert.is_truthy(failure.message:find(dst, 1, true), failure.message)
        end
      end

      it("sync with delete replaces links, not what they lead to", function()
        local report = assert(modfs.sync(source(), dst, with(mode, { delete = true })))
        assert.same({}, report.errors)
        assert.equal(before, state())
        assert.equal("directory", kind(dst .. "/a/sub"))
        assert.equal("file", kind(dst .. "/a/file"))
        assert.equal("src/a/sub/deep/two", modfs.read(dst .. "/a/sub/deep/two"))
        assert.equal(4, report.copied)
        assert.equal(2, report.deleted)
      end)

      it("sync without delete tells of them", function()
        check_links(assert(modfs.sync(source(), dst, with(mode))), 1)
      end)

      it("copytree tells of them", function()
        check_links(assert(modfs.copytree(source(), dst, with(mode))), 1)
      end)

      it("sync with delete deletes links that the source lacks, alone", function()
        shell.output("ln -s", victim, dst .. "/extra")
        shell.output("mkdir -p", dst .. "/old && ln -s", victim, dst .. "/old/link")
        local report = assert(modfs.sync(source(), dst, with(mode, { delete = true })))
        assert.same({}, report.errors)
        assert.equal(before, state())
        assert.is_false(modfs.exists(dst .. "/extra"))
        assert.is_false(modfs.exists(dst .. "/old"))
      end)

      it("a dry run of it changes nothing", function()
        local all = tmpdir.list(dst)
        local report = assert(modfs.sync(source(), dst,
          with(mode, { delete = true, dry_run = true })))
        assert.equal(2, report.deleted)
        assert.equal(before, state())
        assert.equal(all, tmpdir.list(dst))
      end)
    end)
  end
end

it("cp -r and sync on the command line go through none", function()
  assert(modfs.makedirs(root .. "/to/src/a"))
  shell.output("ln -s", victim, root .. "/to/src/a/sub")
  shell.output("ln -s", victim .. "/file", root .. "/to/src/a/file")
  local before = state()
  assert.equal(1, (command("cp", "-r", src, root .. "/to")))
  assert.equal(before, state())
  assert.equal(1, (command("sync", src, root .. "/to/src")))
  assert.equal(before, state())
  assert.equal(0, (command("sync", "--delete", src, root .. "/to/src")))
  assert.equal(before, state())
  assert.equal("src/a/sub/one", modfs.read(root .. "/to/src/a/sub/one"))
end)

it("mv from another filesystem does not go through a link", function()
  shell.output("ln -s", victim .. "/file", root .. "/file")
  local before = state()
  assert(modfs.makedirs "mem://links")
  assert(modfs.write("mem://links/file", "memory"))
  local stderr, told = io.stderr, {}
  io.stderr = { write = function(_, ...) told[#told + 1] = table.concat { ... } end } -- luacheck: ignore
  local status = require("modfs.cli").main({ "mv", "mem://links/file", root }, {})
  io.stderr = stderr -- luacheck: ignore
  assert.equal(1, status)
  assert.is_truthy(table.concat(told):find("file is a symbolic link", 1, true), table.concat(told))
  assert.equal(before, state())
  assert.equal("memory", modfs.read "mem://links/file")
  assert.equal(0, (command("mv", src .. "/top", root .. "/file")))
  assert.equal(before, state())
  assert.equal("file", kind(root .. "/file"))
end)

it("rmtree and rm -r delete links, whoever else is in the directory", function()
  for _, options in ipairs { false, { threads = 1 }, { threads = 4 } } do
    plant(dst, { "a/one" })
    shell.output("ln -s", victim, dst .. "/a/link")
    local before = state()
    assert.is_true(modfs.rmtree(dst, options or nil))
    assert.equal(before, state())
  end
  plant(dst, { "a/one" })
  shell.output("ln -s", victim, dst .. "/a/link")
  local before = state()
  assert.equal(0, (command("rm", "-r", dst)))
  assert.equal(before, state())
end)

it("a link that its user names is followed: a root, and a single file", function()
  shell.output("mkdir", root .. "/real")
  shell.output("ln -s", root .. "/real", dst)
  assert.same({}, assert(modfs.copytree(src, dst)).errors)
  assert.equal("src/top", modfs.read(root .. "/real/top"))
  assert.same({}, assert(modfs.sync(dst, root .. "/copy")).errors)
  assert.equal("src/top", modfs.read(root .. "/copy/top"))
  assert.equal(4, modfs.du(dst).files)
  shell.output("ln -s", victim .. "/file", root .. "/named")
  assert.equal(1, assert(modfs.copytree(src .. "/top", root .. "/named")).files)
  assert.equal("src/top", modfs.read(victim .. "/file"))
end)
