-- hdfs beside `hdfs dfs`, before a cluster of one data node that it starts, in memory:
-- bench/hdfs.lua [rounds [case]]. Wall time of whole programs, the start of Java included, and
-- without it. Also that of curl, which does the same by WebHDFS, eight small files at a time: what
-- the data node takes. All in a round follow each other; the ratios are those of the medians.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local hadoop = require "spec.support.hadoop"
local shell = require "spec.support.shell"
local uv = require "luv"

local rounds, wanted = tonumber(arg[1]) or 3, arg[2] or ""
local large, many = 268435456, 1000

local function median(values)
  table.sort(values)
  return (values[(#values + 1) // 2] + values[#values // 2 + 1]) / 2
end

local function seconds(work)
  local start = uv.hrtime()
  work()
  return (uv.hrtime() - start) / 1e9
end

local hdfs = assert(hadoop.start { data_nodes = 1, block_size = 67108864 })
local place = shell.output "mktemp -d /dev/shm/modfs-bench.XXXXXX || mktemp -d"
shell.output(("cd %s && head -c %d /dev/urandom >large && mkdir small && for i in $(seq %d); do " ..
  "head -c 4096 large >small/f$i; done"):format(place, large, many))
hdfs.dfs("-mkdir", "/bench")

-- One process of curl for all of the small files: `lines` for each, in its own configuration.
local function curl_small(name, query, lines)
  local file = assert(io.open(place .. "/curl." .. name, "w"))
  for i = 1, many do
    file:write(('url = "http://%s/webhdfs/v1/bench/%s/f%d?%s&user.name=root"\n'):format(hdfs.web,
      name, i, query), lines:format(place, i), "\n")
  end
  file:close()
  return function()
    shell.output(("mkdir -p %s/s3 && curl -sSfL -H Expect: --parallel --parallel-max 8 " ..
      "-K %s/curl.%s"):format(place, place, name))
  end
end

local function modfs(words)
  local line = ("env MODFS_HDFS_CONF_DIR=%s MODFS_HDFS_USER=root %s bin/modfs %s"):format(hdfs.conf,
    os.getenv "LUA" or "lua5.4", words)
  return function() shell.output(line) end
end

local function dfs(...)
  local words = { ... }
  return function() hdfs.dfs(table.unpack(words)) end
end

-- What `hdfs dfs` takes to start.
local function start_of_java()
  return seconds(dfs("-test", "-d", "/bench"))
end

local function clean(path)
  return function() pcall(hdfs.dfs, "-rm", "-r", "-f", "-skipTrash", path) end
end

local function location(method, op)
  local url = ("http://%s/webhdfs/v1/bench/%s&user.name=root"):format(hdfs.web, op)
  return assert(shell.output("curl -sf -i -X " .. method, url):match "\n[Ll]ocation: (%S+)")
end

local function curl_put()
  shell.output("curl -sf -H Expect: -T " .. place .. "/large", location("PUT",
    "l3?op=CREATE&overwrite=true"))
end

local function curl_get()
  shell.output("curl -sf -o " .. place .. "/three", location("GET", "large?op=OPEN"))
end

local cases = {
  { name = "put 256 MiB", aim = 0.95, clean = clean "/bench/l*",
    dfs = dfs("-put", "-f", place .. "/large", "/bench/l1"),
    modfs = modfs(("cp -f %s/large %s/bench/l2"):format(place, hdfs.uri)), curl = curl_put },
  { name = "get 256 MiB", aim = 0.95,
    prepare = dfs("-put", "-f", place .. "/large", "/bench/large"),
    clean = function() shell.run("rm -f", place .. "/one", place .. "/two", place .. "/three") end,
    dfs = dfs("-get", "/bench/large", place .. "/one"),
    modfs = modfs(("cp %s/bench/large %s/two"):format(hdfs.uri, place)), curl = curl_get },
  { name = "put 1,000 files of 4 KiB", aim = 3, clean = clean "/bench/s*",
    dfs = dfs("-put", place .. "/small", "/bench/s1"),
    modfs = modfs(("cp -r %s/small %s/bench/s2"):format(place, hdfs.uri)),
    curl = curl_small("s3", "op=CREATE&overwrite=true",
      'upload-file = "%s/small/f%d"\noutput = "/dev/null"') },
  { name = "get 1,000 files of 4 KiB", aim = 3,
    prepare = dfs("-put", place .. "/small", "/bench/small"),
    clean = function()
      shell.run("rm -rf", place .. "/s1", place .. "/s2", place .. "/s3")
    end,
    dfs = dfs("-get", "/bench/small", place .. "/s1"),
    modfs = modfs(("cp -r %s/bench/small %s/s2"):format(hdfs.uri, place)),
    curl = curl_small("small", "op=OPEN", 'output = "%s/s3/f%d"') },
}

print "| case | hdfs dfs | its start | modfs | ratio | without the start | aim | | curl |"
print "|---|---|---|---|---|---|---|---|---|"

local function measure(case)
  local theirs, ours, starts, plain = {}, {}, {}, {}
  if case.prepare then
    case.prepare()
  end
  for round = 1, rounds do
    case.clean()
    starts[round] = start_of_java()
    if round % 2 == 0 then
      theirs[round], ours[round] = seconds(case.dfs), seconds(case.modfs)
    else
      ours[round] = seconds(case.modfs)
      theirs[round] = seconds(case.dfs)
    end
    plain[round] = case.curl and seconds(case.curl)
  end
  case.clean()
  local them, us, java = median(theirs), median(ours), median(starts)
  local bare = math.max(them - java, 0) / us
  print(("| %s | %.2f s | %.2f s | %.2f s | %.2f | %.2f | ≥ %.2f | %s | %s |"):format(case.name,
    them, java, us, them / us, bare, case.aim, bare < case.aim and "**missed**" or "",
    case.curl and ("%.2f s"):format(median(plain)) or ""))
  io.stdout:flush()
end

for _, case in ipairs(cases) do
  if case.name:find(wanted, 1, true) then
    measure(case)
  end
end
hdfs.stop()
shell.run("rm -rf", place)
