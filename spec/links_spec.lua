-- Symbolic links, permissions and times: alike on the machine's files and in memory.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root

local function at(path)
  return root .. "/" .. path
end

local function link(target, path)
  assert.is_true(modfs.symlink(target, at(path)))
  return at(path)
end

local function file(path, content)
  assert(modfs.makedirs((at(path):gsub("/[^/]*$", ""))))
  assert(modfs.write(at(path), content or path))
  return at(path)
end

local function directory(path)
  assert(modfs.makedirs(at(path)))
  return at(path)
end

local function kind(path)
  return assert(modfs.lstat(at(path))).kind
end

local function leads(path, target)
  assert.equal(target, modfs.readlink(at(path)))
  assert.equal("link", kind(path))
end

local places = {
  ["of the machine"] = {
    make = function()
      root = tmpdir.new()
      return root
    end,
    remove = function() tmpdir.remove(root) end,
  },
  ["by file://"] = {
    make = function()
      local own = tmpdir.new()
      root = "file://" .. own
      return own
    end,
    remove = function() tmpdir.remove((root:gsub("^file://", ""))) end,
  },
  ["in memory"] = {
    make = function()
      root = "mem://links.spec"
      assert(modfs.mkdir(root))
      return "/links.spec"
    end,
    remove = function()
      assert(modfs.rmtree(root))
    end,
  },
}

