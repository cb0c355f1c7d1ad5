#!/bin/bash
# build.sh TARGET OUTPUT [compiler and its flags]...: a fuzzer of spec/fuzz/TARGET.c. With a compiler that
# has libFuzzer (clang -fsanitize=fuzzer) that is its driver, else spec/fuzz/driver.c.
set -euo pipefail
cd "$(dirname "$0")/../.." # the root
target=$1 output=$2
shift 2
words() { sed -n "s,^.*$1: *\(.*[^ */]\)[ */]*\$,\1,p" "spec/fuzz/$target.c" | head -1; }
driver=spec/fuzz/driver.c
[[ " $* " == *fsanitize=fuzzer* ]] && driver=
runtime=$(realpath "${BUILD:-build}/modfs")
mkdir -p "$(dirname "$output")"
# shellcheck disable=SC2046,SC2086 # words
"$@" -std=c11 -D_GNU_SOURCE -g -Iinclude "spec/fuzz/$target.c" $driver $(words sources) -o "$output" \
  "$runtime/libtensorflow_framework.so.2" "-Wl,-rpath,$runtime" $(words libraries)
