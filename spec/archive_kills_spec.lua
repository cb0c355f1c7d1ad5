-- Writing an archive, with each of its system calls failing in turn, or the process ending there:
-- the archive is whole or is not there, what failed is told, and the next run leaves nothing beside
-- it. Controls show that the trace meets what it should, and that half an archive would be seen.
--   MODFS_KILLS=100 busted spec/archive_kills_spec.lua
local child = require "spec.support.child"
local modfs = require "modfs"
local packed = require "spec.support.packed"
local random = require "spec.support.random"
local s3 = require "spec.support.s3"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local COUNT = tonumber(os.getenv "MODFS_KILLS") or 12

local place, log

-- "large" goes through a temporary file into a zip and straight into a tar, "small" through memory.
setup(function()
  place, log = tmpdir.new(), os.tmpname()
  packed.run(place, "mkdir -p src/d out tmp && echo small >src/d/small && "
    .. "head -c 1300000 /dev/urandom >src/large && ln -s d/small src/link")
end)

teardown(function()
  packed.remove(place)
  os.remove(log)
end)

-- Whether all is there and right; lacking: what could not be read may be missing.
local function is_whole(root, lacking)
  local function is(name, got, wanted)
    return got == wanted or lacking and not modfs.exists(root .. name)
  end
  return (lacking or #assert(modfs.listdir(root)) == 3)
    and is("d/small", modfs.read(root .. "d/small"), "small\n")
    and is("large", modfs.read(root .. "large"), tmpdir.content(place .. "/src/large"))
    and is("link", modfs.readlink(root .. "link"), "d/small")
end

-- Writes the archive in a child under strace; what it said, and its status.
local function write_traced(root, inject)
  local status, out = child(([[
    local modfs = require "modfs"
    modfs.isdir %q
    modfs.exists "/mark/begin"
    local done, message, code = modfs.copytree(%q, %q, { threads = 1 })
    local first = done and done.errors[1]
    modfs.exists "/mark/end"
    print(first and first.code or done and "done" or code)
  ]]):format(root, place .. "/src", root), {
    under = ([[sh -c 'strace -f -o %s %s "$@"; exit $?' -]]):format(log, inject or ""),
    before = ("export TMPDIR=%s/tmp"):format(place),
  })
  return out:match "%S+", status
end

-- The calls between the marks that make or change something: { name, which one since the start }.
local changing = { write = true, renameat = true, renameat2 = true, linkat = true, openat = true,
  unlinkat = true, close = true, flock = true, fchmod = true, fsync = true, fdatasync = true }

local function calls_of(root)
  assert.equal("done", (write_traced(root)))
  local counts, calls, inside = {}, {}, false
  for line in tmpdir.content(log):gmatch "[^\n]+" do
    local name = line:match "^%d+ +([%w_]+)%("
    if name then
      counts[name] = (counts[name] or 0) + 1
      local ends = line:find("/mark/end", 1, true)
      inside = (inside or line:find("/mark/begin", 1, true)) and not ends
      if inside and changing[name] then
        calls[#calls + 1] = { name = name, which = counts[name] }
      end
    end
  end
  return calls
end

local function files_in(folder)
  return shell.output(("cd %s/%s && ls -A"):format(place, folder))
end

-- What is wrong after a write that said so; nil: nothing. opened: the call may have been the
-- opening of a source, which then is missing.
local function assess(path, root, said, opened)
  local there = modfs.exists(path)
  local lacking = opened and said ~= nil and said ~= "done"
  if there and not is_whole(root, lacking) then
    return "half an archive"
  elseif said == "done" and not there then
    return "it said that it is done, and nothing is there"
  elseif said and said ~= "done" and there and not opened then
    return "it said " .. said .. ", and the archive is there"
  elseif files_in "tmp" ~= "" then
    return "litter in TMPDIR: " .. files_in "tmp"
  elseif said and files_in "out" ~= (there and path:match "[^/]*$" or "") then
    return "litter: " .. files_in "out"
  end
  os.remove(path)
  local again = modfs.copytree(place .. "/src", root)
  if not again or not is_whole(root) or files_in "out" ~= path:match "[^/]*$" then
    return "litter after the next run: " .. files_in "out"
  end
end

local faults = { write = "error=ENOSPC error=EIO signal=KILL", close = "error=EIO signal=KILL",
  openat = "error=ENOSPC signal=KILL" }

-- All faults at all calls: how many there were, how many were told, and what was wrong after them.
local function run(name)
  local path = place .. "/out/" .. name
  local root = ("%s+file://%s!/"):format(name:match "%.(%a+)", path)
  local met, told, wrong = 0, 0, {}
  for _, call in ipairs(calls_of(root)) do
    for fault in (faults[call.name] or "error=EIO signal=KILL"):gmatch "%S+" do
      os.remove(path)
      modfs.flush_caches()
      local said = write_traced(root, ("-e inject=%s:%s:when=%d"):format(call.name, fault,
        call.which))
      met = met + 1
      told = told + (said ~= "done" and 1 or 0)
      local what = assess(path, root, said, call.name == "openat")
      wrong[#wrong + 1] = what and ("%s at %s %d: %s"):format(fault, call.name, call.which, what)
    end
  end
  os.remove(path)
  return met, told, table.concat(wrong, "\n")
end

describe("an archive whose writer meets a fault", function()
  local function can_trace()
    if sanitized or shell.run "strace -o /dev/null true" ~= 0 then
      pending "strace is not installed, or cannot trace here"
      return false
    end
    return true
  end

  for _, name in ipairs { "a.zip", "a.tar.zst" } do
    it("at any system call is whole or not there: " .. name, function()
      if not can_trace() then
        return
      end
      local met, told, wrong = run(name)
      assert.equal("", wrong)
      assert.is_true(met > 40, met .. " faults")
      assert.is_true(told > met / 2, told .. " of " .. met .. " faults were told")
    end)
  end

  -- Each read of the archive fails, or finds its end there. All is read twice: one of both times
  -- meets no fault.
  for _, name in ipairs { "r.zip", "r.tar", "r.tar.zst" } do
    it("at any read of it is told, and then read: " .. name, function()
      if not can_trace() then
        return
      end
      local path = place .. "/" .. name
      local root = ("%s://%s!/"):format(name:match "%.(%a+)", path)
      assert(modfs.copytree(place .. "/src", root))
      for _, fault in ipairs { "error=EIO", "retval=0" } do
        local n, said = 0
        repeat
          n = n + 1
          local _, out = child(([[
            local modfs = require "modfs"
            local function read(name, wanted)
              local got, _, code = modfs.read(%q .. name)
              return got == nil and code or got == wanted and "right" or "wrong"
            end
            local large = io.open(%q, "rb"):read "*a"
            for _ = 1, 2 do
              print(read("d/small", "small\n") .. " " .. read("large", large))
            end
          ]]):format(root, place .. "/src/large"), { under =
            ([[sh -c 'strace -f -o %s -P %s -e trace=pread64 -e inject=pread64:%s:when=%d "$@"' -]])
              :format(log, path, fault, n) })
          said = out
          assert.is_nil(out:find("wrong", 1, true), name .. " " .. n .. ": " .. out)
          local whole = out:find("^right right\n") or out:find("\nright right\n$")
          assert.is_truthy(whole, name .. " " .. n .. ": " .. out)
        until said == "right right\nright right\n"
        assert.is_true(n > 2 and n < 60, n .. " reads")
      end
    end)
  end

  it("would be seen to be a half one (the control)", function()
    local path = place .. "/out/half.zip"
    local root = "zip://" .. path .. "!/"
    assert(modfs.copytree(place .. "/src", root))
    local content = tmpdir.content(path)
    tmpdir.write(path, content:sub(1, 1000) .. content:sub(1002))
    modfs.flush_caches()
    assert.is_false((pcall(function() assert.is_nil(assess(path, root, "done")) end)))
    os.remove(path)
  end)
end)

local in_parts = { part_bytes = 5 * 1024 * 1024, retries = 0, idle_timeout_ms = 1500 }

s3.describe_chaos("an archive written to a server", in_parts, function(chaos)
  local src

  -- Three parts.
  setup(function()
    src = place .. "/many"
    packed.run(place, "mkdir many && head -c 11000000 /dev/urandom >many/large && "
      .. "for i in $(seq 50); do seq $i 2000 >many/$i; done")
    chaos.put("s3-good/old", "before")
  end)

  local function right(root)
    return #assert(modfs.listdir(root)) == 51
      and modfs.read(root .. "large") == tmpdir.content(src .. "/large")
      and modfs.read(root .. "7") == tmpdir.content(src .. "/7")
  end

  -- Whether the bucket has the archive, which is whole then; uploads: how many may be left.
  local function assess_bucket(bucket, root, uploads)
    local state = chaos.state(bucket)
    local _, left = state:gsub("upload ", "")
    assert.is_true(left <= uploads, bucket .. ": " .. state)
    local there = ("\n" .. state):find("\na.", 1, true) ~= nil
    modfs.flush_caches()
    assert.is_true(not there or right(root), bucket .. ": " .. state)
    return there
  end

  local function root_of(bucket, name)
    return ("%s+s3://%s/%s!/"):format(name:match "%.(%a+)", bucket, name)
  end

  it("is whole (the control)", function()
    for _, name in ipairs { "a.zip", "a.tar" } do
      local root = root_of("control." .. name:sub(3), name)
      assert(modfs.copytree(src, root))
      assert.is_true(assess_bucket("control." .. name:sub(3), root, 0))
    end
    assert.has_error(function() assess_bucket("control.zip", root_of("s3-good", "old"), 0) end)
  end)

  for _, step in ipairs { "create", "part", "complete" } do
    it("whose " .. step .. " fails is not there, and no upload is left", function()
      for _, fault in ipairs { "status.403", "status.500", "dropped", "cut.20", "reset.40",
        "stall.0", "refuse.400-expired", "lost" } do
        local bucket = step .. "." .. fault
        local root = root_of(bucket, "a.zip")
        local done, message = modfs.copytree(src, root)
        assert.is_nil(done, bucket)
        assert.is_true(#message > 10)
        -- An upload whose answer was lost is not known, as is a completion.
        local there = assess_bucket(bucket, root, step == "create" and 9 or 0)
        assert.is_true(not there or step == "complete", bucket)
      end
    end)
  end

  it("by a process that is killed at any moment is whole or not there", function()
    local draw, seconds, seen = random(os.time() % 100000), 3, { [true] = 0, [false] = 0 }
    local i = 0
    while i < COUNT or ((seen[true] == 0 or seen[false] == 0) and i < 10 * COUNT) do
      i = i + 1
      local bucket = "killed.n" .. i
      local root = root_of(bucket, i % 2 == 0 and "a.zip" or "a.tar")
      local code = ([[package.path, package.cpath = %q, %q; local modfs = require "modfs"
        assert(modfs.config("s3", { endpoint = %q, access_key_id = "A", secret_access_key = "s",
          part_bytes = 5 * 1024 * 1024 }))
        assert(modfs.copytree(%q, %q))]]):format(package.path, package.cpath, chaos.url, src, root)
      -- With --foreground timeout does not kill itself, but waits until the last thread is gone.
      local status = shell.run(("TMPDIR=%s/tmp timeout --foreground --preserve-status -s KILL %.3f "
        .. "%s -e %s"):format(place, seconds * (1 + draw(1000)) / 1000, os.getenv "LUA" or "lua5.4",
        shell.quote(code)))
      local there = assess_bucket(bucket, root, 1)
      assert.is_true(there or status ~= 0)
      assert.equal("", files_in "tmp")
      seen[there] = seen[there] + 1
      -- The half of them are killed before the end.
      seconds = there and seconds / 1.5 or math.min(seconds * 1.5, 20)
    end
    assert.is_true(seen[true] > 0 and seen[false] > 0, seen[true] .. " were whole")
  end)
end)
