-- gs beside Google's own client for Python, which `make test-clouds` has installed: bench/gs.lua
-- [rounds [word]]. All goes to one fake-gcs-server on this machine, which has its data in memory.
-- Each program is started anew and tells how long it worked, without its start. With a word only
-- the cases with it in their names. Where the server itself is slow, curl shows by how much: it
-- sends the same bytes in the same requests.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local gs = require "spec.support.gs"
local shell = require "spec.support.shell"
local uv = require "luv"

local rounds, many = tonumber(arg[1]) or 5, 1000
local python = assert(gs.installed "gcp-storage-emulator"):gsub("[^/]*$", "python")
local place = shell.output "mktemp -d /dev/shm/modfs-bench.XXXXXX || mktemp -d"

local function median(list)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  return (sorted[#sorted // 2 + 1] + sorted[(#sorted + 1) // 2]) / 2
end

-- What a session takes by curl alone, its chunks being the files of that name.
local function curl(pieces)
  local endpoint, at, total = os.getenv "MODFS_GS_ENDPOINT", 0, 67108864
  local start = uv.hrtime()
  local head = shell.output("curl -sf -D - -o /dev/null -d '{}' -H Content-Type:application/json",
    endpoint .. "/upload/storage/v1/b/bench/o?uploadType=resumable&name=plain")
  local session = assert(head:match "\n[Ll]ocation: (%S+)")
  for piece in shell.output("ls " .. place .. "/" .. pieces):gmatch "%S+" do
    local behind = at + assert(uv.fs_stat(piece)).size
    local range = ("bytes %d-%d/%s"):format(at, behind - 1, behind == total and total or "*")
    shell.output(("curl -s -o /dev/null -H Expect: -H 'Content-Range: %s' -T %s"):format(range,
      piece), session)
    at = behind
  end
  return (uv.hrtime() - start) / 1e9
end

local function seconds(command)
  return assert(tonumber(shell.output(command)), command)
end
local function lua(...)
  return seconds("lua5.4 bench/gs_client.lua " .. table.concat({ ... }, " "))
end
local function client(...)
  return seconds(python .. " bench/gs_client.py " .. table.concat({ ... }, " "))
end

local cases = {
  { "put 64 MiB", 0.95, function(i) return lua("put", place .. "/large", "gs://bench/m" .. i) end,
    function(i) return client("put", place .. "/large", "c" .. i) end,
    function() return curl "piece.*" end },
  { "put 64 MiB, the client in chunks of 16 MiB", 0.95,
    function(i) return lua("put", place .. "/large", "gs://bench/m" .. i) end,
    function(i) return client("put", place .. "/large", "c" .. i, 16) end,
    function() return curl "piece.*" end },
  { "put 64 MiB, both in one request", 0.95,
    function(i)
      uv.os_setenv("MODFS_GS_PART_BYTES", "67108864")
      local took = lua("put", place .. "/large", "gs://bench/m" .. i)
      uv.os_unsetenv "MODFS_GS_PART_BYTES"
      return took
    end,
    function(i) return client("put", place .. "/large", "c" .. i) end,
    function() return curl "large" end },
  { "get 64 MiB", 0.95, function() return lua("get", "gs://bench/m1") end,
    function() return client("get", "m1") end },
  { "put 1000 objects of 1 KiB, one by one", 3,
    function(i) return lua("copytree", place .. "/small", "gs://bench/sm" .. i) end,
    function(i) return client("puts_one_by_one", place .. "/small", "sc" .. i) end },
  { "get 1000 objects of 1 KiB, one by one", 3,
    function(i) return lua("copytree", "gs://bench/sm1", place .. "/sm" .. i) end,
    function(i) return client("gets_one_by_one", "sm1", place .. "/sc" .. i) end },
  { "put 1000 objects of 1 KiB, 8 threads", 3,
    function(i) return lua("copytree", place .. "/small", "gs://bench/tm" .. i) end,
    function(i) return client("puts", place .. "/small", "tc" .. i) end },
  { "get 1000 objects of 1 KiB, 8 threads", 3,
    function(i) return lua("copytree", "gs://bench/sm1", place .. "/tm" .. i) end,
    function(i) return client("gets", "sm1", place .. "/tc" .. i) end },
}

shell.output(("cd %s && head -c 67108864 /dev/urandom >large && " ..
  "split -b 16777216 large piece. && mkdir small && " ..
  "for i in $(seq %d); do head -c 1024 /dev/urandom >small/f$i; done"):format(place, many))

-- A server of its own for each case: what others have left there slows it down.
local function prepare(name)
  local server = assert(gs.start "fake-gcs-server")
  uv.os_setenv("MODFS_GS_ENDPOINT", server.endpoint)
  uv.os_setenv("STORAGE_EMULATOR_HOST", server.endpoint)
  shell.output("curl -sf -d '{\"name\":\"bench\"}' -H 'Content-Type: application/json'",
    server.endpoint .. "/storage/v1/b?project=p")
  if name:find "^get 64" then lua("put", place .. "/large", "gs://bench/m1") end
  if name:find "^get 1000" then lua("copytree", place .. "/small", "gs://bench/sm1") end
  return server
end

print "| gs | modfs | google-cloud-storage | ratio | curl | aim | |\n|---|---|---|---|---|---|---|"
for _, case in ipairs(cases) do
  local name, aim, ours, theirs, plain = table.unpack(case)
  local costs, wanted = { modfs = {}, client = {}, curl = {} }, name:find(arg[2] or "", 1, true)
  local server = wanted and prepare(name)
  for i = 1, wanted and rounds or 0 do
    if i % 2 == 1 then costs.modfs[i] = ours(i) end
    costs.client[i] = theirs(i)
    costs.modfs[i] = costs.modfs[i] or ours(i)
    costs.curl[i] = plain and plain()
  end
  if server then
    server.stop()
    local ratios = {}
    for i = 1, rounds do ratios[i] = costs.client[i] / costs.modfs[i] end
    local ratio = median(ratios)
    print(("| %s | %.2f s | %.2f s | %.2f | %s | ≥ %.2f | %s |"):format(name,
      median(costs.modfs), median(costs.client), ratio,
      plain and ("%.2f s"):format(median(costs.curl)) or "", aim,
      ratio < aim and "**missed**" or ""))
  end
end
print(("\nMedian of %d rounds; ratio: of each round, above 1 modfs is faster."):format(rounds))
shell.run("rm -rf", place)
