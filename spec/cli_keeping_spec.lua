-- What cp keeps of links, modes and times by its letters, held against the system's own; and mv.
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root
local command = ("%s %s/bin/modfs"):format(os.getenv "LUA" or "lua5.4", shell.output "pwd")

local function sh(script)
  return shell.output("cd " .. shell.quote(root) .. " && umask 027 && " .. script)
end

before_each(function()
  root = tmpdir.new()
  sh [[mkdir -p src/dir/empty src/closed out && echo one >src/one && echo two >src/dir/two &&
    echo out >out/out && ln -s dir/two src/link && ln -s ../one src/dir/up && ln -s dir src/way &&
    ln -s ../out src/out && ln -s one top && chmod 700 src/closed && chmod 600 src/one &&
    chmod 777 src/dir/two && chmod 775 src/dir && ln -s src/dir way && echo three >three &&
    touch -d @1000000000.123456789 src/one src/dir/two src/dir src three &&
    touch -h -d @5.5 src/link]]
end)
after_each(function()
  tmpdir.remove(root)
  modfs.rmtree "mem://keeping"
end)

-- Kinds, modes and targets of links; with times those, too.
local function listing(path, times)
  local script = "cd %s && find %s -mindepth 1 -printf '%%P %%y %%m %%l%s\\n' | LC_ALL=C sort"
  return shell.output(script:format(shell.quote(root), path, times and " %T@" or ""))
end

-- Runs both; the system's puts it below theirs, ours below ours.
local function compare(letters, sources, times)
  sh "rm -rf theirs ours && mkdir theirs ours"
  sh(("cp %s %s theirs/"):format(letters, sources))
  sh(("%s cp %s %s ours/"):format(command, letters, sources))
  assert.equal(listing("theirs", times), listing("ours", times))
  sh "diff -r --no-dereference theirs ours"
end

-- The times of directories that were made just now differ.
for _, letters in ipairs { "-r", "-rL", "-rP", "-rd", "-Lr" } do
  it("cp " .. letters .. " keeps kinds and modes as the system's does", function()
    compare(letters, "src")
    compare(letters, "src three way")
  end)
end

for _, letters in ipairs { "-a", "-rp", "-rpL", "-aL", "-rpd" } do
  it("cp " .. letters .. " keeps times, too", function()
    sh "touch -d @1.5 src/closed src/dir/empty out out/out"
    sh "touch -h -d @7.7 src/*/up src/way src/out"
    sh "touch -d @1000000000.123456789 src/dir src"
    compare(letters, "src", true)
  end)
end

for _, letters in ipairs { "", "-L", "-P", "-d" } do
  it(("cp %s takes single files and links as the system's does"):format(letters), function()
    compare(letters, "three src/link")
  end)
end

it("cp -p keeps the time and mode of a single file", function()
  sh "chmod 640 three"
  compare("-p", "three src/one", true)
end)

it("cp -rn gives directories what cp gives them", function()
  for _, letters in ipairs { "-rn", "-rnp", "-an", "-rnv" } do
    sh "rm -rf theirs ours"
    sh "mkdir -p theirs/src/dir ours/src/dir && echo old | tee theirs/src/one >ours/src/one"
    sh "chmod 700 theirs/src/dir ours/src/dir"
    for _, name in ipairs { "one", "dir", "" } do
      sh(("touch -d @1234567890 theirs/src/%s ours/src/%s"):format(name, name))
    end
    sh("cp " .. letters .. " src theirs/")
    sh(command .. " cp " .. letters .. " src ours/")
    assert.equal(listing("theirs", letters:find "[pa]"), listing("ours", letters:find "[pa]"))
    sh "diff -r --no-dereference theirs ours"
  end
end)

it("cp -r creates no directory above its target, as cp does not", function()
  for _, words in ipairs { "cp -r", "cp -a", "cp -rn" } do
    for _, target in ipairs { "none/x", "none/x/", "none/x/y" } do
      local theirs = shell.run(("cd %s && %s src %s"):format(root, words, target))
      local status, _, err = shell.run(("cd %s && %s %s src %s"):format(root, command, words,
        target))
      assert.same({ 1, 1 }, { theirs, status })
      assert.truthy(err:find("NOT_FOUND: cp none", 1, true), err)
      assert.is_nil(modfs.lstat(root .. "/none"))
    end
  end
end)

it("cp without -p gives the time of the copy", function()
  sh(command .. " cp three new")
  assert.is_true(modfs.stat(root .. "/new").mtime > 1000000001)
end)

it("cp -a into memory and back loses nothing, and sync finds nothing to do", function()
  for _, pair in ipairs { { root .. "/src", "mem://keeping" },
    { "mem://keeping", root .. "/back" } } do
    assert.equal(0, (require("modfs.cli").main({ "cp", "-a", pair[1], pair[2] }, {})))
  end
  assert.equal(listing("src", true), listing("back", true))
end)

it("a link onto itself stays", function()
  sh(command .. " cp -P src/link src/link; true")
  assert.equal("dir/two", modfs.readlink(root .. "/src/link"))
end)

it("a link that leads nowhere is not copied onto itself", function()
  sh "ln -s nowhere dangling"
  for _, words in ipairs { "cp -P", "cp -r", "cp -a", "mv" } do
    local theirs = shell.run(("cd %s && %s dangling dangling"):format(root, words))
    local status, _, err = shell.run(("cd %s && %s %s dangling ./dangling"):format(root, command,
      words))
    assert.same({ 1, 1 }, { theirs, status }, words)
    assert.truthy(err:find("is the same file", 1, true), err)
    assert.equal("nowhere", modfs.readlink(root .. "/dangling"))
  end
end)

it("mv between filesystems keeps times, modes and links", function()
  local before = listing("src", true)
  assert(modfs.mkdir "mem://keeping")
  local main = require("modfs.cli").main
  assert.equal(0, (main({ "mv", root .. "/src", "mem://keeping/src" }, {})))
  assert.is_nil(modfs.lstat(root .. "/src"))
  assert.equal(0, (main({ "mv", "mem://keeping/src", root .. "/src" }, {})))
  assert.equal(before, listing("src", true))
  assert.equal(0, (main({ "mv", root .. "/three", root .. "/top", "mem://keeping" }, {})))
  assert.equal("one", modfs.readlink "mem://keeping/top")
  assert.equal("three\n", modfs.read "mem://keeping/three")
  assert.equal(1000000000, math.floor(modfs.stat("mem://keeping/three").mtime))
  assert.is_nil(modfs.lstat(root .. "/top"))
  assert.is_nil(modfs.lstat(root .. "/three"))
end)

-- The umask takes bits from some of them, and a directory has them in any order.
it("files of one directory have the modes of their sources, whatever the umask takes", function()
  sh [[mkdir modes && for i in 1 2 3; do for mode in 400 600 640 644 666 700 755 777 1777 000; do
    echo $mode >modes/$i$mode && chmod $mode modes/$i$mode; done; done]]
  compare("-rp", "modes", false)
  for _, umask in ipairs { "000", "022", "077", "777" } do
    shell.output(("cd %s && rm -rf ours/modes && umask %s && %s cp -rpj1 modes ours/"):format(
      shell.quote(root), umask, command))
    assert.equal(listing("theirs", false), listing("ours", false))
  end
end)
