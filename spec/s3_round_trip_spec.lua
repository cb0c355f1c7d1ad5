-- A tree goes from the machine to s3 and back: content, names, empty directories, modes and times
-- of nanoseconds are what they were. S3 keeps no modes and times of directories, and no links.
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024

local names = { "plain", "with space", " lead", "end ", "plus+", "%25", "%2F", "it's", 'dou"ble',
  "-dash", "ümläut", "\226\130\172", "tab\there", "ctrl\1\27[31m", "back\\slash", "star*[x]", "q?",
  "#hash", "~tilde", "$HOME", "semi;colon:", "<angle>&", "a=b", ".hidden", "..two", "...", "(p)|@!",
  ("n"):rep(200) }

local modes = { "644", "600", "755", "444", "640", "711", "1644", "777" }

-- Plants a tree; each file has a mode, and a time of its own.
local function plant(root)
  local lines = {}
  local function file(path, content)
    local i = #lines
    tmpdir.write(path, content)
    lines[#lines + 1] = ("chmod %s %s && touch -d @%d.%09d %s\n"):format(modes[1 + i % #modes],
      shell.quote(path), 1e9 + i * 7919, i * 104729 % 1e9, shell.quote(path))
  end
  shell.output("mkdir -p", root .. "/empty/too", root .. "/a/b c", root .. "/.dot")
  for i, name in ipairs(names) do
    for _, folder in ipairs { "", "a/", "a/b c/", ".dot/" } do
      file(root .. "/" .. folder .. name, name:rep(i * 31 % 97))
    end
  end
  file(root .. "/large", ("0123456789abcdef"):rep(MIB * 11 / 16))
  lines[#lines + 1] = ("touch -d @0.000000001 %s\n"):format(shell.quote(root .. "/a/plain"))
  local script = os.tmpname()
  tmpdir.write(script, table.concat(lines))
  shell.output("sh -e", script)
  os.remove(script)
end

-- What find tells of the files: name, mode, time, size. And of directories: the names.
local function described(root)
  return shell.output("cd " .. shell.quote(root) ..
    " && find . \\( -type d -printf '%P/\\n' -o -printf '%P %y %m %T@ %s\\n' \\) | LC_ALL=C sort")
end

local function same_trees(a, b)
  assert.equal(described(a), described(b))
  local status, out, err = shell.run("diff -r", a, b)
  assert.equal(0, status, out .. err)
end

local FILES = 4 * #names + 1
local DIRECTORIES = 6 -- with the root

-- The tests of a bucket; settle(): forgets what is cached.
local function cases(bucket, seen)
  local place, src, up

  setup(function()
    place = tmpdir.new()
    src, up = place .. "/src", "s3://" .. bucket .. "/up"
    plant(src)
  end)
  teardown(function() tmpdir.remove(place) end)
  after_each(modfs.flush_caches)

  it("goes there and back", function()
    local report = assert(modfs.copytree(src, up))
    assert.same({}, report.errors)
    assert.equal(FILES, report.files)
    report = assert(modfs.copytree(up, place .. "/back"))
    assert.same({}, report.errors)
    same_trees(src, place .. "/back")
    if shell.has "rsync" then
      local out = shell.output("rsync -ani --checksum", src .. "/", place .. "/back/")
      for line in out:gmatch "[^\n]+" do
        assert.truthy(line:find "^%.d", out)
      end
    end
  end)

  it("needs no request for the attributes", function()
    if not seen then
      return
    end
    assert.equal(FILES - 1 + DIRECTORIES, seen "put") -- the large one goes up in parts
    assert.equal(0, seen "copy")
  end)

  it("is not copied again", function()
    assert.equal(0, assert(modfs.sync(src, up)).copied)
    assert.equal(0, assert(modfs.sync(up, place .. "/back")).copied)
    assert.equal(0, assert(modfs.sync(place .. "/back", up)).copied)
  end)

  it("a changed time is carried there and back", function()
    shell.output("touch -d @1234567890.123456789", src .. "/a/plain")
    assert.equal(1, assert(modfs.sync(src, up)).copied)
    assert.equal(1, assert(modfs.sync(up, place .. "/back")).copied)
    same_trees(src, place .. "/back")
  end)

  it("goes back without what is not wanted (the control)", function()
    assert(modfs.copytree(up, place .. "/bare", { preserve = {} }))
    assert.not_equal(described(src), described(place .. "/bare"))
  end)

  it("owners go along when they are asked for", function()
    if shell.output "id -u" ~= "0" then
      pending "only root gives files away"
      return
    end
    shell.output("chown 1234:2345", src .. "/a/plain")
    shell.output("chmod 6755", src .. "/a/plain") -- set-id bits go with the owner
    local all = { preserve = { "mtime", "mode", "owner" } }
    assert(modfs.copytree(src, up .. "2", all))
    assert(modfs.copytree(up .. "2", place .. "/owned", all))
    assert.equal("1234:2345 6755", shell.output("stat -c '%u:%g %a'", place .. "/owned/a/plain"))
    assert.equal("0:0 644", shell.output("stat -c '%u:%g %a'", place .. "/owned/plain"))
  end)
end

s3.describe_chaos("a tree to s3 and back", { part_bytes = 5 * MIB }, function(chaos)
  cases("round.trip", function(what) return chaos.seen("round.trip/" .. what) end)
end)

s3.describe("a tree to Ceph and back", { "round" }, {}, function()
  cases "round"
end)
