#!/bin/bash
# Builds the test programs, runs them and the specs, and ends with "N passed, N failed".
#   test.sh plain|asan|tsan|valgrind|collect [make variables, such as BUILD=build-asan]
# A run that ends early, or finds fewer tests than the suite has, fails whatever its exit status says.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# Raise these as the suite grows.
minimum_specs=2800
minimum_c=2450
limit_seconds=${LIMIT_SECONDS:-1200}

mode=${1:?a mode}
shift
LUA=${LUA:-lua5.4}
BUSTED=${BUSTED:-/usr/bin/busted}
BUILD=${BUILD:-build}
for word in "$@"; do
  case $word in BUILD=*) BUILD=${word#BUILD=} ;; esac
done

jobs=$(nproc 2>/dev/null || echo 2)
"${MAKE:-make}" --no-print-directory -j"$jobs" "$@" test-programs || exit 1

eval "$(scripts/env.sh "$BUILD")"
export BUILD
log=$BUILD/spec.log
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
  plain) ;;
  asan)
    export ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=0:include_if_exists=$PWD/scripts/asan/%b"
    export UBSAN_OPTIONS=print_stacktrace=1
    lua_under=(env "LD_PRELOAD=$(gcc -print-file-name=libasan.so)")
    c_under=(env ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1)
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
case $mode in
  asan | valgrind)
    must_report 'leak()'
    must_report 'overflow(10)'
    ;;
  tsan) must_report 'race()' ;;
esac

# The C tests print TAP lines.
run_c() {
  local name=$1 output status ok not_ok
  shift
  output=$(timeout "$limit_seconds" "$@" 2>&1)
  status=$?
  ok=$(grep -c '^ok ' <<<"$output")
  not_ok=$(grep -c '^not ok ' <<<"$output")
  passed=$((passed + ok))
  failed=$((failed + not_ok))
  c_tests=$((c_tests + ok + not_ok))
  echo "$name: $ok passed, $not_ok failed"
  if [ "$not_ok" -gt 0 ] || [ "$status" -ne 0 ]; then grep -v '^ok ' <<<"$output"; fi
  if [ "$status" -ne 0 ] && [ "$not_ok" -eq 0 ]; then fail "$name ended with status $status"; fi
  if [ "$status" -eq 0 ] && [ $((ok + not_ok)) -eq 0 ]; then fail "$name ran no test"; fi
}

plugin_for() {
  case $1 in
    posix_*) echo "$BUILD/modfs/plugins/posix.so" ;;
    memory_*) echo "$BUILD/modfs/plugins/mem.so" ;;
  esac
}

c_tests=0
run_c_tests() {
  local source name program programs
  for source in spec/c/*_test.c; do
    name=$(basename "$source" .c)
    programs=("$BUILD/c/$name")
    [ "$name" != layout_test ] || programs=("$BUILD"/c/layout_test_{c11,c17,c++11,c++17})
    for program in "${programs[@]}"; do
      # shellcheck disable=SC2046 # no word, or one
      run_c "${program##*/}" "${c_under[@]}" "$program" $(plugin_for "$name")
    done
  done
  if [ "$mode" = plain ]; then run_c headers_test.sh bash spec/c/headers_test.sh; fi
  [ "$c_tests" -ge "$minimum_c" ] || fail "only $c_tests C tests ran, $minimum_c were expected"
}

# What is loaded stays in its process, so each file of specs has a process of its own.
run_spec() {
  local spec=$1 status line found
  timeout "$limit_seconds" "${lua_under[@]}" "$LUA" "$BUSTED" -o plainTerminal --cpath="$BUILD/?.so" "${busted_flags[@]}" "$spec" >"$log" 2>&1
  status=$?
  line=$(grep -aoE '[0-9]+ success(es)? / [0-9]+ failures? / [0-9]+ errors? / [0-9]+ pending : .*' "$log" | tail -1)
  if [ -z "$line" ]; then
    cat "$log"
    fail "$spec ended early (status $status): busted's closing line is missing"
    return
  fi
  read -r -a found <<<"$(tr -cd '0-9 ' <<<"${line%%:*}")"
  specs=$((specs + found[0]))
  failed=$((failed + found[1] + found[2]))
  skipped=$((skipped + found[3]))
  echo "${spec##*/}: ${found[0]} passed, $((found[1] + found[2])) failed"
  if [ "$status" -ne 0 ] || [ $((found[1] + found[2] + found[3])) -gt 0 ]; then cat "$log"; fi
  if [ "$status" -ne 0 ] && [ $((found[1] + found[2])) -eq 0 ]; then
    fail "$spec passed, but busted ended with status $status"
  fi
}

specs=0
run_specs() {
  local spec
  for spec in spec/*_spec.lua; do run_spec "$spec"; done
  passed=$((passed + specs))
  [ "$specs" -ge "$minimum_specs" ] ||
    fail "only $specs specs passed, $minimum_specs were expected"
}

# The other Luas in short: the tour, and a few specs. `make test-all` runs everything on each.
smoke() {
  local -x LUA=$1 BUILD=build-$1 LUA_PATH=${LUA_PATH:-} LUA_CPATH=${LUA_CPATH:-}
  local spec tour
  if ! command -v "$LUA" >/dev/null || ! pkg-config --exists "$LUA"; then
    echo "$LUA: skipped, it or its headers are not installed"
    skipped=$((skipped + 1))
    return
  fi
  "${MAKE:-make}" --no-print-directory -s -j"$jobs" "LUA=$LUA" "BUILD=$BUILD" all >"$log" 2>&1 || {
    cat "$log"
    fail "modfs cannot be built for $LUA"
    return
  }
  eval "$(scripts/env.sh "$BUILD")"
  echo "$LUA:"
  if tour=$(timeout "$limit_seconds" "$LUA" examples/1_tour.lua --short 2>&1); then
    passed=$((passed + 1))
  else
    fail "$LUA examples/1_tour.lua: $tour"
  fi
  for spec in module gfile file buffer luas; do
    run_spec "spec/${spec}_spec.lua"
  done
}

smoke_all() {
  local lua
  scripts/setup.sh luas || true
  for lua in lua5.1 lua5.2 lua5.3 luajit; do smoke "$lua"; done
}

skipped=0
[ "$mode" = collect ] || run_c_tests
[ "$mode" = tsan ] || run_specs
if [ "$mode" = plain ] && [ "$LUA" = lua5.4 ] && [ "${SMOKE:-yes}" = yes ]; then smoke_all; fi

summary="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" -eq 0 ]
