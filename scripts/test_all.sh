#!/bin/bash
# The whole suite on each of the five Luas, and the sum as the last line: test_all.sh
set -uo pipefail
cd "$(dirname "$0")/.." || exit

passed=0 failed=0 skipped=0
for lua in lua5.4 lua5.3 lua5.2 lua5.1 luajit; do
  build=build-$lua
  [ "$lua" != lua5.4 ] || build=build
  log=$(mktemp)
  echo "== $lua"
  LUA=$lua BUILD=$build SMOKE=no scripts/test.sh plain 2>&1 | tee "$log"
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
  rm -f "$log"
  if [ -z "$line" ]; then
    echo "FAILED: the suite on $lua ended early"
    failed=$((failed + 1))
    continue
  fi
  read -r -a found <<<"$(tr -cd '0-9 ' <<<"$line")"
  passed=$((passed + found[0]))
  failed=$((failed + found[1]))
  skipped=$((skipped + ${found[2]:-0}))
done

summary="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" -eq 0 ]
