#!/bin/sh
# What a slow filesystem (slow.c: 20 ms a read) costs one nginx worker: when requests block it, and when
# they yield; and what a client of another location notices. Run from the top of the checkout:
#   make LUA=luajit BUILD=build-luajit && examples/nginx/measure.sh build-luajit
set -eu
build=${1:?the build folder of modfs for LuaJIT}
here=$(cd "$(dirname "$0")" && pwd)
run=$(mktemp -d)
trap 'kill -QUIT "$(cat "$run/nginx.pid")"; sleep 1; rm -rf "$run"' EXIT
chmod 755 "$run"
mkdir "$run/folder"
head -c 1000 /dev/zero >"$run/folder/quick"
gcc -std=c11 -D_GNU_SOURCE -O2 -fPIC -shared -fvisibility=hidden -I"$here/../../include" "$here/slow.c" \
  -o "$run/slow.so" -Wl,--no-as-needed "$build/stub/libtensorflow_framework.so.2"

port=${PORT:-18099}
MORE='
    location /slow/ { content_by_lua_block {
      require("modfs.async").use { wait = function() end }
      require("store").serve { root = "slow://", prefix = "/slow/" }
      require("modfs.async").use "ngx" } }
    location /waiting/ { content_by_lua_block {
      require("store").serve { root = "slow://", prefix = "/waiting/" } } }'
eval "$("$here/../../scripts/env.sh" "$build")"
WORKERS=1 INIT="require('modfs').load('$run/slow.so', { trust = true })" MORE=$MORE \
  "$here/serve.sh" "$run/folder" "$port" "$run" >/dev/null
load() { wrk -t1 -c"$1" -d"${SECONDS_EACH:-5}" --latency "http://127.0.0.1:$port$2"; }
show() { awk -v what="$1" '/Requests\/sec/ { rate = $2 } $1 == "50%" { half = $2 } $1 == "99%" { most = $2 }
  END { printf "%-44s %9s requests/s   half within %8s   99 %% within %8s\n", what, rate, half, most }'; }

load 16 /slow/x | show "slow, blocking"
load 16 /waiting/x | show "slow, yielding"
load 4 /files/quick | show "quick, alone"
load 16 /slow/x >/dev/null & sleep 0.5
load 4 /files/quick | show "quick, while slow requests block"
wait $!
load 16 /waiting/x >/dev/null & sleep 0.5
load 4 /files/quick | show "quick, while slow requests yield"
wait $!
