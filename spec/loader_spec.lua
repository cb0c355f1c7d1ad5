-- What may be loaded, from where, and what a refusal says.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local modfs = require "modfs"

local shelf, binary, plain

-- A copy of bytes with those at offset (from 0) replaced.
local function patch(bytes, offset, replacement)
  return bytes:sub(1, offset) .. replacement .. bytes:sub(offset + #replacement + 1)
end

-- The little-endian number of n bytes at offset.
local function number(bytes, offset, n)
  local value = 0
  for i = offset + n, offset + 1, -1 do
    value = value * 256 + bytes:byte(i)
  end
  return value
end

-- Where the last loadable segment of a 64-bit little-endian ELF file ends.
local function segments_end(bytes)
  local last = 0
  for i = 0, number(bytes, 56, 2) - 1 do
    local header = number(bytes, 32, 8) + i * 56
    if number(bytes, header, 4) == 1 then
      last = math.max(last, number(bytes, header + 8, 8) + number(bytes, header + 32, 8))
    end
  end
  return last
end

setup(function()
  shelf = build.shelf()
  binary = build.compile("broken.so", "spec/fixtures/broken")
  plain = build.compile("plain.so", "spec/fixtures/small/plain.c", { free = true })
end)

teardown(function()
  shelf:remove()
end)

describe("modfs.load", function()
  it("loads a plugin that is linked to the stub, as strangers' are", function()
    local needed = shell.output("readelf -d", binary)
    contains(needed, "libtensorflow_framework.so.2")
    local plugin = assert(modfs.load(shelf:put(binary, "good.loader")))
    assert.same({ "good.loader" }, plugin.schemes)
    assert.equal(shelf:path "good.loader", plugin.path)
    assert.same({ abi = 0, api = 0, size = 264 }, plugin.versions.filesystem)
    assert.same({ abi = 0, api = 0, size = 16 }, plugin.versions.random_access_file)
    assert.same({ abi = 0, api = 0, size = 48 }, plugin.versions.writable_file)
    assert.same({ abi = 0, api = 0, size = 24 }, plugin.versions.read_only_memory_region)
    assert.same({}, plugin.platforms)
    assert.is_nil(plugin.author)
    contains(tostring(plugin), "good.loader.so")
  end)

  it("loads a plugin that is linked to the runtime itself, with versioned symbols", function()
    local runtime = (os.getenv "BUILD" or "build") .. "/modfs/libtensorflow_framework.so.2"
    local versioned = build.compile("versioned.so", "spec/fixtures/broken",
      { free = true, libraries = runtime })
    contains(shell.output("nm -D", versioned), "TF_SetStatus@tensorflow")
    assert(modfs.load(shelf:put(versioned, "good.versioned")))
    fails("NOT_FOUND", modfs.open "good.versioned://missing")
  end)

  it("loads a plugin that needs no TF_ function and is linked to nothing that has them", function()
    assert.is_nil(shell.output("readelf -d", plain):find "tensorflow")
    local plugin = assert(modfs.load(shelf:put(plain, "plain")))
    assert.same({ "plain" }, plugin.schemes)
    assert.is_nil(plugin.versions.writable_file)
    assert.equal("plain", assert(modfs.map "plain://x"):sub(1))
  end)

  it("loads a plugin that uses TF_ functions and is linked to nothing that has them", function()
    local lost = build.compile("lost.so", "spec/fixtures/broken",
      { free = true, libraries = "-Wl,--as-needed " .. build.stub })
    assert.is_nil(shell.output("readelf -d", lost):find "tensorflow")
    assert(modfs.load(shelf:put(lost, "good.lost")))
    fails("NOT_FOUND", modfs.open "good.lost://none")
  end)

  it("keeps two plugins with a function of the same name apart", function()
    local other = build.compile("plain2.so", "spec/fixtures/small/plain.c",
      { free = true, flags = [['-DHELPER_ANSWER="plain.two"']] })
    assert(modfs.load(shelf:put(plain, "plain")))
    assert(modfs.load(shelf:put(other, "plain2")))
    assert.equal("plain", assert(modfs.map "plain://x"):sub(1))
    assert.equal("plain.two", assert(modfs.map "plain.two://x"):sub(1))
  end)

  it("accepts another entry symbol", function()
    local plugin = assert(modfs.load(shelf:put(plain, "plain"), { symbol = "Other_InitPlugin" }))
    assert.same({ "other.plain" }, plugin.schemes)
    contains(fails("NOT_FOUND", modfs.load(shelf:path "plain", { symbol = "No_InitPlugin" })),
      "No_InitPlugin")
  end)

  it("raises for an unknown option, and for arguments of another type", function()
    assert.has_error(function()
      modfs.load(shelf:path "plain", { trusted = true })
    end)
    assert.has_error(function()
      modfs.load(shelf:path "plain", { symbol = 1.5 })
    end)
    assert.has_error(function()
      modfs.load()
    end)
    assert.has_error(function()
      modfs.load {}
    end)
    fails("INVALID_ARGUMENT", modfs.load("a\0b"))
  end)

  it("loads every plugin of a directory, and reports which failed", function()
    local place = build.shelf()
    place:put(binary, "good.folder.a", "good.folder.b", "ops.null")
    place:write("README", "no plugin")
    local plugins, failures = modfs.load(place.folder)
    local schemes = {}
    for i, plugin in ipairs(assert(plugins)) do
      schemes[i] = plugin.schemes[1]
    end
    table.sort(schemes)
    assert.same({ "good.folder.a", "good.folder.b" }, schemes)
    assert.equal(1, #failures)
    place:remove()
  end)
end)

describe("a file that is not a plugin is refused:", function()
  local function refused(code, fragment, path, options)
    local message = fails(code, modfs.load(path, options))
    contains(message, "load " .. path)
    contains(message, fragment)
  end

  it("a missing file", function()
    refused("NOT_FOUND", "No such file", shelf:path "missing")
    refused("NOT_FOUND", "No such file", shelf.folder .. "/missing/file.so")
  end)

  it("an empty file, a text", function()
    refused("FAILED_PRECONDITION", "not an ELF file", shelf:write("empty.so", ""))
    refused("FAILED_PRECONDITION", "not an ELF file", shelf:write("one.so", "\127"))
    refused("FAILED_PRECONDITION", "not an ELF file",
      shelf:write("text.so", ("no plugin at all\n"):rep(1000)))
  end)

  it("a FIFO, without waiting for its other end", function()
    local path = shelf.folder .. "/fifo.so"
    shell.output("mkfifo -m 600", path)
    local status, out, err = child(([[
      print(select(2, require "modfs".load(%q)))
    ]]):format(path), { seconds = 10 })
    assert.equal(0, status, err)
    contains(out, "FAILED_PRECONDITION")
    contains(out, "not a regular file")
  end)

  it("a device", function()
    refused("FAILED_PRECONDITION", "not a regular file", "/dev/zero", { trust = true })
  end)

  it("a library without an entry symbol", function()
    local none = build.compile("none.so", "spec/fixtures/small/none.c")
    refused("NOT_FOUND", "TF_InitPlugin", shelf:put(none, "none"))
  end)

  it("a library whose dependency has the entry symbol", function()
    build.compile("plain.so", "spec/fixtures/small/plain.c", { free = true })
    local leaning = build.compile("leaning.so", "spec/fixtures/small/none.c",
      { libraries = "-L" .. plain:gsub("/[^/]*$", "") .. " -l:plain.so -Wl,-rpath,'$ORIGIN'" })
    shelf:put(plain, "plain")
    contains(shell.output("readelf -d", leaning), "[plain.so]")
    refused("NOT_FOUND", "TF_InitPlugin", shelf:put(leaning, "leaning"))
  end)

  it("an entry symbol that is no function", function()
    local constant = build.compile("constant.so", "spec/fixtures/small/constant.c")
    local path = shelf:put(constant, "constant")
    local status, out, err = child(([[
      print(select(2, require "modfs".load(%q)))
    ]]):format(path))
    assert.equal(0, status, err)
    contains(out, "TF_InitPlugin")
  end)

  it("an undefined symbol; the message names it", function()
    local undefined = build.compile("undefined.so", "spec/fixtures/small/undefined.c")
    refused("NOT_FOUND", "tensorflow_symbol_of_the_future", shelf:put(undefined, "undefined"))
  end)

  it("a missing dependency; the message names it", function()
    local gone = build.compile("libgone.so", "spec/fixtures/small/none.c")
    local needy = build.compile("needy.so", "spec/fixtures/small/plain.c",
      { libraries = "-L" .. gone:gsub("/[^/]*$", "") .. " -Wl,--no-as-needed -l:libgone.so" })
    refused("NOT_FOUND", "libgone.so", shelf:put(needy, "needy"))
  end)
end)

describe("a damaged ELF file is refused before the dynamic loader sees it:", function()
  local whole

  local function refused(name, bytes, fragment)
    local path = shelf:write(name .. ".so", bytes)
    contains(fails("FAILED_PRECONDITION", modfs.load(path)), fragment)
  end

  setup(function()
    whole = assert(tmpdir.content(binary))
  end)

  it("the whole file loads", function()
    assert(modfs.load(shelf:write("good.whole.so", whole)))
  end)

  it("cut short at any length", function()
    local last = segments_end(whole)
    assert.is_true(last > 4096 and last <= #whole)
    local lengths = { 3, 4, 15, 16, 63, 64, 65, 100, 200, 4095, 4096, 4097, last - 1 }
    for i = 1, 12 do
      lengths[#lengths + 1] = math.floor(last * i / 13)
    end
    for _, length in ipairs(lengths) do
      local path = shelf:write("good.cut." .. length .. ".so", whole:sub(1, length))
      fails("FAILED_PRECONDITION", modfs.load(path))
    end
  end)

  it("without its section headers, which no loader needs, it loads", function()
    assert(modfs.load(shelf:write("good.headless.so", whole:sub(1, segments_end(whole)))))
  end)

  it("for another machine", function()
    refused("good.machine", patch(whole, 18, "\243\000"), "another machine")
    refused("good.class", patch(whole, 4, "\001"), "another machine")
    refused("good.endian", patch(whole, 5, "\002"), "another machine")
  end)

  it("of another type", function()
    refused("good.exec", patch(whole, 16, "\002\000"), "not a shared object")
    refused("good.relocatable", patch(whole, 16, "\001\000"), "not a shared object")
    refused("good.core", patch(whole, 16, "\004\000"), "not a shared object")
  end)

  it("with program headers that lead nowhere", function()
    refused("good.phoff", patch(whole, 32, "\255\255\255\255\255\255\255\127"), "program headers")
    refused("good.phoff.max", patch(whole, 32, ("\255"):rep(8)), "program headers")
    refused("good.phnum", patch(whole, 56, "\000\000"), "program headers")
    refused("good.phnum.max", patch(whole, 56, "\255\255"), "")
    refused("good.phentsize", patch(whole, 54, "\007\000"), "program headers")
  end)

  it("with a segment beyond its end", function()
    local first = number(whole, 32, 8)
    refused("good.filesz", patch(whole, first + 32, ("\255"):rep(8)), "")
    refused("good.offset", patch(whole, first + 8, ("\255"):rep(7) .. "\127"), "")
  end)

  it("a program", function()
    local message, code = select(2, modfs.load "/bin/true")
    assert.is_truthy(code == "FAILED_PRECONDITION" or code == "NOT_FOUND", message)
  end)
end)

describe("trust:", function()
  local place

  local function distrusted(path, culprit, reason)
    local message = fails("PERMISSION_DENIED", modfs.load(path))
    contains(message, culprit)
    contains(message, reason)
    contains(message, "trust")
  end

  local function as_root()
    if shell.output "id -u" ~= "0" then
      pending "needs root to give files to another user"
      return false
    end
    return true
  end

  before_each(function()
    place = build.shelf()
    shell.output("mkdir -m 755", place.folder .. "/above", place.folder .. "/above/below")
  end)

  after_each(function()
    place:remove()
  end)

  -- Puts a good plugin two folders down.
  local function put(name)
    return (place:put(binary, "above/below/" .. name))
  end

  it("a file of ours in folders of ours is trusted", function()
    assert(modfs.load(put "good.trust.plain"))
  end)

  for what, row in pairs {
    ["its group may write"] = { "group", "chmod 664", "group" },
    ["everybody may write"] = { "other", "chmod 646", "everyone" },
    ["another user has"] = { "owner", "chown nobody", "another user" },
  } do
    it("a file that " .. what .. " is not", function()
      if row[1] ~= "owner" or as_root() then
        local path = put("good.trust." .. row[1])
        shell.output(row[2], path)
        distrusted(path, "the file " .. path, row[3])
        assert(modfs.load(path, { trust = true }))
      end
    end)
  end

  it("a folder that others may write is not, however far above", function()
    local path = put "good.trust.folder"
    shell.output("chmod 777", place.folder .. "/above/below")
    distrusted(path, "the directory " .. place.folder .. "/above/below ", "everyone")
    shell.output("chmod 755", place.folder .. "/above/below")
    shell.output("chmod 775", place.folder .. "/above")
    distrusted(path, "the directory " .. place.folder .. "/above ", "group")
    assert(modfs.load(path, { trust = true }))
  end)

  it("a sticky folder that others may write is, because nobody replaces another's file there",
    function()
      local path = put "good.trust.sticky"
      shell.output("chmod 1777", place.folder .. "/above")
      assert(modfs.load(path))
    end)

  it("a folder of another user is not", function()
    if as_root() then
      local path = put "good.trust.owner.folder"
      shell.output("chown nobody", place.folder .. "/above")
      distrusted(path, "the directory " .. place.folder .. "/above ", "another user")
      assert(modfs.load(path, { trust = true }))
    end
  end)

  it("counts for where a link leads, not for the link", function()
    local path = put "good.trust.link"
    shell.output("chmod 664", path)
    shell.output("ln -s", path, place.folder .. "/link.so")
    distrusted(place.folder .. "/link.so", path, "group")
  end)

  it("waived for one load is not waived for the next", function()
    local path = put "good.trust.once"
    shell.output("chmod 664", path)
    distrusted(path, path, "group")
    assert(modfs.load(path, { trust = true }))
    local other = put "good.trust.twice"
    shell.output("chmod 664", other)
    distrusted(other, other, "group")
  end)

  it("is given to the folder that the core came from", function()
    local found = false
    for _, plugin in ipairs(modfs.plugins()) do
      found = found or plugin.path:find "/plugins/mem%.so$" ~= nil
    end
    assert.is_true(found)
  end)
end)

describe("names without a folder", function()
  it("are relative to the working directory", function()
    shelf:put(binary, "good.bare")
    local status, out, err = child([[
      local plugin = assert(require "modfs".load "good.bare.so")
      io.write(plugin.path)
    ]], { cwd = shelf.folder })
    assert.equal(0, status, err)
    assert.equal(shelf:path "good.bare", out)
  end)

  it("are never searched by the dynamic loader", function()
    shelf:put(binary, "good.searched")
    local environment = "export LD_LIBRARY_PATH=" .. shell.quote(shelf.folder)
    local status, out, err = child([[
      local modfs = require "modfs"
      print(select(2, modfs.load "good.searched.so"))
      print(package.loadlib and package.loadlib("good.searched.so", "TF_InitPlugin"))
    ]], { cwd = "/", before = environment })
    assert.equal(0, status, err)
    contains(out, "NOT_FOUND: load good.searched.so")
    contains(out, "function", "the control: Lua's own loader does find it")
  end)
end)
