-- A tree goes from the machine to az and back: content, names, empty directories, modes and times
-- of nanoseconds are what they were. Azure keeps no modes and times of directories, and no links.
local azurite = require "spec.support.azurite"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024

local names = { "plain", "with space", " lead", "end ", "plus+", "%25", "%2F", "it's", 'dou"ble',
  "-dash", "ümläut", "\226\130\172",
  "tab\there", "ctrl\1\27[31m", "back\\slash", "star*[x]", "q?", "#hash", "~tilde", "$HOME",
  "semi;colon:", "<angle>&", "a=b", ".hidden", "..two", "...", "(p)|@!", "end.", ("n"):rep(200) }

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

describe("a tree to az and back", function()
  local server, reason = azurite.start { "round" }
  if not server then
    pending(reason)
    return
  end
  local place, src, up

  setup(function()
    place = tmpdir.new()
    src, up = place .. "/src", "az://" .. server.account .. "/round/up"
    assert(modfs.config("az", { part_bytes = MIB }))
    plant(src)
  end)
  teardown(function()
    server.stop()
    tmpdir.remove(place)
  end)

  it("goes there and back", function()
    local report = assert(modfs.copytree(src, up))
    assert.same({}, report.errors)
    assert.equal(4 * #names + 1, report.files)
    report = assert(modfs.copytree(up, place .. "/back"))
    assert.same({}, report.errors)
    assert.equal(described(src), described(place .. "/back"))
    local status, out, err = shell.run("diff -r", src, place .. "/back")
    assert.equal(0, status, out .. err)
  end)

  it("is not copied again, until a time or a content changes", function()
    assert.equal(0, assert(modfs.sync(src, up)).copied)
    assert.equal(0, assert(modfs.sync(up, place .. "/back")).copied)
    shell.output("touch -d @1234567890.123456789", src .. "/a/plain")
    tmpdir.write(src .. "/a/q?", "changed")
    assert.equal(2, assert(modfs.sync(src, up)).copied)
    assert.equal(2, assert(modfs.sync(up, place .. "/back")).copied)
    assert.equal(described(src), described(place .. "/back"))
  end)

  it("names that Azure cannot have are told, and the rest is copied", function()
    tmpdir.write(src .. "/odd\239\191\191", "x")
    local report = assert(modfs.sync(src, up))
    assert.equal(1, #report.errors)
    assert.truthy(report.errors[1].message:find("U+FFFF", 1, true), report.errors[1].message)
  end)

  it("goes back without what is not wanted (the control)", function()
    assert(modfs.copytree(up, place .. "/bare", { preserve = {} }))
    assert.not_equal(described(src), described(place .. "/bare"))
  end)
end)
