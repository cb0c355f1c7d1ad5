-- Times, modes and owners that copies keep of their sources, within a filesystem and between two;
-- and by which sync tells what is the same.
local bare = require "spec.support.bare"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root, src, dst

local places = {
  disk = function(name) return root .. "/" .. name end,
  memory = function(name) return "mem://preserve/" .. name end,
}

before_each(function()
  root = tmpdir.new()
  assert(modfs.mkdir "mem://preserve")
end)
after_each(function()
  shell.run("chmod -R u+rwx", root)
  tmpdir.remove(root)
  modfs.rmtree "mem://preserve"
end)

-- 2017, and nanoseconds that a double has exactly.
local TIME, STEP = 1500000000512000000, 1000000000256
local LATER = TIME + 1000 * STEP

local entries = {
  { "closed", "directory", 448 }, { "closed/file", "file", 384 }, { "file", "file", 420 },
  { "open", "directory", 511 }, { "open/all", "file", 511 }, { "open/deep", "directory", 509 },
  { "open/deep/link", "link" }, { "open/empty", "directory", 493 }, { "read", "file", 288 },
  { "sticky", "directory", 1023 }, { "link", "link" },
}

-- The time that an entry gets.
local function time_of(i)
  return TIME + i * STEP
end

-- Makes it on disk, where links have times that can be set.
local function plant(top)
  for _, entry in ipairs(entries) do
    local path = top .. "/" .. entry[1]
    if entry[2] == "directory" then
      assert(modfs.makedirs(path))
    elseif entry[2] == "link" then
      assert(modfs.symlink("file", path))
    else
      assert(modfs.makedirs((path:gsub("/[^/]*$", ""))))
      assert(modfs.write(path, entry[1]))
    end
  end
  for i = #entries, 1, -1 do
    local path = top .. "/" .. entries[i][1]
    if entries[i][2] == "link" then
      local seconds = math.floor(time_of(i) / 1e9)
      shell.output(("touch -h -d @%.0f.%09.0f"):format(seconds, time_of(i) - seconds * 1000000000),
        path)
    else
      assert(modfs.chmod(path, entries[i][3]))
      assert(modfs.utime(path, time_of(i)))
    end
  end
  assert(modfs.utime(top, TIME))
end

-- Which of mode and time an entry has of its source: "mode", "mtime", "mode mtime" or "".
local function kept(i, path)
  local info, wanted = assert(modfs.lstat(path)), entries[i]
  assert.equal(wanted[2], info.kind, path)
  local mode = wanted[2] == "link" or info.mode == wanted[3]
  local time = info.mtime_nsec == time_of(i)
  return (mode and "mode " or "") .. (time and "mtime" or "")
end

local function check_all(top)
  for i, entry in ipairs(entries) do
    assert.equal("mode mtime", kept(i, top .. "/" .. entry[1]), entry[1])
  end
  assert.equal(TIME, modfs.stat(top).mtime_nsec)
end

local modes = { ["on one thread"] = { threads = 1 }, ["on four threads"] = { threads = 4 },
  ["with progress"] = { progress = function() end } }

