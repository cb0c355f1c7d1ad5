-- The part about s3 of docs/performance.md: bench/s3.lua [rounds [word]], or make bench-s3. All
-- goes to one Ceph on this machine, which has its data in memory. With a word only the cases with
-- it in their names.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local measure = require "bench.measure"
local radosgw = require "spec.support.radosgw"
local shell = require "spec.support.shell"
local uv = require "luv"

local rounds, many = tonumber(arg[1]) or 5, 20000
local columns = { "curl", "modfs", "s3cmd", "rclone" }
local aims = { get = { "curl", 0.95 }, put = { "curl", 0.95 }, puts = { "s3cmd", 3 },
  gets = { "s3cmd", 3 }, list = { "curl", 0.8 } }

-- Seconds by the wall: those who wait for a server use little of the processor.
local function seconds(command)
  local start = uv.hrtime()
  assert(os.execute(command), command)
  return (uv.hrtime() - start) / 1e9
end

-- In each round everybody runs once, in rotating order.
local function run(case)
  local costs, names = {}, {}
  for _, who in ipairs(columns) do
    if case.who[who] then
      names[#names + 1] = who
      costs[who] = {}
    end
  end
  for round = 1, rounds do
    for i = 1, #names do
      local who = names[(i + round) % #names + 1]
      costs[who][round] = seconds(case.who[who](round))
    end
  end
  return costs
end

local function print_row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
end

local function print_costs(cases, results)
  print_row { "s3", table.unpack(columns) }
  print("|---" .. ("|---"):rep(#columns) .. "|")
  for i, case in ipairs(cases) do
    local cells = { case.name }
    for _, who in ipairs(columns) do
      local costs = results[i]
      cells[#cells + 1] = costs[who] and ("%.2f s **%.2f**"):format(measure.median(costs[who]),
        measure.ratio(costs, "modfs", who)) or ""
    end
    print_row(cells)
  end
  print(("\nWall time with the start of each program, median of %d rounds."):format(rounds))
  print "Bold: the ratio to modfs, of each round: above 1, modfs is faster."
end

local function print_aims(cases, results)
  local missed = 0
  print ""
  print_row { "case", "against", "aim", "reached", "" }
  print "|---|---|---|---|---|"
  for i, case in ipairs(cases) do
    local aim = aims[case.aim]
    local ratio = measure.ratio(results[i], "modfs", aim[1])
    missed = missed + (ratio < aim[2] and 1 or 0)
    print_row { case.name, aim[1], ("≥ %.2f"):format(aim[2]), ("%.2f"):format(ratio),
      ratio < aim[2] and "**missed**" or "" }
  end
  print(("\n%d aims, %d missed"):format(#cases, missed))
end

-- What the cases find; many keys go there by curl, sixteen at once.
local function prepare(ceph, place)
  shell.output(("cd %s && head -c 67108864 /dev/urandom >large && mkdir small && " ..
    "for i in $(seq 2000); do head -c 1024 large >small/f$i; done && : >empty"):format(place))
  assert(ceph.s3cmd("put", place .. "/large", "s3://bench/large") == 0)
  seconds(("lua5.4 bench/s3_client.lua copytree %s/small s3://bench/small"):format(place))
  local urls = assert(io.open(place .. "/urls", "w"))
  for i = 0, many - 1 do
    urls:write(('url = "%s/bench/many/f%05d"\nupload-file = "%s/empty"\n'):format(ceph.http, i,
      place))
  end
  urls:close()
  assert(ceph.curl("-Z", "--parallel-max", "16", "-K", place .. "/urls") == 0)
end

local ceph = assert(radosgw.start { "bench" })
local place = shell.output "mktemp -d /dev/shm/modfs-bench.XXXXXX || mktemp -d"
for name in pairs(uv.os_environ()) do
  if name:find "^AWS_" then
    uv.os_unsetenv(name)
  end
end
for name, value in pairs { MODFS_S3_ENDPOINT = ceph.http, MODFS_S3_ACCESS_KEY_ID = ceph.one.key,
  MODFS_S3_SECRET_ACCESS_KEY = ceph.one.secret, RCLONE_CONFIG = "/dev/null",
  RCLONE_CONFIG_C_TYPE = "s3", RCLONE_CONFIG_C_PROVIDER = "Ceph",
  RCLONE_CONFIG_C_ENDPOINT = ceph.http, RCLONE_CONFIG_C_ACCESS_KEY_ID = ceph.one.key,
  RCLONE_CONFIG_C_SECRET_ACCESS_KEY = ceph.one.secret } do
  uv.os_setenv(name, value)
end
prepare(ceph, place)
local cases, results = {}, {}
for _, case in ipairs(require "bench.s3_cases"(ceph, place, many)) do
  if case.name:find(arg[2] or "", 1, true) then
    cases[#cases + 1] = case
    results[#cases] = run(case)
  end
end
print_costs(cases, results)
print_aims(cases, results)
ceph.stop()
shell.run("rm -rf", place)
