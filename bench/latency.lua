-- How long small requests take beside large ones, on one worker of nginx: bench/latency.lua
-- [rounds [figure.svg]], or make bench-latency. In each round every way to serve objects gets the
-- same loads, one after the other, each by the same way; a client asks for a small object all the
-- time.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local figure = require "bench.latency_figure"

local rounds, target = tonumber(arg[1]) or 3, arg[2]
local luajit = os.getenv "JIT" or "build-luajit"
local port = tonumber(os.getenv "PORT") or 18097
local base = "http://127.0.0.1:" .. port

-- Seconds; "" is quiet.
local loads = {
  { name = "", seconds = 1 },
  { name = "GET of 300 MB", seconds = 2, command = "curl -s --fail -o /dev/null $WAY/large" },
  { name = "", seconds = 0.5 },
  { name = "PUT of 300 MB", seconds = 2,
    command = "curl -s --fail -T $PLACE/folder/large $WAY/new" },
  { name = "", seconds = 0.5 },
  { name = "listing of 50,000", seconds = 2, command = "curl -s --fail -o /dev/null $WAY/many/" },
  { name = "", seconds = 0.5 },
  { name = "a backend that stalls", seconds = 2, command = "curl -s --fail -o /dev/null $STALL/x" },
  { name = "", seconds = 0.5 },
}

-- nginx itself has no backend of this kind: its worker serves the example's meanwhile.
local ways = {
  { name = "nginx alias", path = "alias", stall = "stall_async" },
  { name = "modfs, async", path = "files", stall = "stall_async" },
  { name = "modfs, threads of nginx", path = "threads", stall = "stall_threads" },
  { name = "modfs, blocking", path = "blocking", stall = "stall_blocking" },
}

local locations = [[
  location /alias/ { alias @folder@/; autoindex on; dav_methods PUT; }
  location /stall_async/ {
    content_by_lua_block { require("store").serve { root = "slow://", prefix = "/stall_async/" } }
  }
  location /blocking/ {
    content_by_lua_block { require("latency_ways").serve_blocking "@folder@/" }
  }
  location /stall_blocking/ {
    content_by_lua_block { require("latency_ways").serve_blocking "slow://" }
  }
  location /threads/ {
    aio threads;
    content_by_lua_block { require("latency_ways").serve_by_threads "@folder@/" }
  }
  location /stall_threads/ {
    content_by_lua_block { require("latency_ways").serve_by_threads "slow://" }
  }]]

local function sh(line, ...)
  line = line:format(...)
  assert(os.execute(line), line)
end

local function output(line)
  local pipe = assert(io.popen(line))
  local text = pipe:read "a"
  pipe:close()
  return (text:gsub("%s+$", ""))
end

local place = output "mktemp -d"

local function build()
  sh("gcc -std=c11 -D_GNU_SOURCE -O2 %s/bench/latency_client.c -o %s/client", here, place)
  sh("gcc -std=c11 -D_GNU_SOURCE -O2 -fPIC -shared -fvisibility=hidden -DWAIT_MSEC=1000 " ..
    "-I%s/include %s/examples/nginx/slow.c -o %s/slow.so -Wl,--no-as-needed " ..
    "%s/stub/libtensorflow_framework.so.2", here, here, place, luajit)
end

local function plant()
  sh("cd %s && chmod 755 . && mkdir -m 777 folder && cd folder && mkdir -m 777 many && " ..
    "head -c 300000000 /dev/zero >large && head -c 1000 /dev/zero >small && " ..
    "cd many && seq -f 'name-%%06g' 50000 | xargs touch", place)
  sh("cd %s/folder && touch -d '1 hour ago' large small", place)
end

local function start()
  sh("eval \"$(%s/scripts/env.sh %s)\"; export LUA_PATH=\"%s/bench/?.lua;$LUA_PATH\"; " ..
    "OPEN=1 WORKERS=1 MOST=1g MORE='%s' INIT='require(\"modfs\").load(\"%s/slow.so\", " ..
    "{ trust = true })' %s/examples/nginx/serve.sh %s/folder %d %s/run >/dev/null", here, luajit,
    here, locations, place, here, place, port, place)
end

local function stop()
  sh("kill -QUIT $(cat %s/run/nginx.pid); sleep 1; " ..
    "grep -E '\\[(error|alert|crit)\\]' %s/run/error.log || rm -rf %s", place, place, place)
end

-- Samples of one way: { at (ms), took (us) }, …
local function run(way)
  local total = 0
  for _, load in ipairs(loads) do
    total = total + load.seconds
  end
  sh("curl -s -o /dev/null %s/alias/small; sleep 0.5", base) -- what was asked for before is done
  sh("%s/client %d %g 2 /%s/small >%s/samples & echo $! >%s/client.pid", place, port, total,
    way.path, place, place)
  for _, load in ipairs(loads) do
    local command = load.command or "sleep 1"
    local clients = load.name == "a backend that stalls" and 4 or 1
    sh("export PLACE=%s WAY=%s/%s STALL=%s/%s; for i in $(seq %d); do timeout %g sh -c " ..
      "'while :; do %s || exit; done' & done; sleep %g; wait", place, base, way.path, base,
      way.stall, clients, load.seconds, command, load.seconds)
  end
  sh("while kill -0 $(cat %s/client.pid) 2>/dev/null; do sleep 0.1; done", place)
  local samples = {}
  for line in io.lines(place .. "/samples") do
    local at, took = line:match "^%d+ (%S+) (%S+)"
    samples[#samples + 1] = { tonumber(at), tonumber(took) }
  end
  return samples
end

-- Of the samples that overlap each load: their median and the slowest, in ms.
local function summary(samples)
  local found, at = {}, 0
  for _, load in ipairs(loads) do
    local took = {}
    for _, sample in ipairs(samples) do
      local ended = sample[1] + sample[2] / 1000
      if ended >= at and sample[1] < at + load.seconds * 1000 then
        took[#took + 1] = sample[2] / 1000
      end
    end
    table.sort(took)
    found[#found + 1] = { median = took[#took // 2 + 1], most = took[#took] }
    at = at + load.seconds * 1000
  end
  return found
end

local function median(values)
  table.sort(values)
  return values[#values // 2 + 1]
end

local function print_table(results)
  print(("%-26s %s"):format("ms: median / slowest", "of " .. rounds .. " rounds, the median"))
  for _, way in ipairs(ways) do
    local line = { ("%-26s"):format(way.name) }
    for i, load in ipairs(loads) do
      if i == 1 or load.name ~= "" then
        local medians, mosts = {}, {}
        for r = 1, rounds do
          medians[r], mosts[r] = results[way][r][i].median, results[way][r][i].most
        end
        line[#line + 1] = ("%s %.2f / %.1f"):format(i == 1 and "quiet" or load.name,
          median(medians), median(mosts))
      end
    end
    print(table.concat(line, "   "))
  end
end

build()
plant()
start()
local results, last = {}, {}
for round = 1, rounds do
  for _, way in ipairs(ways) do
    results[way] = results[way] or {}
    last[way] = run(way)
    results[way][round] = summary(last[way])
  end
end
stop()
print_table(results)
if target then
  local file = assert(io.open(target, "w"))
  file:write(figure.draw(loads, ways, last))
  file:close()
end