for from, source in pairs(places) do
  for to, target in pairs(places) do
    describe(("from %s to %s,"):format(from, to), function()
      before_each(function()
        src, dst = source "src", target "dst"
        plant(root .. "/planted")
        assert.same({}, assert(modfs.copytree(root .. "/planted", src)).errors)
        check_all(src)
      end)

      for name, copy in pairs { copytree = modfs.copytree, sync = modfs.sync } do
        for how, options in pairs(modes) do
          it(("%s keeps modes and times %s"):format(name, how), function()
            assert.same({}, assert(copy(src, dst, options)).errors)
            check_all(dst)
          end)
        end

        it(name .. " keeps what it is told", function()
          local function keeps(preserve, expected, time)
            modfs.rmtree(dst)
            assert.same({}, assert(copy(src, dst, { preserve = preserve })).errors)
            local info = modfs.lstat(dst .. "/sticky")
            assert.equal(expected:find "mode" and true or false, info.mode == 1023)
            assert.equal(time, info.mtime_nsec == time_of(10))
            info = modfs.lstat(dst .. "/closed/file")
            assert.equal(time, info.mtime_nsec == time_of(2))
            assert.equal(time, modfs.lstat(dst .. "/link").mtime_nsec == time_of(11))
          end
          keeps({}, "", false)
          keeps({ "mode" }, "mode", false)
          keeps({ "mtime" }, "", true)
          keeps({ "mtime", "mode" }, "mode", true)
        end)

        it(name .. " opens nothing to others that was closed to them", function()
          assert.same({}, assert(copy(src, dst, { preserve = {} })).errors)
          assert.equal(448, modfs.stat(dst .. "/closed").mode)
          assert.equal(384, modfs.stat(dst .. "/closed/file").mode)
        end)

        it(name .. " gives what is there the attributes, too", function()
          assert(modfs.makedirs(dst .. "/closed"))
          assert(modfs.write(dst .. "/file", "old content"))
          assert(modfs.chmod(dst .. "/file", 511))
          assert(modfs.symlink("file", dst .. "/link"))
          assert.same({}, assert(copy(src, dst)).errors)
          check_all(dst)
        end)
      end

      it("a second sync copies nothing and changes nothing", function()
        assert.same({}, assert(modfs.sync(src, dst)).errors)
        for _, options in ipairs { {}, { checksum = true }, { size_only = true },
          { delete = true, threads = 4 } } do
          local report = assert(modfs.sync(src, dst, options))
          assert.same({ 0, 6, 0, {} },
            { report.copied, report.kept, report.deleted, report.errors })
          check_all(dst)
        end
      end)

      it("sync sets modes without copying", function()
        assert(modfs.copytree(src, dst))
        assert(modfs.chmod(dst .. "/read", 420))
        assert(modfs.chmod(dst .. "/open", 493))
        local report = assert(modfs.sync(src, dst, { dry_run = true }))
        assert.equal(0, report.copied)
        assert.equal(420, modfs.stat(dst .. "/read").mode)
        assert.equal(0, assert(modfs.sync(src, dst)).copied)
        check_all(dst)
      end)

      it("sync copies what is newer or older, or by checksum sets its time", function()
        for _, time in ipairs { TIME - STEP, LATER } do
          modfs.rmtree(dst)
          assert(modfs.copytree(src, dst))
          assert(modfs.utime(dst .. "/file", time))
          local before = modfs.lstat(dst .. "/file")
          local report = assert(modfs.sync(src, dst, { checksum = true }))
          assert.same({ 0, 6 }, { report.copied, report.kept })
          assert.equal(before.inode, modfs.lstat(dst .. "/file").inode)
          check_all(dst)
          assert(modfs.utime(dst .. "/file", time))
          report = assert(modfs.sync(src, dst, { size_only = true }))
          assert.same({ 0, 6 }, { report.copied, report.kept })
          assert(modfs.utime(dst .. "/file", time))
          report = assert(modfs.sync(src, dst))
          assert.same({ 1, 5 }, { report.copied, report.kept })
          check_all(dst)
        end
      end)

      it("sync compares times at the coarser precision", function()
        assert(modfs.copytree(src, dst))
        -- Doubles do not have the nanoseconds of the finer ones.
        for _, unit in ipairs(math.type and { 1000, 1000000, 1000000000 } or { 1000000000 }) do
          local time = time_of(3)
          assert(modfs.utime(dst .. "/file", time - time % unit))
          assert.equal(0, assert(modfs.sync(src, dst)).copied)
        end
        local second = 1000000000
        local whole = time_of(3) - time_of(3) % second
        assert(modfs.utime(dst .. "/file", whole + second))
        assert.equal(1, assert(modfs.sync(src, dst)).copied)
        assert(modfs.utime(dst .. "/file", whole - second))
        assert.equal(1, assert(modfs.sync(src, dst)).copied)
        assert(modfs.utime(src .. "/file", whole))
        assert(modfs.utime(dst .. "/file", whole + 999936))
        assert.equal(0, assert(modfs.sync(src, dst)).copied)
        assert(modfs.utime(src .. "/file", -1500000000))
        assert(modfs.utime(dst .. "/file", -2000000000))
        assert.equal(0, assert(modfs.sync(src, dst)).copied)
        assert(modfs.utime(dst .. "/file", -1000000000))
        assert.equal(1, assert(modfs.sync(src, dst)).copied)
      end)

      it("without times sync copies what is older", function()
        assert(modfs.copytree(src, dst, { preserve = {} }))
        for _, options in ipairs { { preserve = {} }, { preserve = { "mode" } } } do
          assert.equal(0, assert(modfs.sync(src, dst, options)).copied)
        end
        assert(modfs.utime(dst .. "/file", TIME - STEP))
        assert.equal(1, assert(modfs.sync(src, dst, { preserve = {} })).copied)
        assert.is_false(modfs.stat(dst .. "/file").mtime_nsec == time_of(3))
      end)

      it("a single file keeps its own", function()
        for _, copy in ipairs { modfs.copytree, modfs.sync } do
          local path = target "single"
          assert.same({}, assert(copy(src .. "/read", path)).errors)
          local info = modfs.stat(path)
          assert.same({ 288, time_of(9) }, { info.mode, info.mtime_nsec })
          assert.equal(0, assert(modfs.sync(src .. "/read", path)).copied)
          modfs.remove(path)
        end
      end)

      it("followed links give the attributes of what they lead to", function()
        assert.same({}, assert(modfs.copytree(src, dst, { links = "follow",
          exclude = "open/deep" })).errors)
        local info = modfs.lstat(dst .. "/link")
        assert.same({ "file", 420, time_of(3) }, { info.kind, info.mode, info.mtime_nsec })
      end)

      it("set-id bits are kept with the owner alone", function()
        local path = source "src/file"
        assert(modfs.chmod(path, 2541)) -- 04755
        assert(modfs.copytree(src, dst))
        assert.equal(493, modfs.stat(dst .. "/file").mode)
        assert(modfs.sync(src, dst))
        assert.equal(493, modfs.stat(dst .. "/file").mode)
        assert(modfs.sync(src, dst, { preserve = { "mode", "owner", "mtime" } }))
        local has_owners = modfs.stat(src).owner and modfs.stat(dst).owner
        assert.equal(has_owners and 2541 or 493, modfs.stat(dst .. "/file").mode)
      end)
    end)
  end
