-- The cases about modfs.async: cases(context) -> array, finish. By the wall, as threads use several
-- processors, and by the CPU time of all threads, which other programs disturb less; run them by
-- `taskset -c 0`, too.
local modfs = require "modfs"
local async = require "modfs.async"
local jobs = require "modfs.jobs"
local limit = require "async_limit"
local uv = require "luv"
local fixtures = require "bench.fixtures"

local window = 100

-- Reading each file, `most` of them at a time.
local function read_jobs(place, files, most)
  return function()
    local under_way = {}
    for i = 1, files do
      under_way[i] = async.read(place .. "/" .. i)
      if i > most then
        assert(under_way[i - most]:wait())
        under_way[i - most] = nil
      end
    end
    for i = math.max(files - most, 0) + 1, files do
      assert(under_way[i]:wait())
    end
  end
end

-- The same by a bare module, which reads on one thread.
local function read_bare(place, files, most)
  return function()
    local line = limit.line(most)
    for i = 1, files do
      if i > most then
        assert(line:take())
      end
      line:start(place .. "/" .. i)
    end
    for _ = 1, math.min(most, files) do
      assert(line:take())
    end
    line:close()
  end
end

local function luv_read(path, done)
  uv.fs_open(path, "r", 0, function(_, fd)
    uv.fs_fstat(fd, function(_, stat)
      uv.fs_read(fd, stat.size, 0, function(_, content)
        uv.fs_close(fd, function() done(assert(content)) end)
      end)
    end)
  end)
end

local function read_luv(place, files, most)
  return function()
    local started = 0
    local function begin()
      if started < files then
        started = started + 1
        luv_read(place .. "/" .. started, begin)
      end
    end
    for _ = 1, most do
      begin()
    end
    uv.run()
  end
end

local function plain(place, files)
  return function()
    for i = 1, files do
      assert(modfs.read(place .. "/" .. i))
    end
  end
end

-- Keeps the contents, as jobs do.
local function plain_kept(place, files)
  return function()
    local all = {}
    for i = 1, files do
      all[i] = modfs.read(place .. "/" .. i)
    end
    assert(#all == files)
  end
end

-- A case by one of the clocks.
local function by(clock, case)
  local key = clock == "cpu" and case.key .. ", CPU time" or case.key
  local name = clock == "cpu" and case.name .. ": CPU time" or case.name
  return { name = name, key = key, n = case.n, unit = case.unit, against = case.against,
    who = case.who, clock = clock }
end

return function(context)
  local files, trips = context.short and 200 or 10000, context.short and 200 or 20000
  local place = fixtures.place()
  for i = 1, files do
    assert(modfs.write(place .. "/" .. i, ("x"):rep(4096)))
  end
  local read_some = {
    name = ("read %d files of 4 KiB, %d at a time"):format(files, window), key = "100 at a time",
    n = 1, unit = files, against = "plain", who = {
      plain = plain(place, files),
      modfs = read_jobs(place, files, window),
      luv = read_luv(place, files, window),
      bare = read_bare(place, files, window),
      C = function() limit.read(place, files) end,
      ["C, two threads"] = function() limit.read(place, files, window) end,
    },
  }
  local read_all = {
    name = "the same, all of them at once", key = "all at once", n = 1, unit = files,
    against = "plain", who = {
      plain = plain_kept(place, files),
      modfs = read_jobs(place, files, files),
      luv = read_luv(place, files, files),
      bare = read_bare(place, files, files),
    },
  }
  local empty = {
    name = "an empty job, there and back", key = "empty job", n = trips,
    against = "condition variable", who = {
      ["condition variable"] = function(n) limit.round_trips(n) end,
      modfs = function(n)
        for _ = 1, n do
          jobs.start(jobs.nothing):wait()
        end
      end,
    },
  }
  return {
    by("wall", read_some), by("cpu", read_some), by("wall", read_all), by("cpu", read_all),
    by("wall", empty), by("cpu", empty),
  }, function()
    assert(modfs.rmtree(place))
  end
end
