local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local function now()
  return tonumber((modfs.read "/proc/uptime":match "^[%d.]+"))
end

describe("modfs.watch", function()
  local root, dir, other, watch

  before_each(function()
    root = tmpdir.new()
    dir, other = root .. "/dir", root .. "/other"
    assert(modfs.mkdir(dir) and modfs.mkdir(other))
  end)
  after_each(function()
    if modfs.type(watch) == "watch" then
      watch:close()
    end
    watch = nil
    tmpdir.remove(root)
  end)

  -- "kind path" or "kind from > path" of all changes so far, paths without a prefix.
  local function changes(prefix)
    local list = {}
    prefix = prefix or dir
    local function bare(path)
      return path:sub(1, #prefix) == prefix and path:sub(#prefix + 1) or "not below: " .. path
    end
    local change = watch:next(0)
    while change do
      local from = change.from and bare(change.from) .. " > " or ""
      list[#list + 1] = change.kind .. " " .. from .. bare(change.path)
      change = modfs.type(watch) == "watch" and watch:next(0) or nil
    end
    return list
  end

  local function touch(path)
    tmpdir.write(path, "")
  end

  it("reports what happens to the entries of a directory", function()
    watch = assert(modfs.watch(dir))
    tmpdir.write(dir .. "/a", "text")
    assert.same({ "created /a", "changed /a" }, changes())
    assert(modfs.append(dir .. "/a", "more"))
    assert.same({ "changed /a" }, changes())
    shell.output("chmod 600", dir .. "/a")
    assert.same({ "changed /a" }, changes())
    assert(os.rename(dir .. "/a", dir .. "/b"))
    assert.same({ "moved /a > /b" }, changes())
    assert(os.remove(dir .. "/b"))
    assert.same({ "deleted /b" }, changes())
    assert(modfs.mkdir(dir .. "/sub"))
    assert.same({ "created /sub" }, changes())
    assert(modfs.rmdir(dir .. "/sub"))
    assert.same({ "deleted /sub" }, changes())
    shell.output("chmod 750", dir)
    assert.same({ "changed " }, changes())
    assert.same({}, changes())
  end)

  it("is an iterator", function()
    touch(dir .. "/old")
    local seen = {}
    watch = assert(modfs.watch(dir, { timeout = 0 }))
    for round = 1, 2 do
      touch(dir .. "/" .. round)
      for change in watch do
        seen[#seen + 1] = change.kind .. change.path:match "/[^/]*$"
        assert.is_nil(change.from)
      end
    end
    assert.same({ "created/1", "created/2" }, seen)
    assert.equal("watch", modfs.type(watch))
  end)

  it("does not report what happens further below", function()
    assert(modfs.mkdir(dir .. "/sub"))
    watch = assert(modfs.watch(dir))
    tmpdir.write(dir .. "/sub/a", "text")
    assert.same({}, changes())
  end)

  it("reports entries moved in as created, and those moved out as deleted", function()
    touch(other .. "/in")
    touch(dir .. "/out")
    watch = assert(modfs.watch(dir))
    assert(os.rename(other .. "/in", dir .. "/in"))
    assert(os.rename(dir .. "/out", other .. "/out"))
    assert.same({ "created /in", "deleted /out" }, changes())
  end)

  it("pairs each move of many with its own", function()
    for i = 1, 500 do
      touch(("%s/%d"):format(dir, i))
    end
    watch = assert(modfs.watch(dir))
    local expected = {}
    for i = 1, 500 do
      local leaves = i % 3 == 0
      assert(os.rename(("%s/%d"):format(dir, i), ("%s/to %d"):format(leaves and other or dir, i)))
      expected[i] = leaves and ("deleted /%d"):format(i) or ("moved /%d > /to %d"):format(i, i)
    end
    assert.same(expected, changes())
  end)

  it("gives names of any bytes", function()
    watch = assert(modfs.watch(dir))
    local names = { "a\nb", "\1\127\255", " ", "~", "mem:", ("x"):rep(255) }
    local expected = {}
    for i, name in ipairs(names) do
      touch(dir .. "/" .. name)
      expected[i] = "created /" .. name
    end
    assert.same(expected, changes())
  end)

  it("gives paths in the form of the one that was given", function()
    for given, prefix in pairs {
      [dir .. "/"] = dir .. "/", ["file://" .. dir] = "file://" .. dir .. "/",
      ["file://localhost" .. dir] = "file://localhost" .. dir .. "/",
      [dir .. "/../dir"] = dir .. "/../dir/",
    } do
      watch = assert(modfs.watch(given))
      touch(dir .. "/a")
      assert.same({ "created a" }, changes(prefix))
      assert(watch:close())
      assert(os.remove(dir .. "/a"))
    end
    local status, out, err = child("spec/children/watch_relative.lua", { cwd = root,
      before = "touch f" })
    assert.same({ 0, "./f>./f2 ./f2>./f \ndir/a>dir/a2 dir/a2>dir/a \nf>f2 f2>f \n" },
      { status, out }, err)
  end)

  it("reports what happens to a file, also after it was replaced", function()
    local file = dir .. "/file"
    touch(file)
    watch = assert(modfs.watch(file))
    touch(dir .. "/unconcerned")
    tmpdir.write(file, "text")
    assert.same({ "changed /file" }, changes())
    tmpdir.write(dir .. "/new", "new")
    assert(os.rename(dir .. "/new", file))
    assert.same({ "moved /new > /file" }, changes())
    assert(modfs.append(file, "x"))
    assert.same({ "changed /file" }, changes())
    assert(os.rename(file, dir .. "/away"))
    assert(modfs.append(dir .. "/away", "x"))
    assert.same({ "moved /file > /away" }, changes())
    touch(file)
    assert(os.remove(file))
    assert.same({ "created /file", "deleted /file" }, changes())
    assert(modfs.write(file, "x", { atomic = true }))
    local last
    for _, change in ipairs(changes()) do
      last = change
    end
    assert.truthy(last:find " /file$")
    assert(modfs.rmtree(dir))
    assert.same({ "deleted /file" }, changes())
    assert.equal("closed watch", modfs.type(watch))
  end)

  it("follows a link to the file that it leads to", function()
    touch(other .. "/target")
    shell.output("ln -s ../other/target", dir .. "/link")
    watch = assert(modfs.watch(dir .. "/link"))
    touch(dir .. "/unconcerned")
    tmpdir.write(other .. "/target", "text")
    assert.same({ "changed /link" }, changes())
    assert(os.rename(other .. "/target", other .. "/away"))
    local change = assert(watch:next(0))
    assert.same({ "moved", dir .. "/link", shell.output("realpath", other) .. "/away" },
      { change.kind, change.from, change.path })
    watch:close()
    shell.output("ln -s ../other", dir .. "/to_other")
    watch = assert(modfs.watch(dir .. "/to_other"))
    touch(other .. "/a")
    assert.same({ "created /to_other/a" }, changes())
  end)

  for how, name in pairs { ["rm -r"] = "deleted", mv = "moved away" } do
    it("ends when the directory was " .. name, function()
      for _, timeout in ipairs { 0, 60 } do
        assert(modfs.makedirs(dir))
        watch = assert(modfs.watch(dir, { timeout = timeout }))
        shell.output(how, dir, how == "mv" and other or nil)
        local change = watch()
        assert.same({ "deleted", dir }, { change.kind, change.path })
        assert.is_nil(watch())
        assert.equal("closed watch", modfs.type(watch))
        assert.error_matches(watch, "attempt to use a closed watch")
      end
    end)
  end

  it("ends for a file whose directory was moved away", function()
    touch(dir .. "/file")
    watch = assert(modfs.watch(dir .. "/file"))
    assert(os.rename(dir, root .. "/elsewhere"))
    assert.same({ "deleted /file" }, changes())
    assert.equal("closed watch", modfs.type(watch))
  end)

  it("reports that changes were lost, and goes on", function()
    local most = tonumber(tmpdir.content "/proc/sys/fs/inotify/max_queued_events")
    if most > 100000 then
      return pending "the system's queue is too long to be filled"
    end
    local fast = tmpdir.large()
    finally(function() tmpdir.remove(fast) end)
    watch = assert(modfs.watch(fast))
    shell.output(("cd %s && i=0; while [ $i -lt %d ]; do echo >a; echo >b; i=$((i + 1)); done")
      :format(shell.quote(fast), most))
    local list = changes(fast)
    assert.equal(most + 1, #list)
    assert.equal("overflow ", list[#list])
    touch(fast .. "/next")
    assert.same({ "created /next" }, changes(fast))
  end)

  it("waits no longer than it is told", function()
    watch = assert(modfs.watch(dir, { timeout = 0.3 }))
    for _, wait in ipairs {
      { 0.3, function() return watch() end }, { 0.3, function() return watch:next() end },
      { 0.2, function() return watch:next(0.2) end }, { 0, function() return watch:next(0) end },
    } do
      local start = now()
      assert.is_nil((wait[2]()))
      local passed = now() - start
      assert.is_true(passed > wait[1] - 0.05 and passed < wait[1] + 5, passed)
    end
  end)

  it("is woken by a change", function()
    watch = assert(modfs.watch(dir))
    os.execute(("(sleep 0.2; : >%s) &"):format(shell.quote(dir .. "/a")))
    local start = now()
    assert.equal("created", watch:next(30).kind)
    assert.is_true(now() - start < 20)
  end)

  it("waits on while other files of the directory change", function()
    touch(dir .. "/file")
    watch = assert(modfs.watch(dir .. "/file", { timeout = 0.4 }))
    os.execute(("(for i in $(seq 200); do sleep 0.1; : >%s$i; done) 2>/dev/null &")
      :format(shell.quote(dir .. "/x")))
    local start = now()
    assert.is_nil((watch()))
    assert.is_true(now() - start < 15)
  end)

  it("has a descriptor that is readable when changes wait, and closed by exec", function()
    watch = assert(modfs.watch(dir))
    local info = modfs.read("/proc/self/fdinfo/" .. watch:fd())
    assert.truthy(info:find "\ninotify wd:")
    local flags = tonumber(info:match "flags:%s*(%d+)", 8)
    assert.equal(1, math.floor(flags / tonumber("2000000", 8)) % 2)
    assert.equal("0", shell.output "ls -l /proc/self/fd | grep -c inotify || true")
  end)

  it("works beside other watches", function()
    local second = assert(modfs.watch(dir))
    watch = assert(modfs.watch(other))
    touch(dir .. "/a")
    touch(other .. "/b")
    assert.same({ "created /b" }, changes(other))
    watch:close()
    watch = second
    assert.same({ "created /a" }, changes())
  end)

  it("may be closed in the loop, which then raises", function()
    watch = assert(modfs.watch(dir, { timeout = 1 }))
    touch(dir .. "/a")
    assert.error_matches(function()
      for _ in watch do
        assert(watch:close())
      end
    end, "attempt to use a closed watch")
    assert.error_matches(function() watch:close() end, "closed watch")
    assert.error_matches(function() watch:fd() end, "closed watch")
    assert.equal("modfs.Watch (closed)", tostring(watch))
  end)

  it("is shown by tostring and closed by modfs.with", function()
    watch = assert(modfs.watch(dir))
    assert.equal("modfs.Watch (" .. dir .. ")", tostring(watch))
    modfs.with(watch, function(it) assert.equal(watch, it) end)
    assert.equal("closed watch", modfs.type(watch))
  end)

  it("is closed by a loop that is left, where Lua can", function()
    if _VERSION ~= "Lua 5.4" then
      return pending(_VERSION .. " closes nothing")
    end
    local step, state, control, closing = modfs.watch(dir)
    watch = step
    touch(dir .. "/a")
    for _ in step, state, control, closing do -- luacheck: ignore 512
      break
    end
    assert.equal("closed watch", modfs.type(watch))
  end)

  it("raises for wrong options and times", function()
    for _, options in ipairs { { Timeout = 1 }, { 1 }, { timeout = "1" }, { timeout = {} },
      { timeout = 0 / 0 } } do
      assert.error_matches(function() modfs.watch(dir, options) end, "#2 to 'watch'")
    end
    assert.error_matches(function() modfs.watch(dir, 1) end, "table expected")
    fails("INVALID_ARGUMENT", modfs.watch(dir, { timeout = -1 }))
    watch = assert(modfs.watch(dir))
    fails("INVALID_ARGUMENT", watch:next(-0.5))
    assert.error_matches(function() watch:next(0 / 0) end, "not a number")
    assert.error_matches(function() watch:next {} end, "number expected, got table")
  end)

  it("fails for what cannot be watched", function()
    touch(dir .. "/file")
    shell.output("ln -s nowhere", dir .. "/dangling")
    fails("NOT_FOUND", modfs.watch(dir .. "/none"))
    fails("NOT_FOUND", modfs.watch(dir .. "/dangling"))
    fails("FAILED_PRECONDITION", modfs.watch(dir .. "/file/x"))
    fails("INVALID_ARGUMENT", modfs.watch(dir .. "\0"))
    fails("INVALID_ARGUMENT", modfs.watch("file://elsewhere" .. dir))
    fails("UNIMPLEMENTED", modfs.watch "mem://")
    fails("UNIMPLEMENTED", modfs.watch "nosuch://x")
  end)

  it("is RESOURCE_EXHAUSTED beyond the limits, and collects what is dropped", function()
    local status, out, err = child("spec/children/watches.lua", { arguments = { dir },
      descriptors = 40 })
    assert.same({ 0, "RESOURCE_EXHAUSTED\ttrue\n" }, { status, out }, err)
  end)

  it("is interrupted by Ctrl-C", function()
    local start = now()
    local status, _, err = child(([[
      local watch = require("modfs").watch(%q)
      os.execute "(sleep 0.5; kill -INT $PPID) &"
      for _ in watch do end
    ]]):format(dir))
    assert.equal(1, status)
    assert.truthy(err:find("interrupted!", 1, true), err)
    assert.is_true(now() - start < 20)
  end)
end)
