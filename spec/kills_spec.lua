-- sync is killed at random moments. The next run goes on where that one stopped: it copies no
-- finished file again, takes no half file for a whole one, and leaves nothing behind.
--   MODFS_KILLS=100 busted spec/kills_spec.lua
local modfs = require "modfs"
local random = require "spec.support.random"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local COUNT = tonumber(os.getenv "MODFS_KILLS") or 12
local MIB = 1024 * 1024
local WORKERS = 16 -- more files than that are never in flight

local next_random = random(os.time() % 100000)

-- Text of a length that is nowhere the same for long.
local function text(length, salt)
  local piece = {}
  for i = 1, 997 do
    piece[i] = salt .. i * i
  end
  local all = table.concat(piece, ".")
  return all:rep(math.ceil((length + 1) / #all)):sub(1, length)
end

-- Plants files below a root -> { [path] = content }.
local function plant(root, small, large)
  local files = { ["empty"] = "", ["with space/ü+%"] = "odd", [".hidden/.modfs"] = "like ours" }
  for i = 1, small do
    files[("%d/%d/file%d"):format(i % 5, i % 3, i)] = text(next_random(20000), i)
  end
  for i, length in ipairs(large) do
    files[("%d/large%d"):format(i % 5, i)] = text(length, "x" .. i)
  end
  for path, content in pairs(files) do
    shell.output("mkdir -p --", (root .. "/" .. path):match "^(.*)/")
    tmpdir.write(root .. "/" .. path, content)
  end
  return files
end

-- sync(src, dst) in a process of its own, killed after so many seconds -> its exit status. With
-- --foreground timeout does not kill itself as well, but waits until the last thread is gone.
local function killed(src, dst, seconds, environment)
  local code = ("package.path, package.cpath = %q, %q; assert(require('modfs').sync(%q, %q))")
    :format(package.path, package.cpath, src, dst)
  return (shell.run(("env %s timeout --foreground --preserve-status -s KILL %.4f %s -e %s"):format(
    environment or "", seconds, os.getenv "LUA" or "lua5.4", shell.quote(code))))
end

-- How long an undisturbed run takes.
local function duration(run)
  local script = "date +%s.%N"
  local before = tonumber(shell.output(script))
  run()
  return tonumber(shell.output(script)) - before
end

-- What a target has of the files: how many and how many bytes are whole, how many are not. A file
-- with the length of the whole must be whole.
local function survey(files, read)
  local found = { whole = 0, bytes = 0, half = 0, missing = 0 }
  for path, content in pairs(files) do
    local there = read(path)
    if there == content then
      found.whole, found.bytes = found.whole + 1, found.bytes + #content
    elseif there then
      found.half = found.half + 1
      assert.is_true(#there ~= #content, path .. " has the right length, and another content")
    else
      found.missing = found.missing + 1
    end
  end
  return found
end

local function same_trees(a, b)
  local status, out, err = shell.run("diff -r", a, b)
  assert.equal(0, status, out .. err)
end

-- The next run, after the one that was killed.
local function goes_on(src, dst, files, before)
  local report = assert(modfs.sync(src, dst))
  assert.same({}, report.errors)
  local again = report.copied - (before.half + before.missing)
  assert.is_true(again >= 0 and again <= WORKERS, again .. " finished files were copied again")
  local total = 0
  for _, content in pairs(files) do
    total = total + #content
  end
  local twice = report.bytes - (total - before.bytes)
  assert.is_true(twice >= 0 and (again > 0 or twice == 0), twice .. " bytes were copied again")
  report = assert(modfs.sync(src, dst))
  assert.equal(0, report.copied)
end

describe("sync, killed on the machine's files,", function()
  local place, src, files, seconds

  setup(function()
    place = tmpdir.new()
    src = place .. "/src"
    files = plant(src, 300, { 3 * MIB, 2 * MIB, 5 * MIB, MIB })
    seconds = duration(function()
      assert.equal(0, killed(src, place .. "/whole", 60))
    end)
    same_trees(src, place .. "/whole")
  end)
  teardown(function() tmpdir.remove(place) end)

  -- An older tree, in which every other file was shorter or longer.
  local function plant_old(dst)
    shell.output("cp -a", place .. "/whole", dst)
    local odd = false
    for path, content in pairs(files) do
      odd = not odd
      if odd then
        tmpdir.write(dst .. "/" .. path, content:sub(1, -2) .. "older")
      end
    end
  end

  it(("goes on %d times"):format(COUNT), function()
    local torn, changed, round = 0, 0, 0
    while round < COUNT or ((torn == 0 or changed == 0) and round < 10 * COUNT) do
      round = round + 1
      local dst = ("%s/dst%d"):format(place, round)
      local replaces, scheme = round % 2 == 0, round % 4 < 2 and "" or "file://"
      if replaces then
        plant_old(dst)
      end
      local function read(path)
        return tmpdir.content(dst .. "/" .. path)
      end
      local first = survey(files, read)
      local status = killed(scheme .. src, dst, seconds * (0.15 + next_random(900) / 1000))
      assert.truthy(status == 137 or status == 0, "exit status " .. status)
      local before = survey(files, read)
      torn = torn + (before.half + before.missing > 0 and 1 or 0)
      changed = changed + (before.whole > first.whole and status == 137 and 1 or 0)
      -- A machine that is busy now and then: kill earlier next time, or later.
      seconds = seconds * (status == 0 and 0.8 or before.whole == first.whole and 1.2 or 1)
      goes_on(scheme .. src, dst, files, before)
      same_trees(src, dst)
      tmpdir.remove(dst)
    end
    -- The control: it was killed at work, not before or after.
    assert.is_true(torn > 0 and changed > 0, ("%d of %d runs were not finished, %d had begun")
      :format(torn, round, changed))
  end)

  it("removes what a killed copy left beside its target", function()
    local dst = place .. "/left"
    plant_old(dst)
    local left = 0
    for _ = 1, 5 * COUNT do
      killed(src, dst, seconds * (0.15 + next_random(900) / 1000))
      left = left + #shell.output("find " .. dst .. " -name '.modfs-*'")
      assert(modfs.sync(src, dst))
      same_trees(src, dst)
      if left > 0 then
        return
      end
      tmpdir.remove(dst)
      plant_old(dst)
    end
    pending "no run was killed while it replaced a file"
  end)
end)

s3.describe_chaos("sync, killed on the way to s3,", { part_bytes = 5 * MIB }, function(chaos)
  local rounds = math.max(3, math.floor(COUNT / 4))

  it(("goes on %d times"):format(rounds), function()
    local place = tmpdir.new()
    finally(function() tmpdir.remove(place) end)
    local src, environment = place .. "/src", ("MODFS_S3_ENDPOINT=%s MODFS_S3_ACCESS_KEY_ID=A " ..
      "MODFS_S3_SECRET_ACCESS_KEY=B MODFS_S3_PART_BYTES=%d"):format(chaos.url, 5 * MIB)
    local files = plant(src, 60, { 6 * MIB, 11 * MIB })
    local seconds = duration(function()
      assert.equal(0, killed(src, "s3://kills.whole/tree", 60, environment))
    end)
    local torn, round = 0, 0
    while round < rounds or (torn == 0 and round < 10 * rounds) do
      round = round + 1
      local dst = ("s3://kills.round%d/tree"):format(round)
      local status = killed(src, dst, seconds * (0.15 + next_random(700) / 1000), environment)
      assert.truthy(status == 137 or status == 0, "exit status " .. status)
      -- The server has read all that was sent before when it answers a later connection.
      chaos.state "kills"
      local before = survey(files, function(path)
        return (modfs.read(dst .. "/" .. path))
      end)
      assert.equal(0, before.half)
      torn = torn + (before.missing > 0 and before.whole > 0 and 1 or 0)
      seconds = seconds * (status == 0 and 0.8 or before.whole == 0 and 1.2 or 1)
      goes_on(src, dst, files, before)
      modfs.flush_caches()
      local back = place .. "/back" .. round
      assert.same({}, assert(modfs.copytree(dst, back)).errors)
      same_trees(src, back)
      tmpdir.remove(back)
    end
    assert.is_true(torn > 0, "no run was killed at work (the control)")
  end)
end)
