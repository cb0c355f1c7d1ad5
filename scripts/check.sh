#!/bin/bash
# What can be said about the sources without running them: formatting, linters, the project's rules.
# Every check runs; the exit status is 1 when one of them complains.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
LUA=${LUA:-lua5.4}
BUILD=${BUILD:-build}
failed=0

check() {
  local name=$1
  shift
  echo "check: $name"
  "$@" || {
    echo "FAILED: $name"
    failed=1
  }
}

tidy() {
  TIDY_FLAGS="-std=c11 -D_GNU_SOURCE -Iinclude -Isrc $(pkg-config --cflags lua5.4)"
  export TIDY_FLAGS
  # shellcheck disable=SC2016 # the inner shell expands it
  find src plugins examples -name '*.c' -print0 |
    xargs -0 -n 1 -P "$(nproc)" sh -c 'clang-tidy --quiet "$1" -- $TIDY_FLAGS 2>/dev/null' -
}

formatted() {
  find include src plugins spec examples bench scripts \( -name '*.c' -o -name '*.h' \) -print0 |
    xargs -0 clang-format --dry-run -Werror
}

check clang-format formatted
check clang-tidy tidy
check luacheck luacheck --quiet --no-color .
check "rules of the project" "$LUA" scripts/rules.lua . "$BUILD"
exit "$failed"
