#!/bin/sh
# Prints the shell lines that make Lua and the shell find modfs in a build folder: env.sh [build]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-build} in
  /*) build=$1 ;;
  *) build=$root/${1:-build} ;;
esac

quote() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# Since 5.2 a variable with the version in its name wins over the plain one.
for version in '' _5_2 _5_3 _5_4; do
  [ -z "$version" ] || eval "[ -n \"\${LUA_PATH$version:-}\${LUA_CPATH$version:-}\" ]" || continue
  printf 'export LUA_PATH%s=%s"${LUA_PATH%s:-;}"\n' "$version" "$(quote "$root/lua/?.lua;$root/lua/?/init.lua;")" "$version"
  printf 'export LUA_CPATH%s=%s"${LUA_CPATH%s:-;}"\n' "$version" "$(quote "$build/?.so;")" "$version"
done
printf 'export PATH=%s"$PATH"\n' "$(quote "$build/bin:")"
