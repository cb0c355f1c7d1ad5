-- The part about modfs.async of docs/performance.md: bench/async.lua [rounds]. Both the time on the
-- clock and that of the CPU, as threads use several processors; run it by `taskset -c 0`, too.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local modfs = require "modfs"
local async = require "modfs.async"
local jobs = require "modfs.jobs"
local limit = require "async_limit"
local uv = require "luv"
local fixtures = require "bench.fixtures"
local measure = require "bench.measure"

local rounds = tonumber(arg[1]) or 7
local files, trips, window = 10000, 20000, 100

local place = fixtures.place()
for i = 1, files do
  assert(modfs.write(place .. "/" .. i, ("x"):rep(4096)))
end

-- Reading each file, `most` of them at a time.
local function read_jobs(most)
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

local function luv_read(path, done)
  uv.fs_open(path, "r", 0, function(_, fd)
    uv.fs_fstat(fd, function(_, stat)
      uv.fs_read(fd, stat.size, 0, function(_, content)
        uv.fs_close(fd, function() done(assert(content)) end)
      end)
    end)
  end)
end

local function read_luv(most)
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

local cases = {
  { name = ("read %d files of 4 KiB, %d at a time"):format(files, window), n = files,
    against = "plain", who = {
      plain = function()
        for i = 1, files do
          assert(modfs.read(place .. "/" .. i))
        end
      end,
      async = read_jobs(window),
      luv = read_luv(window),
    } },
  { name = "the same, all of them at once", n = files, against = "plain", who = {
    plain = function()
      local all = {}
      for i = 1, files do
        all[i] = modfs.read(place .. "/" .. i)
      end
      assert(#all == files)
    end,
    async = read_jobs(files),
    luv = read_luv(files),
  } },
  { name = "an empty job, there and back", n = trips, against = "condition variable", who = {
    ["condition variable"] = function() limit.round_trips(trips) end,
    async = function()
      for _ = 1, trips do
        jobs.start(jobs.nothing):wait()
      end
    end,
  } },
}

-- Seconds on the clock and of the CPU for one operation, by round.
local function run(case)
  local clock, cpu = {}, {}
  for who in pairs(case.who) do
    clock[who], cpu[who] = {}, {}
  end
  for round = 1, rounds do
    for who, work in pairs(case.who) do
      collectgarbage()
      collectgarbage()
      local wall, used = uv.hrtime(), os.clock()
      work()
      clock[who][round] = (uv.hrtime() - wall) / 1e9 / case.n
      cpu[who][round] = (os.clock() - used) / case.n
    end
  end
  return clock, cpu
end

print "| without waiting | who | clock | CPU | ratio: clock | CPU |"
print "|---|---|---|---|---|---|"
for _, case in ipairs(cases) do
  local clock, cpu = run(case)
  for who in pairs(case.who) do
    print(("| %s | %s | %.2f µs | %.2f µs | **%.2f** | %.2f |"):format(case.name, who,
      measure.median(clock[who]) * 1e6, measure.median(cpu[who]) * 1e6,
      measure.ratio(clock, who, case.against), measure.ratio(cpu, who, case.against)))
  end
end
assert(modfs.rmtree(place))
