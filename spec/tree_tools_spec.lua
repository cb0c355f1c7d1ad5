-- The same answers as the tools that people trust, on a generated tree with odd names.
-- MODFS_TREE_FILES files; `make trees` takes 100,000.
local modfs = require "modfs"
local plant = require "spec.support.plant"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local files = tonumber(os.getenv "MODFS_TREE_FILES") or 2000
local loud = os.getenv "MODFS_TREE_FILES"
local quote = shell.quote
local base, src

-- With MODFS_TREE_FILES: how long a step took, in seconds.
local function timed(what, fn, ...)
  local function now()
    return tonumber((shell.output "date +%s.%N"))
  end
  local start = now()
  local results = { fn(...) }
  if loud then
    io.stderr:write(("  %-28s %8.2f s\n"):format(what, now() - start))
  end
  return (table.unpack or unpack)(results)
end

-- What a shell command prints, less NULs at the end of lines: a set.
local function words(command)
  local _, out = shell.run(command)
  local list = {}
  for word in out:gmatch "([^%z]*)%z" do
    list[#list + 1] = word
  end
  table.sort(list)
  return list
end

-- Equal lists, told by their first difference: these are long.
local function same(expected, got)
  for i = 1, math.max(#expected, #got) do
    if expected[i] ~= got[i] then
      error(("entry %d of %d and %d: %q and %q"):format(i, #expected, #got,
        tostring(expected[i]), tostring(got[i])), 2)
    end
  end
end

local function is_like(a, b)
  local status, out = timed("diff -r", shell.run, "diff -r --no-dereference", a, b)
  assert.equal(0, status, out:sub(1, 400))
end

setup(function()
  base = tmpdir.large()
  src = base .. "/src"
  timed("plant", plant, src, files)
end)
teardown(function()
  shell.run("chmod -R u+rwx --", base)
  tmpdir.remove(base)
end)

describe("against the tools,", function()
  it("walk sees what find sees", function()
    local folders, others = {}, {}
    timed("walk", function()
      for folder, _, names in modfs.walk(src) do
        folders[#folders + 1] = folder
        for _, name in ipairs(names) do
          others[#others + 1] = folder .. "/" .. name
        end
      end
    end)
    table.sort(folders)
    table.sort(others)
    same(words("find " .. quote(src) .. " -type d -print0"), folders)
    same(words("find " .. quote(src) .. " ! -type d -print0"), others)
    assert.equal(files, #others)
  end)

  it("du counts what find counts, on any number of threads", function()
    local out = shell.output("find " .. quote(src) ..
      " -printf '%y %s\\n' | awk '$1==\"d\"{d++} $1!=\"d\"{f++;b+=$2} END{print f, d, b}'")
    for _, threads in ipairs { 1, 2, 8 } do
      local counts = assert(timed("du, threads " .. threads, modfs.du, src,
        { threads = threads }))
      assert.equal(out, ("%d %d %d"):format(counts.files, counts.dirs, counts.bytes))
    end
  end)

  it("du adds up what du -b does, with files that have several names", function()
    local place = base .. "/linked"
    assert(modfs.makedirs(place .. "/d"))
    for i = 1, 300 do
      assert(modfs.write(("%s/%d"):format(place, i), ("x"):rep(i)))
    end
    shell.output(("cd %s && ln [12]?? d && ln -s 1 soft && ln 100 again"):format(quote(place)))
    local expected = tonumber((shell.output("du -bs " .. quote(place)):match "^%d+"))
    for _, threads in ipairs { 1, 8 } do
      local counts = assert(modfs.du(place, { threads = threads, entries = true }))
      assert.same({ 502, 2, expected }, { counts.files, counts.dirs, counts.bytes })
    end
    assert.has_error(function() modfs.du(place, { entries = 1 }) end)
  end)

  it("copytree copies as cp -a does, on any number of threads", function()
    timed("cp -a", shell.output, "cp -a --", src, base .. "/cp")
    local expected = words("cd " .. quote(base .. "/cp") .. " && find . -printf '%p %y %m\\0'")
    for _, threads in ipairs { 1, 2, 8 } do
      local dst = base .. "/copy" .. threads
      local report = assert(timed("copytree, threads " .. threads, modfs.copytree, src, dst,
        { threads = threads }))
      same({}, report.errors)
      is_like(src, dst)
      same(expected, words("cd " .. quote(dst) .. " && find . -printf '%p %y %m\\0'"))
      assert.equal(files, report.files)
      local counts = modfs.du(dst)
      assert.same({ counts.files, counts.dirs, counts.bytes },
        { report.files, report.dirs, report.bytes })
    end
  end)

  it("a tree comes back whole from another filesystem", function()
    local there = assert(timed("copytree to mem", modfs.copytree, src, "mem://trees"))
    local back = assert(timed("copytree from mem", modfs.copytree, "mem://trees", base .. "/back"))
    same({}, there.errors)
    same({}, back.errors)
    assert.same({ there.files, there.dirs, there.bytes }, { back.files, back.dirs, back.bytes })
    is_like(src, base .. "/back")
    assert.same(modfs.du(src), modfs.du "mem://trees")
    assert.same({ true, 0, 0 }, { timed("rmtree of mem", modfs.rmtree, "mem://trees", {}) })
    assert.is_false(modfs.exists "mem://trees")
  end)

  it("glob finds what bash's globstar finds", function()
    local script = "shopt -s globstar dotglob nullglob; printf '%%s\\0' %s/%s | sort -zu"
    for _, pattern in ipairs { "**", "**/*.txt", "**/*", "*/**", "**/star*", "**/[a-m]*/*[0-9]",
      "*/**/*7.txt", "**/*[0-9]/**/*.txt", "**/new*/**", "**/", "*", "*/*", "**/?hash*" } do
      local name = os.tmpname()
      tmpdir.write(name, script:format(src, pattern))
      local expected = words("LC_ALL=C bash " .. name)
      os.remove(name)
      if not expected[2] and expected[1] == "" then
        expected = {}
      end
      local found = assert(timed("glob " .. pattern, modfs.glob, src .. "/" .. pattern))
      for i = 2, #found do
        assert.is_true(found[i - 1] < found[i])
      end
      same(expected, found)
    end
  end)

  it("escape makes of any path the pattern that finds it alone", function()
    local checked = 0
    for folder, _, names in modfs.walk(src) do
      for _, name in ipairs(names) do
        if checked < 3000 then
          checked = checked + 1
          local path = folder .. "/" .. name
          assert.same({ path }, modfs.glob(modfs.escape(path)))
          if checked % 500 == 1 then
            assert.same({ path }, modfs.glob(modfs.escape(src) .. "/**/" .. modfs.escape(name)))
          end
        end
      end
    end
    assert.is_true(checked >= math.min(files, 3000))
  end)

  it("sync brings over what changed, and only that", function()
    local dst = base .. "/synced"
    local first = assert(timed("sync, all", modfs.sync, src, dst))
    assert.same({ files, 0, 0, 0 }, { first.copied, first.kept, first.deleted, #first.errors })
    is_like(src, dst)
    shell.output("cd " .. quote(dst) .. " && mkdir -p more/deep && touch more/deep/x y")
    local changed = 0
    for folder, _, names in modfs.walk(src) do
      for i, name in ipairs(names) do
        if i == 1 and changed < 20 then
          changed = changed + 1
          assert(modfs.write(folder .. "/" .. name, "changed", { append = true }))
        end
      end
    end
    for _, options in ipairs { { delete = true, dry_run = true }, { delete = true } } do
      local report = assert(timed("sync, 20 changed", modfs.sync, src, dst, options))
      assert.same({ changed, files - changed, 4, 0 },
        { report.copied, report.kept, report.deleted, #report.errors })
      assert.equal(options.dry_run == true, modfs.exists(dst .. "/y"))
    end
    is_like(src, dst)
    local again = assert(timed("sync, checksum", modfs.sync, src, dst, { checksum = true }))
    assert.same({ 0, files, 0 }, { again.copied, again.kept, again.bytes })
  end)

  it("rmtree leaves nothing, in either way", function()
    for i, options in ipairs { false, { threads = 1 }, { threads = 2 }, { threads = 8 } } do
      local top = base .. "/gone" .. i
      shell.output("cp -a --", src, top)
      assert.same({ true, 0, 0 }, { timed("rmtree " .. i, modfs.rmtree, top, options or nil) })
      assert.is_false(modfs.exists(top))
    end
  end)
end)
