-- Damaged archives, and those that are made to do harm.
--   MODFS_DAMAGED=5000 MODFS_DAMAGED_SEED=7 busted spec/archive_damage_spec.lua
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local made_archives = require "spec.support.made_archives"
local modfs = require "modfs"
local packed = require "spec.support.packed"
local random = require "spec.support.random"
local tmpdir = require "spec.support.tmpdir"

local rounds = tonumber(os.getenv "MODFS_DAMAGED" or 1000)
local seed = tonumber(os.getenv "MODFS_DAMAGED_SEED" or 1)
local place

local function run(line)
  return packed.run(place, line)
end

local function python(text)
  return packed.python(place, text)
end

setup(function()
  place = tmpdir.new()
  run("mkdir -p t/d/e && printf 'hello\\n' >t/a.txt && seq 1 3000 >t/d/numbers && "
    .. "seq 1 200000 >t/d/many && head -c 20000 /dev/urandom >t/d/random && "
    .. "ln -s ../a.txt t/d/l && cd t && "
    .. "zip -qry ../a.zip . && tar czf ../a.tgz . && tar c . | zstd -q >../a.tar.zst && "
    .. "tar cf ../a.tar .")
end)

teardown(function() packed.remove(place) end)

local function damage(content, next)
  local at = 1 + next(#content)
  -- The directory of a zip is at the end, where a half of the damage goes.
  if next(2) == 0 then
    at = math.max(1, #content - next(1000))
  end
  local kind = next(4)
  if kind == 0 then
    return content:sub(1, at - 1)
  elseif kind == 1 then
    return content:sub(1, at - 1) .. content:sub(at + 1 + next(8))
  elseif kind == 2 then
    return content:sub(1, at - 1) .. string.char(next(256)):rep(1 + next(8)) .. content:sub(at)
  end
  return content:sub(1, at - 1) .. string.char((content:byte(at) + 1 + next(255)) % 256)
    .. content:sub(at + 1)
end

-- Reads all that an archive shows. Returns how many files were read and refused, and the first
-- content that no file of the undamaged archive has.
local function read_all(root, known)
  local read, refused, wrong = 0, 0, nil
  for directory, _, files in modfs.walk(root) do
    for _, name in ipairs(files or {}) do
      local content = modfs.read(directory:gsub("/$", "") .. "/" .. name)
      read = read + (content and 1 or 0)
      refused = refused + (content and 0 or 1)
      if content and not known[content] then
        wrong = wrong or name
      end
    end
  end
  return read, refused, wrong
end

local function known_contents()
  local known = {}
  for _, name in ipairs { "a.txt", "d/numbers", "d/many", "d/random" } do
    known[tmpdir.content(place .. "/t/" .. name)] = true
  end
  return known
end

-- Damages an archive again and again. Returns the counts and how many gave wrong bytes.
local function try(scheme, name, count)
  local next, whole = random(seed), tmpdir.content(place .. "/" .. name)
  local known, total = known_contents(), { read = 0, refused = 0, closed = 0, wrong = 0 }
  assert(modfs.makedirs "mem://damaged")
  for _ = 1, count do
    assert(modfs.write("mem://damaged/" .. name, damage(whole, next)))
    local root = ("%s+mem://damaged/%s!/"):format(scheme, name)
    if modfs.listdir(root) then
      local read, refused, wrong = read_all(root, known)
      total.read, total.refused = total.read + read, total.refused + refused
      total.wrong = total.wrong + (wrong and 1 or 0)
    else
      total.closed = total.closed + 1
    end
  end
  return total
end

describe("of damaged archives, seed " .. seed .. ",", function()
  it(rounds .. " zips give no wrong byte", function()
    local total = try("zip", "a.zip", rounds)
    assert.equal(0, total.wrong)
    assert.is_true(total.read > rounds / 2, total.read .. " files were read")
    assert.is_true(total.refused > rounds / 20, total.refused .. " files were refused")
    assert.is_true(total.closed > rounds / 20, total.closed .. " archives were refused")
  end)

  it("compressed tars give none", function()
    for _, name in ipairs { "a.tgz", "a.tar.zst" } do
      local total = try("tar", name, math.floor(rounds / 4))
      assert.equal(0, total.wrong)
      assert.is_true(total.closed > rounds / 10, total.closed .. " archives were refused")
    end
  end)

  it("plain tars give some, as they have no checksums (the control)", function()
    assert.is_true(try("tar", "a.tar", 100).wrong > 0)
  end)
end)

-- Each way to change a text at one place: cut off there, without the byte, with it twice, and with
-- others in its place.
local function mutants_at(text, at)
  local before, byte, after = text:sub(1, at - 1), text:sub(at, at), text:sub(at + 1)
  local list = { before, before .. after, before .. byte .. byte .. after }
  for other in ("09%/. \n+\0\127\128\255"):gmatch "." do
    list[#list + 1] = before .. other .. after
  end
  return list
end

local refusals = { DATA_LOSS = true, UNIMPLEMENTED = true, RESOURCE_EXHAUSTED = true,
  NOT_FOUND = true }

-- Reads what an archive without checksums shows of these bytes: each content has the length that is
-- told of it, and lies in them. Returns how many files were read, or nil.
local function read_inside(root, wholes)
  local names, message, code = modfs.listdir(root)
  if not names then
    assert.is_true(refusals[code], message)
    return nil
  end
  local read = 0
  for directory, _, files in modfs.walk(root) do
    for _, name in ipairs(files) do
      local path = directory:gsub("/$", "") .. "/" .. name
      local content = assert(modfs.read(path))
      local inside = false
      for _, whole in ipairs(wholes) do
        inside = inside or whole:find(content, 1, true) ~= nil
      end
      assert.is_true(inside and #content == modfs.size(path), path)
      read = read + 1
    end
  end
  return read
end

describe("of archives that are changed at each byte of their directory,", function()
  -- Reads all mutants; put(text) puts one in its place.
  local function try_all(root, text, wholes, put)
    local read, refused = 0, 0
    for at = 1, #text do
      for _, mutant in ipairs(mutants_at(text, at)) do
        put(mutant)
        local files = read_inside(root, wholes)
        read, refused = read + (files and 1 or 0), refused + (files and 0 or 1)
      end
    end
    assert.is_true(read > #text / 2, read .. " were read")
    assert.is_true(refused > #text, refused .. " were refused")
  end

  it("those of Hadoop give nothing but what is in their parts", function()
    local from, har = place .. "/from", place .. "/x.har"
    run "mkdir -p from/d && printf one >from/a && printf 'and two' >'from/d/b c' && : >from/none"
    made_archives.har(from, har, function(n) return n > 1 and 1 or 0 end)
    assert(modfs.copytree(har, "mem://mutants/x.har"))
    local wholes = { "" }
    for _, name in ipairs(modfs.listdir(har)) do
      wholes[#wholes + 1] = name:find "^part" and tmpdir.content(har .. "/" .. name) or nil
    end
    local root = "har+mem://mutants/x.har!/"
    assert.equal(3, read_inside(root, wholes))
    for _, name in ipairs { "_index", "_masterindex" } do
      local text = tmpdir.content(har .. "/" .. name)
      -- Of the master index only the version is read.
      try_all(root, name == "_index" and text or text:sub(1, 2), wholes, function(mutant)
        assert(modfs.write("mem://mutants/x.har/" .. name,
          name == "_index" and mutant or mutant .. text:sub(3)))
        modfs.flush_caches()
      end)
      assert(modfs.write("mem://mutants/x.har/" .. name, text))
    end
  end)

  it("packages give nothing but what is in them", function()
    local regions = { { ".", "the graph" }, { "w/1", ("w"):rep(200) }, { "b", "last" } }
    assert(modfs.makedirs "mem://mutants")
    for _, with_length in ipairs { true, false } do
      local whole = made_archives.package(regions, with_length)
      local list = whole:find("\10", 1, true)
      local wholes, root = { whole }, "package+mem://mutants/x.pb!/"
      try_all(root, whole:sub(list), wholes, function(mutant)
        wholes[1] = whole:sub(1, list - 1) .. mutant
        assert(modfs.write("mem://mutants/x.pb", wholes[1]))
        modfs.flush_caches()
      end)
    end
  end)

  it("one that says more than is there would be seen (the control)", function()
    assert(modfs.makedirs "mem://mutants")
    assert(modfs.write("mem://mutants/c.pb", made_archives.package({ { "a", "xyz" } }, true)))
    assert.has_error(function() read_inside("package+mem://mutants/c.pb!/", { "xy" }) end)
  end)
end)

-- Each question about what may be in an archive that is refused fails, too.
local function told(code, root)
  for _, pattern in ipairs { "", "*", "**", "a", "a/", "*/a", "a/*", "**/a", "[a]/b", "?/b/" } do
    fails(code, modfs.glob(root .. pattern))
    fails(code, modfs.glob(root .. pattern, { exclude = "b" }))
  end
  for _, name in ipairs { "exists", "isdir", "isfile", "islink", "stat", "lstat", "size", "listdir",
    "dir", "walk", "du", "read", "map", "readlink" } do
    fails(code, modfs[name](root .. "a"))
    fails(code, modfs[name](root))
  end
  local asked = {}
  for _ in modfs.walk(root, { onerror = function(_, why) asked[#asked + 1] = why end }) do
    error "a directory"
  end
  assert.same({ code }, asked)
  for _, verb in ipairs { "copytree", "sync" } do
    fails(code, modfs[verb](root, "mem://told"))
  end
  assert.same({ false, { code } }, { modfs.exists { root .. "a" } })
end

describe("what is made to do harm is refused:", function()
  local function zip(name) return "zip://" .. place .. "/" .. name .. "!/" end

  after_each(function()
    for _, scheme in ipairs { "zip", "tar" } do
      modfs.config(scheme, { ratio = 500, unsafe_names = "refuse", entries = 10000000,
        index_bytes = 512 * 2 ^ 20, member_bytes = 2 ^ 40, spool_bytes = 2 ^ 34 })
    end
    modfs.flush_caches()
  end)

  it("names that lead out of the archive", function()
    python [[
import zipfile, tarfile, io
with zipfile.ZipFile("up.zip", "w") as z:
    z.writestr("../../etc/passwd", "x"); z.writestr("fine", "fine"); z.writestr("/abs/olute", "abs")
with tarfile.open("up.tar", "w") as t:
    for n in ("a/../../b", "fine"):
        i = tarfile.TarInfo(n); i.size = 4; t.addfile(i, io.BytesIO(b"fine"))
]]
    for _, root in ipairs { zip "up.zip", "tar://" .. place .. "/up.tar!/" } do
      contains(fails("DATA_LOSS", modfs.listdir(root)), "option unsafe_names")
      told("DATA_LOSS", root)
      assert(modfs.config(root:match "^%a+", { unsafe_names = "skip" }))
      assert.equal("fine", modfs.read(root .. "fine"))
    end
    assert.same({ "abs", "fine" }, modfs.listdir(zip "up.zip"))
    assert.equal("abs", modfs.read(zip "up.zip" .. "abs/olute"))
  end)

  it("members over each other", function()
    python [[
import zipfile
with zipfile.ZipFile("over.zip", "w", 8) as z:
    z.writestr("aaa", "\0" * 100000); z.writestr("bbb", "\0" * 100000)
d = open("over.zip", "rb").read()
end = d.rindex(b"PK\1\2")
d = d[:end + 42] + (0).to_bytes(4, "little") + d[end + 46:]
open("over.zip", "wb").write(d)
]]
    contains(fails("DATA_LOSS", modfs.listdir(zip "over.zip")), "lie over each other")
    told("DATA_LOSS", zip "over.zip")
  end)

  it("little that claims to be much", function()
    run "truncate -s 64M zeros && zip -q zeros.zip zeros && tar czf zeros.tgz zeros"
    assert.same({ "zeros" }, modfs.listdir(zip "zeros.zip"))
    contains(fails("RESOURCE_EXHAUSTED", modfs.read(zip "zeros.zip" .. "zeros")), "option ratio")
    contains(fails("RESOURCE_EXHAUSTED", modfs.listdir("tar://" .. place .. "/zeros.tgz!/")),
      "option ratio")
    told("RESOURCE_EXHAUSTED", "tar://" .. place .. "/zeros.tgz!/")
    assert(modfs.config("zip", { ratio = 2000 }))
    assert(modfs.config("tar", { ratio = 2000, spool_bytes = 2 ^ 20 }))
    assert.equal(64 * 2 ^ 20, #modfs.read(zip "zeros.zip" .. "zeros"))
    contains(fails("RESOURCE_EXHAUSTED", modfs.listdir("tar://" .. place .. "/zeros.tgz!/")),
      "option spool_bytes")
    assert(modfs.config("zip", { member_bytes = 1000 }))
    contains(fails("RESOURCE_EXHAUSTED", modfs.read(zip "zeros.zip" .. "zeros")),
      "option member_bytes")
  end)

  it("more entries, or a larger directory, than is allowed", function()
    python [[
import zipfile
with zipfile.ZipFile("many.zip", "w") as z:
    for i in range(2000): z.writestr("%d/" % i + "a/" * 50 + "x", "")
]]
    assert(modfs.config("zip", { entries = 1000 }))
    contains(fails("RESOURCE_EXHAUSTED", modfs.listdir(zip "many.zip")), "option entries")
    assert(modfs.config("zip", { entries = 1000000, index_bytes = 2 ^ 20 }))
    contains(fails("RESOURCE_EXHAUSTED", modfs.listdir(zip "many.zip")), "option index_bytes")
    assert(modfs.config("zip", { index_bytes = 2 ^ 30 }))
    assert.equal(2000, #modfs.listdir(zip "many.zip"))
  end)

  it("links that lead to each other", function()
    run "mkdir l && ln -s b l/a && ln -s a l/b && ln -s . l/c && cd l && zip -qry ../l.zip ."
    contains(fails("FAILED_PRECONDITION", modfs.read(zip "l.zip" .. "a")), "links")
    fails("NOT_FOUND", modfs.read(zip "l.zip" .. "c/c/c/none"))
  end)

  it("a CRC that is wrong, of a member of any size", function()
    python [[
import zipfile, os
for name, size in (("small", 1000), ("large", 5000000)):
    for method in (0, 8):
        with zipfile.ZipFile("crc.zip", "w", method) as z: z.writestr("x", os.urandom(size))
        d = bytearray(open("crc.zip", "rb").read())
        d[d.rindex(b"PK\1\2") + 16] ^= 1
        open("%s%d.zip" % (name, method), "wb").write(d)
]]
    for _, name in ipairs { "small0", "small8", "large0", "large8" } do
      contains(fails("DATA_LOSS", modfs.read(zip(name .. ".zip") .. "x")), "CRC")
    end
    -- A part of a member that is stored is read without the rest.
    local file = assert(modfs.open(zip "large0.zip" .. "x"))
    assert.equal(10, #file:pread(4000000, 10))
    file:close()
  end)
end)