end

describe("what the target cannot keep", function()
  before_each(function()
    src, dst = root .. "/src", "mem://preserve/dst"
    plant(src)
  end)

  it("is an error of its entry if it was named", function()
    local report = assert(modfs.copytree(src, dst, { preserve = { "owner", "mode", "mtime" } }))
    assert.equal(#entries + 1, #report.errors)
    for _, failure in ipairs(report.errors) do
      assert.equal("UNIMPLEMENTED", failure.code)
      assert.truthy(failure.message:find(dst, 1, true), failure.message)
    end
    check_all(dst)
  end)

  it("is not kept if it was named with ?", function()
    local preserve = { "owner?", "mode", "mtime?" }
    local report = assert(modfs.copytree(src, dst, { preserve = preserve }))
    assert.same({}, report.errors)
    check_all(dst)
  end)

  it("is not kept otherwise", function()
    local shelf = bare()
    finally(function() shelf:remove() end)
    dst = "bare://" .. root .. "/dst"
    local options = { links = "skip" }
    local report = assert(modfs.copytree(src, dst, options))
    assert.same({}, report.errors)
    assert.equal("open/all", modfs.read(dst .. "/open/all"))
    assert.is_false(modfs.stat(dst .. "/file").mtime_nsec == time_of(3))
    assert.equal(0, assert(modfs.sync(src, dst, options)).copied)
    options.preserve = { "mtime" }
    report = assert(modfs.copytree(src, dst, options))
    assert.equal(4, report.files)
    for _, failure in ipairs(report.errors) do
      assert.equal("UNIMPLEMENTED", failure.code)
    end
    assert.equal(4 + 6, #report.errors)
  end)
end)

if shell.output "id -u" == "0" then
  it("the owner is kept where it can be set", function()
    src, dst = root .. "/src", root .. "/dst"
    plant(src)
    shell.output("chown -h 12345:54321", src .. "/file", src .. "/link", src .. "/open")
    for _, copy in ipairs { modfs.copytree, modfs.sync } do
      modfs.rmtree(dst)
      assert.same({}, assert(copy(src, dst)).errors)
      assert.equal(0, modfs.stat(dst .. "/file").owner)
      assert.same({}, assert(copy(src, dst, { preserve = { "owner", "mtime", "mode" } })).errors)
      for _, name in ipairs { "file", "link", "open" } do
        local info = modfs.lstat(dst .. "/" .. name)
        assert.same({ 12345, 54321 }, { info.owner, info.group }, name)
      end
      assert.equal(0, modfs.stat(dst .. "/read").owner)
      check_all(dst)
    end
  end)
end

it("the option is an array of four words, with ? or without", function()
  for _, call in ipairs { modfs.copytree, modfs.sync } do
    for _, value in ipairs { "mtime", 1, true, { "time" }, { mtime = true }, { 1 }, { "mtime??" },
      { "?" }, { "mode ?" } } do
      assert.has_error(function() call(root, root .. "/x", { preserve = value }) end)
    end
  end
  assert.has_error(function() modfs.du(root, { preserve = {} }) end)
  assert.has_error(function() modfs.copytree(root, root .. "/x", { size_only = true }) end)
end)
