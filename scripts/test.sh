#!/bin/bash
# Builds the test programs, runs them and the specs, and ends with "N passed, N failed".
#   test.sh plain|clouds|coverage|asan|tsan|valgrind|collect [make variables, such as BUILD=build-asan]
# clouds runs the specs of spec/clouds, and nothing else: `make test-clouds` installs their servers.
# Twice as many at a time as there are processors, since many wait for servers and for what hangs on purpose
# (JOBS=n for another number), the longest first; what they print stands in the order in which they are started.
# TIMES=10 lists the ten that took the most CPU time; BUILD/times has them all.
# A run that ends early, or finds fewer tests than the suite has, fails whatever its exit status says.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# Raise these as the suite grows.
minimum_specs=7000
minimum_c=2600
minimum_clouds=100
limit_seconds=${LIMIT_SECONDS:-1200}

mode=${1:?a mode}
shift
LUA=${LUA:-lua5.4}
BUSTED=${BUSTED:-/usr/bin/busted}
BUILD=${BUILD:-build}
for word in "$@"; do
  case $word in BUILD=*) BUILD=${word#BUILD=} ;; esac
done

processors=$(nproc 2>/dev/null || echo 2)
jobs=${JOBS:-$((2 * processors))}
"${MAKE:-make}" --no-print-directory -j"$processors" "$@" test-programs || exit 1

eval "$(scripts/env.sh "$BUILD")"
export BUILD
XDG_STATE_HOME=$(realpath "$BUILD")/state # what commands keep between two runs
export XDG_STATE_HOME
logs=$BUILD/logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0
failed=0

fail() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}

# What stands before lua and before a C test in each mode.
lua_under=()
c_under=()
busted_flags=()
memory_check=(valgrind --quiet --error-exitcode=9 --leak-check=full
  --show-leak-kinds=definite --errors-for-leak-kinds=definite --keep-debuginfo=yes --suppressions=scripts/valgrind.supp)
case $mode in
  plain | clouds) ;;
  coverage) # what specs link to the archives of this build
    for word in "$@"; do
      case $word in SANITIZE=*) export MODFS_TEST_COVERAGE=${word#SANITIZE=} ;; esac
    done
    ;;
  asan)
    # GCC 12 takes a thread-local block at byte 16 of a page for glibc 2.19's header, and LeakSanitizer
    # then reads wherever the block's words lead: so blocks of loaded libraries are not looked for.
    of_all=allocator_may_return_null=1:intercept_tls_get_addr=0
    export ASAN_OPTIONS="$of_all:detect_leaks=0:include_if_exists=$PWD/scripts/asan/%b"
    export UBSAN_OPTIONS=print_stacktrace=1
    lua_under=(env "LD_PRELOAD=$(gcc -print-file-name=libasan.so)")
    c_under=(env "ASAN_OPTIONS=$of_all:detect_leaks=1")
    ;;
  tsan)
    export TSAN_OPTIONS="halt_on_error=0:exitcode=66:suppressions=$PWD/scripts/tsan.supp"
    lua_under=(env "LD_PRELOAD=$(gcc -print-file-name=libtsan.so)")
    ;;
  valgrind)
    lua_under=("${memory_check[@]}")
    c_under=("${memory_check[@]}")
    ;;
  collect) busted_flags=(--helper=spec/support/collect.lua) ;;
  *)
    echo "test.sh: unknown mode $mode" >&2
    exit 2
    ;;
esac

# A checker that misses a fault made on purpose is worth nothing.
must_report() {
  if "${lua_under[@]}" "$LUA" -e "require('control').$1" >"$BUILD/control.log" 2>&1; then
    fail "the $mode run does not report $1"
  fi
}
# LuaJIT's objects lie in memory of its own, where LeakSanitizer does not see what they hold.
case $mode in
  asan | valgrind)
    if [[ $mode == asan && ! -e scripts/asan/${LUA##*/} ]]; then
      echo "leaks are not looked for under ${LUA##*/}: what its own memory holds would be taken for lost"
    else
      must_report 'leak()'
    fi
    must_report 'overflow(10)'
    ;;
  tsan) must_report 'race()' ;;
esac

# Running ------------------------------------------------------------------------

TIMEFORMAT='%R %U %S' # seconds: real, user, system
names=()
reported=0
broken=() # the names of those with a failure
memory='' # a folder in memory; empty where the machine has no room
trap 'for job in $(jobs -p); do pkill -P "$job"; done; rm -rf ${memory:+"$memory"}' EXIT # of a run that is ended, too

run() {
  local name=$1
  shift
  { time timeout "$limit_seconds" "$@" >"$logs/$name" 2>&1; } 2>"$logs/$name.time"
  echo $? >"$logs/$name.status"
}

# start NAME COMMAND...: beside as many others as JOBS allows.
start() {
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  names+=("$1")
  run "$@" &
  report
}

# Counts what has ended, in the order in which it was started.
report() {
  local name before
  while [ "$reported" -lt "${#names[@]}" ] && [ -s "$logs/${names[reported]}.status" ]; do
    name=${names[reported]} before=$failed
    case $name in
      *_spec.lua) count_spec "$name" "$logs/$name" "$(<"$logs/$name.status")" ;;
      *_tour.lua) count_tour "$name" "$logs/$name" "$(<"$logs/$name.status")" ;;
      *) count_c "$name" "$logs/$name" "$(<"$logs/$name.status")" ;;
    esac
    [ "$before" -eq "$failed" ] || broken+=("$name")
    reported=$((reported + 1))
  done
}