for name, place in pairs(places) do
  describe("a link " .. name, function()
    local absolute -- the root, as the target of a link writes it

    before_each(function()
      absolute = place.make()
    end)
    after_each(function()
      place.remove()
    end)

    it("keeps its target as it is given", function()
      for i, target in ipairs { "a", "./a", "../a//b/", "/", "/no/where", " \n\255", "mem://x",
        ("x"):rep(4095) } do
        link(target, "link" .. i)
        leads("link" .. i, target)
        assert.is_true(modfs.islink(at("link" .. i)))
        assert.equal(#target, modfs.lstat(at("link" .. i)).length)
      end
    end)

    it("has a target of 1 to 4,095 bytes without NUL", function()
      fails("INVALID_ARGUMENT", modfs.symlink("", at "link"))
      fails("INVALID_ARGUMENT", modfs.symlink(("x"):rep(4096), at "link"))
      fails("INVALID_ARGUMENT", modfs.symlink("a\0b", at "link"))
      fails("INVALID_ARGUMENT", modfs.symlink("a", at "li\0nk"))
      assert.same({}, modfs.listdir(root))
    end)

    it("takes nobody's place", function()
      file "file"
      directory "dir"
      link("none", "link")
      for _, path in ipairs { "file", "dir", "link" } do
        local message = fails("ALREADY_EXISTS", modfs.symlink("other", at(path)))
        assert.truthy(message:find("symlink " .. at(path) .. ": ", 1, true), message)
      end
      assert.equal("file", modfs.read(at "file"))
      leads("link", "none")
      fails("NOT_FOUND", modfs.symlink("other", at "none/link"))
      fails("FAILED_PRECONDITION", modfs.symlink("other", at "file/link"))
    end)

    it("is told from everything else", function()
      file "file"
      directory "dir"
      for _, path in ipairs { "file", "dir", "none", "file/below", "none/below" } do
        assert.is_false(modfs.islink(at(path)))
      end
      fails("FAILED_PRECONDITION", modfs.readlink(at "file"))
      fails("FAILED_PRECONDITION", modfs.readlink(at "dir"))
      local message = fails("NOT_FOUND", modfs.readlink(at "none"))
      assert.truthy(message:find("readlink " .. at "none" .. ": ", 1, true), message)
    end)

    it("is followed by what reads and describes", function()
      file("dir/file", "content")
      link("dir/file", "link")
      link("dir", "way")
      link("../link", "dir/up")
      link(absolute .. "/dir", "absolute")
      for _, path in ipairs { "link", "way/file", "dir/up", "way/up", "absolute/up" } do
        assert.equal("content", modfs.read(at(path)), path)
        assert.equal(7, modfs.size(at(path)))
        assert.is_true(modfs.exists(at(path)))
        local region = assert(modfs.map(at(path)))
        assert.equal("content", region:sub(1))
        region:close()
        local info = assert(modfs.stat(at(path)))
        assert.same({ "file", 7, false }, { info.kind, info.length, info.is_directory })
      end
      assert.equal("directory", modfs.stat(at "way").kind)
      assert.is_true(modfs.isdir(at "way"))
      assert.same({ "file", "up" }, modfs.listdir(at "way"))
      assert.is_true((modfs.exists { at "link", at "way/up" }))
      leads("way/up", "../link")
    end)

    it("is listed as what it is, and matched", function()
      file "dir/file"
      link("dir", "way")
      link("none", "broken")
      local kinds = {}
      for entry, info in modfs.dir(root) do
        kinds[entry] = info and info.kind or kind(entry)
      end
      assert.same({ dir = "directory", way = "link", broken = "link" }, kinds)
      assert.same({ at "broken", at "dir", at "way" }, modfs.glob(at "*"))
      assert.same({ at "dir/file", at "way/file" }, modfs.glob(at "*/file"))
      assert.same({ at "way/file" }, modfs.glob(at "way/*"))
      assert.same({ at "way/file" }, modfs.glob(at "w?y/file"))
      assert.same({}, modfs.glob(at "broken"))
      assert.same({}, modfs.glob(at "broken/*"))
      directory "more"
      link("../none", "more/broken")
      assert.same({}, modfs.glob(at "m*/broken"))
      assert.same({ at "more/broken" }, modfs.glob(at "m*/b*"))
    end)

    it("is no way for those who walk trees", function()
      file "dir/file"
      link(".", "dir/again")
      local seen = {}
      for path, dirs, files in modfs.walk(root) do
        seen[#seen + 1] = ("%s: %s; %s"):format(path, table.concat(dirs, " "),
          table.concat(files, " "))
      end
      assert.equal(2, #seen)
      assert.same({ 2, 1 }, { modfs.du(root).dirs, modfs.du(at "dir").dirs })
      assert.same({ at "dir/file" }, modfs.glob(at "**/file"))
    end)

    it("leads from its own directory, by names as they are on the way", function()
      file("a/x", "the one in a")
      file("x", "the one at the root")
      directory "a/b"
      link("a/b", "way")
      link("../x", "a/b/up")
      link("way/../x", "through")
      link("way/./..//x", "odd")
      assert.equal("the one in a", modfs.read(at "way/up"))
      assert.equal("the one in a", modfs.read(at "through"))
      assert.equal("the one in a", modfs.read(at "odd"))
      assert.equal("the one at the root", modfs.read(at "way/../x"))
      link("x/../a/x", "over_a_file")
      link("none/../x", "over_nothing")
      fails("FAILED_PRECONDITION", modfs.read(at "over_a_file"))
      fails("NOT_FOUND", modfs.read(at "over_nothing"))
    end)

    it("may end in a slash, where it leads to a directory", function()
      file "dir/file"
      link("dir", "way")
      link("dir/", "slash")
      link("dir/file/", "wrong")
      assert.equal("dir/file", modfs.read(at "way//file"))
      assert.equal("dir/file", modfs.read(at "slash/file"))
      assert.is_true(modfs.isdir(at "way/"))
      assert.is_true(modfs.islink(at "way/"))
      assert.equal("dir", modfs.readlink(at "way/"))
      fails("FAILED_PRECONDITION", modfs.read(at "wrong"))
    end)

    it("leads nowhere after more than 40 others", function()
      file("end", "reached")
      link("end", "link1")
      for i = 2, 41 do
        link("link" .. i - 1, "link" .. i)
      end
      assert.equal("reached", modfs.read(at "link40"))
      local message = fails("FAILED_PRECONDITION", modfs.read(at "link41"))
      assert.truthy(message:find "symbolic links", message)
      fails("FAILED_PRECONDITION", modfs.stat(at "link41"))
      fails("FAILED_PRECONDITION", modfs.write(at "link41", "x"))
      assert.equal("link40", modfs.readlink(at "link41"))
    end)

    it("may lead to itself", function()
      link("itself", "itself")
      link("two", "one")
      link("one/below", "two")
      for _, path in ipairs { "itself", "one", "two", "itself/below" } do
        fails("FAILED_PRECONDITION", modfs.read(at(path)))
        fails("FAILED_PRECONDITION", modfs.stat(at(path)))
        fails("FAILED_PRECONDITION", modfs.chmod(at(path), 420))
      end
      fails("FAILED_PRECONDITION", modfs.makedirs(at "itself"))
      assert.is_true(modfs.islink(at "itself"))
      assert.is_true(modfs.remove(at "itself"))
      assert.is_true(modfs.rename(at "one", at "three"))
      leads("three", "two")
    end)

    it("may lead nowhere", function()
      link("none", "link")
      assert.is_false(modfs.exists(at "link"))
      assert.is_false(modfs.isdir(at "link"))
      fails("NOT_FOUND", modfs.read(at "link"))
      fails("NOT_FOUND", modfs.stat(at "link"))
      fails("NOT_FOUND", modfs.listdir(at "link"))
      fails("NOT_FOUND", modfs.copy(at "link", at "copy"))
      fails("NOT_FOUND", modfs.utime(at "link", 0))
      fails("NOT_FOUND", modfs.mkdir(at "link/below"))
      fails("ALREADY_EXISTS", modfs.mkdir(at "link"))
      fails("FAILED_PRECONDITION", modfs.makedirs(at "link"))
      fails("FAILED_PRECONDITION", modfs.makedirs(at "link/below/deep"))
      assert.same({ "link" }, modfs.listdir(root))
    end)

    it("is followed by what writes", function()
      file("dir/file", "old")
      link("dir/file", "link")
      assert(modfs.write(at "link", "new"))
      assert(modfs.write(at "link", " and more", { append = true }))
      assert.equal("new and more", modfs.read(at "dir/file"))
      leads("link", "dir/file")
      assert(modfs.write(at "link", "atomic", { atomic = true, durable = false }))
      assert.equal("atomic", modfs.read(at "dir/file"))
      leads("link", "dir/file")
      link("dir/made", "to_come")
      assert(modfs.write(at "to_come", "made"))
      assert.equal("made", modfs.read(at "dir/made"))
      link("dir/appended", "to_end")
      assert(modfs.write(at "to_end", "made", { append = true }))
      assert.equal("made", modfs.read(at "dir/appended"))
      link("none/file", "too_far")
      fails("NOT_FOUND", modfs.write(at "too_far", "x"))
      link("none", "broken")
      fails("FAILED_PRECONDITION",
        modfs.write(at "broken", "x", { atomic = true, durable = false }))
      assert.same({ "appended", "file", "made" }, modfs.listdir(at "dir"))
    end)

    it("is followed by what creates directories below it", function()
      directory "dir"
      link("dir", "way")
      fails("ALREADY_EXISTS", modfs.mkdir(at "way"))
      assert.is_true(modfs.makedirs(at "way"))
      assert.is_true(modfs.mkdir(at "way/one"))
      assert.is_true(modfs.makedirs(at "way/two/three"))
      assert.same({ "one", "two" }, modfs.listdir(at "dir"))
      file "file"
      link("file", "to_file")
      fails("FAILED_PRECONDITION", modfs.makedirs(at "to_file"))
    end)

    it("is followed by a copy, on both sides", function()
      file("dir/file", "content")
      file("other", "other")
      link("dir/file", "link")
      assert.is_true(modfs.copy(at "link", at "copied"))
      assert.same({ "file", "content" }, { kind "copied", modfs.read(at "copied") })
      assert.is_true(modfs.copy(at "other", at "link"))
      assert.equal("other", modfs.read(at "dir/file"))
      leads("link", "dir/file")
      assert.is_true(modfs.copy(at "link", at "dir/file"))
      assert.is_true(modfs.copy(at "dir/file", at "link"))
      assert.equal("other", modfs.read(at "dir/file"))
      link("none", "broken")
      fails("FAILED_PRECONDITION", modfs.copy(at "other", at "broken"))
      link("none/below", "broken_above")
      fails("FAILED_PRECONDITION", modfs.copy(at "other", at "broken_above"))
      link("dir", "way")
      fails("FAILED_PRECONDITION", modfs.copy(at "other", at "way"))
      assert.is_false(modfs.exists(at "none"))
    end)

    it("is itself what is renamed and replaced", function()
      file("dir/file", "content")
      file("other", "other")
      link("dir/file", "link")
      assert.is_true(modfs.rename(at "link", at "moved"))
      leads("moved", "dir/file")
      assert.is_true(modfs.rename(at "moved", at "dir/file"))
      leads("moved", "dir/file")
      assert.equal("content", modfs.read(at "dir/file"))
      assert.is_true(modfs.rename(at "other", at "moved"))
      assert.same({ "file", "other" }, { kind "moved", modfs.read(at "moved") })
      assert.equal("content", modfs.read(at "dir/file"))
      link("dir", "way")
      fails("FAILED_PRECONDITION", modfs.rename(at "moved", at "way"))
      assert.is_true(modfs.rename(at "way", at "way2"))
      leads("way2", "dir")
      assert.same({ "dir", "moved", "way2" }, modfs.listdir(root))
    end)

    it("is itself what is deleted", function()
      file("dir/file", "content")
      link("dir", "way")
      link("dir/file", "link")
      fails("FAILED_PRECONDITION", modfs.rmdir(at "way"))
      assert.is_true(modfs.remove(at "way"))
      assert.is_true((modfs.rmtree(at "link")))
      directory "doomed"
      link("../dir", "doomed/way")
      link(absolute .. "/dir/file", "doomed/link")
      link("doomed", "doomed/itself")
      assert.is_true((modfs.rmtree(at "doomed")))
      directory "doomed"
      link("../dir", "doomed/way")
      assert.is_true((modfs.rmtree(at "doomed", { threads = 2 })))
      assert.same({ "dir" }, modfs.listdir(root))
      assert.equal("content", modfs.read(at "dir/file"))
    end)

    it("in the target of a tree is not written through", function()
      file("src/file", "new")
      file("src/dir/below", "new")
      file("victim", "kept")
      directory "dst"
      directory "elsewhere"
      link("../victim", "dst/file")
      link("../elsewhere", "dst/dir")
      for source in pairs { [at "src"] = true, ["mem://links.src"] = true } do
        if source ~= at "src" then
          assert(modfs.copytree(at "src", source))
        end
        local report = assert(modfs.copytree(source, at "dst"))
        assert.equal(2, #report.errors)
        for _, failure in ipairs(report.errors) do
          assert.equal("FAILED_PRECONDITION", failure.code)
          assert.truthy(failure.message:find "symbolic link", failure.message)
        end
        assert.equal("kept", modfs.read(at "victim"))
        assert.same({}, modfs.listdir(at "elsewhere"))
      end
      modfs.rmtree "mem://links.src"
    end)
  end)

  describe("attributes " .. name, function()
    before_each(function()
      place.make()
    end)
    after_each(function()
      place.remove()
    end)

    -- 2017, and nanoseconds that a double has exactly.
    local time = 1500000000512000000

    it("are told by stat and lstat", function()
      local path = file "file"
      assert.is_true(modfs.chmod(path, 416))
      for _, tell in ipairs { modfs.stat, modfs.lstat } do
        local info = assert(tell(path))
        assert.same({ "file", 416 }, { info.kind, info.mode })
        assert.equal("directory", tell(root).kind)
        assert.is_number(tell(root).mode)
      end
      link("file", "link")
      assert.equal(416, modfs.stat(at "link").mode)
      assert.equal(511, modfs.lstat(at "link").mode)
    end)

    it("have permissions that chmod sets, through links", function()
      local path = file "file"
      link("file", "link")
      for _, mode in ipairs { 0, 511, 4095, 420 } do
        assert.is_true(modfs.chmod(at "link", mode))
        assert.equal(mode, modfs.stat(path).mode)
      end
      assert.is_true(modfs.chmod(directory "dir", 448))
      assert.equal(448, modfs.stat(at "dir").mode)
      local message = fails("NOT_FOUND", modfs.chmod(at "none", 420))
      assert.truthy(message:find("chmod " .. at "none" .. ": ", 1, true), message)
      for _, mode in ipairs { -1, 4096, 2 ^ 40 } do
        fails("INVALID_ARGUMENT", modfs.chmod(path, mode))
      end
      assert.has_error(function() modfs.chmod(path, 1.5) end)
      assert.has_error(function() modfs.chmod(path, "rwx") end)
      assert.has_error(function() modfs.chmod(path) end)
      assert.equal(420, modfs.stat(path).mode)
    end)

    it("keep the permissions of a file that is replaced", function()
      local path, other = file "file", file "other"
      assert(modfs.chmod(path, 384))
      assert(modfs.chmod(other, 420))
      assert(modfs.write(path, "new"))
      assert.equal(384, modfs.stat(path).mode)
      assert(modfs.write(path, "new", { atomic = true, durable = false }))
      assert.equal(384, modfs.stat(path).mode)
      assert(modfs.copy(other, path))
      assert.equal(384, modfs.stat(path).mode)
      assert(modfs.copy(path, at "copy"))
      assert.equal(384, modfs.stat(at "copy").mode)
      assert(modfs.rename(path, at "moved"))
      assert.equal(384, modfs.stat(at "moved").mode)
    end)

    it("have times that utime sets, through links", function()
      local path = file "file"
      link("file", "link")
      local before = modfs.lstat(at "link").mtime_nsec
      assert.is_true(modfs.utime(at "link", time))
      assert.equal(time, modfs.stat(path).mtime_nsec)
      assert.equal(before, modfs.lstat(at "link").mtime_nsec)
      assert.is_true(modfs.utime(path, 0, time))
      assert.equal(0, modfs.stat(path).mtime_nsec)
      assert.is_true(modfs.utime(path, -1000000000))
      assert.equal(-1, modfs.stat(path).mtime)
      assert.is_true(modfs.utime(path, -1))
      assert.equal(-1, modfs.stat(path).mtime_nsec)
      assert.is_true(modfs.utime(path, modfs.stat(root).mtime_nsec))
      assert.equal(modfs.stat(root).mtime_nsec, modfs.stat(path).mtime_nsec)
      assert.is_true(modfs.utime(root, time))
      assert.equal(time, modfs.stat(root).mtime_nsec)
      fails("NOT_FOUND", modfs.utime(at "none", time))
      assert.equal("file", modfs.read(path))
    end)

    it("have times within 64 bits of nanoseconds", function()
      local path = file "file"
      assert.is_true(modfs.utime(path, time))
      for _, wrong in ipairs { 2 ^ 63, -2 ^ 64, 1.5, 0 / 0, math.huge, "now", true } do
        assert.has_error(function() modfs.utime(path, wrong) end)
        assert.has_error(function() modfs.utime(path, time, wrong) end)
      end
      assert.has_error(function() modfs.utime(path) end)
      assert.equal(time, modfs.stat(path).mtime_nsec)
      for _, far in ipairs { 2 ^ 62, -2 ^ 62, math.maxinteger, math.mininteger } do
        assert.is_true(modfs.utime(path, far))
        assert.is_number(modfs.stat(path).mtime_nsec)
      end
    end)
  end)
end

describe("links of the machine", function()
  before_each(function()
    root = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(root)
  end)

  it("are those of its other programs", function()
    file "file"
    link("file", "ours")
    shell.output("ln -s file", at "theirs")
    assert.equal("file", shell.output("readlink", at "ours"))
    leads("theirs", "file")
    assert(modfs.chmod(at "theirs", 384))
    assert(modfs.utime(at "theirs", 1234567890 * 10 ^ 9 + 500000000, 10 ^ 18))
    assert.equal("600 1234567890 1000000000", shell.output("stat -c '%a %Y %X'", at "file"))
    local info = assert(modfs.stat(at "ours"))
    assert.equal(shell.output("stat -L -c '%u %g'", at "ours"),
      ("%d %d"):format(info.owner, info.group))
  end)

  it("are told from devices", function()
    assert.equal("other", modfs.stat("/dev/null").kind)
    link("/dev/null", "null")
    assert.equal("other", modfs.stat(at "null").kind)
    assert.is_false(modfs.stat(at "null").is_directory)
  end)

  it("are read whole while somebody replaces them", function()
    local one, two = ("1"):rep(200), ("2"):rep(3000)
    link(one, "link")
    local loop = ("cd %s && i=0; while [ $i -lt 200 ]; do ln -s %s new && mv -T new link; "
      .. "ln -s %s new && mv -T new link; i=$((i + 1)); done"):format(shell.quote(root), two, one)
    local other = io.popen(loop)
    for _ = 1, 2000 do
      local target = assert(modfs.readlink(at "link"))
      assert.is_true(target == one or target == two)
    end
    other:close()
    leads("link", one)
  end)
end)

describe("links in memory", function()
  local fs = modfs.filesystem "mem"
  local tx

  before_each(function()
    root = "mem://links.spec"
    assert(modfs.mkdir(root))
    tx = assert(fs:start_transaction())
  end)
  after_each(function()
    pcall(tx.abort, tx)
    assert(modfs.rmtree(root))
  end)

  it("may lead to a URI of theirs", function()
    file("file", "content")
    link("mem://links.spec/file", "link")
    assert.equal("content", modfs.read(at "link"))
    leads("link", "mem://links.spec/file")
  end)

  it("count towards the limit", function()
    local stored = #("x"):rep(100)
    link(("x"):rep(100), "link")
    assert(modfs.config("mem", { limit_bytes = 2 * stored }))
    fails("RESOURCE_EXHAUSTED", modfs.symlink(("y"):rep(1000), at "other"))
    assert.same({ "link" }, modfs.listdir(root))
    assert(modfs.config("mem", { limit_bytes = 0 }))
  end)

  it("show at the commit", function()
    file "dir/file"
    assert(tx:add(at "dir"))
    link("file", "dir/link")
    assert(modfs.chmod(at "dir/file", 384))
    assert(modfs.utime(at "dir/file", 10 ^ 18))
    assert.same({ "file" }, modfs.listdir(at "dir"))
    assert.equal(420, modfs.stat(at "dir/file").mode)
    fails("NOT_FOUND", modfs.readlink(at "dir/link"))
    assert(tx:commit())
    leads("dir/link", "file")
    assert.same({ 384, 10 ^ 18 }, { modfs.stat(at "dir/link").mode,
      modfs.stat(at "dir/link").mtime_nsec })
  end)

  it("leave no trace of a transaction that is aborted", function()
    file "dir/file"
    link("dir/file", "link")
    local before = modfs.stat(at "dir/file")
    assert(tx:add(at "dir"))
    assert(tx:add(at "link"))
    link("none", "dir/link")
    assert(modfs.write(at "link", "staged"))
    assert(modfs.chmod(at "link", 0))
    assert(modfs.chmod(at "dir", 0))
    assert.equal("dir/file", modfs.read(at "link"))
    assert(tx:abort())
    assert.same({ "file" }, modfs.listdir(at "dir"))
    assert.equal("dir/file", modfs.read(at "link"))
    assert.same(before, modfs.stat(at "dir/file"))
    assert.equal(493, modfs.stat(at "dir").mode)
  end)

  it("stand in a transaction for what they lead to", function()
    directory "dir"
    link("dir", "way")
    assert(tx:add(at "way"))
    assert(modfs.write(at "way/file", "staged"))
    assert(modfs.write(at "dir/other", "staged"))
    assert(fs:get_transaction_for_path(at "way/file"))
    assert(fs:get_transaction_for_path(at "dir"))
    assert.same({}, modfs.listdir(at "dir"))
    assert(tx:commit())
    assert.same({ "file", "other" }, modfs.listdir(at "way"))
  end)

  it("are followed by writers where they are staged", function()
    directory "dir"
    assert(tx:add(at "dir"))
    assert(modfs.mkdir(at "dir/real"))
    link("real", "dir/way")
    assert(modfs.write(at "dir/way/file", "content"))
    assert(modfs.mkdir(at "dir/way/deep"))
    assert(modfs.makedirs(at "dir/way/deep/er"))
    assert(modfs.rename(at "dir/way/file", at "dir/way/moved"))
    assert.same({}, modfs.listdir(at "dir"))
    assert(tx:commit())
    assert.same({ "deep", "moved" }, modfs.listdir(at "dir/real"))
    assert.equal("content", modfs.read(at "dir/way/moved"))
  end)
end)
