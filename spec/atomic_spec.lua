-- Atomic writes: what stands at a path is the old content or the new, and nothing is left beside.
local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local has_close = _VERSION >= "Lua 5.4"
local nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
local root

local function at(name)
  return root .. "/" .. name
end

-- Of a file: %a its mode, %u:%g its owner.
local function stat(what, name)
  return shell.output("stat -c " .. what, at(name))
end

local function names()
  return table.concat(modfs.listdir(root), " ")
end

-- What an atomic file of this path is written to while it is open.
local function temporaries()
  local found = {}
  for _, name in ipairs(modfs.listdir(root)) do
    found[#found + 1] = name:match "^%.modfs%-.*"
  end
  return found
end

local function atomic(path, durable)
  return assert(modfs.open(path, "w", { atomic = true, durable = durable }))
end

before_each(function() root = tmpdir.new() end)
after_each(function() tmpdir.remove(root) end)

describe("an atomic write", function()
  it("keeps mode and owner of the file that it replaces", function()
    tmpdir.write(at "f", "old")
    for _, mode in ipairs { "640", "600", "755", "222" } do
      shell.output("chmod " .. mode, at "f")
      if shell.output "id -u" == "0" then
        shell.output("chown 12:34", at "f")
      end
      local owner = stat("%u:%g", "f")
      assert.is_true(modfs.write(at "f", "new " .. mode, { atomic = true }))
      assert.equal(mode, stat("%a", "f"))
      assert.equal(owner, stat("%u:%g", "f"))
    end
    assert.equal("f", names())
  end)

  it("gives a new file what a plain write gives it", function()
    local status, out = child(([[
      local modfs = require "modfs"
      modfs.write(%q, "x")
      print(modfs.write(%q, "x", { atomic = true }))
    ]]):format(at "plain", at "atomic"), { before = "umask 027" })
    assert.equal("0 true\n", status .. " " .. out)
    assert.equal("640", stat("%a", "plain"))
    assert.equal("640", stat("%a", "atomic"))
  end)

  it("shows nobody else what will replace a private file", function()
    tmpdir.write(at "f", "old")
    shell.output("chmod 600", at "f")
    local file = atomic(at "f")
    assert(file:write "secret")
    assert.is_true(file:flush())
    assert.equal(1, #temporaries())
    assert.equal("600", stat("%a", temporaries()[1]))
    assert.is_true(file:close())
  end)

  it("goes through a link to another mount", function()
    local other = tmpdir.large()
    tmpdir.write(other .. "/f", "old")
    shell.output("ln -s", other .. "/f", at "link")
    local done, message = modfs.write(at "link", "new", { atomic = true })
    local content, left = tmpdir.content(other .. "/f"), tmpdir.list(other)
    tmpdir.remove(other)
    assert.is_true(done, message)
    assert.equal("new", content)
    assert.equal("./f", left)
  end)

  it("refuses what is no file, before anything is written", function()
    modfs.mkdir(at "dir")
    shell.output("mkfifo", at "fifo")
    shell.output("ln -s nowhere", at "broken")
    shell.output("ln -s dir", at "to_dir")
    local before = names()
    for _, name in ipairs { "dir", "fifo", "broken", "to_dir", "fifo/below" } do
      fails("FAILED_PRECONDITION", modfs.open(at(name), "w", { atomic = true }))
      fails("FAILED_PRECONDITION", modfs.write(at(name), "x", { atomic = true }))
    end
    fails("NOT_FOUND", modfs.open(at "none/f", "w", { atomic = true }))
    fails("NOT_FOUND", modfs.open("", "w", { atomic = true }))
    assert.equal(before, names())
  end)

  it("takes the longest names", function()
    for _, name in ipairs { ("n"):rep(255), ("\255"):rep(255), "new\nline" } do
      for _, content in ipairs { "one", "two" } do
        assert.is_true(modfs.write(at(name), content, { atomic = true }))
        assert.equal(content, tmpdir.content(at(name)))
      end
    end
    assert.equal(3, #modfs.listdir(root))
    for _, uri in ipairs { "mem://atomic_spec/" .. ("n"):rep(255), "mem://" .. ("m"):rep(255) } do
      modfs.makedirs "mem://atomic_spec"
      assert.is_true(modfs.write(uri, "one", { atomic = true }))
      assert.is_true(modfs.write(uri, "two", { atomic = true }))
      assert.equal("two", modfs.read(uri))
      assert.is_true(modfs.remove(uri))
    end
    assert.same({}, modfs.listdir "mem://atomic_spec")
    assert.same({}, modfs.glob "mem://.modfs-*")
    local deep = root
    for _ = 1, 30 do
      deep = deep .. "/" .. ("d"):rep(200)
      assert.is_true(modfs.mkdir(deep))
    end
    assert.is_true(modfs.write(deep .. "/f", "deep", { atomic = true }))
    assert.is_true(modfs.write(deep .. "/f", "deeper", { atomic = true }))
    assert.equal("deeper", modfs.read(deep .. "/f"))
    assert.same({ "f" }, modfs.listdir(deep))
  end)

  it("is refused where the file or its directory may not be written", function()
    local is_root = shell.output "id -u" == "0"
    if is_root and shell.run(nobody .. " true") ~= 0 then
      return pending "root may write everything, and setpriv is not there to become nobody"
    end
    modfs.mkdir(at "locked")
    tmpdir.write(at "locked/f", "old")
    tmpdir.write(at "protected", "old")
    if is_root then
      shell.output("chown -R 65534:65534", root)
    end
    shell.output("chmod 555", at "locked")
    shell.output("chmod 444", at "protected")
    local status, out, err = child(([[
      local modfs = require "modfs"
      for _, path in ipairs { %q, %q } do
        print(select(3, modfs.write(path, "new", { atomic = true })))
      end
    ]]):format(at "locked/f", at "protected"), { under = is_root and nobody or nil })
    shell.output("chmod 755", at "locked")
    if is_root and status ~= 0 and err:find "module 'modfs" then
      return pending "nobody may not read the place where modfs is built"
    end
    assert.equal("PERMISSION_DENIED\nPERMISSION_DENIED\n", out, err)
    assert.equal("oldold", tmpdir.content(at "locked/f") .. tmpdir.content(at "protected"))
    assert.equal("locked protected", names())
  end)

  it("syncs the file, renames, and syncs the directory; or nothing but renames", function()
    if shell.run "strace -o /dev/null true" ~= 0 then
      return pending "strace is not there, or may not trace"
    end
    for _, durable in ipairs { true, false } do
      local log = at "strace.log"
      local status, _, err = child(([[
        assert(require "modfs".write(%q, "new", { atomic = true, durable = %s }))
      ]]):format(at "f", tostring(durable)), {
        under = "strace -f -e trace=fsync,fdatasync,/^rename -o " .. log,
        before = "export ASAN_OPTIONS=detect_leaks=0", -- which cannot work under strace
      })
      assert.equal(0, status, err)
      local calls = {}
      for call in tmpdir.content(log):gmatch "(%l+)[%d]*%(" do
        calls[#calls + 1] = call
      end
      assert.equal(durable and "fsync renameat fsync" or "renameat", table.concat(calls, " "))
      modfs.remove(log)
    end
  end)
end)

describe("an atomic file that is not closed", function()
  local function check(name)
    assert.equal("old", tmpdir.content(at "f"), name)
    assert.equal("f", names(), name)
  end

  -- Writes to the file, so many times at once, in a process that ends without a word.
  local function leave_behind(name, count)
    child(([[
      local modfs = require "modfs"
      held = {}
      for i = 1, %d do
        held[i] = assert(modfs.open(%q, "w", { atomic = true }))
        held[i]:write "never"
        held[i]:flush()
      end
      os.exit(3)
    ]]):format(count, at(name)))
    assert.equal(count, #temporaries())
  end

  before_each(function() tmpdir.write(at "f", "old") end)

  it("leaves the old content and nothing else", function()
    do
      local file = atomic(at "f")
      file:write(("never"):rep(100000))
    end
    collectgarbage()
    collectgarbage()
    check "dropped"
    local file = atomic(at "f")
    file:write "never"
    assert.is_true(file:abort())
    check "aborted"
    pcall(modfs.with, atomic(at "f"), function(it)
      it:write "never"
      error "on its way"
    end)
    check "with"
    if has_close then
      pcall(assert(load [[
        local f <close> = ...
        f:write "never"
        error "on its way"
      ]]), atomic(at "f"))
      check "scope"
    end
  end)

  it("is given up at the end of a script, with a word to nobody", function()
    local status, out, err = child(([[
      if warn then warn "@on" end
      left = require "modfs".open(%q, "w", { atomic = true })
      left:write "never"
    ]]):format(at "f"))
    assert.equal("0", status .. out .. err)
    check "end of script"
  end)

  it("is removed by the next writer when its process ended without a word", function()
    leave_behind("f", 12)
    assert.equal("old", tmpdir.content(at "f"))
    local file = atomic(at "f")
    assert.equal(1, #temporaries())
    file:abort()
    check "exit"
  end)

  it("is removed by the next copy to its target, too", function()
    tmpdir.write(at "g", "copied")
    for _, copy in ipairs { modfs.copy, modfs.copytree, modfs.sync } do
      tmpdir.write(at "f", "old")
      leave_behind("f", 3)
      assert(copy(at "g", at "f"))
      assert.equal("f g", names())
      assert.equal("copied", tmpdir.content(at "f"))
    end
  end)

  it("leaves nothing that a later one would take for its own", function()
    tmpdir.write(at "g", "other")
    leave_behind("f", 1)
    assert.is_true(modfs.write(at "g", "new", { atomic = true }))
    assert.equal(1, #temporaries())
    assert.is_true(modfs.write(at "f", "new", { atomic = true }))
    assert.equal("f g", names())
    assert.equal("new", tmpdir.content(at "f"))
  end)
end)

describe("writers of one target", function()
  it("write beside each other, and the last to close wins", function()
    local files = {}
    for i = 1, 20 do
      files[i] = atomic(at "f", i % 2 == 0)
      files[i]:write("content ", i)
      files[i]:flush()
    end
    assert.equal(20, #temporaries())
    for _, i in ipairs { 2, 1, 20, 7, 9, 8, 3 } do
      assert.is_true(files[i]:close())
      assert.equal("content " .. i, tmpdir.content(at "f"))
      assert.is_true(modfs.write(at "f", "between", { atomic = true }))
      files[i] = nil
    end
    for i = 4, 19 do
      if files[i] then
        assert.is_true(files[i]:close())
      end
    end
    assert.equal("f", names())
    assert.equal("content 19", tmpdir.content(at "f"))
  end)

  it("in other processes are left alone while they live", function()
    tmpdir.write(at "f", "old")
    shell.output("mkfifo", at "go")
    local code = ([[
      local modfs = require "modfs"
      local file = assert(modfs.open(%q, "w", { atomic = true }))
      file:write "from a child"
      file:flush()
      print "ready"
      io.stdout:flush()
      io.open(%q, "r"):read "*a"
      print(file:close())
    ]]):format(at "f", at "go")
    local hold = assert(io.open(at "child.lua", "w"))
    hold:write(("package.path, package.cpath = %q, %q; "):format(package.path, package.cpath), code)
    hold:close()
    local interpreter = os.getenv "LUA" or arg[-1] or "lua5.4"
    local pipe = io.popen(("timeout 60 %s %s"):format(interpreter, at "child.lua"))
    assert.equal("ready", pipe:read "*l") -- before, its file may be taken for a dead writer's
    for i = 1, 10 do
      assert.is_true(modfs.write(at "f", "mine " .. i, { atomic = true, durable = false }))
      assert.equal(1, #temporaries())
    end
    local go = io.open(at "go", "w")
    go:close()
    assert.equal("true\n", pipe:read "*a")
    pipe:close()
    assert.equal("from a child", tmpdir.content(at "f"))
    assert.same({}, temporaries())
  end)
end)