finish() {
  wait
  report
  [ "$reported" -eq "${#names[@]}" ] || fail "${names[reported]} left no exit status"
}

# The C tests print TAP lines.
c_tests=0
count_c() {
  local name=$1 log=$2 status=$3 ok not_ok
  ok=$(grep -ac '^ok ' "$log")
  not_ok=$(grep -ac '^not ok ' "$log")
  passed=$((passed + ok))
  failed=$((failed + not_ok))
  c_tests=$((c_tests + ok + not_ok))
  echo "$name: $ok passed, $not_ok failed"
  if [ "$not_ok" -gt 0 ] || [ "$status" -ne 0 ]; then grep -av '^ok ' "$log"; fi
  if [ "$status" -ne 0 ] && [ "$not_ok" -eq 0 ]; then fail "$name ended with status $status"; fi
  if [ "$status" -eq 0 ] && [ $((ok + not_ok)) -eq 0 ]; then fail "$name ran no test"; fi
}

specs=0
skipped=0
count_spec() {
  local name=$1 log=$2 status=$3 line found
  line=$(grep -aoE '[0-9]+ success(es)? / [0-9]+ failures? / [0-9]+ errors? / [0-9]+ pending : .*' "$log" | tail -1)
  if [ -z "$line" ]; then
    cat "$log"
    fail "$name ended early (status $status): busted's closing line is missing"
    return
  fi
  read -r -a found <<<"$(tr -cd '0-9 ' <<<"${line%%:*}")"
  specs=$((specs + found[0]))
  passed=$((passed + found[0]))
  failed=$((failed + found[1] + found[2]))
  skipped=$((skipped + found[3]))
  echo "$name: ${found[0]} passed, $((found[1] + found[2])) failed"
  if [ "$status" -ne 0 ] || [ $((found[1] + found[2] + found[3])) -gt 0 ]; then cat "$log"; fi
  if [ "$status" -ne 0 ] && [ $((found[1] + found[2])) -eq 0 ]; then
    fail "$name passed, but busted ended with status $status"
  fi
}

count_tour() {
  local name=$1 log=$2 status=$3
  if [ "$status" -eq 0 ]; then passed=$((passed + 1)); else fail "$name: $(<"$log")"; fi
}

# What to run ----------------------------------------------------------------------

plugin_for() {
  case $1 in
    posix_*) echo "$BUILD/modfs/plugins/posix.so" ;;
    memory_*) echo "$BUILD/modfs/plugins/mem.so" ;;
  esac
}

start_c_tests() {
  local source name program programs
  for source in spec/c/*_test.c; do
    name=$(basename "$source" .c)
    programs=("$BUILD/c/$name")
    [ "$name" != layout_test ] || programs=("$BUILD"/c/layout_test_{c11,c17,c++11,c++17})
    for program in "${programs[@]}"; do
      # shellcheck disable=SC2046 # no word, or one
      start "${program##*/}" "${c_under[@]}" "$program" $(plugin_for "$name")
    done
  done
  if [ "$mode" = plain ]; then start headers_test.sh bash spec/c/headers_test.sh; fi
}

# On ext4 a new file passes over the inodes that were freed in the last minutes, one by one: the suite
# frees many thousands, so that a third of the time of `modfs check` was spent on them. Programs must run there.
make_memory() {
  local room
  room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
  if [ -n "${TMPDIR:-}" ] || [ "${room:-0}" -lt 2000000 ]; then return; fi
  memory=$(mktemp -d /dev/shm/modfs-test.XXXXXX 2>/dev/null) || return
  chmod 755 "$memory"
  cp "$(type -P true)" "$memory/true"
  if ! "$memory/true" 2>/dev/null; then
    rm -rf "$memory"
    memory=
  fi
}

# Whether a file of specs has its temporary files in memory: those whose subject is no disk. check_posix puts
# posix before its cases on one.
is_in_memory() {
  case $1 in
    check_posix_*) return 1 ;;
    check_* | inspect_* | template_* | rules_*) [ -n "$memory" ] ;;
    *) return 1 ;;
  esac
}

# What is loaded stays in its process, so each file of specs has a process of its own.
start_spec() {
  if is_in_memory "$1"; then local -x TMPDIR=$memory; fi
  # GCC 12's LeakSanitizer crashes in processes whose threads a device has ended: here always, or often.
  local -x ASAN_OPTIONS=${ASAN_OPTIONS:-}
  if [[ $mode == asan && ($1 == check_device* || $1 == poll_spec*) ]]; then ASAN_OPTIONS+=:detect_leaks=0; fi
  start "$1" "${lua_under[@]}" "$LUA" "$BUSTED" -o plainTerminal --cpath="$BUILD/?.so" "${busted_flags[@]}" "$2"
}

# Those that take longest, so that none of them is the last one at work.
long_specs=(check_device_mutants check check_mutants check_s3 s3_trees check_device inspect s3_write radosgw template
  cost check_sanitizer check_readonly s3_request love hostile check_limits)

start_specs() {
  local name spec
  if [ "$mode" = clouds ]; then
    # Those before modfs check take longest; that of hdfs waits more than it computes.
    for name in check_hdfs check_radosgw check_az check_gs; do
      start_spec "${name}_spec.lua" "spec/clouds/${name}_spec.lua"
    done
    for spec in spec/clouds/*_spec.lua; do
      name=${spec##*/}
      case $name in check_*) ;; *) start_spec "$name" "$spec" ;; esac
    done
    return
  fi
  # Its server is one of Debian's, and no other spec reaches as much of s3.
  if [ "$mode" = coverage ]; then start_spec check_radosgw_spec.lua spec/clouds/check_radosgw_spec.lua; fi
  for name in "${long_specs[@]}"; do start_spec "${name}_spec.lua" "spec/${name}_spec.lua"; done
  for spec in spec/*_spec.lua; do
    name=${spec##*/}
    [[ " ${long_specs[*]} " == *" ${name%_spec.lua} "* ]] || start_spec "$name" "$spec"
  done
}

# The other Luas in short: the tour, and a few specs. `make test-all` runs everything on each.
smoke() {
  local plain=$BUILD
  local -x LUA=$1 BUILD=build-$1 LUA_PATH=${LUA_PATH:-} LUA_CPATH=${LUA_CPATH:-}
  local spec
  if ! command -v "$LUA" >/dev/null || ! pkg-config --exists "$LUA"; then
    echo "$LUA: skipped, it or its headers are not installed"
    skipped=$((skipped + 1))
    return
  fi
  mkdir -p "$BUILD" # specs build it, too
  flock "$BUILD" "${MAKE:-make}" --no-print-directory -s -j"$processors" "LUA=$LUA" "BUILD=$BUILD" "PLAIN=$plain" all \
    >"$logs/$LUA" 2>&1 || {
    cat "$logs/$LUA"
    fail "modfs cannot be built for $LUA"
    return
  }
  eval "$(scripts/env.sh "$BUILD")"
  start "$LUA 1_tour.lua" "$LUA" examples/1_tour.lua --short
  for spec in module gfile file buffer luas; do start_spec "$LUA ${spec}_spec.lua" "spec/${spec}_spec.lua"; done
}

smoke_all() {
  local lua
  scripts/setup.sh luas || true
  for lua in lua5.1 lua5.2 lua5.3 luajit; do smoke "$lua"; done
}

case $mode in collect | clouds) minimum_c=0 ;; *) start_c_tests ;; esac
[ "$mode" != clouds ] || minimum_specs=$minimum_clouds
[ "$mode" = clouds ] || make_memory
[ "$mode" = tsan ] || start_specs
# The others are built while the last specs run.
if [ "$mode" = plain ] && [ "$LUA" = lua5.4 ] && [ "${SMOKE:-yes}" = yes ]; then smoke_all; fi
finish
if [ "$c_tests" -lt "$minimum_c" ]; then
  fail "only $c_tests C tests ran, $minimum_c were expected"
fi
if [ "$mode" != tsan ] && [ "$specs" -lt "$minimum_specs" ]; then
  fail "only $specs specs passed, $minimum_specs were expected"
fi

# "user+system seconds (real): name" of each, those that took the most first.
for name in "${names[@]}"; do
  read -r real user system < <(tail -n 1 "$logs/$name.time")
  echo "$real $user $system $name"
done | awk '{ printf "%7.1f s (%.1f s): %s\n", $2 + $3, $1, substr($0, index($0, $4)) }' | sort -rn >"$BUILD/times"
head -n "${TIMES:-0}" "$BUILD/times"
awk '{ sum += $1 } END { printf "%.0f s of CPU time in %d programs\n", sum, NR }' "$BUILD/times"

# What failed once more, in short: the logs above are long.
for name in "${broken[@]}"; do
  echo "In $name:"
  grep -aE -A4 '^(Failure|Error) -> |^not ok ' "$logs/$name" | cut -c -300 | head -40
done

summary="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" -eq 0 ]
